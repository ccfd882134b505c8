"""Kernel: uniform random numbers from a 64-bit state, the same on every machine and for any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import INNER


@njit(**INNER)
def seeded(seed: Any, stream: Any) -> Any:
    """State for one stream of random numbers: the seed and the stream's number, well mixed (SplitMix64)."""
    z = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(stream) + np.uint64(1)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(**INNER)
def uniform(state: Any) -> Any:
    """The next state and a number in [0, 1) (SplitMix64)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return state, np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)
