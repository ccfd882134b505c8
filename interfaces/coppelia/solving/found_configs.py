"""`FoundConfigs`: what a search for configurations found."""

from __future__ import annotations

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
    """

    tried: int
    solved: int
    refused: int
    elapsed: float


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
        """The nearest one; None when nothing was found."""
        return self._configurations[0] if self._configurations else None

    def __repr__(self) -> str:
        tried, solved, refused, elapsed = self.report
        return (
            f"FoundConfigs({len(self)} found in {1e3 * elapsed:.1f} ms; {tried} random configurations looked at, "
            f"{solved} of them solved, {refused} on the target but refused)"
        )
