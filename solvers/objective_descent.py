"""Makes an objective smaller without leaving the solutions."""

from __future__ import annotations

import math

import numpy as np

from ..kinematics.core.working_clock import working_time
from ..kinematics.transforms import Array
from . import defaults
from .descent import Descent, Ended, Outcome
from .null_space import project_to_null_space
from .objective import BoundObjective

#: Iterations that bring a step along the null space back onto the solutions.
_RETURN_ITERATIONS = 10
#: The length that is tried first (rad or m), and below which the search ends.
_FIRST_LENGTH, _LEAST_LENGTH = 0.1, 1e-5


def reduce_objectives(descent: Descent, found: Outcome) -> Outcome:
    """The solution with the smallest objectives that projected gradient descent finds from a given one.

    Steps go along the negative gradient within the null space of the task and the limits, then back to the
    task by ordinary iterations; one that does not make the sum of the objectives smaller is shortened. What
    comes back is a solution, like what went in.

    Args:
        descent: With the request whose objectives are meant.
        found: A solution.
    """
    problem, active = descent.request.problem, descent.request.active
    objectives = [
        BoundObjective(each, active) for each in (problem.objective, problem.null_space_objective) if each is not None
    ]
    if not objectives or not len(active):
        return found
    best, value, length = found, sum(each.value(found.q) for each in objectives), _FIRST_LENGTH
    for _ in range(defaults.OBJECTIVE_STEPS):
        slope = sum((each.gradient(best.q) for each in objectives), np.zeros(len(active)))
        direction = _direction(descent, best.q, slope)
        steepness = float(np.linalg.norm(direction))
        if steepness == 0.0:
            break
        improved = False
        while length >= _LEAST_LENGTH and not _is_late(descent):
            candidate = _moved(descent, best, direction * min(1.0, length / steepness))
            after = math.inf if candidate is None else sum(each.value(candidate.q) for each in objectives)
            if candidate is not None and after < value - defaults.OBJECTIVE_PROGRESS * (1.0 + abs(value)):
                best, value, length, improved = candidate, after, 2.0 * length, True
                break
            length *= 0.5
        if not improved:
            break
    return best


def _is_late(descent: Descent) -> bool:
    return descent.deadline is not None and working_time() >= descent.deadline


def _direction(descent: Descent, q: Array, slope: Array) -> Array:
    """The uphill slope (k,) within the null space of the task and inside the limits."""
    active, state = descent.request.active, descent.state
    state.set(q)
    _, jacobian, _, _ = descent.request.error_method.measure(state)
    held = np.zeros(len(active), dtype=bool)
    x = q[active.indices]
    while True:
        allowed = np.where(held, 0.0, slope)
        open_jacobian = np.where(held, 0.0, jacobian)
        direction = np.where(held, 0.0, project_to_null_space(open_jacobian, allowed))
        if not descent.step.respects_limits:
            return direction
        pushed = ((x <= active.lower) & (direction > 0.0)) | ((x >= active.upper) & (direction < 0.0))
        if not (pushed & ~held).any():
            return direction
        held |= pushed


def _moved(descent: Descent, start: Outcome, step: Array) -> Outcome | None:
    """The solution near ``start`` minus a step (k,); None when the iterations do not get back to one."""
    active, state = descent.request.active, descent.state
    state.set(start.q)
    q = state.moved(-step)
    if descent.step.respects_limits:
        q[active.indices] = active.inside(q[active.indices])
    back = descent.run(q, _RETURN_ITERATIONS, steers=False)
    if back.ended is not Ended.CONVERGED:
        return None
    return back._replace(iterations=start.iterations + back.iterations)
