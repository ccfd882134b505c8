"""`SolutionsReport`: what came of the attempts of a solve, and what was in the way."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

#: Reasons for which a candidate is refused that got to the target.
_THERE = ("limits", "joint change", "collision", "constraint", "duplicate")
_NONE: Mapping[Any, int] = MappingProxyType({})


class SolutionsReport(NamedTuple):
    """What came of the attempts.

    Attributes:
        attempts: How many were made.
        found: Configurations that were kept.
        refused: How many candidates were not kept, by reason. Attempts without any candidate: ``"not solved"``,
            ``"error"`` (the solver inside raised). Candidates: ``"wrong pose"`` (by forward kinematics the pose is
            not the target), ``"limits"``, ``"joint change"``, ``"collision"``, ``"constraint"``, ``"duplicate"``.
        elapsed: Time taken (s).
        timed_out: The time was over before all attempts were made and all candidates were tested.
        remaining: Attempts that were allowed and not made.
        limits: How many candidates were beyond the limits of which joint; one may be beyond several.
        collisions: How many were refused for which pair of names touching.
        constraints: How many were refused by the constraint of which name.
        nearest: How far off (m, rad) the nearest attempt that did not get there ended; None when none said.
        detail: When nothing was found: what makes it impossible, or what was missing; empty when that is not known.
        exhausted: The solver gives all that there is from any start, so further attempts were left out.
        error: What the solver inside raised first; empty when it never did.
    """

    attempts: int
    found: int
    refused: Mapping[str, int]
    elapsed: float = 0.0
    timed_out: bool = False
    remaining: int = 0
    limits: Mapping[str, int] = _NONE
    collisions: Mapping[tuple[str, str], int] = _NONE
    constraints: Mapping[str, int] = _NONE
    nearest: tuple[float, float] | None = None
    detail: str = ""
    error: str = ""
    exhausted: bool = False

    @property
    def in_the_way(self) -> dict[str, int]:
        """Joints, pairs and constraints that refused candidates, and how many each, most first."""
        counts = {f"{name!r}": count for name, count in self.limits.items()}
        counts |= {_pair(pair): count for pair, count in self.collisions.items()}
        counts |= {f"{name!r}": count for name, count in self.constraints.items()}
        return _most_first(counts)

    def __reduce__(self) -> Any:
        """Read-only mappings cannot be copied or pickled; what is in them can."""
        return _report_of, tuple(each.copy() if isinstance(each, MappingProxyType) else each for each in self)

    def __str__(self) -> str:
        parts = [f"{self.found} found in {self.attempts} attempt{'' if self.attempts == 1 else 's'}"]
        reasons = [f"{count} {reason}{self._who(reason)}" for reason, count in self.refused.items() if count]
        if reasons:
            parts.append(f"refused: {', '.join(reasons)}")
        if not self.found and self.nearest is not None and not any(self.refused.get(each) for each in _THERE):
            parts.append("the nearest attempt is {:.3g} m and {:.3g} rad off".format(*self.nearest))
        if self.detail:
            parts.append(self.detail)
        if self.error:
            parts.append(f"the first error: {self.error}")
        if self.exhausted:
            parts.append("further attempts would give the same")
        if self.timed_out:
            parts.append(f"the time was over, {self.remaining} attempts remain")
        return "; ".join(parts)

    def _who(self, reason: str) -> str:
        """Who refused for a reason, in brackets."""
        counts: dict[str, int] = {}
        if reason == "limits":
            counts = {f"{name!r}": count for name, count in self.limits.items()}
        elif reason == "collision":
            counts = {_pair(pair): count for pair, count in self.collisions.items()}
        elif reason == "constraint":
            counts = {f"{name!r}": count for name, count in self.constraints.items()}
        return f" ({', '.join(f'{name}: {count}' for name, count in _most_first(counts).items())})" if counts else ""


def _report_of(*values: Any) -> SolutionsReport:
    return SolutionsReport._make(MappingProxyType(each) if isinstance(each, dict) else each for each in values)


def _pair(pair: tuple[str, str]) -> str:
    return "-".join(f"{name!r}" for name in pair)


def _most_first(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: -each[1]))
