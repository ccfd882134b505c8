"""`Table`: what a benchmark gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Table:
    """Rows of a benchmark.

    Attributes:
        name: Of the benchmark.
        title: What was measured, in a sentence.
        columns: Key in the rows to (heading, format of a number).
        rows: One mapping a line; keys that are no column are only written to JSON.
    """

    name: str
    title: str
    columns: dict[str, tuple[str, str]]
    rows: list[dict[str, Any]] = field(default_factory=list)

    def cell(self, row: dict[str, Any], key: str) -> str:
        """A value as it is printed; empty when the row has none.

        Args:
            row: One of `rows`.
            key: Of the column.
        """
        value = row.get(key)
        if value is None:
            return "-"
        form = self.columns[key][1]
        return str(value) if isinstance(value, str) or not form else format(value, form)
