"""Many targets in one call: their input, their result, and the work in chunks on several threads."""
