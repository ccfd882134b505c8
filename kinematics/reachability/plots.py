"""Pictures of reachability maps, drawn with matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidValueError
from ..transforms import Array
from .errors import MissingPackageError
from .reachability_map import ReachabilityMap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Positions whose poses are asked for at once.
_AT_ONCE = 1 << 13
_AXES = "xyz"


def plot_slice(
    reachability: ReachabilityMap,
    plane: str = "xz",
    at: float = 0.0,
    *,
    resolution: int = 120,
    orientations: int = 64,
    seed: int = 0,
) -> Figure:
    """A slice through the positions of a map.

    The colour tells the part of all rotations that are covered at a position; for a map of manipulability, its mean
    over the rotations.

    Args:
        reachability: The map.
        plane: ``"xy"``, ``"xz"`` or ``"yz"``, in the frame of the map.
        at: Where (m) the plane is on the third axis.
        resolution: Positions along the longer side.
        orientations: Rotations that are asked for at each position.
        seed: Of these.

    Returns:
        A figure that belongs to no window: ``figure.savefig(path)``.

    Raises:
        InvalidValueError: Another plane, or numbers that make no sense.
        ReachabilityError: No cell is covered.
        MissingPackageError: matplotlib is not installed.
    """
    if plane not in ("xy", "xz", "yz"):
        raise InvalidValueError(f"plane must be 'xy', 'xz' or 'yz', not {plane!r}")
    if not math.isfinite(at):
        raise InvalidValueError(f"the place of the plane must be finite, not {at}")
    figure_class = _figure_class()
    first, second = (_AXES.index(letter) for letter in plane)
    lower, upper = extent(reachability)
    sides = upper - lower
    step = max(sides[first], sides[second]) / _count(resolution, "resolution")
    u = np.arange(lower[first] + 0.5 * step, upper[first], step)
    v = np.arange(lower[second] + 0.5 * step, upper[second], step)
    positions = np.full((len(v), len(u), 3), float(at))
    positions[..., first], positions[..., second] = u, v[:, None]
    values = position_values(reachability, positions.reshape(-1, 3), orientations, seed).reshape(len(v), len(u))
    figure: Figure = figure_class(figsize=(7.0, 6.0), layout="constrained")
    axes = figure.add_subplot()
    ends = (u[0] - 0.5 * step, u[-1] + 0.5 * step, v[0] - 0.5 * step, v[-1] + 0.5 * step)
    image = axes.imshow(np.where(values > 0.0, values, np.nan), origin="lower", extent=ends, cmap="viridis", vmin=0.0)
    axes.set_xlabel(f"{_AXES[first]} (m)")
    axes.set_ylabel(f"{_AXES[second]} (m)")
    third = _AXES[3 - first - second]
    axes.set_title(f"{reachability.record.tip} in {reachability.record.frame}, {third} = {at:g} m")
    figure.colorbar(image, ax=axes, label=_label(reachability))
    return figure


def plot_3d(
    reachability: ReachabilityMap, *, resolution: int = 24, orientations: int = 32, whole: bool = False, seed: int = 0
) -> Figure:
    """The covered positions of a map in space, coloured as in `plot_slice`.

    Args:
        reachability: The map.
        resolution: Positions along the longest side.
        orientations: Rotations that are asked for at each position.
        whole: Show all; else the part with y < 0 is cut away, so that the inside is seen.
        seed: Of the rotations.

    Raises:
        InvalidValueError: Numbers that make no sense.
        ReachabilityError: No cell is covered.
        MissingPackageError: matplotlib is not installed.
    """
    figure_class = _figure_class()
    lower, upper = extent(reachability)
    step = float((upper - lower).max()) / _count(resolution, "resolution")
    grids = np.meshgrid(*(np.arange(low + 0.5 * step, high, step) for low, high in zip(lower, upper, strict=True)))
    positions = np.stack([each.ravel() for each in grids], axis=1)
    if not whole:
        positions = positions[positions[:, 1] >= 0.0]
    values = position_values(reachability, positions, orientations, seed)
    positions, values = positions[values > 0.0], values[values > 0.0]
    figure: Figure = figure_class(figsize=(7.5, 6.5), layout="constrained")
    axes: Any = figure.add_subplot(projection="3d")
    points = axes.scatter(*positions.T, c=values, s=18.0, cmap="viridis", vmin=0.0, depthshade=False)
    for name in _AXES:
        getattr(axes, f"set_{name}label")(f"{name} (m)")
    axes.set_aspect("equal")
    axes.set_title(f"{reachability.record.tip} in {reachability.record.frame}")
    figure.colorbar(points, ax=axes, label=_label(reachability), shrink=0.7)
    return figure


def position_values(reachability: ReachabilityMap, positions: Array, orientations: int = 64, seed: int = 0) -> Array:
    """What a map says of positions (m, 3): the part of random rotations that are covered, or mean manipulability.

    Args:
        reachability: The map.
        positions: Points (m, 3) in metres.
        orientations: How many rotations are drawn.
        seed: Of these.
    """
    rotations = _rotations(_count(orientations, "orientations"), seed)
    result = np.empty(len(positions))
    for start in range(0, len(positions), _AT_ONCE):
        some = positions[start : start + _AT_ONCE]
        poses = np.zeros((len(some), len(rotations), 4, 4))
        poses[..., :3, :3], poses[..., :3, 3], poses[..., 3, 3] = rotations, some[:, None], 1.0
        flat = poses.reshape(-1, 4, 4)
        is_count = reachability.record.quality == "count"
        values = reachability.covers(flat) if is_count else reachability.manipulability(flat)
        result[start : start + len(some)] = values.reshape(len(some), -1).mean(axis=1)
    return result


def extent(reachability: ReachabilityMap) -> tuple[Array, Array]:
    """Least and greatest positions (3,) that a map covers, found from random covered poses."""
    positions = reachability.sample_covered_poses(20_000)[:, :3, 3]
    margin = float(reachability.grid.cells.steps[0])
    return positions.min(axis=0) - margin, positions.max(axis=0) + margin


def _rotations(count: int, seed: int) -> Array:
    """Rotations (count, 3, 3), even over all."""
    w, x, y, z = np.random.default_rng(seed).normal(size=(4, count))
    length = np.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / length, x / length, y / length, z / length
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def _label(reachability: ReachabilityMap) -> str:
    return "part of all rotations" if reachability.record.quality == "count" else "manipulability, mean over rotations"


def _count(value: int, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InvalidValueError(f"{name} must be a whole number from 1 on, not {value!r}")
    return int(value)


def _figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackageError(
            "maps are drawn with matplotlib; install it with: pip install 'kinetree[plot]'"
        ) from None
    return Figure
