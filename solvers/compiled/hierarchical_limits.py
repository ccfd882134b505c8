"""Kernel: the step of a hierarchy that no joint limit and no largest step is in the way of."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, absolute, maximum, minimum
from .angles import nearest_equivalent
from .hierarchical_step import hierarchical_step

#: Rows of the joints: how each meets its limits, lower and upper limit, largest change in one step, square root
#: of the weight.
MEETS, LOWER, UPPER, LARGEST, ROOT = range(5)
#: How a degree of freedom meets its limits: it stops there, it goes on whole turns further back when that is
#: inside, or it takes no part in the search for pushed joints (its values are kept inside afterwards).
STOPS, WRAPS, CURVED = range(3)
#: Whether a joint takes part in a step: it does, it is taken out, it does again, or it is taken out for good.
FREE, HELD, GIVEN_BACK, KEPT = range(4)

#: A robot stands still when no joint moves further than this (rad or m).
_STILL = 1e-8
#: Square of the part of the error that must pull inwards; less is rounding.
_CLEARLY = 1e-16


@njit(**JIT)
def limited_hierarchical_step(
    jacobian: Any, error: Any, firsts: Any, levels: int, all_columns: Any, all_ends: Any, damping: Any, joints: Any,
    x: Any, standing: Any, columns: Any, ends: Any, reaches: Any, rows: Any, residual: Any, norms: Any, mirrors: Any,
    scales: Any, normal: Any, solution: Any, gradient: Any, following: Any, n: int,
) -> int:  # fmt: skip
    """Writes the gradient and where it leads, x - gradient, inside the limits.

    A joint that stands at its limit and would be pushed outwards is taken out, and the step of all levels is
    worked out anew, so that the other joints make up for it and the levels stay in the null spaces of those
    above; this repeats while more are pushed. In the next step all joints are free again.

    When several joints are taken out together, one of them may be needed once the others are gone. So where the
    robot would stand still, those that the most important level now wants to move inwards are given back, each
    once in a step; without that it would stand there for ever.

    Args:
        jacobian: See `hierarchical_step`, as for all that is not here.
        error: Likewise.
        firsts: Likewise.
        levels: Likewise.
        all_columns: (n,) `hierarchical_step`'s columns when none is taken out.
        all_ends: (levels,) its ends then.
        damping: See there.
        joints: (5, n), see `MEETS`.
        x: (n,) present values.
        standing: (n,) integers, written: `FREE`, `HELD`, `GIVEN_BACK` or `KEPT` for each joint.
        columns: (n,) integers, scratch.
        ends: (levels,) integers, scratch.
        reaches: (n,) integers, scratch.
        rows: Scratch as in `hierarchical_step`, as are all up to ``solution``.
        residual: Likewise.
        norms: Likewise.
        mirrors: Likewise.
        scales: Likewise.
        normal: Likewise.
        solution: Likewise.
        gradient: (n,) written.
        following: (n,) written.
        n: Number of joints.

    Returns:
        How often the step was worked out.
    """
    for k in range(n):
        standing[k] = FREE
    rounds = 0
    while True:
        _choose_columns(all_columns, all_ends, levels, standing, columns, ends)
        hierarchical_step(
            jacobian, error, firsts, levels, columns, ends, damping, joints, ROOT, rows, residual, norms, mirrors,
            scales, reaches, normal, solution, gradient, n,
        )  # fmt: skip
        _shorten(joints, gradient, n)
        rounds += 1
        if _hold_pushed(joints, x, gradient, following, standing, n):
            continue
        if _moves(x, following, n) or not _give_back(
            jacobian, error, firsts[1], joints, x, gradient, standing, residual, n
        ):
            return rounds


@njit(**JIT)
def _choose_columns(all_columns: Any, all_ends: Any, levels: int, standing: Any, columns: Any, ends: Any) -> None:
    """The columns of the joints that may move, in the order of the levels."""
    kept = 0
    place = 0
    for level in range(levels):
        while place < all_ends[level]:
            column = all_columns[place]
            if standing[column] == FREE or standing[column] == GIVEN_BACK:
                columns[kept] = column
                kept += 1
            place += 1
        ends[level] = kept


@njit(**JIT)
def _hold_pushed(joints: Any, x: Any, gradient: Any, following: Any, standing: Any, n: int) -> bool:
    """Writes where the gradient leads, and takes joints out that stand at a limit and are pushed outwards."""
    found = False
    for k in range(n):
        value = x[k] - gradient[k]
        lower = joints[LOWER, k]
        upper = joints[UPPER, k]
        if (value >= lower and value <= upper) or joints[MEETS, k] == CURVED:
            following[k] = value
            continue
        end = _inside(joints, k, value)
        following[k] = end
        outwards = (value > upper and x[k] >= upper and end == upper) or (
            value < lower and x[k] <= lower and end == lower
        )
        # A joint that was outside its limits and is held has a gradient of zero.
        if outwards and gradient[k] != 0.0:
            standing[k] = HELD if standing[k] == FREE else KEPT
            found = True
    return found


@njit(**JIT)
def _moves(x: Any, following: Any, n: int) -> bool:
    largest = 0.0
    for k in range(n):
        largest = maximum(largest, absolute(following[k] - x[k]))
    return largest > _STILL


@njit(**JIT)
def _give_back(
    jacobian: Any, error: Any, last: int, joints: Any, x: Any, gradient: Any, standing: Any, residual: Any, n: int
) -> bool:
    """Gives joints back that are held and would bring the first level, rows 0 to ``last``, nearer inwards."""
    any_held = False
    for k in range(n):
        if standing[k] == HELD:
            any_held = True
    if not any_held:
        return False
    square = 0.0
    for i in range(last):
        value = error[i] * 1.0
        for k in range(n):
            value -= jacobian[i, k] * gradient[k]
        residual[i] = value
        square += value * value
    found = False
    for k in range(n):
        if standing[k] != HELD:
            continue
        slope = 0.0
        size = 0.0
        for i in range(last):
            slope += jacobian[i, k] * residual[i]
            size += jacobian[i, k] * jacobian[i, k]
        inwards = -slope if x[k] <= joints[LOWER, k] else slope
        if inwards > 0.0 and inwards * inwards > _CLEARLY * size * square:
            standing[k] = GIVEN_BACK
            found = True
    return found


@njit(**JIT)
def _shorten(joints: Any, gradient: Any, n: int) -> None:
    """Scales the gradient so that no joint moves further than it may in one step."""
    scale = 1.0
    for k in range(n):
        size = absolute(gradient[k])
        if size * scale > joints[LARGEST, k]:
            scale = joints[LARGEST, k] / size
    if scale < 1.0:
        for k in range(n):
            gradient[k] *= scale


@njit(**JIT)
def _inside(joints: Any, k: int, value: float) -> float:
    """A value outside the limits of joint k moved inside: by whole turns where that is enough, else to the limit."""
    lower = joints[LOWER, k]
    upper = joints[UPPER, k]
    if joints[MEETS, k] == WRAPS:
        value = nearest_equivalent(value, value, lower, upper)
    return minimum(maximum(value, lower), upper)
