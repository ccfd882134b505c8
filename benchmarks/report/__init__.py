"""The page that a run of the benchmarks writes: tables, plots, and where kinetree is not first."""
