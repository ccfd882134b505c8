"""Tables, printed and written down."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from .provenance import machine, versions
from .table import Table

#: Width of what goes into a pipe or a file, which have none that columns would have to be squeezed into.
WIDTH = 200
#: Texts up to this length are names, which a narrow terminal does not break.
NAME = 24


def show(table: Table, console: Console | None = None) -> None:
    """Prints a table.

    Args:
        table: What is printed.
        console: Where to; standard output when None.
    """
    drawn = RichTable(title=Text(table.title), title_justify="left")
    for key, (heading, _) in table.columns.items():
        is_text = all(isinstance(row.get(key), str) for row in table.rows)
        longest = max((len(table.cell(row, key)) for row in table.rows), default=0)
        drawn.add_column(heading, justify="left" if is_text else "right", no_wrap=is_text and longest <= NAME)
    for row in table.rows:
        # As text: square brackets in names are no markup.
        drawn.add_row(*(Text(table.cell(row, key)) for key in table.columns))
    (console or _console()).print(drawn)


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)


def as_data(tables: Iterable[Table]) -> dict[str, Any]:
    """The rows for JSON, with the machine and the versions that they were measured with."""
    return {
        "machine": machine(),
        "versions": versions(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "benchmarks": {table.name: {"title": table.title, "rows": table.rows} for table in tables},
    }


def write_json(path: Path, tables: Iterable[Table]) -> None:
    """Writes `as_data` to a file.

    Args:
        path: Of the file.
        tables: What it is to hold.
    """
    path.write_text(json.dumps(as_data(tables), indent=2) + "\n", encoding="utf-8")
