"""Whether every solution is there: of poses that configurations were drawn for, and of what numeric search finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinetree.interfaces.bench import Table, Workload, workload, workload_of
from kinetree.solvers import InverseKinematics, Validity
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.closed_form import ClosedForm

from ..core.figures import Figure, at_least, at_most, table_of
from ..options import Options
from . import arms
from .arms import robot_of
from .branches import judge
from .multi_start import SAME, apart, roots

Array = NDArray[np.float64]
#: Targets of each row; random arms among which those of a row are shared out.
SAMPLES, QUICK = 10_000, 200
ARMS, FEW_ARMS = 200, 10
#: Targets of a row that are searched numerically, and starts of each search.
SEARCHED, STARTS = 200, 100
#: Largest errors (m, rad).
ERROR, GENERAL_ERROR = 1e-10, 1e-9
#: The seed of all searches, besides that of the command line.
STREAM = 5


@dataclass(frozen=True)
class Kind:
    """A kind of arm.

    Attributes:
        name: In the table.
        robots: Built-in ones.
        make: A random one.
        error: What its solutions may miss by (m, rad).
        is_redundant: With a joint too many: the configuration that a target was made from is given as the seed, and
            has to be the first of the solutions.
    """

    name: str
    robots: tuple[str, ...]
    make: arms.Maker
    error: float = ERROR
    is_redundant: bool = False


KINDS = (
    Kind(
        "6R, spherical wrist, axes 2 and 3 parallel",
        ("kr6_r900", "irb120", "irb4600_40_255", "puma560"),
        arms.spherical_wrist_two_parallel,
    ),
    Kind("6R, spherical wrist, axes 1 and 2 meet", (), arms.spherical_wrist_two_meeting),
    Kind("6R, spherical wrist", (), arms.spherical_wrist),
    Kind("6R, spherical wrist at the base", (), arms.spherical_wrist_at_base),
    Kind("6R, axes 2, 3, 4 parallel", ("ur5", "ur5e"), arms.middle_parallel),
    Kind("6R, axes 3, 4, 5 parallel", (), arms.middle_parallel_at_base),
    Kind("6R, axes 1, 2, 3 parallel", (), arms.first_parallel),
    Kind("6R, offset wrist", ("xarm6",), arms.offset_wrist, GENERAL_ERROR),
    Kind("6R, general", (), arms.general, GENERAL_ERROR),
    Kind("7R, spherical shoulder and wrist", ("iiwa14", "iiwa7"), arms.spherical_shoulder_and_wrist, is_redundant=True),
    Kind("7R, spherical shoulder", ("panda", "fr3"), arms.spherical_shoulder_offset_wrist, is_redundant=True),
)


@dataclass
class Tally:
    """What was seen of a row's arms."""

    targets: int = 0
    solutions: float = 0.0
    found: int = 0
    close: int = 0
    singular: int = 0
    mistagged: int = 0
    wrong: int = 0
    position_error: float = 0.0
    orientation_error: float = 0.0
    roots: int = 0
    roots_missing: int = 0
    refused: dict[str, int] = field(default_factory=dict)


def measure(options: Options) -> list[Table]:
    """A row for each robot, and one for the random arms of each kind."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "closed_form.completeness",
        f"{count} poses of random configurations q: is q among the solutions, does any solution miss, is any root "
        f"missing that a numeric search from {STARTS} starts finds",
        {
            "kind": ("kind", ""),
            "arm": ("arm", ""),
            "targets": ("targets", "d"),
            "solutions": ("solutions", ".2f"),
            "found": ("q to 1e-6 %", ".3f"),
            "close": ("to 1e-9 %", ".2f"),
            "singular": ("singular", "d"),
            "missing": ("missing", "d"),
            "wrong": ("wrong", "d"),
            "mistagged": ("mistagged", "d"),
            "position_error": ("worst m", ".1e"),
            "orientation_error": ("worst rad", ".1e"),
            "roots": ("roots", "d"),
            "roots_missing": ("missing", "d"),
            "note": ("", ""),
        },
    )
    figures: list[Figure] = []
    for kind in KINDS:
        for name in kind.robots:
            if options.robots is None or name in options.robots:
                _add(table, figures, kind, name, iter([workload(name, count, options.seed)]), options.seed)
        if options.robots is None:
            number = FEW_ARMS if options.quick else min(ARMS, count)
            _add(table, figures, kind, f"{number} random", _random(kind, number, count, options.seed), options.seed)
    return [table, table_of(table.name, figures)]


def _random(kind: Kind, number: int, count: int, seed: int) -> Iterator[Workload]:
    rng = np.random.default_rng([seed, 6, len(kind.name), *kind.name.encode()])
    for k, part in enumerate(np.array_split(np.arange(count), number)):
        yield workload_of(robot_of(kind.make(rng), "arm"), f"{kind.name} {k}", len(part), seed)


def _add(table: Table, figures: list[Figure], kind: Kind, arm: str, works: Iterator[Workload], seed: int) -> None:
    """Adds the row of some arms of a kind, and its figures."""
    tally, rng = Tally(), np.random.default_rng([seed, STREAM])
    # Spread over the arms of the row; a row of one robot has them all.
    searched = SEARCHED if not arm.endswith("random") else max(1, SEARCHED // int(arm.split()[0]))
    for work in works:
        _examine(tally, kind, work, searched, rng)
    note = "; ".join(f"{count} arms refused: {words}" for words, count in tally.refused.items())
    row: dict[str, Any] = {"kind": kind.name, "arm": arm, "targets": tally.targets, "note": note[:300]}
    recovered = None
    if tally.targets:
        recovered = 100.0 * (tally.found + tally.singular) / tally.targets
        row |= {
            "solutions": tally.solutions / tally.targets,
            "found": 100.0 * tally.found / tally.targets,
            "close": 100.0 * tally.close / tally.targets,
            "singular": tally.singular,
            "missing": tally.targets - tally.found - tally.singular,
            "wrong": tally.wrong,
            "mistagged": tally.mistagged,
            "position_error": tally.position_error,
            "orientation_error": tally.orientation_error,
            "roots": None if kind.is_redundant else tally.roots,
            "roots_missing": None if kind.is_redundant else tally.roots_missing,
        }
    table.rows.append(row)
    where = f"{kind.name}: {arm}"
    worst = max(tally.position_error, tally.orientation_error) if tally.targets else None
    figures.append(at_least("q among the solutions, or singular, %", 100.0, recovered, where, note))
    figures.append(at_most("worst error of a solution, m or rad", kind.error, worst, where, note))
    figures.append(
        at_most(
            "solutions that miss, or with a wrong tag",
            0,
            row.get("wrong", 0) + row.get("mistagged", 0) if tally.targets else None,
            where,
            note,
        )
    )
    if not kind.is_redundant:
        missing = tally.roots_missing if tally.roots else None
        figures.append(at_most("roots of a numeric search that are missing", 0, missing, where, note))
    figures.append(at_most("arms that are refused", 0, sum(tally.refused.values()), where, note))


def _examine(tally: Tally, kind: Kind, work: Workload, searched: int, rng: np.random.Generator) -> None:
    ik = InverseKinematics(work.robot)
    closed = ik.analytical()
    if closed is None:
        words = ik.analytical_report
        tally.refused[words] = tally.refused.get(words, 0) + 1
        return
    seeds = work.witnesses if kind.is_redundant else work.seeds
    q, validity, counts = _solved(closed, work, seeds)
    if kind.is_redundant:  # the nearest one is asked for
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])[counts > 0]
        q, validity, counts = q[first], validity[first], np.minimum(counts, 1)
    whole = work.whole(q)
    owners = np.repeat(np.arange(len(work)), counts)
    reaches = (validity & Validity.OUT_OF_REACH) == 0
    of_solutions = Workload(work.name, work.robot, work.chain, work.targets[owners], whole, whole)
    verification = of_solutions.verify(whole)
    branches = judge(work, whole, counts, verification)
    tally.targets += len(work)
    tally.solutions += branches.per_target * len(work)
    tally.found += int(branches.found.sum())
    tally.close += int(branches.close.sum())
    tally.singular += int(branches.singular.sum())
    # What is tagged as out of reach is no solution; all else has to reach, and to be inside unless it says it is not.
    tally.wrong += int((reaches & (np.maximum(*_errors(verification)) > kind.error)).sum())
    within = (validity & Validity.LIMIT_VIOLATED) == 0
    tally.mistagged += int((within != verification.inside).sum())
    position, orientation = (errors[reaches].max(initial=0.0) for errors in _errors(verification))
    tally.position_error = max(tally.position_error, float(position))
    tally.orientation_error = max(tally.orientation_error, float(orientation))
    if not kind.is_redundant:
        _search(tally, work, q[reaches], owners[reaches], min(searched, len(work)), rng)


def _errors(verification: Any) -> tuple[Array, Array]:
    return verification.position_error, verification.orientation_error


def _solved(closed: ClosedForm, work: Workload, seeds: Array) -> tuple[Array, NDArray[np.int64], NDArray[np.int64]]:
    """Solutions (k, c) of all targets over the joints of the chain, their flags (k,), and how many each has (m,)."""
    order = closed.solved_dofs().indices.tolist()
    places = [order.index(index) for index in work.chain.dof_indices]
    answers = [closed.solve_all(target, seed) for target, seed in zip(work.in_base(), seeds, strict=True)]
    counts = np.array([len(flags) for _, flags in answers])
    return (
        np.concatenate([q[:, places] for q, _ in answers]),
        np.concatenate([flags for _, flags in answers]),
        counts,
    )


def _search(
    tally: Tally, work: Workload, q: Array, owners: NDArray[np.intp], searched: int, rng: np.random.Generator
) -> None:
    """Looks for the roots of the first targets numerically, and for those among the solutions."""
    geometry = ChainGeometry.of(work.robot, work.chain.tip, list(work.chain.dof_indices), work.chain.base)
    for target, found in enumerate(roots(geometry, work.in_base()[:searched], STARTS, rng)):
        own = q[owners == target]
        tally.roots += len(found)
        tally.roots_missing += sum(not (apart(own, root) <= 10.0 * SAME).any() for root in found)
