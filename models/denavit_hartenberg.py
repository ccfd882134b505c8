"""Robots from Denavit-Hartenberg tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ..kinematics import InvalidValueError, PrismaticJoint, RevoluteJoint, ShapeError, Skeleton, as_pose, pose
from ..kinematics.transforms import PoseLike
from .tables import as_table

T = TypeVar("T")


def from_dh(
    rows: ArrayLike,
    convention: str = "standard",
    *,
    kinds: str | Sequence[str] | None = None,
    limits: Sequence[tuple[float, float] | None] | None = None,
    names: Sequence[str] | None = None,
    base: PoseLike | None = None,
    tool: PoseLike | None = None,
    name: str = "robot",
) -> Skeleton:
    """A serial robot from a table with one row per joint.

    Standard (Denavit and Hartenberg 1955, as in Spong): each joint turns about, or slides along, the z axis
    of the frame before it, then come d along z, a along the new x and alpha about it. Modified (Craig): alpha
    and a come first. The joint value is added to theta of a revolute and to d of a prismatic row.

    Args:
        rows: (n, 4): a (m), alpha (rad), d (m), theta (rad), in this order.
        convention: ``"standard"`` or ``"modified"``.
        kinds: ``"r"`` (revolute) or ``"p"`` (prismatic) per row, as a string or a list; all revolute when
            None. Full names do as well.
        limits: (lower, upper) per row, None for none.
        names: Names of the joints; ``joint_1`` ... when None.
        base: Pose of the first frame in the world.
        tool: Pose of the tool in the last frame; the link ``tool0`` is there.
        name: Name of the robot.

    Returns:
        A skeleton with links ``base_link``, ``link_1`` ... and ``tool0``, its tip.

    Raises:
        ShapeError: Rows that are not (n, 4), lists of another length.
        InvalidValueError: nan, an unknown convention or kind.
    """
    table = as_table(rows, "rows")
    if table.ndim != 2 or table.shape[1] != 4 or not len(table):
        raise ShapeError(f"rows must be (n, 4): a, alpha, d, theta; they have shape {table.shape}")
    if not np.all(np.isfinite(table)):
        raise InvalidValueError("rows must be finite numbers")
    if convention not in ("standard", "modified"):
        raise InvalidValueError(f"convention must be 'standard' or 'modified', not {convention!r}")
    count = len(table)
    makers = [_maker(kind, row) for row, kind in enumerate(_per_row("kinds", kinds, ["r"] * count))]
    none: list[tuple[float, float] | None] = [None] * count
    bounds = _per_row("limits", limits, none)
    titles = _per_row("names", names, [f"joint_{k + 1}" for k in range(count)])
    skeleton = Skeleton(name)
    skeleton.source = f"{convention} Denavit-Hartenberg table"
    skeleton.add_link("base_link", placement=None if base is None else as_pose(base, "base"))
    parent, after = "base_link", pin.SE3.Identity()
    for k, (a, alpha, d, theta) in enumerate(table):
        along_x = pose((a, 0.0, 0.0), rpy=(alpha, 0.0, 0.0))
        along_z = pose((0.0, 0.0, d), rpy=(0.0, 0.0, theta))
        # What is constant on either side of the motion; turning and sliding along z commute with both.
        before = along_x if convention == "modified" else pin.SE3.Identity()
        joint = makers[k](titles[k], "z", bounds[k])
        skeleton.add_link(f"link_{k + 1}", joint, parent, after * before * along_z)
        parent, after = f"link_{k + 1}", along_x if convention == "standard" else pin.SE3.Identity()
    end = after if tool is None else after * as_pose(tool, "tool")
    skeleton.tip = skeleton.add_link("tool0", None, parent, end)
    return skeleton


def _maker(kind: str, row: int) -> type[RevoluteJoint] | type[PrismaticJoint]:
    letter = str(kind).lower()
    if letter in ("r", "revolute"):
        return RevoluteJoint
    if letter in ("p", "prismatic"):
        return PrismaticJoint
    raise InvalidValueError(f"kinds must be 'r' or 'p', not {kind!r} in row {row}")


def _per_row(what: str, values: Sequence[T] | None, default: list[T]) -> list[T]:
    if values is None:
        return default
    if not hasattr(values, "__len__"):
        raise ShapeError(f"{what} must be a list with one entry per row, not {values!r}")
    if len(values) != len(default):
        raise ShapeError(f"{what} must have one entry per row: {len(default)}, not {len(values)}")
    return list(values)
