"""`Timing`: what the times of many calls come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Timing:
    """Microseconds.

    Attributes:
        median: Of all calls.
        mean: Of all calls.
        p99: Ninety-nine of a hundred calls took no longer.
        spread: How far apart the medians of the rounds are, largest less smallest, as a part of `median`: what
            a repetition may differ by. 0 for a single round.
    """

    median: float
    mean: float
    p99: float
    spread: float

    @staticmethod
    def of(rounds: Sequence[ArrayLike]) -> Timing:
        """The figures of calls, whose nanoseconds are given round by round; no round may be empty.

        Args:
            rounds: The calls (k,) of each round.
        """
        each: list[NDArray[np.float64]] = [np.asarray(one, dtype=np.float64) * 1e-3 for one in rounds]
        together = np.concatenate(each)
        median = float(np.median(together))
        medians = [float(np.median(one)) for one in each]
        return Timing(
            median, float(together.mean()), float(np.quantile(together, 0.99)), (max(medians) - min(medians)) / median
        )
