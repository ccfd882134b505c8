"""`ManyGoals`: the arrays of a closed form for many goals at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...kinematics import InvalidValueError, ShapeError, Skeleton
from ...kinematics.transforms import Array
from .kernels import layout

#: Goals that a thread takes at a time.
_CHUNK = 2048


class ManyGoals:
    """Goals and seeds, and where their solutions are written to.

    Args:
        goals: (m, 4, 4).
        seeds: (m, n), or (1, n) for all.
        most: Solutions of one goal, at most.
        size: Degrees of freedom that are solved for.

    Attributes:
        goals: (m, 4, 4); those of refused rows may be changed.
        arrays: By their place in the table of a closed form, see `layout`.
        chunks: (first, last) rows that a thread takes at a time.
    """

    def __init__(self, goals: Array, seeds: Array, most: int, size: int) -> None:
        self._shape = (len(goals), most, size)
        self.goals = goals
        self.arrays: dict[int, Any] = {
            layout.GOALS: goals.reshape(-1, 16),
            layout.SEEDS: seeds,
            layout.MANY_ANSWERS: np.zeros((len(goals) * most, size)),
            layout.MANY_VALIDITIES: np.zeros((len(goals), most), dtype=np.int64),
            layout.COUNTS: np.zeros(len(goals), dtype=np.int64),
        }
        self.chunks = [(first, min(first + _CHUNK, len(goals))) for first in range(0, len(goals), _CHUNK)]

    @property
    def refused(self) -> list[int]:
        """Rows that the kernel found no sense in."""
        rows: list[int] = np.flatnonzero(self.arrays[layout.COUNTS] < 0).tolist()
        return rows

    def answer(self) -> tuple[Array, NDArray[np.int64], NDArray[np.int64]]:
        """(m, most, d) configurations, (m, most) flags, (m,) numbers of solutions, -1 for what was refused."""
        q = self.arrays[layout.MANY_ANSWERS].reshape(self._shape)
        return q, self.arrays[layout.MANY_VALIDITIES], np.maximum(self.arrays[layout.COUNTS], -1)


def as_goals(poses: ArrayLike) -> Array:
    """Poses as an array (m, 4, 4).

    Raises:
        ShapeError: Another shape.
    """
    if not isinstance(poses, np.ndarray) and not len(poses):  # type: ignore[arg-type]
        return np.zeros((0, 4, 4))
    goals = np.array(poses, dtype=float, order="C")
    if goals.ndim != 3 or goals.shape[1:] != (4, 4):
        raise ShapeError(f"poses must be an array (m, 4, 4); they have shape {goals.shape}")
    return goals


def as_seeds(seeds: ArrayLike | Mapping[str, Any] | None, skeleton: Skeleton, count: int) -> Array:
    """Seeds as an array (m, n), or (1, n) when one is for all.

    Raises:
        ShapeError: Another shape.
    """
    if seeds is None or isinstance(seeds, Mapping):
        return skeleton.as_configuration(seeds, name="seeds")[None]
    try:
        starts = np.ascontiguousarray(seeds, dtype=float)
    except (TypeError, ValueError):
        raise InvalidValueError(f"seeds must be numbers, one mapping, or None, not {seeds!r}") from None
    starts = starts[None] if starts.ndim == 1 else starts
    if starts.ndim != 2 or starts.shape[1] != skeleton.num_dofs or len(starts) not in (1, count):
        n = skeleton.num_dofs
        raise ShapeError(f"seeds must have shape ({n},) or ({count}, {n}), not {starts.shape}")
    return starts
