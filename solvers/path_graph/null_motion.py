"""`NullMotion`: the redundancy along a path, made smooth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from ..closed_form.redundancy import Redundancy

#: Steps of Gauss and Newton, at most, the fall of the sum of squares that is worth another, and how often a step that
#: leads out of the limits is halved.
_STEPS, _PROGRESS, _HALVINGS = 20, 1e-2, 8


class NullMotion:
    """The redundancy along a path, one value for each waypoint, made smooth.

    The sum of the squared steps of the joints is a function of these values in which each depends on its neighbours
    only. Gauss-Newton steps make it small; each is the solution of a system with three diagonals.

    Args:
        redundancy: Of the arm.
        goals: (m, 4, 4).
        weights: (7,) of the squares of the joints' steps.
        lower: (7,) limits of the joints.
        upper: (7,) limits.
    """

    def __init__(self, redundancy: Redundancy, goals: Array, weights: Array, lower: Array, upper: Array) -> None:
        self._curves = [redundancy.curves(goal) for goal in goals]
        self._weights = weights
        self._lower, self._upper = lower, upper

    def smoothed(self, values: Array, q: Array, is_coupled: NDArray[np.bool_], is_fixed: bool) -> Array:
        """Values (m,) with less motion than given ones.

        Args:
            values: (m,) of the redundancy (rad).
            q: (m, 7) the configurations at these, whose branches are kept.
            is_coupled: (m - 1,) steps that count.
            is_fixed: Whether the first value stays.
        """
        branches = self._branches(values, q)
        now, slopes, is_inside = self._at(branches, values)
        energy = self._energy(now, is_coupled)
        for _ in range(_STEPS if is_inside.all() else 0):
            step = self._step(now, slopes, is_coupled, is_fixed)
            fall = 0.0
            for _ in range(_HALVINGS):
                new, new_slopes, is_inside = self._at(branches, values + step)
                fall = energy - self._energy(new, is_coupled) if is_inside.all() else 0.0
                if fall > 0.0:
                    break
                # A value that a limit holds back holds back its neighbours a little.
                step[~is_inside] *= 0.5
                step *= 0.5 if is_inside.all() else 1.0
            if not fall > 0.0:
                break
            values, now, slopes, energy = values + step, new, new_slopes, energy - fall
            if fall <= _PROGRESS * energy:
                break
        return values

    def _branches(self, values: Array, q: Array) -> list[int]:
        """The branch of each configuration."""
        found = []
        for curves, value, own in zip(self._curves, values, q, strict=True):
            away = _wrapped(curves.all_at(np.array([value]))[0][:, :, 0] - own)
            found.append(int(np.argmin(np.nan_to_num(np.abs(away), nan=np.inf).max(axis=1))))
        return found

    def _at(self, branches: list[int], values: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
        """Configurations (m, 7), how they change with the value (m, 7), and whether they are inside the limits."""
        q, slopes = np.empty((len(values), 7)), np.empty((len(values), 7))
        margins = np.empty(len(values))
        for k, (curves, branch, value) in enumerate(zip(self._curves, branches, values, strict=True)):
            found, slope, margin = curves.all_at(np.array([value]))
            q[k], slopes[k], margins[k] = found[branch, :, 0], slope[branch, :, 0], margin[branch, 0]
        narrow = self._upper - self._lower < 2.0 * np.pi
        inside = (q >= self._lower) & (q <= self._upper) | ~narrow
        return q, slopes, (margins >= 0.0) & inside.all(axis=1) & np.isfinite(slopes).all(axis=1)

    def _energy(self, q: Array, is_coupled: NDArray[np.bool_]) -> float:
        steps = _wrapped(np.diff(q, axis=0))
        return float((steps * steps * self._weights)[is_coupled].sum())

    def _step(self, q: Array, slopes: Array, is_coupled: NDArray[np.bool_], is_fixed: bool) -> Array:
        """The step (m,) of Gauss and Newton."""
        coupled = is_coupled.astype(float)
        weighted = slopes * self._weights
        errors = _wrapped(np.diff(q, axis=0)) * coupled[:, None]
        square = np.einsum("ij,ij->i", weighted, slopes)
        diagonal = square * (np.append(coupled, 0.0) + np.append(0.0, coupled))
        diagonal += 1e-9 + 1e-6 * square
        beside = -np.einsum("ij,ij->i", weighted[:-1], slopes[1:]) * coupled
        right = np.zeros(len(q))
        right[1:] -= np.einsum("ij,ij->i", errors, weighted[1:])
        right[:-1] += np.einsum("ij,ij->i", errors, weighted[:-1])
        if is_fixed:
            right[0], diagonal[0] = 0.0, 1.0
            beside[:1] = 0.0
        # Steps that are too long for what their slopes say are shortened.
        return np.clip(_three_diagonals(diagonal, beside, right), -0.2, 0.2)


def _wrapped(steps: Array) -> Array:
    result: Array = steps - 2.0 * np.pi * np.round(steps / (2.0 * np.pi))
    return result


def _three_diagonals(diagonal: Array, beside: Array, right: Array) -> Array:
    """Solves a symmetric positive definite system with three diagonals."""
    d, e, x = diagonal.tolist(), beside.tolist(), right.tolist()
    for k in range(1, len(d)):
        factor = e[k - 1] / d[k - 1]
        d[k] -= factor * e[k - 1]
        x[k] -= factor * x[k - 1]
    x[-1] /= d[-1]
    for k in range(len(d) - 2, -1, -1):
        x[k] = (x[k] - e[k] * x[k + 1]) / d[k]
    return np.array(x)
