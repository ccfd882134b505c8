"""Compiled solvers: step rules, restarts in lanes, batches."""
