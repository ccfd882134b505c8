"""What a library's solutions of many targets come to: how many, how exact, and whether none is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinetree.interfaces.bench import Verification, Workload

from ..peers.problem import ORIENTATION_TOLERANCE, POSITION_TOLERANCE

Array = NDArray[np.float64]
#: Largest difference of a joint (rad, m) to the configuration that a target was made from, for it to be found.
FOUND, TYPICAL = 1e-6, 1e-9
#: A difference that moves the tip by no more than this (m, rad) is one along a singular direction.
STILL = 1e-9


@dataclass(frozen=True)
class Branches:
    """Figures of all solutions of m targets, as Pinocchio sees them.

    Attributes:
        per_target: Solutions that reach the target; the mean.
        found: Which targets (m,) have the configuration that they were made from among their solutions, to `FOUND`.
        close: The same, to `TYPICAL`.
        singular: Which targets (m,) have not, but have one that differs from it in a direction that moves nothing.
        wrong: Solutions that miss their target by more than the tolerances of the benchmarks.
        outside: Solutions beyond a limit.
        position_error: The largest (m) of those that are not wrong.
        orientation_error: The same (rad).
    """

    per_target: float
    found: NDArray[np.bool_]
    close: NDArray[np.bool_]
    singular: NDArray[np.bool_]
    wrong: int
    outside: int
    position_error: float
    orientation_error: float

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which targets (m,) lack the configuration that they were made from."""
        return ~(self.found | self.singular)


def judge(work: Workload, q: Array, counts: NDArray[np.int64], verification: Verification) -> Branches:
    """Judges solutions.

    Args:
        work: Robot, targets, and the configurations that they were made from.
        q: Solutions (k, n) of all targets, target by target.
        counts: How many each target has (m,).
        verification: Of the solutions.
    """
    reached = verification.position_error <= POSITION_TOLERANCE
    reached &= verification.orientation_error <= ORIENTATION_TOLERANCE
    owners = np.repeat(np.arange(len(work)), counts)
    away = np.full(len(work), np.inf)
    differences = _differences(work, q, work.witnesses[owners])
    np.minimum.at(away, owners[reached], np.abs(differences[reached]).max(axis=1, initial=0.0))
    singular = np.zeros(len(work), bool)
    for target in np.flatnonzero(away > FOUND):
        own = reached & (owners == target)
        if own.any():
            moved = work.jacobian(work.witnesses[target]) @ differences[own].T
            singular[target] = bool((np.linalg.norm(moved, axis=0) <= STILL).any())
    return Branches(
        per_target=float(reached.sum()) / len(work),
        found=away <= FOUND,
        close=away <= TYPICAL,
        singular=singular,
        wrong=int((~reached).sum()),
        outside=int((reached & ~verification.inside).sum()),
        position_error=float(verification.position_error[reached].max(initial=0.0)),
        orientation_error=float(verification.orientation_error[reached].max(initial=0.0)),
    )


def _differences(work: Workload, a: Array, b: Array) -> Array:
    """From b to a (k, c), over the joints of the chain, angles the short way round."""
    difference = work.of_chain(a) - work.of_chain(b)
    turns = np.array([dof.joint.kind != "prismatic" for dof in work.chain.dofs])
    difference[:, turns] = (difference[:, turns] + np.pi) % (2.0 * np.pi) - np.pi
    return difference
