"""`Tally`: what some samples add to a map."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .cells import Indices


class Tally(NamedTuple):
    """Cells that samples fell into, each once; small enough to be sent from a worker.

    Attributes:
        cells: (m,) in ascending order.
        values: (m,) how many samples fell into each, or the greatest quality of them.
        drawn: Number of samples.
        outside: How many of them were outside the bounds.
        rejected: How many were refused.
    """

    cells: NDArray[Any]
    values: NDArray[Any]
    drawn: int
    outside: int
    rejected: int

    @staticmethod
    def of(indices: Indices, levels: Indices | None, most: int, drawn: int, rejected: int) -> Tally:
        """The tally of the cell (m,) of each sample, -1 for none, and of its quality when the map has that.

        ``indices`` is used as room.
        """
        if levels is not None:
            # Both in one number, so that one sort puts the best sample of each cell last.
            indices = np.where(indices < 0, -1, (indices << 16) | levels)
        indices.sort()
        kept = indices[np.searchsorted(indices, 0) :]
        cells = kept if levels is None else kept >> 16
        ends = np.flatnonzero(np.append(cells[1:] != cells[:-1], True)) if len(cells) else np.zeros(0, dtype=np.int64)
        if levels is None:
            values = np.minimum(np.diff(ends, prepend=-1), most)
        else:
            values = kept[ends] & 0xFFFF
        unique = cells[ends]
        small = np.uint32 if len(unique) == 0 or unique[-1] < 2**32 else np.uint64
        value_type = np.uint8 if most < 256 else np.uint16
        outside = drawn - rejected - len(kept)
        return Tally(unique.astype(small), values.astype(value_type), drawn, outside, rejected)

    def add_to(self, values: NDArray[Any], is_count: bool, most: int) -> None:
        """Adds to the values of a map (size,): counts add up to ``most`` at most, qualities keep the greatest."""
        cells = self.cells.astype(np.int64)
        present = values[cells]
        if is_count:
            room = most - present
            values[cells] = present + np.minimum(room, self.values)
        else:
            values[cells] = np.maximum(present, self.values)
