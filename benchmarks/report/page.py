"""`write_page`: a run as a Markdown page with its pictures."""

from __future__ import annotations

import ast
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kinetree.interfaces.bench import Table, machine, versions

from ..peers.catalog import CLOSED_FORM_PEERS, FOLDER, PEERS
from ..peers.problem import ATTEMPTS, ORIENTATION_TOLERANCE, POSITION_TOLERANCE
from .markdown import markdown_of
from .plots import PLOTTED, plot_success
from .standing import Standing, standing_of

#: Folder of the pictures, beside the page.
FIGURES = "figures"


@dataclass(frozen=True)
class Run:
    """What was run.

    Attributes:
        command: As it was typed.
        seconds: That it took.
        tables: In order.
        quick: With few samples.
    """

    command: str
    seconds: float
    tables: Sequence[Table]
    quick: bool = False


#: Headings, a remark, and the tables below; tables that are nowhere here follow under their own titles.
SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "One target",
        "One call from Python for one pose. The time of a call without an answer counts; a library that restarts "
        "by itself does so, the others are started anew from the same random configurations.",
        ("core.one_target", "core.near_seed", "core.path"),
    ),
    ("Many targets", "", ("core.batch", "core.success")),
    (
        "All branches",
        "Closed forms are asked for all solutions of a pose; ours are looked at for limits and ranked by a seed.",
        ("closed_form.six_axis", "closed_form.general", "closed_form.seven_axis", "closed_form.batch"),
    ),
    (
        "Steps of hierarchies",
        "The others weight their tasks in one quadratic program, so that lower ones move higher ones; ours keeps the "
        "order exactly.",
        ("hierarchy.steps", "core.hierarchical"),
    ),
    (
        "Reachability",
        "No other library on the list makes maps of reachable poses; plain loops stand for what a user would write.",
        ("reachability.speed", "reachability.questions", "reachability.accuracy", "reachability.warm_start"),
    ),
    (
        "Variants of kinetree's own solvers",
        "The same for a robot of your own: `kinetree bench ROBOT_FILE`.",
        ("variants.methods", "variants.attempts", "variants.notes", "object_path"),
    ),
    (
        "Start-up and size",
        "The disk that pip fills, and the time until a process has answered once.",
        ("footprint", "core.start_up"),
    ),
)


#: Headings of tables whose own titles are alike.
HEADINGS = {
    "core.one_target": "Random seed",
    "core.near_seed": "Warm seed",
    "core.path": "Along a path",
    "core.batch": "Batches",
    "core.success": "Success of large batches",
    "closed_form.six_axis": "Six joints",
    "closed_form.general": "General arms of six joints",
    "closed_form.seven_axis": "Seven joints, the nearest solution",
    "closed_form.batch": "All branches of many poses",
    "hierarchy.steps": "Hierarchical step",
    "core.hierarchical": "The kernel alone",
    "reachability.speed": "Sampling a map",
    "reachability.questions": "Asking a map",
    "reachability.accuracy": "How far maps can be trusted",
    "reachability.warm_start": "Seeds from a map",
    "variants.methods": "Methods",
    "variants.attempts": "Success against attempts",
    "variants.notes": "Methods that do not fit",
    "object_path": "One iteration in plain Python",
    "footprint": "Size and first answer",
    "core.start_up": "The first call in detail",
}


def write_page(path: Path, run: Run) -> None:
    """Writes the page and its pictures.

    Args:
        path: Of the page; its pictures go to the folder `FIGURES` beside it.
        run: What it tells of.
    """
    tables = {table.name: table for table in run.tables if table.rows}
    parts = [_head(run), _in_short(run.tables)]
    shown: set[str] = set()
    for heading, remark, names in SECTIONS:
        there = [tables[name] for name in names if name in tables]
        if there:
            parts.append("\n\n".join(filter(None, [f"## {heading}", remark, *(_shown(each, path) for each in there)])))
        shown.update(names)
    required = [table for name, table in tables.items() if name.endswith(".required")]
    rest = [table for name, table in tables.items() if name not in shown and not name.endswith(".required")]
    if rest:
        parts.append("\n\n".join(["## More", *(_shown(each, path) for each in rest)]))
    if required:
        parts.append(_goals(required))
    parts.append(_libraries())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _head(run: Run) -> str:
    about, of = machine(), versions()
    minutes = run.seconds / 60.0
    few = "Few samples: the figures are rough." if run.quick else ""
    lines = [
        "# Benchmarks",
        f"<!-- Written by `{run.command}`; not by hand. -->",
        f"This page is written by `{run.command}`, run on {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())} in "
        f"{minutes:.0f} minutes. {few}".rstrip(),
        f"* Machine: {about['processor']}, {about['cores']} cores, {about['system']}.\n"
        f"* Versions: {', '.join(f'{name} {version}' for name, version in of.items())}. Those of the others are in "
        "the tables.\n"
        f"* A target counts as solved when Pinocchio's forward kinematics put the tip within {POSITION_TOLERANCE:g} m "
        f"and {ORIENTATION_TOLERANCE:g} rad (true rotation angle) of it, inside the joint limits, whatever a library "
        "says of its own answer. The same tolerance is asked of every library.\n"
        "* Libraries take turns on the same targets, so that a slow spell of the machine meets each; `spread` is how "
        "far apart the medians of the turns are. A slow library gets fewer targets: as many as fit in its turns.",
    ]
    return "\n\n".join(lines)


def _in_short(tables: Sequence[Table]) -> str:
    found = [each for each in map(standing_of, tables) if each is not None]
    if not found:
        return "## In short\n\nNo other library was measured in this run."
    titles = {table.name: _heading(table) for table in tables}
    compared = sum(each.compared for each in found)
    lines = [
        "## In short",
        f"kinetree is first, or shares the first place, in {sum(each.first for each in found)} of {compared} "
        "comparisons (success, and times among libraries that solve as much). Where it is not:",
    ]
    lines += [_behind(each, titles[each.table]) for each in found]
    return "\n\n".join(lines)


def _behind(standing: Standing, title: str) -> str:
    head = f"**{title}** (`{standing.table}`): first in {standing.first} of {standing.compared}."
    lines = [f"* {each}" for each in standing.behind]
    lines += [f"* quicker but less sure: {each}" for each in standing.faster_but]
    return "\n".join([head, *([""] if lines else []), *lines])


def _heading(table: Table) -> str:
    return HEADINGS.get(table.name, table.title.split(":")[0])


def _shown(table: Table, page: Path) -> str:
    parts = [f"### {_heading(table)}", f"`{table.name}`: {table.title}."]
    if table.name in PLOTTED:
        picture = f"benchmark_{table.name.replace('.', '_')}.svg"
        if plot_success(table, page.parent / FIGURES / picture):
            parts.append(f"![Solved targets against the time of a call]({FIGURES}/{picture})")
    return "\n\n".join([*parts, markdown_of(table)])


def _goals(tables: Sequence[Table]) -> str:
    rows = [(table, row) for table in tables for row in table.rows]
    missed = [_missed(table, row) for table, row in rows if row["met"] == "NO"]
    met = sum(row["met"] == "yes" for _, row in rows)
    lines = ["## Goals", f"{met} of {len(rows)} figures that the project asks of itself are met in this run."]
    if missed:
        lines += ["These are not:", "\n".join(missed)]
    return "\n\n".join(lines)


def _missed(table: Table, row: Mapping[str, Any]) -> str:
    name, measured = table.name.removesuffix(".required"), table.cell(dict(row), "measured")
    return f"* `{name}`: {row['what']}, {row['where']}: {measured}, goal {row['required']}"


def _libraries() -> str:
    peers = {peer.name: peer for peer in (*PEERS, *CLOSED_FORM_PEERS)}
    lines = [
        "## The libraries, and how each is called",
        f"Each runs in an environment and a process of its own. Those without restarts get up to {ATTEMPTS} of ours.",
    ]
    table = ["| library | what it does | what is called |", "| --- | --- | --- |"]
    for name, peer in sorted(peers.items(), key=lambda each: each[0].lower()):
        what, call = _about(peer.adapter)
        table.append(f"| [`{name}`](https://pypi.org/project/{name}/) | {what} | {call} |")
    lines.append("\n".join(table))
    lines.append(f"Their adapters are in `benchmarks/{FOLDER.name}/`: a better way to call one is welcome.")
    return "\n\n".join(lines)


def _about(adapter: Path) -> tuple[str, str]:
    """First sentences of the module and of its class."""
    tree = ast.parse(adapter.read_text(encoding="utf-8"))
    kind = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Adapter")
    module, call = (" ".join((ast.get_docstring(node) or "").split("\n\n")[0].split()) for node in (tree, kind))
    return module.split(": ", 1)[-1].replace("|", "\\|"), call.replace("``", "`").replace("|", "\\|")
