"""Kernels: centre of mass of a plan and its Jacobian."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import JIT
from .plan import AXIS, COLUMN, FRAME, PARENT, POSITION, SLIDING, TURNING


@njit(**JIT)
def subtree_moments(steps: Any, masses: Any, centres: Any, frames: Any, moments: Any) -> None:
    """Mass times centre, in the world, of what each step and all below it carry: moments (s, 3).

    Args:
        steps: `Plan.steps`.
        masses: `Plan.masses`.
        centres: `Plan.centres`.
        frames: (s + 1, 12) as `forward` leaves them.
        moments: (s, 3) numbers or registers, written.
    """
    count = steps.shape[0]
    for k in range(count):
        for i in range(3):
            offset = (
                frames[k + 1, 3 * i] * centres[k, 0]
                + frames[k + 1, 3 * i + 1] * centres[k, 1]
                + frames[k + 1, 3 * i + 2] * centres[k, 2]
            )
            moments[k, i] = masses[k] * (frames[k + 1, POSITION + i] + offset)
    for k in range(count - 1, -1, -1):
        parent = steps[k, PARENT]
        if parent > 0:
            for i in range(3):
                moments[parent - 1, i] += moments[k, i]


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
        if steps[k, PARENT] == 0:
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
        frames: (s + 1, 12) as `forward` leaves them.
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
        frame = entries[e, FRAME]
        axis = entries[e, AXIS]
        mass = subtree_masses[frame - 1]
        ax = frames[frame, axis]
        ay = frames[frame, 3 + axis]
        az = frames[frame, 6 + axis]
        dx = moments[frame - 1, 0] - mass * frames[frame, POSITION]
        dy = moments[frame - 1, 1] - mass * frames[frame, POSITION + 1]
        dz = moments[frame - 1, 2] - mass * frames[frame, POSITION + 2]
        turning = rates[e, TURNING] / total
        sliding = rates[e, SLIDING] * mass / total
        k = entries[e, COLUMN]
        jacobian[row, k] += sliding * ax + turning * (ay * dz - az * dy)
        jacobian[row + 1, k] += sliding * ay + turning * (az * dx - ax * dz)
        jacobian[row + 2, k] += sliding * az + turning * (ax * dy - ay * dx)
