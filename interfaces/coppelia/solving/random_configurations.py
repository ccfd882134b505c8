"""`RandomConfigurations`: the search in Python, for groups with joints that follow others through a callback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pinocchio as pin

from ....kinematics.core.plan import POSITION
from ....kinematics.transforms import Array
from .entry_points import handle_entry
from .kernels import layout
from .stepwise import iterate

if TYPE_CHECKING:
    from .flat_groups import FlatGroups

_FAILED = layout.CANNOT_INVERT | layout.NOT_WITHIN_TOLERANCE | layout.OVERFLOWED


class Budget(Protocol):
    """How much of the search may still be done."""

    def work(self, counts: Array) -> int:
        """Whether to go on."""
        ...


class RandomConfigurations:
    """Draws configurations and solves those within the threshold with the settings of the group.

    Args:
        flat: The arrays of the group; read before.
    """

    def __init__(self, flat: FlatGroups) -> None:
        self._flat = flat
        self._run = handle_entry()
        self._counts = flat.arrays[layout.SEARCH_COUNTS]
        self._numbers = flat.arrays[layout.SEARCH]
        self._rng = np.random.default_rng(int(self._counts[layout.SEED]))

    def finds(self, budget: Budget) -> Iterator[None]:
        """Ends each turn with the arrays at another configuration within the precision."""
        flat, counts = self._flat, self._counts
        while budget.work(counts):
            self._draw()
            flat.follow()
            self._run(flat.address, layout.LOOK, 1)
            counts[layout.TRIED] += 1
            distance = self._distance()
            self._numbers[layout.NEAREST_SAMPLE] = min(self._numbers[layout.NEAREST_SAMPLE], distance)
            if distance > self._numbers[layout.THRESHOLD]:
                continue
            counts[layout.SOLVED] += 1
            bits = iterate(flat, None)
            self._note_attempt()
            if not bits & _FAILED:
                yield

    def _note_attempt(self) -> None:
        """Keeps what an attempt came to when it came nearer than those before."""
        numbers, report = self._numbers, self._flat.arrays[layout.REPORT]
        weight = numbers[layout.METRIC + layout.METRIC_SIZE - 1]
        linear, angular = report[layout.WORST_LINEAR], report[layout.WORST_ANGULAR]
        if linear + weight * angular < numbers[layout.LEAST_LINEAR] + weight * numbers[layout.LEAST_ANGULAR]:
            numbers[layout.LEAST_LINEAR], numbers[layout.LEAST_ANGULAR] = linear, angular
            numbers[layout.BEST_X :] = self._flat.arrays[layout.X]

    def _draw(self) -> None:
        arrays = self._flat.arrays
        for column, joint in zip(arrays[layout.COLUMNS], arrays[layout.JOINTS], strict=True):
            slot, kind, ball, axis = column
            if kind != layout.ROLLING:
                arrays[layout.X][slot] = self._rng.uniform(joint[layout.FROM], joint[layout.TO])
            elif axis == 0:
                quaternion = pin.Quaternion(self._rng.normal(size=4))
                quaternion.normalize()
                arrays[layout.TURNS][ball] = quaternion.toRotationMatrix().ravel()

    def _distance(self) -> float:
        """Sum over the elements of how far their tips are from their targets."""
        frames = self._flat.arrays[layout.FRAMES]
        metric = self._numbers[layout.METRIC : layout.METRIC + layout.METRIC_SIZE]
        total = 0.0
        for element in self._flat.arrays[layout.ELEMENTS]:
            tip, target, base = (frames[element[k]] for k in (layout.TIP, layout.TARGET, layout.BASE))
            if element[layout.TARGET] < 0:
                continue
            seen = base[:POSITION].reshape(3, 3).T @ (target[POSITION:] - tip[POSITION:])
            turn = tip[:POSITION].reshape(3, 3).T @ target[:POSITION].reshape(3, 3)
            total += float(np.linalg.norm(metric * [*seen, np.linalg.norm(pin.log3(turn))]))
        return total
