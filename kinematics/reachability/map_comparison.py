"""`MapComparison`: what two maps have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class MapComparison:
    """Numbers of cells.

    Attributes:
        both: Covered by both maps.
        only_first: Covered by the first map alone.
        only_second: Covered by the second map alone.
        neither: Covered by none.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @staticmethod
    def of(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> MapComparison:
        """Counts what two maps of the same grid cover.

        Args:
            first: Whether each cell (k,) is covered by the one.
            second: The same (k,) of the other.

        Returns:
            The numbers.
        """
        both = int(np.count_nonzero(first & second))
        one, other = int(np.count_nonzero(first)), int(np.count_nonzero(second))
        return MapComparison(both, one - both, other - both, first.size - one - other + both)

    @property
    def overlap(self) -> float:
        """What both cover as a part of what either covers; 1 when none covers anything."""
        either = self.both + self.only_first + self.only_second
        return self.both / either if either else 1.0
