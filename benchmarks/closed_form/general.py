"""All solutions of arms with six joints and neither a spherical wrist nor three parallel axes."""

from __future__ import annotations

from kinetree.interfaces.bench import Table

from ..contest import compete
from ..core.figures import Figure, table_of
from ..options import Options
from ..peers.catalog import CLOSED_FORM_PEERS, SOLVE_ALL, chosen
from . import comparison
from .arms import GENERAL, arm_workload

#: An offset wrist, and no structure at all.
ROBOTS = ("xarm6", GENERAL)
SAMPLES, QUICK = 1_000, 50
#: Microseconds.
MEDIAN = 150.0


def measure(options: Options) -> list[Table]:
    """A row for each robot and library."""
    count = options.count(SAMPLES, QUICK)
    table = comparison.table(
        "closed_form.general",
        f"All solutions of general arms, one call for one pose: {count} random reachable poses each",
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        work = arm_workload(name, count, options.seed)
        contestants = [SOLVE_ALL, *chosen(CLOSED_FORM_PEERS, options, name)]
        _, outcomes = compete(contestants, work, work.seeds, all_solutions=True)
        rows = comparison.rows(work, outcomes)
        table.rows += rows
        figures.append(comparison.median_at_most(name, rows[0], MEDIAN))
    return [table, table_of(table.name, figures)]
