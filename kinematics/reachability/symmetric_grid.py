"""`SymmetricGrid`: cells in height, tilt and canonical position, for arms whose first and last joints turn."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from ..errors import ShapeError
from ..transforms import Array
from .arm_symmetry import ArmSymmetry
from .cells import Cells, Indices, cells_between
from .pose_grid import range_around

#: What is nearer to upright than this has no side that it is tilted to.
_UPRIGHT = 1e-9


class SymmetricGrid:
    """Cells in the four coordinates that turning the first and the last joint of an arm leaves as they are.

    They are the height (m) along the first axis, the tilt (rad, 0 to pi) of the last axis from it, and the position
    (m) across the first axis in a frame whose x points to where the last axis is tilted; see `ArmSymmetry`.

    Args:
        cells: In that order.
        symmetry: The axes.
    """

    kind: ClassVar[str] = "symmetric"
    names: ClassVar[tuple[str, ...]] = ("height", "tilt", "canonical x", "canonical y")
    units: ClassVar[tuple[str, ...]] = ("m", "rad", "m", "m")

    def __init__(self, cells: Cells, symmetry: ArmSymmetry) -> None:
        self.cells = cells
        self.symmetry = symmetry

    @staticmethod
    def between(bounds: Any, step_translation: float, step_rotation: float, symmetry: ArmSymmetry) -> SymmetricGrid:
        """The grid of some bounds: a pair of lower and upper bounds, each (4,).

        Args:
            bounds: The pair.
            step_translation: Side length of a cell (m).
            step_rotation: Size of a cell (rad).
            symmetry: Of the arm.

        Raises:
            ShapeError: Not two times four numbers.
            InvalidValueError: Bounds or steps that make no box.
        """
        both = np.asarray(bounds, dtype=float)
        if both.shape != (2, 4):
            raise ShapeError(
                "bounds of a symmetric map must be a pair with 4 entries each (height, tilt, canonical x and y), "
                f"not {both.shape}"
            )
        steps = [step_translation, step_rotation, step_translation, step_translation]
        cells = cells_between(both[0].tolist(), both[1].tolist(), steps, [False] * 4)
        return SymmetricGrid(cells, symmetry)

    @staticmethod
    def around(canonical: Array, step_translation: float, step_rotation: float, symmetry: ArmSymmetry) -> SymmetricGrid:
        """The grid that holds poses (m, 4, 4) of the frame on the last axis in that on the first.

        Args:
            canonical: The poses (m, 4, 4).
            step_translation: Side length of a cell (m).
            step_rotation: Size of a cell (rad).
            symmetry: Of the arm.
        """
        height, _, x, y = coordinates_of(canonical)
        ranges = [range_around(each, step_translation) for each in (height, x, y)]
        ranges.insert(1, (0.0, math.pi))
        lower, upper = np.array(ranges).T
        return SymmetricGrid.between((lower, upper), step_translation, step_rotation, symmetry)

    def index(self, poses: Array) -> Indices:
        """Which cell (m,) each of poses (m, 4, 4) of the tip in the frame of the map is in; -1 for none."""
        return self.cells.index(self.coordinates(poses))

    def coordinates(self, poses: Array) -> Array:
        """Coordinates (4, m) of poses (m, 4, 4)."""
        return coordinates_of(np.linalg.inv(self.symmetry.base) @ poses @ self.symmetry.tool)

    def poses(self, cells: Indices, rng: np.random.Generator | None = None) -> Array:
        """Poses (m, 4, 4) of cells (m,): in the middle, both joints at zero, or anywhere when there is a generator.

        Args:
            cells: Numbers (m,) of the cells.
            rng: Draws the places in them; the middles when None.
        """
        count = len(cells)
        within: Array | float = 0.5 if rng is None else rng.random((4, count))
        height, tilt, x, y = self.cells.coordinates(cells, within)
        first, last = np.zeros((2, count)) if rng is None else rng.uniform(-math.pi, math.pi, (2, count))
        c, s = np.cos(first), np.sin(first)
        poses = _turn(first, 2) @ _turn(tilt, 1) @ _turn(last, 2)
        poses[:, :3, 3] = np.stack([c * x - s * y, s * x + c * y, height], axis=1)
        result: Array = self.symmetry.base @ poses @ np.linalg.inv(self.symmetry.tool)
        return result

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {' x '.join(map(str, self.cells.shape))} cells>"


def coordinates_of(canonical: Array) -> Array:
    """Height, tilt and canonical position (4, m) of poses (m, 4, 4) of the last axis' frame in the first one's."""
    ux, uy, uz = canonical[:, :3, 2].T
    x, y, z = canonical[:, :3, 3].T
    length = np.hypot(ux, uy)
    upright = length < _UPRIGHT
    scale = np.where(upright, 1.0, length)
    cosine, sine = np.where(upright, 1.0, ux / scale), np.where(upright, 0.0, uy / scale)
    return np.stack([z, np.arctan2(length, uz), x * cosine + y * sine, y * cosine - x * sine])


def _turn(angles: Array, axis: int) -> Array:
    """Poses (m, 4, 4) that turn about y (1) or z (2)."""
    result = np.tile(np.eye(4), (len(angles), 1, 1))
    i, j = ((2, 0), (0, 1))[axis - 1]
    result[:, i, i] = result[:, j, j] = np.cos(angles)
    result[:, j, i] = np.sin(angles)
    result[:, i, j] = -result[:, j, i]
    return result
