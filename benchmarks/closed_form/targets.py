"""All 16 types of targets: numeric on three arms, and by closed forms on arms that have just enough joints."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinetree import models
from kinetree.interfaces.bench import Table
from kinetree.solvers import IkTarget, InverseKinematics, Validity
from kinetree.solvers.targets import TARGET_CLASSES, target_class

from ..core.figures import Figure, at_least, table_of
from ..options import Options
from ..peers.problem import ORIENTATION_TOLERANCE, POSITION_TOLERANCE
from .partial_targets import Drawn, draw, missing

#: Arms that solve every type numerically.
NUMERIC = ("ur5", "panda", "kr6_r900")
SAMPLES, QUICK = 2_000, 50
#: Solved targets that are required (%).
REQUIRED = 99.9
#: Calls before any is timed.
WARM_UP = 5


@dataclass(frozen=True)
class Closed:
    """A type that a closed form is required for.

    Attributes:
        kind: Of target.
        robot: Built-in one.
        joints: Places in the chain of those that move; all when None.
        direction: The tool's; the usual one when None.
    """

    kind: str
    robot: str
    joints: tuple[int, ...] | None = None
    direction: str | None = None


CLOSED = (
    Closed("Transform6D", "kr6_r900"),
    Closed("Transform6D", "ur5"),
    Closed("Rotation3D", "kr6_r900", (3, 4, 5)),
    Closed("Translation3D", "kr6_r900", (0, 1, 2)),
    Closed("Translation3D", "ur5", (0, 1, 2)),
    Closed("Direction3D", "kr6_r900", (3, 4)),
    Closed("Ray4D", "kr6_r900", (0, 1, 3, 4)),
    Closed("Ray4D", "xarm6", (0, 1, 2, 3)),
    Closed("Ray4D", "ur5", (0, 1, 2, 4)),
    Closed("Lookat3D", "kr6_r900", (3, 4)),
    Closed("Lookat3D", "panda", (0, 1)),
    Closed("TranslationDirection5D", "ur5", (0, 1, 2, 3, 4)),
    Closed("TranslationDirection5D", "kr6_r900", (0, 1, 2, 3, 4)),
    Closed("TranslationXY2D", "planar3", (0, 1)),
    Closed("TranslationXY2D", "scara", (0, 1)),
    Closed("TranslationXYOrientation3D", "planar3"),
    Closed("TranslationLocalGlobal6D", "kr6_r900", (0, 1, 2)),
    Closed("TranslationXAxisAngle4D", "scara", None, "x"),
    Closed("TranslationYAxisAngle4D", "scara", None, "x"),
    Closed("TranslationZAxisAngle4D", "kr6_r900", (0, 1, 2, 4)),
    Closed("TranslationXAxisAngleZNorm4D", "scara", None, "x"),
)


@dataclass(frozen=True)
class Way:
    """How targets of a kind are solved on a robot.

    Attributes:
        name: In the table.
        why: The closed form, or why there is none.
        solve: From a drawn target to a configuration (n,), or None; None when there is no way.
    """

    name: str
    why: str
    solve: Callable[[Drawn], Any] | None


def measure(options: Options) -> list[Table]:
    """A row for each type and robot, numeric ones first."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "closed_form.targets",
        f"Targets of all types: {count} that a random configuration fulfils each, random seeds, limits on",
        {
            "kind": ("type", ""),
            "robot": ("robot", ""),
            "joints": ("joints", "d"),
            "way": ("way", ""),
            "solved": ("solved %", ".2f"),
            "position_error": ("worst m", ".1e"),
            "orientation_error": ("worst rad", ".1e"),
            "median_us": ("median us", ".1f"),
            "p99_us": ("p99 us", ".1f"),
            "note": ("", ""),
        },
    )
    cases = [Closed(kind.__name__, robot) for kind in TARGET_CLASSES.values() for robot in NUMERIC]
    figures: list[Figure] = []
    for case, make in [*((case, _numeric) for case in cases), *((case, _closed) for case in CLOSED)]:
        if options.robots is not None and case.robot not in options.robots:
            continue
        row = _row(case, make, count, options.seed)
        table.rows.append(row)
        where = f"{case.kind}, {case.robot}"
        figures.append(at_least(f"solved, {row['way']}, %", REQUIRED, row.get("solved"), where, row["note"]))
    return [table, table_of(table.name, figures)]


def _row(case: Closed, make: Callable[..., Way], count: int, seed: int) -> dict[str, Any]:
    robot = models.load(case.robot)
    robot.positions = robot.clamp(robot.rest_positions)
    chain = robot.tip.chain().dof_indices
    places = [int(each) for each in (chain if case.joints is None else chain[list(case.joints)])]
    kind = target_class(case.kind)
    rng = np.random.default_rng([seed, 7, *f"{case.kind} {case.robot}".encode()])
    drawn = [draw(kind, robot, places, case.direction, rng) for _ in range(count)]
    ik = InverseKinematics(robot)
    if case.joints is not None:
        ik.set_dofs(places)
    way = make(ik, drawn[0].target)
    row: dict[str, Any] = {"kind": case.kind, "robot": case.robot, "joints": len(places), "way": way.name}
    if way.solve is None:
        return {**row, "note": way.why}
    for each in drawn[:WARM_UP]:
        way.solve(each)
    answers, times = [], np.empty(count)
    for k, each in enumerate(drawn):
        begun = time.perf_counter_ns()
        answers.append(way.solve(each))
        times[k] = 1e-3 * (time.perf_counter_ns() - begun)
    errors = np.full((count, 2), np.inf)
    for k, (each, q) in enumerate(zip(drawn, answers, strict=True)):
        if q is not None and (q >= robot.lower_limits).all() and (q <= robot.upper_limits).all():
            errors[k] = missing(each, robot.state(q).transform(robot.tip))
    solved = (errors <= (POSITION_TOLERANCE, ORIENTATION_TOLERANCE)).all(axis=1)
    worst = errors[solved].max(axis=0, initial=0.0)
    return {
        **row,
        "solved": 100.0 * float(solved.mean()),
        "position_error": float(worst[0]),
        "orientation_error": float(worst[1]),
        "median_us": float(np.median(times)),
        "p99_us": float(np.quantile(times, 0.99)),
        "note": way.why,
    }


def _numeric(ik: InverseKinematics, _: IkTarget) -> Way:
    def solve(drawn: Drawn) -> Any:
        solution = ik.solve(drawn.target, seed=drawn.seed)
        return solution.q if solution.success else None

    return Way("numeric", "", solve)


def _closed(ik: InverseKinematics, target: IkTarget) -> Way:
    ik.error_method = target.clone()
    closed = ik.analytical()
    if closed is None:
        return Way("closed form", ik.analytical_report, None)
    places = closed.solved_dofs().indices

    def solve(drawn: Drawn) -> Any:
        q, validity = closed.solve_all(drawn.target, drawn.seed)
        if not len(q) or validity[0] != Validity.VALID:
            return None
        whole = drawn.seed.copy()
        whole[places] = q[0]
        return whole

    return Way("closed form", closed.why, solve)
