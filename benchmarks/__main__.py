"""``python -m benchmarks [NAMES] [--json FILE]``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .runner import BENCHMARKS, run, show, write_json


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help=f"Which of {', '.join(BENCHMARKS)}; all when left out.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the rows here too, with machine and versions.")] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Targets of each robot, or repeats of each measurement.")
    ] = None,
    robot: Annotated[
        list[str] | None, typer.Option(help="Only this built-in robot; may be given several times.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the random targets.")] = 0,
) -> None:
    """Measures solvers on the machine at hand; the targets are the same everywhere for one seed."""
    unknown = [name for name in names or () if name not in BENCHMARKS]
    if unknown:
        raise typer.BadParameter(f"no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}")
    tables = []
    for name in names or BENCHMARKS:
        table = run(name, samples=samples, robots=robot, seed=seed)
        show(table)
        tables.append(table)
    if json is not None:
        write_json(json, tables)


if __name__ == "__main__":
    typer.run(main)
