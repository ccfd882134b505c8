"""Kernels: centre of mass of a plan and its Jacobian."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import JIT
from .plan import AXIS, COLUMN, PARENT, SLIDING, STEP, TURNING


@njit(**JIT)
def subtree_moments(steps: Any, masses: Any, centres: Any, frames: Any, moments: Any) -> None:
    """Mass times centre, in the world, of what each step and all below it carry: moments (s, 3).

    Args:
        steps: `Plan.steps`.
        masses: `Plan.masses`.
        centres: `Plan.centres`.
        frames: (s, 12) as `forward` leaves them.
        moments: (s, 3) numbers or registers, written.
    """
    count = steps.shape[0]
    for k in range(count):
        for i in range(3):
            offset = (
                frames[k, 3 + i] * centres[k, 0] + frames[k, 6 + i] * centres[k, 1] + frames[k, 9 + i] * centres[k, 2]
            )
            moments[k, i] = masses[k] * (frames[k, i] + offset)
    for k in range(count - 1, -1, -1):
        parent = steps[k, PARENT]
        if parent >= 0:
            for i in range(3):
                moments[parent, i] += moments[k, i]


@njit(**JIT)
def center_of_mass(steps: Any, moments: Any, fixed_mass: float, fixed_centre: Any, total: float, result: Any) -> None:
    """Centre of mass (3,) in the world.

    Args:
        steps: `Plan.steps`.
        moments: (s, 3) as `subtree_moments` leaves them.
        fixed_mass: `Plan.fixed_mass`.
        fixed_centre: `Plan.fixed_centre`.
        total: Mass of everything.
        result: (3,) numbers or registers, written.
    """
    for i in range(3):
        result[i] = fixed_mass * fixed_centre[i] / total
    for k in range(steps.shape[0]):
        if steps[k, PARENT] < 0:
            for i in range(3):
                result[i] += moments[k, i] / total


@njit(**JIT)
def center_of_mass_jacobian(
    entries: Any, rates: Any, subtree_masses: Any, frames: Any, moments: Any, total: float, jacobian: Any, row: int,
    n: int,
) -> None:  # fmt: skip
    """Three rows of a Jacobian for the centre of mass, world axes.

    Turning about an axis a through o moves everything below: sum of m a x (c - o) = a x (moment - mass o).

    Args:
        entries: `Plan.entries`.
        rates: `Plan.rates`.
        subtree_masses: (s,) mass of each step with all below it.
        frames: (s, 12) as `forward` leaves them.
        moments: (s, 3) as `subtree_moments` leaves them.
        total: Mass of everything.
        jacobian: (rows, n), written.
        row: First of the three rows.
        n: Number of columns.
    """
    for i in range(3):
        for k in range(n):
            jacobian[row + i, k] = 0.0
    for e in range(entries.shape[0]):
        step, first = entries[e, STEP], 3 + 3 * entries[e, AXIS]
        mass = subtree_masses[step]
        ax, ay, az = frames[step, first], frames[step, first + 1], frames[step, first + 2]
        dx = moments[step, 0] - mass * frames[step, 0]
        dy = moments[step, 1] - mass * frames[step, 1]
        dz = moments[step, 2] - mass * frames[step, 2]
        turning, sliding = rates[e, TURNING] / total, rates[e, SLIDING] * mass / total
        k = entries[e, COLUMN]
        jacobian[row, k] += sliding * ax + turning * (ay * dz - az * dy)
        jacobian[row + 1, k] += sliding * ay + turning * (az * dx - ax * dz)
        jacobian[row + 2, k] += sliding * az + turning * (ax * dy - ay * dx)
