"""`Cells`: a box of equal cells in coordinates some of which are angles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidValueError
from ..transforms import Array

#: A coordinate this part of a cell beyond the bounds is still inside: a pose on the edge, after rounding.
EDGE = 1e-6

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cells:
    """A box in d coordinates, cut into equal cells.

    Attributes:
        lower: (d,) where the box begins (m or rad).
        steps: (d,) sizes of a cell.
        shape: (d,) numbers of cells.
        turns: (d,) whether a coordinate is an angle that goes round; it is taken into one turn from ``lower`` on.
    """

    lower: Array
    steps: Array
    shape: tuple[int, ...]
    turns: tuple[bool, ...]

    @property
    def upper(self) -> Array:
        """(d,) where the box ends."""
        upper: Array = self.lower + self.steps * np.array(self.shape)
        return upper

    @property
    def size(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)

    def index(self, coordinates: Array) -> Indices:
        """Which cell (m,) each column of coordinates (d, m) is in; -1 for none."""
        count = coordinates.shape[1]
        total = np.zeros(count, dtype=np.int64)
        inside = np.ones(count, dtype=bool)
        for k, cells in enumerate(self.shape):
            place = (coordinates[k] - self.lower[k]) / self.steps[k]
            if self.turns[k]:
                turn = 2.0 * math.pi / self.steps[k]
                place = place - turn * np.floor(place / turn + EDGE / turn)
            inside &= (place > -EDGE) & (place < cells + EDGE)
            whole = np.minimum(
                np.maximum(np.floor(np.where(inside, place, 0.0)), 0), cells - 1
            )  # np.clip is slow for one
            total = total * cells + whole.astype(np.int64)
        total[~inside] = -1
        return total

    def coordinates(self, cells: Indices, within: Array | float = 0.5) -> Array:
        """Coordinates (d, m) of points of cells (m,): their centres, or where ``within`` (d, m) in [0, 1] says."""
        places = np.array(np.unravel_index(cells, self.shape), dtype=float)
        return self.lower[:, None] + (places + within) * self.steps[:, None]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cells) and self.difference(other) == ""

    __hash__ = None  # type: ignore[assignment]

    def difference(self, other: Cells) -> str:
        """In words what is not the same; empty when nothing is."""
        if self.shape != other.shape or self.turns != other.turns:
            return f"they have {self.shape} and {other.shape} cells"
        if not np.allclose(self.steps, other.steps, rtol=0.0, atol=1e-12):
            return f"their steps are {self.steps} and {other.steps}"
        if not np.allclose(self.lower, other.lower, rtol=0.0, atol=1e-12):
            return f"their bounds begin at {self.lower} and {other.lower}"
        return ""


def cells_between(
    lower: Sequence[float], upper: Sequence[float], steps: Sequence[float], angles: Sequence[bool]
) -> Cells:
    """The cells of a box.

    A box that is no whole number of steps wide ends a little later. An angle of a whole turn goes round: its step
    becomes as much smaller as it takes for a whole number of steps.

    Raises:
        InvalidValueError: A step that is not positive, or bounds that are not finite or the wrong way round.
    """
    numbers, sizes, turns = [], [], []
    for low, high, step, is_angle in zip(lower, upper, steps, angles, strict=True):
        if not (math.isfinite(step) and step > 0.0):
            raise InvalidValueError(f"a step must be a positive number, not {step}")
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise InvalidValueError(f"a lower bound must be finite and less than its upper bound, not {low} and {high}")
        count = max(1, math.ceil((high - low) / step - 1e-9))
        is_turn = is_angle and max(high - low, count * step) >= 2.0 * math.pi - 1e-9
        if is_turn:
            count = max(1, math.ceil(2.0 * math.pi / step - 1e-9))
            step = 2.0 * math.pi / count
        numbers.append(count)
        sizes.append(step)
        turns.append(is_turn)
    # Every angle is taken into the turn that begins at its lower bound, whether the box goes all round or not.
    return Cells(np.array(lower, dtype=float), np.array(sizes), tuple(numbers), tuple(bool(each) for each in angles))
