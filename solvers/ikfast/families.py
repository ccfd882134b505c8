"""`representatives`: one member of each family of solutions, inside limits and near a seed."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from .raw_solutions import RawSolutions

_TURN = 2.0 * math.pi
#: What counts as inside a limit where a choice was made to lie on it.
_ROUNDING = 1e-12


def representatives(found: RawSolutions, joints: ActiveDofs, near: Array) -> Array:
    """Joint values (k, n) of every solution, with what it leaves open chosen.

    At a singular pose joints turn against each other without moving the tip. The choice keeps them inside their limits
    if any does, and then the largest change from the seed small.

    Args:
        found: What generated code gave.
        joints: Its joints, with their limits.
        near: (n,) the seed.
    """
    values = found.values()
    for row in np.flatnonzero(found.is_family):
        sources, factors = found.sources[row], found.factors[row]
        for source in np.unique(sources[sources >= 0]):
            slopes = np.where(sources == source, factors, 0.0)
            if slopes.any():
                values[row] += slopes * _chosen(values[row], slopes, joints, near)
    return values


def _chosen(values: Array, slopes: Array, joints: ActiveDofs, near: Array) -> float:
    """The number c for which values + slopes * c is best."""
    moving = slopes != 0.0

    def cost(c: float) -> tuple[float, float]:
        turned = joints.nearest(values + slopes * c, near)
        beyond = np.maximum(np.maximum(joints.lower - turned, turned - joints.upper), 0.0)[moving].max()
        return (float(beyond) if beyond > _ROUNDING else 0.0), float(np.abs(turned - near)[moving].max())

    return min(_candidates(values, slopes, joints, near), key=cost)


def _candidates(values: Array, slopes: Array, joints: ActiveDofs, near: Array) -> Iterator[float]:
    """Where one joint is at its seed or at a limit, and where two are as far from their seeds as each other."""
    turning = {column for column, _, _ in joints.wraps}
    lines: list[tuple[float, float]] = []
    for k in np.flatnonzero(slopes):
        for turns in (-1, 0, 1) if k in turning else (0,):
            offset, slope = float(values[k]) + _TURN * turns, float(slopes[k])
            lines.append((offset - float(near[k]), slope))
            for goal in (near[k], joints.lower[k], joints.upper[k]):
                if math.isfinite(goal):
                    yield (float(goal) - offset) / slope
    for a, (offset, slope) in enumerate(lines):
        for other_offset, other_slope in lines[:a]:
            for sign in (-1.0, 1.0):
                # offset + slope c = sign (other_offset + other_slope c)
                if abs(slope - sign * other_slope) > 1e-9:
                    yield (sign * other_offset - offset) / (slope - sign * other_slope)
