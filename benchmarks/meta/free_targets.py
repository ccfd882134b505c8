"""Targets that a collision-free configuration reaches, with seeds that know nothing of it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinetree.interfaces.bench import Workload

from .cell import TARGET_SPACE, Cell
from .plain_check import PlainCheck


@dataclass(frozen=True)
class FreeTargets:
    """Targets of a cell.

    Attributes:
        work: Targets, seeds and the configurations that reach the targets, free and inside the limits.
        drawn: How many configurations with the tip in the cell were drawn to find those.
    """

    work: Workload
    drawn: int

    @property
    def free_share(self) -> float:
        """Which part of the configurations with the tip in the cell is free."""
        return len(self.work) / self.drawn


def free_targets(cell: Cell, check: PlainCheck, count: int, seed: int) -> FreeTargets:
    """Draws configurations until so many are free; the same for the same seed."""
    robot, chain = cell.robot, cell.robot.tip.chain()
    rng = np.random.default_rng([seed, 5, zlib.crc32(cell.name.encode())])
    bare = Workload(cell.name, robot, chain, np.empty((0, 4, 4)), np.empty((0, 0)), np.empty((0, 0)))
    witnesses: list[NDArray[np.float64]] = []
    drawn = 0
    while len(witnesses) < count:
        q = robot.random_positions(rng, chain.dof_indices)
        if not _is_in_the_cell(bare.pose(q).translation):
            continue
        drawn += 1
        if check.touching(q) is None:
            witnesses.append(q)
    seeds = np.array([robot.random_positions(rng, chain.dof_indices) for _ in witnesses])
    reached = np.array(witnesses)
    return FreeTargets(Workload(cell.name, robot, chain, bare.poses(reached), seeds, reached), drawn)


def _is_in_the_cell(place: NDArray[np.float64]) -> bool:
    lowest, highest = TARGET_SPACE
    return bool((place >= lowest).all() and (place <= highest).all())
