"""Kernels: what an iteration of a numeric solver looks at, and the step that it takes."""

from __future__ import annotations

import functools
from typing import Any

from numba import njit

from ...kinematics.core.forward import forward
from ...kinematics.core.jacobian_rate import jacobian_rate
from ...kinematics.core.lanes import INLINE, absolute, any_lane, maximum, minimum, where
from ...kinematics.core.whole_turns import TURN
from .layout import (
    CLAMP,
    FACTOR,
    INVERSE_STEP,
    KIND,
    LIMITED,
    LOWER,
    ROOT_WEIGHT,
    ROWS,
    SHAPED,
    STOPS,
    TURNS,
    UPPER,
    WEIGHTED,
)
from .move import move
from .rule import StepKernel
from .task import CompiledTask


@functools.cache
def make_look(task: CompiledTask) -> Any:
    """The compiled look of a task at a configuration: poses, then error and squared errors."""
    measure = task.measure

    @njit(**INLINE)
    def look(plan, data, x, frames, tip, goal, scratch, error, squares):
        steps, constants, _, _, _, _, _ = plan
        forward(steps, constants, x, frames)
        measure(plan, frames, tip, goal, data, scratch, error, squares)

    return look


@functools.cache
def make_step(task: CompiledTask, rule: StepKernel) -> Any:
    """The compiled step of a rule, from the last look to the next configuration.

    Joints that stand at a limit and are pushed outwards are taken out of the Jacobian, for this iteration only, and
    the step is worked out once more: the others then make up for them, which merely cutting the step off would not
    let them do. In the next iteration every joint is free again, so none is stranded.
    """
    differentiate, gradient_of = task.jacobian, _make_gradient(rule)

    @njit(**INLINE)
    def step(plan, n, joints, counts, parameters, data, x, fresh, frames, tip, goal, scratch, error, jacobian,
             gradient, rate):  # fmt: skip
        rows = counts[ROWS]
        differentiate(plan, n, frames, tip, goal, data, scratch, error, jacobian)
        if counts[WEIGHTED] != 0:
            # Joints of small weight are made unattractive by scaling their columns down.
            for k in range(n):
                for i in range(rows):
                    jacobian[i, k] = jacobian[i, k] * joints[ROOT_WEIGHT, k]
        scale = 0.0 * error[0] + 1.0
        for again in range(2):
            gradient_of(plan, n, joints, rows, parameters, frames, tip, error, jacobian, gradient, rate, scratch)
            scale = _shape(n, joints, counts, gradient)
            if again == 1 or counts[LIMITED] == 0 or not _hold_at_limits(n, joints, rows, x, scale, gradient, jacobian):
                break
        move(n, joints, scale, x, fresh, gradient)

    return step


def _make_gradient(rule: StepKernel) -> Any:
    step = rule.function
    if not rule.is_second_order:

        @njit(**INLINE)
        def first_order(plan, n, joints, rows, parameters, frames, tip, error, jacobian, gradient, rate, scratch):
            step(jacobian, error, rows, n, parameters, gradient)

        return first_order

    @njit(**INLINE)
    def second_order(plan, n, joints, rows, parameters, frames, tip, error, jacobian, gradient, rate, scratch):
        steps, _, entries, rates, carries, tip_frames, _ = plan
        step(jacobian, error, rows, n, parameters, gradient)
        for k in range(n):
            gradient[k] = gradient[k] * joints[ROOT_WEIGHT, k]
        jacobian_rate(steps, entries, rates, carries, tip_frames, 0, frames, tip[9], tip[10], tip[11], gradient,
                      scratch, rate, 0, n)  # fmt: skip
        for k in range(n):
            # The gradient points uphill, so its rate is subtracted; columns that were taken out stay out.
            size = 0.0
            for i in range(rows):
                size += jacobian[i, k] * jacobian[i, k]
            for i in range(rows):
                halfway = jacobian[i, k] - 0.5 * joints[ROOT_WEIGHT, k] * rate[i, k]
                rate[i, k] = where(size > 0.0, halfway, 0.0 * halfway)
        step(rate, error, rows, n, parameters, gradient)

    return second_order


@njit(**INLINE)
def _hold_at_limits(n: int, joints: Any, rows: int, x: Any, scale: Any, gradient: Any, jacobian: Any) -> bool:
    """Takes joints that stand at a limit and are pushed outwards out of the Jacobian; true when there are any.

    An angle whose step leads over the gap between its limits is not held: it goes on behind the gap.
    """
    found = False
    for k in range(n):
        if joints[KIND, k] == STOPS:
            pushed = ((x[k] <= joints[LOWER, k]) & (gradient[k] > 0.0)) | (
                (x[k] >= joints[UPPER, k]) & (gradient[k] < 0.0)
            )
            if joints[TURNS, k] != 0.0:
                gap = TURN - (joints[UPPER, k] - joints[LOWER, k])
                pushed = pushed & (scale * absolute(gradient[k]) < gap)
            if any_lane(pushed):
                found = True
                for i in range(rows):
                    jacobian[i, k] = where(pushed, 0.0, jacobian[i, k])
    return found


@njit(**INLINE)
def _shape(n: int, joints: Any, counts: Any, gradient: Any) -> Any:
    """Weights of the joints, and the weights and the clamp that a gradient method has for its components.

    Returns:
        What the gradient is to be multiplied with so that no part exceeds the largest step.
    """
    if counts[WEIGHTED] != 0:
        for k in range(n):
            gradient[k] = gradient[k] * joints[ROOT_WEIGHT, k]
    if counts[SHAPED] != 0:
        for k in range(n):
            shaped = gradient[k] * joints[FACTOR, k]
            gradient[k] = minimum(maximum(shaped, -joints[CLAMP, k]), joints[CLAMP, k])
    largest = 0.0 * gradient[0] + 1.0
    for k in range(n):
        largest = maximum(largest, absolute(gradient[k]) * joints[INVERSE_STEP, k])
    return 1.0 / largest
