"""Tracking: from seeds near a solution, and along a path."""

from __future__ import annotations

from kinetree.interfaces.bench import NEAR, PATH_STEP, Table, path, workload

from ..contest import Outcome, compete
from ..options import Options
from ..peers.catalog import PATH, PEERS, PREPARED, SOLVE, chosen
from ..peers.problem import Problem
from . import comparison
from .figures import Figure, at_most, table_of

ROBOTS = ("ur5", "panda", "iiwa14", "kr6_r900")
SAMPLES, QUICK = 2_000, 100
#: Points of a path for each target of the first part.
POINTS = 10
#: Microseconds.
SOLVE_MEDIAN, PREPARED_MEDIAN, PATH_POINT = 7.0, 4.0, 2.5


def measure(options: Options) -> list[Table]:
    """A row for each robot and library, and one for each robot's path."""
    count = options.count(SAMPLES, QUICK)
    near = comparison.table(
        "core.near_seed", f"One call for one target: {count} random targets each, seeds within {NEAR} of a solution"
    )
    paths = Table(
        "core.path",
        f"solve_path: smooth motions of {POINTS * count} points, at most {PATH_STEP} rad a joint from one to the next",
        {
            "robot": ("robot", ""),
            "points": ("points", "d"),
            "solved": ("solved %", ".3f"),
            "point_us": ("us / point", ".2f"),
            "note": ("", ""),
        },
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        work = workload(name, count, options.seed)
        contestants = [SOLVE, PREPARED, *chosen(PEERS, options, name)]
        seeds = work.near_seeds(options.seed)
        problem, outcomes = compete(contestants, work, seeds, seconds=comparison.turn(options))
        near.rows += comparison.rows(name, problem, outcomes)
        for outcome, bound in zip(outcomes, (SOLVE_MEDIAN, PREPARED_MEDIAN), strict=False):
            median = None if outcome.words else outcome.timing.median
            figures.append(at_most(f"median of {outcome.name}, near seed, us", bound, median, name, outcome.words))
        figures.append(_follow(paths, name, POINTS * count, options.seed))
    return [near, paths, table_of(near.name, figures)]


def _follow(paths: Table, name: str, points: int, seed: int) -> Figure:
    """Adds the row of a path; its rounds are pieces of it."""
    work = path(name, points, seed)
    problem, (outcome,) = compete([PATH], work, work.seeds, together=True)
    row = {"robot": name, "points": points, "note": outcome.words}
    each = None
    if not outcome.words:
        each = _point(problem, outcome)
        row |= {"solved": 100.0 * float(outcome.solved(problem).mean()), "point_us": each}
    paths.rows.append(row)
    return at_most("solve_path, us a point", PATH_POINT, each, name, outcome.words)


def _point(problem: Problem, outcome: Outcome) -> float:
    """Microseconds for a point: the median of the rounds."""
    points = len(outcome.q) / len(outcome.rounds)
    return outcome.timing.median / points
