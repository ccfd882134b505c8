"""Kernel: an arm solved from its tip to its base."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import njit

from ....kinematics.core.lanes import JIT


@functools.cache
def make_mirrored(kernel: Any) -> Any:
    """The kernel of a family, for arms that are of this family when base and tip change places."""

    @njit(**JIT)
    def candidates(numbers: Any, goal: Any, seed: Any, q: Any, flags: Any) -> int:
        n = seed.shape[0]
        inverse, backwards = np.empty(12), np.empty(n)
        for i in range(3):
            for k in range(3):
                inverse[3 * i + k] = goal[3 * k + i]
            inverse[9 + i] = -(goal[i] * goal[9] + goal[3 + i] * goal[10] + goal[6 + i] * goal[11])
        for k in range(n):
            backwards[k] = seed[n - 1 - k]
        count = kernel(numbers, inverse, backwards, q, flags)
        for row in range(count):
            for k in range(n // 2):
                q[row, k], q[row, n - 1 - k] = q[row, n - 1 - k], q[row, k]
        return count

    return candidates
