"""Runs benchmarks, prints their tables and writes them down."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable

from .options import Options
from .table import Table

#: Name to where ``measure(options) -> list[Table]`` is; a new benchmark is a file and a line here.
BENCHMARKS: dict[str, str] = {
    "robots": "robots",
    "object_path": "object_path",
    "core.success": "core.success",
    "core.one_target": "core.one_target",
    "core.near_seed": "core.near_seed",
    "core.batch": "core.batch",
    "core.forward": "core.forward",
    "core.hierarchical": "core.hierarchical",
    "core.start_up": "core.start_up",
    "closed_form.six_axis": "closed_form.six_axis",
    "closed_form.general": "closed_form.general",
    "closed_form.seven_axis": "closed_form.seven_axis",
    "closed_form.batch": "closed_form.batch",
    "closed_form.completeness": "closed_form.completeness",
    "closed_form.targets": "closed_form.targets",
    "meta.in_a_cell": "meta.in_a_cell",
    "hierarchy.steps": "hierarchy.steps",
    "coppelia.handle_groups": "coppelia.handle_groups",
    "coppelia.find_config": "coppelia.find_config",
    "reachability.speed": "reachability.speed",
    "reachability.accuracy": "reachability.accuracy",
    "reachability.warm_start": "reachability.warm_start",
}


def expand(names: Iterable[str]) -> list[str]:
    """Benchmarks by name; the name of a group, such as ``core``, is all of its sections.

    Raises:
        KeyError: There is no such benchmark; its argument is the name.
    """
    found: list[str] = []
    for name in names:
        sections = [each for each in BENCHMARKS if each == name or each.startswith(f"{name}.")]
        if not sections:
            raise KeyError(name)
        found += [each for each in sections if each not in found]
    return found


def run(name: str, options: Options | None = None) -> list[Table]:
    """One benchmark.

    Args:
        name: A key of `BENCHMARKS`.
        options: The benchmark's own choices when None.
    """
    # Imported when it is run: each needs other parts of the library, and some compile.
    module = import_module(f".{BENCHMARKS[name]}", __package__)
    tables: list[Table] = module.measure(options or Options())
    return tables


def show(table: Table, console: Console | None = None) -> None:
    """Prints a table."""
    drawn = RichTable(title=table.title, title_justify="left")
    for key, (heading, _) in table.columns.items():
        is_text = all(isinstance(row.get(key), str) for row in table.rows)
        drawn.add_column(heading, justify="left" if is_text else "right")
    for row in table.rows:
        drawn.add_row(*(table.cell(row, key) for key in table.columns))
    (console or _console()).print(drawn)


def _console() -> Console:
    console = Console()
    # A pipe or a file has no width that columns would have to be squeezed into.
    return console if console.is_terminal else Console(width=200)


def write_json(path: Path, tables: Iterable[Table]) -> None:
    """Writes the rows with the machine and the versions that they were measured with."""
    content = {
        "machine": machine(),
        "versions": versions(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "benchmarks": {table.name: {"title": table.title, "rows": table.rows} for table in tables},
    }
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def machine() -> dict[str, Any]:
    """Processor, number of them that we may use, system."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"processor": _processor(), "cores": usable, "system": platform.platform()}


def versions() -> dict[str, str]:
    """Versions of Python and of what decides about speed."""
    found = {"python": platform.python_version()}
    for name in ("kinetree", "numpy", "pin", "eigenpy", "numba"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
