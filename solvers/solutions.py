"""`Solutions`: the configurations that a solver found, with a report about those that it refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, overload

from ..kinematics.transforms import Array


class SolutionsReport(NamedTuple):
    """What came of the attempts.

    Attributes:
        attempts: How many were made.
        found: Configurations that were kept.
        refused: How many candidates were not kept, by reason: ``"not solved"``, ``"limits"``,
            ``"collision"``, ``"constraint"``, ``"duplicate"``.
        elapsed: Time taken (s).
        timed_out: The time was over before all attempts were made.
    """

    attempts: int
    found: int
    refused: Mapping[str, int]
    elapsed: float = 0.0
    timed_out: bool = False

    def __str__(self) -> str:
        reasons = ", ".join(f"{count} {reason}" for reason, count in self.refused.items() if count)
        text = f"{self.found} found in {self.attempts} attempts" + (f"; refused: {reasons}" if reasons else "")
        return text + ("; the time was over" if self.timed_out else "")


class Solutions(Sequence[Array]):
    """A sequence of configurations of the whole skeleton (n,), read-only, in the order they were found in."""

    def __init__(self, configurations: Iterable[Array] = (), report: SolutionsReport | None = None) -> None:
        self._configurations = tuple(configurations)
        for q in self._configurations:
            q.flags.writeable = False
        if report is None:
            report = SolutionsReport(1, len(self._configurations), MappingProxyType({}))
        self._report = report

    @property
    def report(self) -> SolutionsReport:
        """How many attempts were made, and why candidates were refused."""
        return self._report

    @overload
    def __getitem__(self, index: int) -> Array: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Array, ...]: ...

    def __getitem__(self, index: int | slice) -> Array | tuple[Array, ...]:
        return self._configurations[index]

    def __len__(self) -> int:
        return len(self._configurations)

    def __repr__(self) -> str:
        return f"<Solutions: {self._report}>"
