"""Pictures of measurements: success against time and against attempts, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kinematics import InvalidValueError
from .curve_styles import OTHERS, curve_styles
from .errors import MissingPackageError, PlotError
from .measurement import Measurement
from .output_file import check_output
from .trial import ATTEMPTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What pictures are written as.
SUFFIXES = (".svg", ".png", ".pdf")
#: Points of a line, at most: what can be seen.
_POINTS = 60


def check_plot(path: Path) -> None:
    """Sees whether a picture can be drawn to a file, before anything is measured.

    Raises:
        PlotError: Another kind of file than SVG, PNG or PDF, or a file that cannot be written.
        MissingPackageError: matplotlib is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PlotError(f"the picture must be a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file, not {path.name!r}")
    try:
        check_output(path, "the picture")
    except InvalidValueError as error:
        raise PlotError(str(error)) from error
    _figure_class()


def plot_success(measurements: Sequence[Measurement], title: str = "") -> Figure:
    """Success against time on the left, against attempts on the right; a line for each variant.

    Kinetree's own methods have the same colour in every picture. Where there are more than `curve_styles.MOST`, only
    gradient methods, closed forms and what is not kinetree's stand out; the others are grey.

    Args:
        measurements: What is shown; those without figures are left out.
        title: Above both.

    Returns:
        A figure that belongs to no window; `save_plot` writes it.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    figure: Figure = _figure_class()(figsize=(11.0, 4.8), layout="constrained")
    by_time, by_attempts = figure.subplots(1, 2, sharey=True)
    shown = [each for each in measurements if each]
    end = max((float(each.seconds.max()) for each in shown), default=1.0)
    for each, style in zip(shown, curve_styles([each.name for each in shown]), strict=True):
        by_time.plot(*_steps(each, end), drawstyle="steps-post", **style)
        shares = [each.success_after(attempts) for attempts in ATTEMPTS]
        if None not in shares:
            percent = [100.0 * share for share in shares if share is not None]
            by_attempts.plot(ATTEMPTS, percent, marker="o", markersize=3.0, **{**style, "label": None})
    by_time.set(xscale="log", xlabel="time for a target (s)", ylabel="solved (%)", ylim=(0.0, 102.0))
    by_attempts.set(xscale="log", xlabel="attempts")
    by_attempts.set_xticks(ATTEMPTS, [str(each) for each in ATTEMPTS], minor=False)
    by_attempts.set_xticks([], minor=True)
    for axes in (by_time, by_attempts):
        axes.grid(alpha=0.3)
    figure.suptitle(title, parse_math=False)  # dollar signs in names are no formulas
    if shown:
        lines, labels = by_time.get_legend_handles_labels()
        order = sorted(range(len(lines)), key=lambda k: labels[k].startswith(OTHERS))
        figure.legend([lines[k] for k in order], [labels[k] for k in order], loc="outside right center")
    return figure


def save_plot(figure: Figure, path: Path) -> None:
    """Writes a figure; the same measurements give the same file.

    Raises:
        PlotError: See `check_plot`.
    """
    check_plot(path)
    import matplotlib

    is_svg = path.suffix.lower() == ".svg"
    with matplotlib.rc_context({"svg.hashsalt": "kinetree", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None} if is_svg else None, dpi=120)


def _steps(each: Measurement, end: float) -> tuple[Any, Any]:
    """Times (s) and the part of the targets (%) that are solved by then, up to the end."""
    times = np.sort(each.seconds[each.solved])
    percent = 100.0 * np.arange(1, len(times) + 1) / len(each)
    last = percent[-1] if len(percent) else 0.0
    shown = np.unique(np.linspace(0, len(times) - 1, min(len(times), _POINTS)).astype(int))
    times, percent = times[shown], percent[shown]
    return np.append(times, end), np.append(percent, last)


def _figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError(
            "pictures need matplotlib, which is not installed: pip install 'kinetree[plot]'"
        ) from error
    return Figure
