"""The meta solver: restarts around any solver, and what becomes of their answers."""
