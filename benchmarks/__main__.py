"""``python -m benchmarks [NAMES] [--peers] [--quick] [--json FILE] [--report PAGE]``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from kinetree.interfaces.bench import show, write_json
from kinetree.kinematics import KinetreeError

from .options import Options
from .peers.catalog import names as peer_names
from .runner import BENCHMARKS, QUICK, expand, run


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help=f"Which of {', '.join(BENCHMARKS)}, or core for all of its sections; all when left out, "
            "with --quick most of them."
        ),
    ] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="Measure other libraries too; they are installed when first needed.")
    ] = False,
    json: Annotated[Path | None, typer.Option(help="Write the rows here too, with machine and versions.")] = None,
    peer: Annotated[
        list[str] | None, typer.Option(help="Only this other library; may be given several times. Means --peers.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page of Markdown here, with pictures in a folder beside it.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Targets of each robot, or repeats of each measurement.")
    ] = None,
    robot: Annotated[
        list[str] | None, typer.Option(help="Only this built-in robot; may be given several times.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few samples, and five other libraries: everything in a quarter of an hour.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is random.")] = 0,
) -> None:
    """Measures solvers on the machine at hand; the targets are the same everywhere for one seed."""
    try:
        chosen = expand(names or (QUICK if quick else BENCHMARKS))
    except KeyError as error:
        raise typer.BadParameter(f"no benchmark {error.args[0]!r}; there are: {', '.join(BENCHMARKS)}") from error
    for name in peer or []:
        if name not in peer_names():
            raise typer.BadParameter(f"no library {name!r}; there are: {', '.join(peer_names())}")
    options = Options(samples, robot or None, seed, peers or bool(peer), quick, peer or None)
    if report is not None:
        from .report.page import Run, write_page  # draws, with a package that nothing else needs
    begun, tables = time.monotonic(), []
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
        if report is not None:
            command = " ".join(["python -m benchmarks", *sys.argv[1:]])
            write_page(report, Run(command, time.monotonic() - begun, tables, quick))


if __name__ == "__main__":
    typer.run(main)
