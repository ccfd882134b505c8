"""``python -m benchmarks [NAMES] [--peers] [--json FILE]``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinetree.kinematics import KinetreeError

from .options import Options
from .runner import BENCHMARKS, expand, run, show, write_json


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(help=f"Which of {', '.join(BENCHMARKS)}, or core for all of its sections; all when left out."),
    ] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="Measure other libraries too; they are installed when first needed.")
    ] = False,
    json: Annotated[Path | None, typer.Option(help="Write the rows here too, with machine and versions.")] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Targets of each robot, or repeats of each measurement.")
    ] = None,
    robot: Annotated[
        list[str] | None, typer.Option(help="Only this built-in robot; may be given several times.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few samples: a look at whether everything works.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is random.")] = 0,
) -> None:
    """Measures solvers on the machine at hand; the targets are the same everywhere for one seed."""
    try:
        chosen = expand(names or BENCHMARKS)
    except KeyError as error:
        raise typer.BadParameter(f"no benchmark {error.args[0]!r}; there are: {', '.join(BENCHMARKS)}") from error
    options = Options(samples=samples, robots=robot or None, seed=seed, peers=peers, quick=quick)
    tables = []
    for name in chosen:
        try:
            made = run(name, options)
        except KinetreeError as error:  # a robot that is not there, for example
            raise typer.BadParameter(str(error)) from error
        for table in made:
            if quick and table.name.endswith(".required"):
                continue  # so few samples measure nothing
            show(table)
            tables.append(table)
        if json is not None:
            write_json(json, tables)  # after each, so that an interruption loses little


if __name__ == "__main__":
    typer.run(main)
