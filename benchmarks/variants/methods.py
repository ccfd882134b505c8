"""Which of kinetree's solvers solves what, in how many iterations and attempts, and how fast; on several robots."""

from __future__ import annotations

from kinetree.interfaces.bench import (
    Table,
    attempts_table,
    find_variants,
    methods_table,
    workload,
)
from kinetree.interfaces.bench import measure as measure_variants

from ..options import Options

#: A common six-axis arm, a seven-axis arm whose limits matter, one with joints without end, one of two arms, and one
#: of five joints, which is asked for positions.
ROBOTS = ("ur5", "panda", "gen3", "dual_arm", "so101")
QUICK_ROBOTS = ("ur5", "panda")
SAMPLES, QUICK = 1000, 100
#: Seconds for a robot; slow variants try fewer targets then.
TIME_LIMIT, QUICK_TIME_LIMIT = 90.0, 10.0


def measure(options: Options) -> list[Table]:
    """A row for each robot and variant: what it came to, its success against attempts, and why it was not measured."""
    count = options.count(SAMPLES, QUICK)
    methods = methods_table(
        "variants.methods", f"Variants of kinetree's solvers: up to {count} random targets each", [], ""
    )
    attempts = attempts_table("variants.attempts", "Solved (%) within so many attempts", [], "")
    notes = Table(
        "variants.notes",
        "Variants that were not measured, or that raised",
        {"robot": ("robot", ""), "method": ("method", ""), "note": ("why", "")},
    )
    for name in options.robots or (QUICK_ROBOTS if options.quick else ROBOTS):
        work = workload(name, count, options.seed)
        limit = QUICK_TIME_LIMIT if options.quick else TIME_LIMIT
        found = measure_variants(work, find_variants(), time_limit=limit)
        methods.rows += methods_table("", "", found, name).rows
        attempts.rows += attempts_table("", "", found, name).rows
        notes.rows += [{"robot": name, "method": each.name, "note": each.note} for each in found if each.note]
    return [methods, attempts, notes] if notes.rows else [methods, attempts]
