"""The error of a place: how far a tool's point is from where it should be."""

from __future__ import annotations

from ...kinematics.transforms import Array
from ..compiled.target_layout import ANYWHERE, AT_XY, LOCAL_AT_POINT, ON_LINE
from .direction_basis import direction_basis
from .tool_motion import ToolMotion


def place_rows(place: int, tool: ToolMotion, goal: Array) -> tuple[Array, Array]:
    """Error (r,) in m and Jacobian (r, n), along the axes of the reference or across a line.

    Args:
        place: What is asked for, see `target_layout`.
        tool: Where the tool is.
        goal: (4, 4) packed target.
    """
    if place == LOCAL_AT_POINT:
        tool = tool.moved_to(goal[:3, :3].diagonal())
    away = tool.position - goal[:3, 3]
    if place == ANYWHERE:
        return away[:0], tool.linear[:0]
    if place == AT_XY:
        return away[:2], tool.linear[:2]
    if place == ON_LINE:
        across = direction_basis(goal[0, :3])[:2]
        return across @ away, across @ tool.linear
    return away, tool.linear
