"""Measurements: ``python -m benchmarks`` prints them as tables."""
