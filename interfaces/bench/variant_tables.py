"""Tables of measurements: what each variant came to, and its success against attempts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .measurement import Measurement
from .table import Table
from .trial import ATTEMPTS

#: Seconds at which the success is written down.
TIMES = tuple(float(f"{10.0**power:.3g}") for power in np.arange(-6.0, 0.01, 0.25))

#: Joints that are named, at most.
_JOINTS = 3

COLUMNS: dict[str, tuple[str, str]] = {
    "method": ("method", ""),
    "solved": ("solved %", ".1f"),
    "first": ("in one attempt %", ".1f"),
    "iterations": ("iterations", ".0f"),
    "attempts": ("attempts", ".1f"),
    "median_us": ("median us", ",.1f"),
    "p99_us": ("p99 us", ",.1f"),
    "targets": ("targets", "d"),
}


def methods_table(name: str, title: str, measurements: Sequence[Measurement], robot: str | None = None) -> Table:
    """A row for each variant.

    Iterations are the median over the solved targets, of the attempt that got there; attempts are the mean over the
    solved targets, of those begun; times are of all targets.

    Args:
        name: Of the table.
        title: Of it.
        measurements: What is shown.
        robot: Makes a first column of it.
    """
    return Table(name, title, _with_robot(COLUMNS, robot), [_method_row(each, robot) for each in measurements])


def attempts_table(name: str, title: str, measurements: Sequence[Measurement], robot: str | None = None) -> Table:
    """Success against attempts: how many targets (%) are solved within so many.

    Variants without figures are left out, and so are those that do not say how many attempts they made. See
    `methods_table` for the arguments.
    """
    columns = {"method": ("method", ""), **{f"within_{k}": (f"{k}", ".1f") for k in ATTEMPTS}}
    rows = []
    for each in measurements:
        shares = [each.success_after(k) for k in ATTEMPTS] if each else [None]
        if None not in shares:
            row: dict[str, Any] = {} if robot is None else {"robot": robot}
            rows.append({**row, "method": each.name, **_attempts_of(each)})
    return Table(name, title, _with_robot(columns, robot), rows)


def notes(measurements: Sequence[Measurement]) -> list[str]:
    """A line for each variant that was not measured, raised, or gave wrong answers."""
    lines = [f"{each.name}: {'' if each else 'not measured: '}{each.note}" for each in measurements if each.note]
    return lines + [_wrong(each) for each in measurements if each and each.wrong]


def _wrong(each: Measurement) -> str:
    """What is wrong with answers: limits and targets apart, because they are mended in different ways."""
    parts = []
    if each.outside:
        joints = ", ".join(f"{name!r}: {count}" for name, count in each.beyond[:_JOINTS])
        more = ", ..." if len(each.beyond) > _JOINTS else ""
        parts.append(f"{each.outside} {'is' if each.outside == 1 else 'are'} beyond joint limits ({joints}{more})")
    if each.missed:
        off = f"{each.position_error:.1e} m and {each.orientation_error:.1e} rad"
        parts.append(f"{each.missed} {'misses' if each.missed == 1 else 'miss'} the target, the worst by {off}")
    else:
        parts.append("none misses the target")
    return f"{each.name}: of {int(each.answered.sum())} answers {'; '.join(parts)}"


def _with_robot(columns: dict[str, tuple[str, str]], robot: str | None) -> dict[str, tuple[str, str]]:
    return dict(columns) if robot is None else {"robot": ("robot", ""), **columns}


def _method_row(each: Measurement, robot: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {} if robot is None else {"robot": robot}
    row |= {"method": each.name, "description": each.description, "note": each.note, "targets": len(each)}
    timing = each.timing
    if timing is None:
        return row
    first = each.success_after(1)
    return row | {
        "solved": 100.0 * each.success,
        "first": None if first is None else 100.0 * first,
        "iterations": each.median_iterations,
        "attempts": each.mean_attempts,
        "median_us": timing.median,
        "mean_us": timing.mean,
        "p99_us": timing.p99,
        "position_error": _finite(each.position_error),
        "orientation_error": _finite(each.orientation_error),
        "wrong": each.wrong,
        "missed": each.missed,
        "outside_limits": each.outside,
        "beyond": dict(each.beyond),
        "solved_within_seconds": {f"{seconds:g}": 100.0 * each.success_within(seconds) for seconds in TIMES},
    }


def _attempts_of(each: Measurement) -> dict[str, float]:
    shares = {k: each.success_after(k) for k in ATTEMPTS}
    return {f"within_{k}": 100.0 * share for k, share in shares.items() if share is not None}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
