"""The nearest solution of an arm with seven joints by brute force: one joint is held at value after value."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinetree.kinematics.core.lanes import JIT
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.family import Fit
from kinetree.solvers.closed_form.kernels.flags import OUT_OF_REACH
from kinetree.solvers.closed_form.spherical_wrist import SPHERICAL_WRIST

Array = NDArray[np.float64]
#: Solutions that count, by the error that numpy finds (m, and for each entry of the rotation).
EXACT = 1e-8


class RedundancyScan:
    """Solves an arm for every value of one joint as one of six joints, and keeps the solution nearest to a seed.

    What is left has to be an arm with a spherical wrist, or with one at its base, which is the same seen from the tip.

    Args:
        geometry: An arm with seven joints.
        joint: Place of the joint that is held.
        values: How many, from limit to limit.

    Raises:
        ValueError: What is left has no spherical wrist.
    """

    def __init__(self, geometry: ChainGeometry, joint: int, values: int) -> None:
        self._geometry, self._joint = geometry, joint
        self._values = np.linspace(geometry.lower[joint], geometry.upper[joint], values)
        locked = [geometry.locked(joint, float(value)) for value in self._values]
        self._is_reversed = isinstance(SPHERICAL_WRIST.fit(locked[0], None), str)
        fits = [SPHERICAL_WRIST.fit(each.reversed() if self._is_reversed else each, None) for each in locked]
        if not all(isinstance(fit, Fit) for fit in fits):
            raise ValueError(f"no spherical wrist: {next(fit for fit in fits if not isinstance(fit, Fit))}")
        self._numbers = np.array([fit.numbers for fit in fits if isinstance(fit, Fit)])
        order = np.delete(np.arange(7), joint)
        self._order = order[::-1].copy() if self._is_reversed else order
        self._run = _scan_of(SPHERICAL_WRIST.kernel(), SPHERICAL_WRIST.most)

    def nearest(self, targets: Array, seeds: Array) -> Array:
        """Solutions inside the limits whose largest difference from a seed is least.

        Args:
            targets: Poses (m, 4, 4) of the tip in the base.
            seeds: Configurations (m, 7).

        Returns:
            (m, 7), nan where there is none.
        """
        poses = np.linalg.inv(targets) if self._is_reversed else targets
        goals = np.concatenate([poses[:, :3, :3].reshape(-1, 9), poses[:, :3, 3]], axis=1)
        found = np.full(seeds.shape, np.nan)
        geometry = self._geometry
        self._run(
            self._numbers, self._values, self._joint, self._order, geometry.lower, geometry.upper, goals, seeds, found
        )
        for row, target in zip(found, targets, strict=True):
            rotation, position = geometry.forward(np.nan_to_num(row))
            away = max(np.abs(rotation - target[:3, :3]).max(), np.abs(position - target[:3, 3]).max())
            if not away <= EXACT:
                row[:] = np.nan
        return found


def _scan_of(candidates: Any, most: int) -> Any:
    """The compiled loop over targets and values for a kernel."""

    @njit(**JIT)
    def scan(numbers, values, joint, order, lower, upper, goals, seeds, found):
        q, flags, seed = np.empty((most, 6)), np.empty(most, np.int64), np.empty(6)
        moved = np.empty(7)
        for target in range(goals.shape[0]):
            best = np.inf
            for k in range(6):
                seed[k] = seeds[target, order[k]]
            for v in range(values.shape[0]):
                count = candidates(numbers[v], goals[target], seed, q, flags)
                for c in range(count):
                    if flags[c] & OUT_OF_REACH != 0:
                        continue
                    moved[joint] = values[v]
                    away = abs(values[v] - seeds[target, joint])
                    is_inside = True
                    for k in range(6):
                        place = order[k]
                        near = seeds[target, place]
                        # The nearest turn, else the next one on the inner side of the limit.
                        angle = q[c, k] - 2.0 * np.pi * np.floor((q[c, k] - near) / (2.0 * np.pi) + 0.5)
                        if angle > upper[place]:
                            angle -= 2.0 * np.pi
                        elif angle < lower[place]:
                            angle += 2.0 * np.pi
                        if angle > upper[place] or angle < lower[place]:
                            is_inside = False
                            break
                        moved[place] = angle
                        away = max(away, abs(angle - near))
                    if is_inside and away < best:
                        best = away
                        for k in range(7):
                            found[target, k] = moved[k]

    return scan
