"""Solvers by RobWork's contract: a pose relative to the base of a chain in, configurations out."""
