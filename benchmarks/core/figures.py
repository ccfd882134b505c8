"""`Figure`: a number that is required, beside the number that was measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kinetree.interfaces.bench import Table


@dataclass(frozen=True)
class Figure:
    """A requirement.

    Attributes:
        what: The quantity, with its unit.
        bound: What is required of it.
        measured: None when it could not be measured.
        at_least: True for a lower bound, False for an upper one.
        where: The robot, or whatever else it was measured on.
        note: Why it could not be measured.
    """

    what: str
    bound: float
    measured: float | None
    at_least: bool
    where: str = ""
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """None when nothing was measured."""
        if self.measured is None:
            return None
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound


def at_least(what: str, bound: float, measured: float | None, where: str = "", note: str = "") -> Figure:
    """A lower bound."""
    return Figure(what, bound, measured, True, where, note)


def at_most(what: str, bound: float, measured: float | None, where: str = "", note: str = "") -> Figure:
    """An upper bound."""
    return Figure(what, bound, measured, False, where, note)


def table_of(name: str, figures: Iterable[Figure]) -> Table:
    """A line for each figure.

    Args:
        name: Of the section.
        figures: In order.
    """
    table = Table(
        f"{name}.required",
        "What is required",
        {
            "what": ("figure", ""),
            "where": ("on", ""),
            "measured": ("measured", ".4g"),
            "required": ("required", ""),
            "met": ("met", ""),
            "note": ("", ""),
        },
    )
    words = {True: "yes", False: "NO", None: "not measured"}
    for figure in figures:
        table.rows.append(
            {
                "what": figure.what,
                "where": figure.where,
                "measured": figure.measured,
                "required": f"{'>=' if figure.at_least else '<='} {figure.bound:g}",
                "bound": figure.bound,
                "met": words[figure.is_met],
                "note": figure.note,
            }
        )
    return table
