"""Tables for people and JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pinocchio as pin
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...kinematics import DegreeOfFreedom, rpy_from_rotation


def print_json(data: Any) -> None:
    """Writes JSON without nan or infinity: those become null, as a missing limit does."""
    typer.echo(json.dumps(finite(data), indent=2, ensure_ascii=False, allow_nan=False))


def finite(data: Any) -> Any:
    """The same data in plain Python types, with None for every number that is not finite."""
    if isinstance(data, dict):
        return {str(key): finite(value) for key, value in data.items()}
    if isinstance(data, np.ndarray):
        return finite(data.tolist())
    if isinstance(data, (list, tuple)):
        return [finite(each) for each in data]
    if isinstance(data, np.generic):
        return finite(data.item())
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def print_text(text: str) -> None:
    """Writes plain text as it is, without markup."""
    typer.echo(text)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table; the first column is on the left, numbers are on the right."""
    rows = [list(row) for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, name in enumerate(columns):
        numeric = index > 0 and all(_is_numeric(row[index]) for row in rows)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))  # Text: square brackets in names are no markup
    Console(highlight=False, emoji=False).print(table)


def _is_numeric(cell: str) -> bool:
    return not cell or cell[0] in "+-0123456789"


def unit_of(dof: DegreeOfFreedom, degrees: bool) -> str:
    """``"m"``, ``"rad"`` or ``"deg"``."""
    if not dof.is_angular:
        return "m"
    return "deg" if degrees else "rad"


def in_unit(dof: DegreeOfFreedom, value: float, degrees: bool) -> float:
    """A value of a degree of freedom in the unit that is shown."""
    return math.degrees(value) if degrees and dof.is_angular else float(value)


def number(value: float) -> str:
    """A number for a table: six decimals; ``none`` for an infinite one."""
    return f"{value + 0.0:.6f}" if math.isfinite(value) else "none"


def numbers(values: Iterable[float]) -> str:
    """Numbers on one line, without trailing zeros; tiny ones are shown as zero."""
    return " ".join(f"{round(float(value), 6) + 0.0:.6g}" for value in values)


def pose_data(pose: pin.SE3, degrees: bool) -> dict[str, Any]:
    """A pose for JSON: position (m), quaternion x, y, z, w, rpy and the 4x4 matrix."""
    rpy = rpy_from_rotation(pose.rotation)
    return {
        "position": pose.translation,
        "quaternion": quaternion_of(pose),
        "rpy": np.rad2deg(rpy) if degrees else rpy,
        "matrix": pose.homogeneous,
    }


def print_pose(pose: pin.SE3, degrees: bool) -> None:
    """Prints a pose as position, quaternion and roll, pitch, yaw."""
    data = pose_data(pose, degrees)
    print_text(f"  position    {numbers(data['position'])} m")
    print_text(f"  quaternion  {numbers(data['quaternion'])} (x y z w)")
    print_text(f"  rpy         {numbers(data['rpy'])} {'deg' if degrees else 'rad'}")


def quaternion_of(pose: pin.SE3) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Unit quaternion x, y, z, w with w >= 0."""
    quaternion = np.array(pin.Quaternion(pose.rotation).coeffs())
    return -quaternion if quaternion[3] < 0.0 else quaternion
