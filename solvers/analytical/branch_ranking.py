"""The order of a closed form's solutions: valid ones first, then by quality."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from ..errors import GradientMethodError
from .validity import Validity

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics

#: ``better(a, b, ik)``: whether configuration a, over the dofs that are solved for, is better than b.
QualityComparison = Callable[[Array, Array, "InverseKinematics | None"], bool]


def rank(validity: int) -> int:
    """0 for what is valid, 1 for what does not reach, 2 for what leaves the limits."""
    if validity & Validity.LIMIT_VIOLATED:
        return 2
    return 1 if validity & Validity.OUT_OF_REACH else 0


def ranked(
    q: Array,
    validity: NDArray[np.int64],
    near: Array,
    better: QualityComparison | None = None,
    ik: InverseKinematics | None = None,
) -> list[int]:
    """Places of the solutions from the best to the worst.

    Args:
        q: (b, d) configurations.
        validity: (b,) flags.
        near: (d,) where they should be near; without ``better`` the one whose largest difference is least comes first.
        better: Judges two solutions. One that contradicts itself, such as one that always says yes, leaves equals
            in the order that they came in.
        ik: Passed on to it.

    Raises:
        GradientMethodError: ``better`` raised.
    """
    ranks = [rank(int(each)) for each in validity]
    if better is None:
        away = np.abs(q - near).max(axis=1, initial=0.0)
        return sorted(range(len(q)), key=lambda k: (ranks[k], away[k]))

    q = q.copy()
    q.flags.writeable = False  # a comparison that writes to them would change the solutions

    def compare(a: int, b: int) -> int:
        if ranks[a] != ranks[b]:
            return ranks[a] - ranks[b]
        try:
            first, second = bool(better(q[a], q[b], ik)), bool(better(q[b], q[a], ik))
        except Exception as problem:
            raise GradientMethodError(f"the quality comparison raised {type(problem).__name__}: {problem}") from problem
        return int(second) - int(first)

    return sorted(range(len(q)), key=functools.cmp_to_key(compare))
