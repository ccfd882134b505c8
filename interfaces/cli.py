"""The command line ``kinetree``: `main` is its entry point, the commands are in `command_line`."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from .command_line.bench import bench
from .command_line.collisions import collisions
from .command_line.fk import fk
from .command_line.ikfast import ikfast
from .command_line.info import info
from .command_line.reach import reach
from .command_line.robots import robots
from .command_line.serve import serve
from .command_line.solve import solve
from .command_line.view import view
from .command_line.warmup import warmup

app = typer.Typer(
    name="kinetree",
    help="Robot kinematics: poses of frames, and joint values that put a frame where it should be.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# Negative numbers look like options; unknown ones are passed on as values and checked there.
_TAKES_NUMBERS = {"ignore_unknown_options": True}

app.command()(solve)
app.command(context_settings=_TAKES_NUMBERS)(fk)
app.command()(info)
app.command()(collisions)
app.command()(bench)
app.command()(robots)
app.command()(view)
app.command()(serve)
app.command()(warmup)
app.add_typer(ikfast)
app.add_typer(reach)


def installed_version() -> str:
    """The version of the installed distribution; ``"not installed"`` when run from a bare folder."""
    try:
        return version("kinetree")
    except PackageNotFoundError:
        return "not installed"


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kinetree {installed_version()}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and stop.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Robot kinematics: poses of frames, and joint values that put a frame where it should be.

    Exit status: 0 done or solved, 1 not solved or in collision, 2 wrong use.
    """


def main() -> None:
    """Runs the command line."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character shows a question mark instead of a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()


if __name__ == "__main__":
    main()
