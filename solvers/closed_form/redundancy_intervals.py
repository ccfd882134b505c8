"""At which values of the redundancy all joints are inside their limits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from .kernels import redundancy_layout as at

#: Values at which branches are looked at first, values that divide a gap that is in doubt, and how often.
_GRID, _PARTS, _DEPTH = 241, 8, 5
#: An angle (rad) that differs by more from what its derivatives foretell leaves its gap in doubt.
_BEND = 0.05
_HALVINGS = 42


class Curves:
    """The branches of an arm at a pose.

    Args:
        kernel: ``branches(numbers, goal, values, tables)``.
        numbers: What the kernel needs to know about the arm.
        goal: (12,) the pose.
    """

    def __init__(self, kernel: Any, numbers: Array, goal: Array) -> None:
        self._kernel, self._numbers, self._goal = kernel, numbers, goal
        self.lower = numbers[at.LOWER : at.LOWER + at.JOINTS]
        self.upper = numbers[at.UPPER : at.UPPER + at.JOINTS]
        narrow = self.upper - self.lower < 2.0 * np.pi
        # Angles are judged in the turn about the middle of their limits.
        self._start = np.where(narrow, 0.5 * (self.lower + self.upper) - np.pi, -np.pi)

    def at(self, values: Array) -> list[tuple[Array, Array, Array]]:
        """For each branch angles (7, m), derivatives (7, m) and margins (m,) at values (m,); none out of reach."""
        from .kernels.redundancy_curves import spare_columns

        m = len(values)
        tables = np.zeros((8, 2 * at.JOINTS + 1, m + spare_columns()))
        if self._kernel(self._numbers, self._goal, np.ascontiguousarray(values), tables) == 0:
            return []
        found = []
        for table in tables:
            q = table[: at.JOINTS, :m]
            q = q + 2.0 * np.pi * np.ceil((self._start[:, None] - q) / (2.0 * np.pi))
            found.append((q, table[at.JOINTS : 2 * at.JOINTS, :m], table[2 * at.JOINTS, :m]))
        return found

    def all_at(self, values: Array) -> tuple[Array, Array, Array]:
        """The same of all branches together, in the order of the chain: (8, 7, m), (8, 7, m) and (8, m).

        Without a solution the margin is below zero; out of reach of all branches, everything is nan.
        """
        from .kernels.redundancy_curves import spare_columns

        m = len(values)
        tables = np.zeros((8, 2 * at.JOINTS + 1, m + spare_columns()))
        if self._kernel(self._numbers, self._goal, np.ascontiguousarray(values), tables) == 0:
            tables[:] = np.nan
        q, slopes = tables[:, : at.JOINTS, :m], tables[:, at.JOINTS : 2 * at.JOINTS, :m]
        q = q + 2.0 * np.pi * np.ceil((self._start[:, None] - q) / (2.0 * np.pi))
        if self._numbers[at.REVERSED]:
            q, slopes = q[:, ::-1], slopes[:, ::-1]
        return q, slopes, tables[:, 2 * at.JOINTS, :m]

    def is_inside(self, q: Array, margin: Array) -> NDArray[np.bool_]:
        """Whether configurations (7, m) are real and inside the limits, as all are where limits are a turn wide."""
        wide = self.upper - self.lower >= 2.0 * np.pi
        free = wide[:, None] | ((q >= self.lower[:, None]) & (q <= self.upper[:, None]))
        return np.asarray(free.all(axis=0) & (margin >= 0.0))


def inside(curves: Curves, low: float, high: float) -> Array:
    """Rows (branch, low, high) of the intervals in which a branch is real and inside the limits.

    Between two values a curve is in doubt where one end is inside and the other is not, where an angle may turn back
    beyond a limit, going by its derivatives, or come inside and leave again, and where derivatives do not explain an
    angle. Gaps in doubt are divided; what is left of them is closed by halving.
    """
    values = np.linspace(low, high, _GRID)
    found = curves.at(values)
    rows: list[tuple[float, float, float]] = []
    for branch in range(len(found)):
        r, known = values, found[branch]
        for _ in range(_DEPTH):
            doubt = np.flatnonzero(_is_in_doubt(curves, r, *known))
            if not len(doubt):
                break
            steps = np.linspace(0.0, 1.0, _PARTS + 1)[1:-1]
            more = (r[doubt, None] + (r[doubt + 1] - r[doubt])[:, None] * steps).ravel()
            extra = curves.at(more)[branch]
            r = np.concatenate([r, more])
            order = np.argsort(r, kind="stable")
            r = r[order]
            q, d, margin = (np.concatenate([a, b], axis=-1)[..., order] for a, b in zip(known, extra, strict=True))
            known = q, d, margin
        rows.extend(_edges(curves, branch, r, curves.is_inside(known[0], known[2])))
    return np.array(rows).reshape(-1, 3)


def _is_in_doubt(curves: Curves, r: Array, q: Array, d: Array, margin: Array) -> NDArray[np.bool_]:
    width, lower, upper = np.diff(r), curves.lower[:, None], curves.upper[:, None]
    wide = (upper - lower) >= 2.0 * np.pi
    q0, q1, d0, d1 = q[:, :-1], q[:, 1:], d[:, :-1], d[:, 1:]
    turned = np.where(d0 * d1 < 0.0, 0.25 * width * np.minimum(abs(d0), abs(d1)), 0.0)
    bend = abs(q1 - q0 - 0.5 * width * (d0 + d1))
    p, e = np.minimum(q0, q1) - turned, np.maximum(q0, q1) + turned
    leaves = ~wide & ((p < lower) | (e > upper))
    misses = ~wide & ((e < lower) | (p > upper))
    now = curves.is_inside(q, margin)
    here, there = now[:-1], now[1:]
    real = margin >= 0.0
    bent = (bend > _BEND).any(axis=0) & (real[:-1] | real[1:])
    between = here & there & (leaves & (turned > 0.0)).any(axis=0)
    outside = ~here & ~there & ~misses.any(axis=0) & (real[:-1] | real[1:])
    dips = _margin_dips(width, margin)
    return np.asarray((between | outside | bent | dips) & (width > 1e-7))


def _margin_dips(width: Array, margin: Array) -> NDArray[np.bool_]:
    """Where the margin is so near to zero, for how it changes, that it may change its sign and back between values."""
    nearest = np.minimum(abs(margin[:-1]), abs(margin[1:]))
    return np.asarray(nearest < abs(np.diff(margin)) + 0.1 * width)


def _edges(curves: Curves, branch: int, r: Array, now: NDArray[np.bool_]) -> list[tuple[float, float, float]]:
    """The intervals of one branch, from whether it is inside at values r; their ends by halving."""
    change = np.flatnonzero(now[:-1] != now[1:])
    left, right, state = r[change].copy(), r[change + 1].copy(), now[change]
    for _ in range(_HALVINGS if len(change) else 0):
        middle = 0.5 * (left + right)
        q, _, margin = curves.at(middle)[branch]
        same = curves.is_inside(q, margin) == state
        left, right = np.where(same, middle, left), np.where(same, right, middle)
    rows, begin = [], float(r[0]) if now[0] else None
    for k in range(len(change)):
        if begin is not None:
            rows.append((float(branch), begin, float(left[k])))
            begin = None
        else:
            begin = float(right[k])
    if begin is not None:
        rows.append((float(branch), begin, float(r[-1])))
    return rows
