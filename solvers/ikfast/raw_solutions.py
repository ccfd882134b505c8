"""`RawSolutions`: what generated code gives back, before the values that it leaves open are filled in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array


@dataclass(frozen=True, eq=False)
class RawSolutions:
    """Solutions of one target. At a singular pose one of them may stand for a family.

    The value of a joint is ``offset``, plus ``factor`` times a value that may be chosen where ``source`` is not
    negative; joints of one solution with the same source move together.

    Attributes:
        offsets: (k, n) rad or m.
        factors: (k, n)
        sources: (k, n) number of the chosen value, -1 for none.
        trouble: What the generated code said when it gave up half-way; empty when it did not.
    """

    offsets: Array
    factors: Array
    sources: NDArray[np.int8]
    trouble: str = ""

    @classmethod
    def of(cls, rows: Sequence[Array], joints: int) -> RawSolutions:
        """Solutions that leave nothing open: lists of all joint values."""
        offsets = np.array(rows, dtype=float).reshape(len(rows), joints)
        return cls(offsets, np.zeros_like(offsets), np.full(offsets.shape, -1, dtype=np.int8))

    def __iter__(self) -> Iterator[Array]:
        return iter(self.values())

    def __len__(self) -> int:
        return len(self.offsets)

    @property
    def is_family(self) -> NDArray[np.bool_]:
        """(k,) whether a solution is one of many."""
        return np.asarray((self.sources >= 0).any(axis=1), dtype=np.bool_)

    def values(self, chosen: float = 0.0) -> Array:
        """(k, n) joint values; of a family the member for one value of all that may be chosen."""
        result: Array = self.offsets + np.where(self.sources >= 0, self.factors * chosen, 0.0)
        return result
