"""The step of a hierarchy of tasks: each level in the exact null space of those above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...kinematics.transforms import Array
from .. import defaults
from ..limited_step import StepRule


class Level(NamedTuple):
    """One level of a linearised hierarchy.

    Attributes:
        jacobian: (m, n) of its stacked tasks.
        error: (m,).
        rule: The step, for the projected Jacobian.
    """

    jacobian: Array
    error: Array
    rule: StepRule


def hierarchical_gradient(levels: Sequence[Level], columns: int) -> Array:
    """The gradient (n,) of all levels together, the most important one first.

    Level k sees its Jacobian in the null space of those above, J_k N, and the error that their motion leaves,
    e_k - J_k g; what its rule gives is projected by N and added (Siciliano and Slotine, "A general framework
    for managing multiple tasks in highly redundant robotic systems", 1991). N is the projector onto the exact
    null space, whatever damping a rule uses, so a level never moves a task above it, to first order.

    Args:
        levels: Linearised at the present configuration.
        columns: n.
    """
    gradient = np.zeros(columns)
    seen = np.zeros((0, columns))  # orthonormal rows: the motions that the levels so far see
    for jacobian, error, rule in levels:
        if not len(error):
            continue
        free, rows = in_null_space(jacobian, seen)
        if not len(rows):
            continue
        step = rule(free, error - jacobian.dot(gradient))
        gradient = gradient + step - seen.T.dot(seen.dot(step))
        seen = np.vstack([seen, rows])
    return gradient


def null_space_projectors(jacobians: Sequence[Array], columns: int) -> list[Array]:
    """For each level the projector (n, n) onto the null space of it and all levels above."""
    seen = np.zeros((0, columns))
    result = []
    for jacobian in jacobians:
        _, rows = in_null_space(jacobian, seen)
        seen = np.vstack([seen, rows])
        result.append(np.eye(columns) - seen.T.dot(seen))
    return result


def in_null_space(jacobian: Array, seen: Array) -> tuple[Array, Array]:
    """The part of a Jacobian in the null space of ``seen``, and orthonormal rows that span what it adds.

    Directions in which nothing but rounding is left are removed from both: a rule that divides by singular
    values must not meet them. The rank is decided relative to the Jacobian itself, or to one where that is less: what
    does not move a frame at all leaves 1e-17 m/rad by rounding.
    """
    if not jacobian.size:
        return jacobian, np.zeros((0, jacobian.shape[1]))
    scale = max(float(np.sqrt(np.vdot(jacobian, jacobian))), 1.0)
    free = jacobian - jacobian.dot(seen.T).dot(seen)
    u, s, vt = np.linalg.svd(free, full_matrices=False)
    kept = s > defaults.RANK_TOLERANCE * scale
    if not kept.all():
        free = (u[:, kept] * s[kept]).dot(vt[kept])
    rows = vt[kept]
    if len(rows) and len(seen):
        # Small singular values amplify rounding in their vectors; a second projection makes them exact again.
        rows = rows - rows.dot(seen.T).dot(seen)
        rows = np.linalg.qr(rows.T)[0].T
    return free, rows
