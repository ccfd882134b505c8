"""`MetaRefusals`: counts what became of the attempts and candidates of one meta solve."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import Any

from ...kinematics.transforms import Array
from ..inv_kin_solvers.solutions_report import SolutionsReport

#: Reasons, in the order in which they are looked at.
REASONS = (
    "not solved", "error", "wrong pose", "limits", "joint change", "collision", "constraint", "duplicate",
)  # fmt: skip


class MetaRefusals:
    """The counts of one solve.

    Attributes:
        first_error: What the solver inside raised first.
        nearest: How far off (m, rad) the nearest attempt that did not get there ended.
        least_beyond: By how much (rad or m) a candidate was least beyond the limits, and its joints (k,).
    """

    def __init__(self) -> None:
        self._counts = dict.fromkeys(REASONS, 0)
        self._limits: Counter[str] = Counter()
        self._collisions: Counter[tuple[str, str]] = Counter()
        self._constraints: Counter[str] = Counter()
        self.first_error: Exception | None = None
        self.nearest: tuple[float, float] | None = None
        self.least_beyond: tuple[float, Array] | None = None

    def __getitem__(self, reason: str) -> int:
        return self._counts[reason]

    def count(self, reason: str) -> None:
        """One more."""
        self._counts[reason] += 1

    def beyond_limits(self, names: list[str], amount: float, x: Array) -> None:
        """A candidate whose joints (k,) are beyond the limits of some, by an amount (rad or m) at most."""
        self.count("limits")
        self._limits.update(names)
        if self.least_beyond is None or amount < self.least_beyond[0]:
            self.least_beyond = amount, x.copy()

    def collision(self, pair: tuple[str, str] | None) -> None:
        """A candidate in collision; the pair when it is known."""
        self.count("collision")
        if pair is not None:
            self._collisions[pair] += 1

    def constraint(self, name: str) -> None:
        """A candidate that a constraint refused."""
        self.count("constraint")
        self._constraints[name] += 1

    def error(self, error: Exception) -> None:
        """An attempt in which the solver inside raised."""
        self.count("error")
        self.first_error = self.first_error or error

    def missed(self, position_error: float, orientation_error: float) -> None:
        """An attempt that ended so far off."""
        square = position_error**2 + orientation_error**2
        if self.nearest is None or square < self.nearest[0] ** 2 + self.nearest[1] ** 2:
            self.nearest = float(position_error), float(orientation_error)

    @property
    def reached(self) -> bool:
        """Whether a candidate got there and was refused for another reason."""
        return any(self._counts[each] for each in REASONS[3:])

    def report(self, attempts: int, found: int, elapsed: float, **others: Any) -> SolutionsReport:
        """The report; see there for ``others``."""
        error = self.first_error
        return SolutionsReport(
            attempts,
            found,
            MappingProxyType(self._counts),
            elapsed,
            limits=MappingProxyType(self._limits),
            collisions=MappingProxyType(self._collisions),
            constraints=MappingProxyType(self._constraints),
            nearest=self.nearest,
            error="" if error is None else f"{type(error).__name__}: {error}",
            **others,
        )
