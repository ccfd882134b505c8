"""`PoseGrid`: cells in position and roll, pitch, yaw."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidValueError, ShapeError
from ..transforms import Array
from .cells import Cells, Indices, cells_between
from .pose_arrays import poses_from, rpy_of

#: Bounds from samples are this part of the extent of the samples further out, in whole steps.
_MARGIN = 0.02


class PoseGrid:
    """Cells in the six coordinates x, y, z (m), roll, pitch, yaw (rad) of a pose in the frame of a map.

    Roll, pitch and yaw are about the fixed axes x, y, z, in that order (see `rotation_from_rpy`). Each is taken into
    the whole turn that begins at its lower bound, so bounds may be [-pi, pi] or [0, 2 pi] alike. Where a bound of an
    angle lets a whole turn in, its step is made smaller until a whole number of steps fits.

    Args:
        cells: In that order.
    """

    kind: ClassVar[str] = "pose"
    names: ClassVar[tuple[str, ...]] = ("x", "y", "z", "roll", "pitch", "yaw")
    units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad", "rad", "rad")

    def __init__(self, cells: Cells) -> None:
        self.cells = cells

    @staticmethod
    def between(bounds: Any, step_translation: float, step_rotation: float) -> PoseGrid:
        """The grid of some bounds.

        Args:
            bounds: A pair of lower and upper bounds, each (6,).
            step_translation: Edge (m) of a cell.
            step_rotation: The same in the angles (rad).

        Raises:
            ShapeError: Not two times six numbers.
            InvalidValueError: Bounds or steps that make no box.
        """
        lower, upper = as_bounds(bounds)
        steps = [step_translation] * 3 + [step_rotation] * 3
        return PoseGrid(cells_between(lower.tolist(), upper.tolist(), steps, [False] * 3 + [True] * 3))

    @staticmethod
    def around(poses: Array, step_translation: float, step_rotation: float) -> PoseGrid:
        """The grid that holds poses (m, 4, 4), with a margin; zero angles are in the middle of a cell.

        Args:
            poses: What it has to hold (m, 4, 4).
            step_translation: Side length of a cell (m).
            step_rotation: Size of a cell (rad).
        """
        positions, angles = poses[:, :3, 3].T, rpy_of(poses)
        ranges = [range_around(each, step_translation) for each in positions]
        for k, whole in enumerate((2.0 * math.pi, math.pi, 2.0 * math.pi)):
            if np.ptp(angles[k]) < whole - 2.0 * step_rotation:
                ranges.append(range_around(angles[k], step_rotation))
            elif k == 1:
                ranges.append((-0.5 * math.pi, 0.5 * math.pi))
            else:
                step = 2.0 * math.pi / max(1, math.ceil(2.0 * math.pi / step_rotation - 1e-9))
                ranges.append((-math.pi - 0.5 * step, math.pi - 0.5 * step))
        lower, upper = np.array(ranges).T
        return PoseGrid.between((lower, upper), step_translation, step_rotation)

    def index(self, poses: Array) -> Indices:
        """Which cell (m,) each of poses (m, 4, 4) is in; -1 for none."""
        return self.cells.index(self.coordinates(poses))

    def coordinates(self, poses: Array) -> Array:
        """Coordinates (6, m) of poses (m, 4, 4)."""
        return np.concatenate([poses[:, :3, 3].T, rpy_of(poses)])

    def poses(self, cells: Indices, rng: np.random.Generator | None = None) -> Array:
        """Poses (m, 4, 4) in the middle of cells (m,), or anywhere in them when there is a generator.

        Args:
            cells: Numbers (m,) of the cells.
            rng: Draws the places in them; the middles when None.
        """
        within: Array | float = 0.5 if rng is None else rng.random((6, len(cells)))
        values = self.cells.coordinates(cells, within)
        # A pitch beyond 90 degrees is that of a pose in another cell.
        middle = self.cells.coordinates(cells)[4]
        middle = (middle + math.pi) % (2.0 * math.pi) - math.pi
        half = 0.5 * self.cells.steps[4]
        low, high = np.maximum(middle - half, -0.5 * math.pi), np.minimum(middle + half, 0.5 * math.pi)
        pitch = low + (0.5 if rng is None else rng.random(len(cells))) * (high - low)
        values[4] = np.where(low < high, pitch, values[4])
        return poses_from(values[:3].T, values[3:].T)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {' x '.join(map(str, self.cells.shape))} cells>"


def as_bounds(bounds: Any) -> tuple[Array, Array]:
    """Lower and upper bounds, each (6,)."""
    try:
        both = np.array(bounds, dtype=float)
    except (TypeError, ValueError):
        raise InvalidValueError(f"bounds must be a pair of six numbers each, not {bounds!r}") from None
    if both.shape != (2, 6):
        raise ShapeError(f"bounds must be a pair of lower and upper bounds with 6 entries each, not {both.shape}")
    return both[0], both[1]


def range_around(values: ArrayLike, step: float) -> tuple[float, float]:
    """What holds the values, with half a cell and a part of their extent on either side."""
    low, high = float(np.min(values)), float(np.max(values))
    margin = (0.5 + math.ceil(_MARGIN * (high - low) / step - 1e-9)) * step
    return low - margin, high + margin
