"""Kernels: the centre of mass over a point of the floor, or at a point in space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.center_of_mass import center_of_mass, center_of_mass_jacobian, subtree_moments
from ...kinematics.core.lanes import JIT
from ...kinematics.core.plan import POSITION, Plan
from ...kinematics.transforms import Array
from ..tasks.center_of_mass_task import CenterOfMassTask
from .task import CompiledTask

#: Entries of the task's numbers: length of the error, weight, mass of everything, mass of what does not move and its
#: centre (3); then for the s steps of the plan the mass each carries, its centre (3 each), the mass of all below it.
_ROWS, _WEIGHT, _TOTAL, _FIXED_MASS, _FIXED_CENTRE, _STEPS = 0, 1, 2, 3, 4, 7


def center_of_mass_data(task: CenterOfMassTask, plan: Plan) -> Array:
    """The task's numbers for a plan of the whole body."""
    head = [task.rows, task.weight, plan.fixed_mass + plan.masses.sum(), plan.fixed_mass, *plan.fixed_centre]
    return np.concatenate([head, plan.masses, plan.centres.ravel(), plan.subtree_masses])


@njit(**JIT)
def _measure(plan: Any, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, squares: Any) -> None:
    """Leaves the moments of the steps in the scratch and the centre of mass in the tip."""
    steps = plan[0]
    s = steps.shape[0]
    masses, centres = data[_STEPS : _STEPS + s], data[_STEPS + s : _STEPS + 4 * s].reshape(s, 3)
    subtree_moments(steps, masses, centres, frames, scratch)
    fixed_centre = data[_FIXED_CENTRE : _FIXED_CENTRE + 3]
    center_of_mass(steps, scratch, data[_FIXED_MASS], fixed_centre, data[_TOTAL], tip)
    square = 0.0
    for i in range(int(data[_ROWS])):
        away = tip[i] - goal[POSITION + i]
        error[i] = data[_WEIGHT] * away
        square += away * away
    squares[0] = square
    squares[1] = 0.0 * square


@njit(**JIT)
def _jacobian(
    plan: Any, n: int, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, jacobian: Any
) -> None:
    steps, _, entries, rates, _, _, _ = plan
    s = steps.shape[0]
    below = data[_STEPS + 4 * s : _STEPS + 5 * s]
    center_of_mass_jacobian(entries, rates, below, frames, scratch, data[_TOTAL], jacobian, 0, n)
    for i in range(int(data[_ROWS])):
        for k in range(n):
            jacobian[i, k] = jacobian[i, k] * data[_WEIGHT]


#: The error is the displacement of the centre of mass (m), the first two or all three components, weighted.
CENTER_OF_MASS = CompiledTask("center_of_mass", _measure, _jacobian)
