"""`FoundConfigs`: what a search for configurations found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, overload

from ....kinematics.transforms import Array


class SearchReport(NamedTuple):
    """How a search went.

    Attributes:
        tried: Random configurations that were looked at.
        solved: Of these, how many were near enough for inverse kinematics to be tried.
        refused: Configurations on the target that the validation callback refused.
        elapsed: Time (s).
        nearest_sample: Distance (m, by the metric) of the random configuration that was nearest to the targets;
            infinite when none was looked at. A threshold below it solves nothing.
        off: Largest distance (m) and angle (rad) that the best attempt left; None when nothing was attempted.
        at_limits: Names of the joints that stood at a limit then.
    """

    tried: int
    solved: int
    refused: int
    elapsed: float
    nearest_sample: float = math.inf
    off: tuple[float, float] | None = None
    at_limits: tuple[str, ...] = ()


class FoundConfigs(Sequence[Array]):
    """Configurations of the joints that were asked for, the nearest to the present one first. Immutable.

    Args:
        configurations: (n,) each, in the order of the joints; read-only.
        distances: Weighted distance of each from the present configuration.
        report: How the search went.
    """

    __slots__ = ("_configurations", "distances", "report")

    def __init__(self, configurations: tuple[Array, ...], distances: tuple[float, ...], report: SearchReport) -> None:
        for each in configurations:
            each.flags.writeable = False
        self._configurations = configurations
        self.distances = distances
        self.report = report

    @overload
    def __getitem__(self, index: int) -> Array: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Array, ...]: ...
    def __getitem__(self, index: int | slice) -> Array | tuple[Array, ...]:
        """A configuration."""
        return self._configurations[index]

    def __len__(self) -> int:
        """How many were found."""
        return len(self._configurations)

    @property
    def best(self) -> Array | None:
        """The nearest configuration (n,); None when nothing was found."""
        return self._configurations[0] if self._configurations else None

    def __repr__(self) -> str:
        report = self.report
        words = [
            f"{len(self)} found in {1e3 * report.elapsed:.1f} ms",
            f"{report.tried} random configurations looked at, {report.solved} of them solved, "
            f"{report.refused} on the target but refused",
        ]
        if not self and not report.refused:
            words.append(self._how_near())
        return f"FoundConfigs({'; '.join(words)})"

    def _how_near(self) -> str:
        """How near a search came that found nothing."""
        report = self.report
        if not report.tried:
            return "the budget left no time for a try"
        nearest = f"the nearest of them was {report.nearest_sample:.3g} m away by the metric"
        if report.off is None:
            return f"{nearest}, beyond the threshold"
        where = f", with {', '.join(map(repr, report.at_limits))} at a limit" if report.at_limits else ""
        return f"{nearest}; the best attempt stayed off by {report.off[0]:.3g} m, {report.off[1]:.3g} rad{where}"
