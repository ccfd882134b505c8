"""Variants of kinetree's own solvers side by side, by the engine of ``kinetree bench``."""
