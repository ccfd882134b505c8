"""Kernel: the arrays of a plan from its two packed ones; every array argument of a call costs time."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import INLINE


@njit(**INLINE)
def unpacked(integers: Any, floats: Any) -> Any:
    """Views of `Plan.integers` and `Plan.floats`.

    Returns:
        steps, constants, entries, rates, carries, tip_frames, tip_poses.
    """
    s, e, t = integers[0], integers[1], integers[2]
    first = 3
    steps = integers[first : first + 3 * s].reshape(s, 3)
    first += 3 * s
    entries = integers[first : first + 3 * e].reshape(e, 3)
    first += 3 * e
    tip_frames = integers[first : first + t]
    first += t
    carries = integers[first : first + t * e].reshape(t, e)
    start = 15 * s
    constants = floats[:start].reshape(s, 15)
    rates = floats[start : start + 2 * e].reshape(e, 2)
    start += 2 * e
    tip_poses = floats[start : start + 12 * t].reshape(t, 12)
    return steps, constants, entries, rates, carries, tip_frames, tip_poses
