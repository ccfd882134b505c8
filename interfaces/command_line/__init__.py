"""The commands of ``kinetree``, one per file."""
