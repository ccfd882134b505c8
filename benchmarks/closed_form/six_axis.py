"""All solutions of arms with six joints that have a spherical wrist or three parallel axes."""

from __future__ import annotations

from kinetree.interfaces.bench import Table, workload

from ..contest import compete
from ..core.figures import Figure, table_of
from ..options import Options
from ..peers.catalog import CLOSED_FORM_PEERS, GET_SOLUTIONS, SOLVE_ALL, chosen
from . import comparison

ROBOTS = ("kr6_r900", "irb120", "irb4600_40_255", "puma560", "ur5", "ur5e")
SAMPLES, QUICK = 2_000, 100
#: The fastest peer's time against ours; microseconds with objects.
RATIO, OBJECTS = 3.0, 10.0


def measure(options: Options) -> list[Table]:
    """A row for each robot and library."""
    count = options.count(SAMPLES, QUICK)
    table = comparison.table(
        "closed_form.six_axis",
        f"All solutions, one call for one pose: {count} random reachable poses each; kinetree's are within limits "
        "where they can be, tagged, and ranked by a random seed; times of others as multiples of ours",
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        work = workload(name, count, options.seed)
        contestants = [SOLVE_ALL, GET_SOLUTIONS, *chosen(CLOSED_FORM_PEERS, options, name)]
        _, outcomes = compete(contestants, work, work.seeds, all_solutions=True)
        arrays, objects, *others = rows = comparison.rows(work, outcomes)
        table.rows += rows
        figures += comparison.against_fastest(name, [arrays, *others], RATIO)
        figures.append(comparison.median_at_most(name, objects, OBJECTS))
    return [table, table_of(table.name, figures)]
