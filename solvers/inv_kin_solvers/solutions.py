"""`Solutions`: the configurations that a solver found, with a report about those that it refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, overload

from ...kinematics.transforms import Array
from .solutions_report import SolutionsReport

__all__ = ["Solutions", "SolutionsReport"]


class Solutions(Sequence[Array]):
    """A sequence of configurations of the whole skeleton (n,), read-only; true when there are any.

    Args:
        configurations: Each (n,).
        report: What came of the attempts; that they were found when None.
    """

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

    def __reduce__(self) -> Any:
        """Made anew in a copy, so that what is read-only stays so."""
        return type(self), (self._configurations, self._report)

    def __repr__(self) -> str:
        return f"<Solutions: {self._report}>"
