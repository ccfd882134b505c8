"""`markdown_of`: a table of a benchmark as Markdown."""

from __future__ import annotations

from kinetree.interfaces.bench import Table

#: Longer remarks are cut: a reason that a library gives can be a page.
LONGEST = 160


def markdown_of(table: Table) -> str:
    """A table with its numbers to the right; a column that has nothing in any row is left out.

    Args:
        table: With at least one row.
    """
    keys = [key for key in table.columns if any(row.get(key) not in (None, "") for row in table.rows)]
    headings = [table.columns[key][0] or "note" for key in keys]
    are_words = [all(row.get(key) is None or isinstance(row[key], str) for row in table.rows) for key in keys]
    lines = [_line(headings), _line("---" if words else "---:" for words in are_words)]
    lines += [_line(_escaped(table.cell(row, key)) for key in keys) for row in table.rows]
    return "\n".join(lines)


def _line(cells: object) -> str:
    return f"| {' | '.join(cells)} |"  # type: ignore[arg-type]


def _escaped(cell: str) -> str:
    text = " ".join(cell.split())
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
    for special in ("\\", "|", "<", "[", "*", "_"):
        text = text.replace(special, f"\\{special}")
    return text
