"""The error of a turn: by what angle a tool's axes are off."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin

from ...kinematics.transforms import Array, rotation_vector
from ..compiled.target_layout import (
    ANY_TURN,
    CONE,
    HEADING,
    IN_PLANE,
    LOOK_AT,
    NEAREST_SIGHT,
    POSE_ROTATION,
    ROTATION,
    SHORTEST_PROJECTION,
)
from ..tasks.rotation_vector_derivative import rotation_vector_derivative
from .direction_basis import direction_basis
from .tilt_rows import cone_rows, tilt_rows
from .tool_motion import ToolMotion


def turn_rows(turn: int, axis: int, tool: ToolMotion, direction: Array, goal: Array) -> tuple[Array, Array]:
    """Error (r,) in rad and Jacobian (r, n).

    Args:
        turn: What is asked for, see `target_layout`.
        axis: Of the reference, for an angle with one or from one.
        tool: Where the tool is.
        direction: The tool's direction (3,), in the tool.
        goal: (4, 4) packed target.
    """
    if turn == ANY_TURN:
        return np.zeros(0), tool.angular[:0]
    if turn in (ROTATION, POSE_ROTATION):
        return _rotation_rows(tool, goal[:3, :3], exact=turn == ROTATION)
    if turn == LOOK_AT:
        return _sight_rows(tool, direction, goal[:3, 3])
    pointing = tool.rotation @ direction
    motion = -pin.skew(pointing) @ tool.angular
    if turn == HEADING:
        return _heading_rows(pointing, motion, goal[0, 0])
    if turn == CONE:
        order = [(axis + 1) % 3, (axis + 2) % 3, axis]
        return cone_rows(pointing[order], motion[order], goal[0, 0])
    wanted = in_plane(axis, goal[0, 0]) if turn == IN_PLANE else goal[0, :3]
    basis = direction_basis(wanted)
    return tilt_rows(basis @ pointing, basis @ motion)


def in_plane(axis: int, angle: float) -> Array:
    """The direction (3,) at an angle (rad) from an axis towards the axis after it: x to y, y to z, z to x."""
    direction = np.zeros(3)
    direction[axis], direction[(axis + 1) % 3] = math.cos(angle), math.sin(angle)
    return direction


def _rotation_rows(tool: ToolMotion, goal: Array, exact: bool) -> tuple[Array, Array]:
    """The rotation vector from the goal to the tool; its rate, or the angular velocity, which is equal along it."""
    vector = rotation_vector(tool.rotation @ goal.T)
    return vector, rotation_vector_derivative(vector) @ tool.angular if exact else tool.angular


def _sight_rows(tool: ToolMotion, direction: Array, point: Array) -> tuple[Array, Array]:
    """How far the direction is off the line from the tool to a point, in the tool's axes."""
    # The first two are turned round, so that the error is the direction as it is, less the line of sight.
    axes = (tool.rotation @ direction_basis(direction).T).T * np.array([[-1.0], [-1.0], [1.0]])
    sight = point - tool.position
    distance = max(math.sqrt(sight @ sight), NEAREST_SIGHT)
    # (w x a) . v = w . (a x v)
    motion = np.cross(axes, sight) @ tool.angular - axes @ tool.linear
    return tilt_rows(axes @ sight / distance, motion / distance)


def _heading_rows(pointing: Array, motion: Array, angle: float) -> tuple[Array, Array]:
    """Angle of a direction's projection on the plane of x and y, in (-pi, pi] from the one that is wanted."""
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    cosine, sine = (turn @ pointing[:2]).tolist()
    square = cosine * cosine + sine * sine
    # A direction along z has no angle, and so not the one that is wanted.
    error = math.atan2(sine, cosine) if square > SHORTEST_PROJECTION**2 else math.pi
    rates = turn @ motion[:2]
    row = (cosine * rates[1] - sine * rates[0]) / max(square, SHORTEST_PROJECTION**2)
    return np.array([error]), row[None]
