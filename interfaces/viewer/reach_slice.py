"""`ReachSlice`: a slice through a reachability map as an image that stands in space."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from ...kinematics import InvalidValueError, ReachabilityMap
from ...kinematics.reachability.plots import extent, position_values
from ...kinematics.transforms import Array

#: Planes by name: the axes along the image's width and height, and the axis across it.
PLANES = {"xz": (0, 2, 1), "xy": (0, 1, 2), "yz": (1, 2, 0)}
#: Colours (red, green, blue) from little to much, dark to light, so that they are told apart without colour too.
_COLORS = np.array([[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]], dtype=float)
_OPACITY = 190


@dataclass(frozen=True, eq=False)
class ReachSlice:
    """Where the tip of a map can go in a plane.

    Attributes:
        image: (h, w, 4) red, green, blue, opacity; the first row is the one with the greatest second coordinate.
            Clear where nothing is reached.
        width: Along the first axis of the plane (m).
        height: Along the second (m).
        pose: Of the middle of the image in the frame of the map: x along its width, y along its height.
        highest: The greatest value in the slice: a part of all rotations, or a manipulability.
    """

    image: NDArray[np.uint8]
    width: float
    height: float
    pose: pin.SE3
    highest: float


def across(reachability: ReachabilityMap, plane: str) -> tuple[float, float]:
    """The least and the greatest place (m) of a plane at which a map covers something.

    Raises:
        InvalidValueError: Another plane.
        ReachabilityError: No cell is covered.
    """
    lower, upper = extent(reachability)
    axis = _axes(plane)[2]
    return float(lower[axis]), float(upper[axis])


def reach_slice(
    reachability: ReachabilityMap, plane: str = "xz", at: float = 0.0, *, resolution: int = 80, orientations: int = 48
) -> ReachSlice:
    """Makes a slice through the positions of a map.

    The colour tells the part of all rotations that are covered at a position, or the mean manipulability; the lightest
    is the greatest value in the slice.

    Args:
        reachability: The map.
        plane: ``"xz"``, ``"xy"`` or ``"yz"``, in the frame of the map.
        at: Where (m) the plane is on the third axis.
        resolution: Positions along the longer side.
        orientations: Rotations that are asked for at each position.

    Raises:
        InvalidValueError: Another plane, or numbers that make no sense.
        ReachabilityError: No cell is covered.
    """
    first, second, third = _axes(plane)
    if not math.isfinite(at):
        raise InvalidValueError(f"the place of the plane must be finite, not {at}")
    lower, upper = extent(reachability)
    sides = upper - lower
    step = float(max(sides[first], sides[second])) / resolution
    counts = [max(1, math.ceil(sides[axis] / step)) for axis in (first, second)]
    center = 0.5 * (lower + upper)
    center[third] = at
    u, v = (step * (np.arange(count) - 0.5 * (count - 1)) for count in counts)
    positions = np.tile(center, (counts[1], counts[0], 1))
    positions[..., first] += u
    positions[..., second] += v[::-1, None]
    values = position_values(reachability, positions.reshape(-1, 3), orientations).reshape(counts[1], counts[0])
    axes = np.zeros((3, 3))
    axes[first, 0] = axes[second, 1] = 1.0
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    pose = pin.SE3(axes, center)
    return ReachSlice(_colored(values), step * counts[0], step * counts[1], pose, float(values.max()))


def _colored(values: Array) -> NDArray[np.uint8]:
    highest = float(values.max())
    place = values / highest if highest > 0.0 else np.zeros_like(values)
    stops = np.linspace(0.0, 1.0, len(_COLORS))
    colors = [np.interp(place, stops, _COLORS[:, channel]) for channel in range(3)]
    opacity = np.where(values > 0.0, _OPACITY, 0)
    return np.stack([*colors, opacity], axis=-1).astype(np.uint8)


def _axes(plane: str) -> tuple[int, int, int]:
    if plane not in PLANES:
        raise InvalidValueError(f"plane must be one of {', '.join(map(repr, PLANES))}, not {plane!r}")
    return PLANES[plane]
