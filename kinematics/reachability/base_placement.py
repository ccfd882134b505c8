"""Where to put a robot: poses of its base, ranked by what it reaches from there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidValueError
from ..transforms import Array
from .pose_arrays import as_poses, inverse_of, poses_from
from .reachability_map import ReachabilityMap

#: Poses that are asked for at once.
_AT_ONCE = 1 << 18


class BaseRanking(NamedTuple):
    """Poses of the base, the best one first.

    Attributes:
        poses: (k, 4, 4) of the frame of the map.
        reached: (k,) the part of the targets that the map covers from there.
        quality: (k,) the mean value of the cells of the targets, as a part of the greatest one: of counts how many
            ways there are, of manipulability how well the tip can move.
        order: (k,) places of the poses among the candidates.
    """

    poses: Array
    reached: Array
    quality: Array
    order: NDArray[np.intp]


def rank_bases(
    reachability: ReachabilityMap, targets: ArrayLike, candidates: ArrayLike, *, least: int | None = None
) -> BaseRanking:
    """Ranks poses of a base by how many targets are reached from them, then by the mean value of their cells.

    Args:
        reachability: A map in the frame of the robot's base.
        targets: Poses (m, 4, 4) of the tip, in any frame.
        candidates: Poses (k, 4, 4) of the frame of the map, in the same one.
        least: The least value of a cell that counts as covered; see `ReachabilityMap.covers`.

    Raises:
        InvalidPoseError: Something that is no pose; it names the row.
        InvalidValueError: No target, or a ``least`` that is no whole number from 1 on.
    """
    wanted, bases = as_poses(targets, "targets"), as_poses(candidates, "candidates")
    if not len(wanted):
        raise InvalidValueError("there is no target to rank bases by")
    level = reachability._least(least)
    reached, quality = np.empty(len(bases)), np.empty(len(bases))
    at_once = max(1, _AT_ONCE // len(wanted))
    for start in range(0, len(bases), at_once):
        part = slice(start, start + at_once)
        seen = inverse_of(bases[part])[:, None] @ wanted[None]
        values = reachability.counts(seen.reshape(-1, 4, 4)).reshape(len(seen), len(wanted))
        reached[part] = (values >= level).mean(axis=1)
        quality[part] = values.mean(axis=1) / reachability.record.most
    order = np.lexsort((-quality, -reached))
    return BaseRanking(bases[order], reached[order], quality[order], order)


def bases_on_plane(x: ArrayLike, y: ArrayLike, yaw: ArrayLike = (0.0,), *, height: float = 0.0) -> Array:
    """Upright poses (k, 4, 4) at every combination of places x, y (m) and turns about z (rad).

    Args:
        x: Places (m) along x.
        y: Places (m) along y.
        yaw: Turns (rad).
        height: Of all of them (m).
    """
    grids: list[Any] = [each.ravel() for each in np.meshgrid(x, y, yaw, indexing="ij")]
    zero = np.zeros(len(grids[0]))
    positions = np.stack([grids[0], grids[1], zero + height], axis=1)
    return poses_from(positions, np.stack([zero, zero, grids[2]], axis=1))
