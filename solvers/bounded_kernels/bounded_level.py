"""Kernel: the motion of one level of a hierarchy inside bounds."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT
from .damped_motion import damped_motion, row_products, without_direction
from .free_space import RANK, add_rows, leave_joint_out, leave_out

#: A component below this part of the largest one is rounding.
_ROUNDING = 1e-13
#: Products are worked out anew once their trace is below this part of what it was then: taking directions out leaves
#: the rounding of the greater ones.
_ANEW = 1e-2
#: Likewise when more than so many directions are taken out at once.
_FEW = 2
_FAR_AWAY = 1e30
#: In place of how far a joint can go along a step: it has no more part in the level.
_LEFT_OUT = -1.0


@njit(**JIT)
def move_level(
    space: Any, images: Any, count: int, n: int, m: int, single: bool, residual: Any, scale: float, factor: float,
    floor: float, bounds: Any, gram: Any, normal: Any, weights: Any, motion: Any, step: Any, parts: Any, joints: Any,
    along: Any, gradient: Any,
) -> None:  # fmt: skip
    """Moves the gradient until the level is met or nothing is left to move.

    It goes along the damped step until a joint meets its bound. That one is left out of the directions (one reflection
    and one change of the products, nothing is begun anew), and the others go on with what is left of the error.

    Args:
        space: (count, n) orthonormal directions; overwritten. Not looked at with ``single``.
        images: (m, count) what each direction does to the level; overwritten.
        count: How many directions there are.
        n: Number of joints.
        m: Number of rows of the level.
        single: The directions are the joints themselves.
        residual: (m,) the error that is left; overwritten.
        scale: Length of the level's Jacobian, at least 1: the rank is decided relative to it.
        factor: Of the damping: mu = factor r.r + floor.
        floor: Likewise.
        bounds: (2, n), see `hierarchy_inside_bounds`.
        gram: (m, m) scratch, as are all up to ``along``.
        normal: (k, k), k the larger one of n and m.
        weights: (m,).
        motion: (n,).
        step: (n,).
        parts: (n,).
        joints: (n,).
        along: (n,).
        gradient: (n,) changed.
    """
    for k in range(n):
        joints[k] = k
        parts[k] = 0.0
    trace = row_products(images, count, m, gram)
    begun = trace
    while count > 0 and trace > RANK * RANK * scale * scale:
        square = 0.0
        for a in range(m):
            square += residual[a] * residual[a]
        damped_motion(images, count, m, gram, residual, factor * square + floor, normal, weights, motion)
        _over_joints(space, count, n, single, joints, motion, step)
        least = _go(step, bounds, gradient, parts, n)
        if least >= 1.0:
            return
        for a in range(m):
            value = 0.0
            for j in range(count):
                value += images[a, j] * motion[j]
            residual[a] -= least * value
        before = count
        for k in range(n):
            if 0.0 <= parts[k] <= least and count > 0:
                gradient[k] = bounds[1, k] if step[k] > 0.0 else bounds[0, k]  # to the last digit
                parts[k] = _LEFT_OUT
                if single:
                    found = leave_joint_out(joints, images, count, m, k)
                else:
                    found = leave_out(space, images, count, n, m, k, motion, along)
                count -= found
        if count < m:
            trace = _size(images, count, m)
            continue
        if before - count <= _FEW:
            for j in range(count, before):
                trace = without_direction(images, j, m, gram)
        if before - count > _FEW or trace < _ANEW * begun:
            trace = begun = row_products(images, count, m, gram)


@njit(**JIT)
def _size(images: Any, count: int, m: int) -> float:
    total = 0.0
    for a in range(m):
        for j in range(count):
            total += images[a, j] * images[a, j]
    return total


@njit(**JIT)
def _over_joints(space: Any, count: int, n: int, single: bool, joints: Any, motion: Any, step: Any) -> None:
    """Writes the step of the joints (n,) for a motion along the directions."""
    for k in range(n):
        step[k] = 0.0
    if not single:
        add_rows(space, 0, count, n, motion, 1.0, step)
        return
    for j in range(count):
        step[int(joints[j])] = motion[j]


@njit(**JIT)
def _go(step: Any, bounds: Any, gradient: Any, parts: Any, n: int) -> float:
    """Goes along a step until a joint meets its bound; how far that is, and ``parts`` for each joint."""
    largest = 0.0
    for k in range(n):
        size = abs(step[k])
        largest = size if size > largest else largest
    clear = _ROUNDING * largest
    least = _FAR_AWAY
    for k in range(n):
        size = abs(step[k])
        room = bounds[1, k] - gradient[k] if step[k] > 0.0 else gradient[k] - bounds[0, k]
        room = room if room > 0.0 else 0.0
        counts = size > clear and parts[k] != _LEFT_OUT
        step[k] = step[k] if counts else 0.0  # what stands at its bound does not leave it by rounding
        part = room / size if counts else _FAR_AWAY
        parts[k] = part if parts[k] != _LEFT_OUT else _LEFT_OUT
        least = part if part < least else least
    part = least if least < 1.0 else 1.0
    for k in range(n):
        gradient[k] += part * step[k]
    return least
