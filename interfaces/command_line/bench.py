"""``kinetree bench``: kinetree's solvers, and solvers of one's own, side by side on a robot."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ...kinematics import DuplicateNameError, InvalidValueError
from ..bench import (
    VARIANTS,
    Effort,
    Measurement,
    Table,
    Variant,
    Workload,
    attempts_table,
    find_variants,
    measure,
    methods_table,
    notes,
    own_variants,
    show,
    workload_of,
    write_json,
)
from ..bench.effort import TIMEOUT, TOLERANCE
from ..bench.error_text import error_text
from ..bench.output_file import check_different, check_output
from ..bench.plots import check_plot, plot_success, save_plot
from ..bench.report import as_data
from .arguments import FrameOption, JsonOption, RobotArgument, find_frame, load_robot
from .held_compile_lines import HeldCompileLines
from .output import print_json, print_table, print_text
from .stdout_to_stderr import stdout_to_stderr
from .wrong_use import NOT_SOLVED, WRONG_USE, wrong_use

TARGETS = 500
#: A kilobyte each; success is known to a sixth of a percent with so many.
MOST = 100_000
#: Seconds, so that the whole takes less than a minute.
TIME_LIMIT = 40.0


def _list(wanted: bool) -> None:
    """Prints the methods that there are, and ends."""
    if wanted:
        print_table(
            ["method", "group", "what it is"], [[each.name, each.group, each.description] for each in VARIANTS.values()]
        )
        raise typer.Exit


def bench(
    robot: RobotArgument,
    methods: Annotated[
        list[str] | None,
        typer.Option("--methods", metavar="NAMES", help="Methods or groups, see --list; all when left out."),
    ] = None,
    solver: Annotated[
        list[str] | None,
        typer.Option("--solver", metavar="MODULE:CLASS", help="A solver of your own, or file.py:Class; repeatable."),
    ] = None,
    targets: Annotated[int, typer.Option("--targets", min=1, max=MOST, help="Random reachable targets.")] = TARGETS,
    frame: FrameOption = None,
    near: Annotated[
        bool, typer.Option("--near", help="Start within 0.1 rad or m of a solution, as when following a target.")
    ] = False,
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="T", help="What counts as reached, in metres and radians.")
    ] = TOLERANCE,
    attempts: Annotated[
        int | None, typer.Option("--attempts", metavar="N", help="Starts from random places at most.")
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", metavar="S", help="Seconds for a target.")] = TIMEOUT,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", help="Seconds for all; slow methods try fewer targets then.")
    ] = TIME_LIMIT,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the targets and of where to start.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the figures here too, as JSON.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw success against time and attempts: .svg, .png or .pdf."),
    ] = None,
    show_list: Annotated[
        bool,
        typer.Option("--list", help="Print the methods and their groups, and stop.", callback=_list, is_eager=True),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure solvers on a robot: what they solve, in how many iterations and attempts, and how fast.

    Each is called for the same random targets, which the robot can reach, from the same places; Pinocchio's forward
    kinematics checks the answers. `kinetree bench --list` shows the methods.

    Exit status: 0 measured, 1 no method fits the robot, 2 wrong use.

    Example: `kinetree bench panda --methods gradient-methods,closed-form --plot success.svg`
    """
    with wrong_use(as_json):
        _check_files(output, plot)
        effort = Effort(tolerance, attempts, timeout)
        with stdout_to_stderr():  # importing a solver runs its module
            variants = _chosen(methods, solver)
        skeleton = load_robot(robot)
        tip, source = find_frame(skeleton, frame)
        work = workload_of(skeleton, skeleton.name, targets, seed, tip)
        with _progress(len(variants), targets) as progress, stdout_to_stderr():
            seeds = work.near_seeds(seed) if near else None
            found = measure(work, variants, effort=effort, seeds=seeds, time_limit=time_limit, progress=progress)
        tables = _tables(work, found, near, source)
    if as_json:
        print_json(as_data(tables))
    else:
        _show(tables, found)
    is_written = _write(output, lambda path: write_json(path, tables), "figures written to", as_json)
    is_drawn = _write(plot, lambda path: save_plot(plot_success(found, _title(work, near)), path), "drawn to", as_json)
    if not (is_written and is_drawn):
        raise typer.Exit(WRONG_USE)
    if not any(found):
        raise typer.Exit(NOT_SOLVED)


def _check_files(output: Path | None, plot: Path | None) -> None:
    """Refuses files that cannot be written before anything is measured."""
    if plot is not None:
        check_plot(plot)
    if output is not None:
        check_output(output, "the figures")
    if output is not None and plot is not None:
        check_different(output, plot)


def _write(path: Path | None, write: Callable[[Path], None], what: str, as_json: bool) -> bool:
    """Writes a file that is asked for; False, with the reason on stderr, where that fails all the same.

    The tables are on stdout already, so nothing that was measured is lost.
    """
    if path is None:
        return True
    try:
        write(path)
    except Exception as error:  # what a drawing library raises is not known
        typer.echo(f"kinetree: {str(path)!r} could not be written: {error_text(error)}", err=True)
        return False
    if not as_json:
        print_text(f"{what} {path}")
    return True


def _chosen(methods: Sequence[str] | None, solvers: Sequence[str] | None) -> list[Variant]:
    """What is measured: solvers of the user's come last."""
    words = [word for each in methods or () for word in each.split(",") if word]
    if methods and not words:
        raise InvalidValueError("--methods names none; leave it out for all")
    variants = find_variants(words or None)
    if solvers:
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.insert(0, here)  # as for `python -m`: the script that runs us has its own folder there
        variants += [variant for name in solvers for variant in own_variants(name)]
    names = [variant.name for variant in variants]
    for name in names:
        if names.count(name) > 1:
            raise DuplicateNameError(f"two of the methods are called {name!r}; each is measured once")
    return variants


@contextmanager
def _progress(variants: int, targets: int) -> Iterator[Callable[[str, int, bool], None]]:
    """Shows on stderr what is being measured, as long as it is."""
    console = Console(file=sys.stderr)  # the stream itself, which is held back below
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    done: dict[str, int] = {}
    with Progress(*columns, console=console, transient=True, redirect_stderr=False) as shown:
        task = shown.add_task("getting ready", total=variants * targets)

        def report(name: str, count: int, is_preparing: bool) -> None:
            done[name] = count
            compiled = f", {held.count} compiled" if held.count else ""
            what = f"getting {name} ready{compiled}" if is_preparing else name
            shown.update(task, description=f"{what:48}", completed=sum(done.values()))

        with HeldCompileLines(sys.stderr, shown.console.print if console.is_terminal else None) as held:
            yield report


def _title(work: Workload, near: bool, source: str = "") -> str:
    """What was measured, for a table or a picture."""
    what = "poses" if work.is_full_pose else "positions"
    start = "seeds near a solution" if near else "seeds elsewhere"
    joints = f"{len(work.chain.dofs)} joints"
    return f"{work.name}: {work.chain.tip.name}{source}, {joints}, {len(work)} {what}, {start}"


def _tables(work: Workload, found: Sequence[Measurement], near: bool, source: str) -> list[Table]:
    title = _title(work, near, f" ({source})")
    return [
        methods_table("bench.methods", title, found),
        attempts_table("bench.attempts", "solved (%) within so many attempts", found),
    ]


def _show(tables: Sequence[Table], found: Sequence[Measurement]) -> None:
    for table in tables:
        if table.rows:
            show(table)
    for line in notes(found):
        print_text(line)
