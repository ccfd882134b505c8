"""`Options`: what the command line says to a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """What to measure.

    Attributes:
        samples: Targets of each robot, or repeats of each measurement; the benchmark's own number when None.
        robots: Names of built-in robots; the benchmark's own choice when None.
        seed: Of everything that is random.
        peers: Measure other libraries too, where a benchmark compares with some.
        quick: A look at whether everything works rather than a measurement: few samples, few other libraries.
        only: Names of the other libraries to measure; when None all of them, or a few that are quick to install when
            `quick`.
    """

    samples: int | None = None
    robots: Sequence[str] | None = None
    seed: int = 0
    peers: bool = False
    quick: bool = False
    only: Sequence[str] | None = None

    def count(self, usual: int, quick: int) -> int:
        """How many samples: those asked for, else ``quick`` or ``usual`` ones."""
        return self.samples or (quick if self.quick else usual)
