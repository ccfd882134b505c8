"""Kernel: random numbers by counting, so that sample i is the same wherever and whenever it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...core.lanes import INNER


@njit(**INNER)
def mixed(z: Any) -> Any:
    """A 64-bit number well mixed.

    G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    z = np.uint64(z)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(**INNER)
def uniform_at(key: Any, count: Any) -> float:
    """Number ``count`` in [0, 1) of the sequence of a key."""
    z = mixed(np.uint64(key) + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(count) + np.uint64(1)))
    return np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)
