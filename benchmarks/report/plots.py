"""`plot_success`: success against time of libraries side by side, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from kinetree.interfaces.bench import Table

#: Tables whose rows have a curve, with the heading of their picture.
PLOTTED = {
    "core.one_target": "One target, random seed",
    "core.near_seed": "One target, seed near a solution",
}
OURS = "kinetree"
WIDTH, HEIGHT = 5.2, 3.6
COLUMNS = 2


def plot_success(table: Table, path: Path) -> bool:
    """Draws a panel for each robot: solved targets (%) by calls that took no longer than so many microseconds.

    Args:
        table: One of `PLOTTED`.
        path: Of the SVG file; the same rows give the same file.

    Returns:
        False, and no file, when no row has a curve.
    """
    rows = [row for row in table.rows if row.get("curve")]
    robots = list(dict.fromkeys(row["robot"] for row in rows))
    if not robots:
        return False
    names = list(dict.fromkeys(row["library"] for row in rows))
    lines = -(-len(robots) // COLUMNS)
    # The text stays text, and nothing of the day gets into the file.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "kinetree", "font.size": 9}):
        figure = Figure(figsize=(WIDTH * min(COLUMNS, len(robots)), HEIGHT * lines + 1.2), layout="constrained")
        panels = figure.subplots(lines, min(COLUMNS, len(robots)), squeeze=False, sharex=True, sharey=True)
        for panel, robot in zip(panels.flat, robots, strict=False):
            for row in (each for each in rows if each["robot"] == robot):
                _draw(panel, row, names)
            panel.set(title=robot, xscale="log", ylim=(-2.0, 102.0))
            panel.grid(alpha=0.3)
        for panel in list(panels.flat)[len(robots) :]:
            panel.set_axis_off()
        for panel in panels[-1]:
            panel.set_xlabel("time of a call (us)")
        for panel in panels[:, 0]:
            panel.set_ylabel("targets solved (%)")
        figure.suptitle(PLOTTED[table.name])
        handles = {line.get_label(): line for panel in panels.flat for line in panel.get_lines()}
        shown: Sequence[str] = [name for name in names if name in handles]
        figure.legend(
            [handles[name] for name in shown],
            shown,
            loc="outside lower center",
            ncols=2 * panels.shape[1],
            frameon=False,
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None})
    return True


def _draw(panel, row, names: Sequence[str]) -> None:  # type: ignore[no-untyped-def]
    """A line that rises from none to the share of solved targets, and a dot where it ends."""
    name = row["library"]
    ours = name.startswith(OURS)
    others = [each for each in names if not each.startswith(OURS)]
    color = "black" if ours else mpl.colormaps["tab20"](others.index(name) % 20)
    style = "--" if ours and name != OURS else "-"
    times, shares = [point[0] for point in row["curve"]], [point[1] for point in row["curve"]]
    panel.step(times, shares, where="post", label=name, color=color, linestyle=style, linewidth=2.0 if ours else 1.2)
    panel.plot(times[-1:], shares[-1:], marker="o", markersize=3.0, color=color, label="_end")
