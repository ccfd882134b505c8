"""One target, one call from Python, from a random seed: kinetree and its peers on the same targets."""

from __future__ import annotations

from kinetree.interfaces.bench import Table, workload

from ..contest import compete
from ..options import Options
from ..peers.catalog import PEERS, PREPARED, SOLVE, chosen
from . import comparison
from .comparison import Ratio
from .figures import Figure, table_of

ROBOTS = ("ur5", "panda", "iiwa14", "kr6_r900")
SAMPLES, QUICK = 2_000, 100
#: Of `InverseKinematics.solve`.
SOLVE_RATIOS = (
    Ratio("dynibo", "median", 3.0),
    Ratio("dynibo", "mean", 5.0),
    Ratio("roboticstoolbox-python", "median", 7.0),
    Ratio("cartan-bindings", "median", 7.0),
    Ratio("optik-py", "median", 20.0),
    Ratio("pytracik", "median", 20.0),
)
#: Of what `InverseKinematics.prepare` returns.
PREPARED_RATIOS = (Ratio("dynibo", "median", 4.0), Ratio("dynibo", "mean", 7.0))
TAIL_RATIO = 8.0


def measure(options: Options) -> list[Table]:
    """A row for each robot and library."""
    count = options.count(SAMPLES, QUICK)
    table = comparison.table(
        "core.one_target",
        f"One call for one target: {count} random targets each, random seeds; times of others as multiples of ours",
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        work = workload(name, count, options.seed)
        contestants = [SOLVE, PREPARED, *chosen(PEERS, options, name)]
        problem, outcomes = compete(contestants, work, work.seeds, seconds=comparison.turn(options))
        table.rows += comparison.rows(name, problem, outcomes)
        if name in ROBOTS:
            ours, prepared, *others = outcomes
            figures += comparison.ratio_figures(name, ours, others, SOLVE_RATIOS)
            figures += comparison.tail_figure(name, ours, others, TAIL_RATIO)
            figures += comparison.ratio_figures(name, prepared, others, PREPARED_RATIOS)
    return [table, table_of(table.name, figures)] if figures else [table]
