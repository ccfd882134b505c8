"""Kernels: by what angle a tool's axes are off, and how that changes; see `turn_rows` and `tilt_rows` in Python."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER, atan2, maximum, minimum, sincos, sqrt, where
from ...kinematics.core.plan import POSITION
from .target_layout import (
    ANY_TURN,
    AXIS,
    CONE,
    HEADING,
    IN_PLANE,
    LARGEST_RATIO,
    LOOK_AT,
    NARROW_CONE,
    NEAREST_SIGHT,
    POSE_ROTATION,
    REFERENCE,
    ROTATION,
    SHORTEST_PROJECTION,
    SMALLEST_SINE,
    TOOL,
    TURN,
)

_HALF_TURN = 3.141592653589793


@njit(**INNER)
def to_world(data: Any, x: Any, y: Any, z: Any) -> Any:
    """A vector of the reference along the world's axes."""
    return (
        data[REFERENCE] * x + data[REFERENCE + 1] * y + data[REFERENCE + 2] * z,
        data[REFERENCE + 3] * x + data[REFERENCE + 4] * y + data[REFERENCE + 5] * z,
        data[REFERENCE + 6] * x + data[REFERENCE + 7] * y + data[REFERENCE + 8] * z,
    )


@njit(**INNER)
def basis_about(x: Any, y: Any, z: Any) -> Any:
    """Two directions at right angles to a unit vector; see `direction_basis`."""
    sign = where(z < 0.0, 0.0 * z - 1.0, 0.0 * z + 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    return 1.0 + sign * x * x * a, sign * b, -1.0 * sign * x, b, sign + y * y * a, -1.0 * y


@njit(**INNER)
def measure_turn(tip: Any, goal: Any, data: Any, scratch: Any, error: Any, row: int) -> Any:
    """Writes the rows of the turn from a row on, and returns the squared angle.

    Leaves in the scratch the rotation vector; or the vector that is looked at, then the three directions that it
    is seen along, all in the world.
    """
    turn = int(data[TURN])
    if turn == ANY_TURN:
        return 0.0 * tip[0]
    if turn in (ROTATION, POSE_ROTATION):
        return _measure_rotation(tip, goal, data, scratch, error, row)
    _look(turn, tip, goal, data, scratch)
    a, b, c, _ = _seen(turn, scratch)
    if turn == HEADING:
        square = a * a + b * b
        # A direction along the third axis has no angle, and so not the one that is wanted.
        missing = where(square > SHORTEST_PROJECTION**2, atan2(b, a), _HALF_TURN + 0.0 * a)
        error[row] = missing
        return missing * missing
    wanted = _wanted(turn, goal)
    missing, along_a, along_b, _, _ = _tilt(a, b, c, wanted)
    error[row] = missing * along_a
    error[row + 1] = missing * along_b
    if turn == CONE:
        is_wide = wanted >= NARROW_CONE
        error[row] = where(is_wide, missing, missing * along_a)
        error[row + 1] = where(is_wide, 0.0 * missing, missing * along_b)
    return missing * missing


@njit(**INNER)
def turn_coefficients(tip: Any, goal: Any, data: Any, scratch: Any) -> Any:
    """How the rows of the turn come from a column (l, w) of the Jacobian.

    Returns:
        Their number, then a, b, c, d, e (3 each): the rows are a . w + d . l, b . w + e . l, c . w.
    """
    turn = int(data[TURN])
    o = 0.0 * tip[0]
    if turn == ANY_TURN:
        return 0, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o
    if turn in (ROTATION, POSE_ROTATION):
        x, y, z = scratch[0, 0], scratch[0, 1], scratch[0, 2]
        if turn == POSE_ROTATION:
            x, y, z = o, o, o
        # The rate of the rotation vector r: w - r x w / 2 + f r x (r x w); the rows of that matrix, in the world.
        f = _factor(x, y, z)
        square = f * (x * x + y * y + z * z)
        ax, ay, az = to_world(data, 1.0 + f * x * x - square, f * x * y + 0.5 * z, f * x * z - 0.5 * y)
        bx, by, bz = to_world(data, f * x * y - 0.5 * z, 1.0 + f * y * y - square, f * y * z + 0.5 * x)
        cx, cy, cz = to_world(data, f * x * z + 0.5 * y, f * y * z - 0.5 * x, 1.0 + f * z * z - square)
        return 3, ax, ay, az, bx, by, bz, cx, cy, cz, o, o, o, o, o, o
    a, b, c, scale = _seen(turn, scratch)
    ax, ay, az = _turning(turn, scratch, 0, 3, scale)
    bx, by, bz = _turning(turn, scratch, 1, 0, scale)
    if turn == HEADING:
        # The rate of atan2(b, a).
        inverse = 1.0 / maximum(a * a + b * b, SHORTEST_PROJECTION**2 + o)
        a, b = a * inverse, b * inverse
        return 1, a * bx - b * ax, a * by - b * ay, a * bz - b * az, o, o, o, o, o, o, o, o, o, o, o, o
    cx, cy, cz = _turning(turn, scratch, 1, 3, scale)
    wanted = _wanted(turn, goal)
    _, u, v, sine, ratio = _tilt(a, b, c, wanted)
    # Along the way out (s), and what the angle changes by (t); then k (a', b') + (u, v) (t' - k s').
    sx, sy, sz = u * ax + v * bx, u * ay + v * by, u * az + v * bz
    tx, ty, tz = c * sx - sine * cx, c * sy - sine * cy, c * sz - sine * cz
    hx, hy, hz = tx - ratio * sx, ty - ratio * sy, tz - ratio * sz
    ax, ay, az = ratio * ax + u * hx, ratio * ay + u * hy, ratio * az + u * hz
    bx, by, bz = ratio * bx + v * hx, ratio * by + v * hy, ratio * bz + v * hz
    if turn == CONE:
        is_wide = wanted >= NARROW_CONE
        ax, ay, az = where(is_wide, tx, ax), where(is_wide, ty, ay), where(is_wide, tz, az)
        bx, by, bz = where(is_wide, o, bx), where(is_wide, o, by), where(is_wide, o, bz)
    if turn != LOOK_AT:
        return 2, ax, ay, az, bx, by, bz, o, o, o, o, o, o, o, o, o
    # The same for the linear part, where the directions themselves stand for what turns.
    dx, dy, dz, ex, ey, ez = _sliding(scratch, c, u, v, sine, ratio, scale)
    return 2, ax, ay, az, bx, by, bz, o, o, o, dx, dy, dz, ex, ey, ez


@njit(**INNER)
def _sliding(scratch: Any, c: Any, u: Any, v: Any, sine: Any, ratio: Any, scale: Any) -> Any:
    """What the two rows of looking at a point have of the tool's velocity: that of the point, turned round."""
    k = -1.0 * scale
    ax, ay, az = k * scratch[0, 3], k * scratch[0, 4], k * scratch[0, 5]
    bx, by, bz = k * scratch[1, 0], k * scratch[1, 1], k * scratch[1, 2]
    cx, cy, cz = k * scratch[1, 3], k * scratch[1, 4], k * scratch[1, 5]
    sx, sy, sz = u * ax + v * bx, u * ay + v * by, u * az + v * bz
    hx = (c - ratio) * sx - sine * cx
    hy = (c - ratio) * sy - sine * cy
    hz = (c - ratio) * sz - sine * cz
    return (
        ratio * ax + u * hx, ratio * ay + u * hy, ratio * az + u * hz,
        ratio * bx + v * hx, ratio * by + v * hy, ratio * bz + v * hz,
    )  # fmt: skip


@njit(**INNER)
def _tilt(a: Any, b: Any, c: Any, wanted: Any) -> Any:
    """See `tilt_rows`: the angle that is missing, the way out (2), the sine, the ratio of the angle to it."""
    sine = sqrt(a * a + b * b + 1e-40)
    missing = atan2(sine, c) - wanted
    is_there = sine > SMALLEST_SINE
    along_a = where(is_there, a / sine, 1.0 + 0.0 * a)
    along_b = where(is_there, b / sine, 0.0 * a)
    most = LARGEST_RATIO + 0.0 * a
    ratio = minimum(maximum(missing / sine, -1.0 * most), most)
    return missing, along_a, along_b, sine, ratio


@njit(**INNER)
def _wanted(turn: int, goal: Any) -> Any:
    """The angle with the third direction that is wanted."""
    if turn != CONE:
        return 0.0 * goal[0]
    return minimum(goal[0], _HALF_TURN - goal[0])


@njit(**INNER)
def _seen(turn: int, scratch: Any) -> Any:
    """A vector along three directions, of unit length or nearly, and one over the length it had."""
    x, y, z = scratch[0, 0], scratch[0, 1], scratch[0, 2]
    scale = 1.0 + 0.0 * x
    if turn == LOOK_AT:
        scale = 1.0 / maximum(sqrt(x * x + y * y + z * z), NEAREST_SIGHT + 0.0 * x)
    a = scale * (x * scratch[0, 3] + y * scratch[0, 4] + z * scratch[0, 5])
    b = scale * (x * scratch[1, 0] + y * scratch[1, 1] + z * scratch[1, 2])
    c = scale * (x * scratch[1, 3] + y * scratch[1, 4] + z * scratch[1, 5])
    return a, b, c, scale


@njit(**INNER)
def _turning(turn: int, scratch: Any, row: int, column: int, scale: Any) -> Any:
    """The vector whose product with the angular velocity is the rate of what is seen along a direction.

    A tool's direction x turns and the direction u stands still: (w x x) . u = w . (x x u). For looking at a point it is
    the other way round.
    """
    k = -1.0 * scale if turn == LOOK_AT else scale
    x, y, z = k * scratch[0, 0], k * scratch[0, 1], k * scratch[0, 2]
    u, v, w = scratch[row, column], scratch[row, column + 1], scratch[row, column + 2]
    return y * w - z * v, z * u - x * w, x * v - y * u


@njit(**INNER)
def _look(turn: int, tip: Any, goal: Any, data: Any, scratch: Any) -> None:
    """Writes to the scratch what is looked at and along which three directions."""
    if turn == LOOK_AT:
        x, y, z = to_world(data, goal[POSITION], goal[POSITION + 1], goal[POSITION + 2])
        x += data[REFERENCE + 9] - tip[POSITION]
        y += data[REFERENCE + 10] - tip[POSITION + 1]
        z += data[REFERENCE + 11] - tip[POSITION + 2]
        _keep(scratch, 0, 0, x, y, z)
        # The first two are turned round, so that the error is the direction as it is, less the line of sight.
        x, y, z = _of_tool(tip, data, TOOL)
        _keep(scratch, 0, 3, -1.0 * x, -1.0 * y, -1.0 * z)
        x, y, z = _of_tool(tip, data, TOOL + 3)
        _keep(scratch, 1, 0, -1.0 * x, -1.0 * y, -1.0 * z)
        x, y, z = _of_tool(tip, data, TOOL + 6)
        _keep(scratch, 1, 3, x, y, z)
        return
    x, y, z = _of_tool(tip, data, TOOL + 6)
    _keep(scratch, 0, 0, x, y, z)
    o = 0.0 * x
    axis = int(data[AXIS])
    if turn == CONE:
        # An obtuse angle with an axis is an acute one with its opposite.
        one = where(goal[0] > 0.5 * _HALF_TURN, o - 1.0, o + 1.0)
        x, y, z = _along_axis(axis, o, one, o)
        _keep_in_world(scratch, 0, 3, data, x, y, z)
        x, y, z = _along_axis(axis, o, o, one)
        _keep_in_world(scratch, 1, 0, data, x, y, z)
        x, y, z = _along_axis(axis, one, o, o)
        _keep_in_world(scratch, 1, 3, data, x, y, z)
        return
    if turn == HEADING:
        sine, cosine = sincos(goal[0])
        _keep_in_world(scratch, 0, 3, data, cosine, sine, o)
        _keep_in_world(scratch, 1, 0, data, -1.0 * sine, cosine, o)
        _keep(scratch, 1, 3, o, o, o)
        return
    x, y, z = goal[0], goal[1], goal[2]
    if turn == IN_PLANE:
        sine, cosine = sincos(goal[0])
        x, y, z = _along_axis(axis, cosine, sine, o)
    ux, uy, uz, vx, vy, vz = basis_about(x, y, z)
    _keep_in_world(scratch, 0, 3, data, ux, uy, uz)
    _keep_in_world(scratch, 1, 0, data, vx, vy, vz)
    _keep_in_world(scratch, 1, 3, data, x, y, z)


@njit(**INNER)
def _along_axis(axis: int, first: Any, second: Any, third: Any) -> Any:
    """A vector of the reference by its part along an axis and along those that follow it."""
    if axis == 0:
        return first, second, third
    if axis == 1:
        return third, first, second
    return second, third, first


@njit(**INNER)
def _of_tool(tip: Any, data: Any, first: int) -> Any:
    """A direction of the tool along the world's axes."""
    x, y, z = data[first], data[first + 1], data[first + 2]
    return (
        tip[0] * x + tip[1] * y + tip[2] * z,
        tip[3] * x + tip[4] * y + tip[5] * z,
        tip[6] * x + tip[7] * y + tip[8] * z,
    )


@njit(**INNER)
def _keep(scratch: Any, row: int, column: int, x: Any, y: Any, z: Any) -> None:
    scratch[row, column] = x
    scratch[row, column + 1] = y
    scratch[row, column + 2] = z


@njit(**INNER)
def _keep_in_world(scratch: Any, row: int, column: int, data: Any, x: Any, y: Any, z: Any) -> None:
    u, v, w = to_world(data, x, y, z)
    _keep(scratch, row, column, u, v, w)


@njit(**INNER)
def _measure_rotation(tip: Any, goal: Any, data: Any, scratch: Any, error: Any, row: int) -> Any:
    """The rotation vector from the goal to the tip in the reference; see `pose_error`."""
    vx = 0.0
    vy = 0.0
    vz = 0.0
    trace = 0.0
    for j in range(3):
        cx, cy, cz = tip[j], tip[3 + j], tip[6 + j]
        dx, dy, dz = to_world(data, goal[j], goal[3 + j], goal[6 + j])
        vx += cz * dy - cy * dz
        vy += cx * dz - cz * dx
        vz += cy * dx - cx * dy
        trace += cx * dx + cy * dy + cz * dz
    sine = sqrt(vx * vx + vy * vy + vz * vz + 1e-40)
    angle = atan2(sine, trace - 1.0)
    scale = angle / sine
    for i in range(3):
        along = data[REFERENCE + i] * vx + data[REFERENCE + 3 + i] * vy + data[REFERENCE + 6 + i] * vz
        scratch[0, i] = scale * along
        error[row + i] = scale * along
    return angle * angle


@njit(**INNER)
def _factor(x: Any, y: Any, z: Any) -> Any:
    """The c of the inverse left Jacobian of SO(3), see `rotation_vector_derivative`."""
    square = x * x + y * y + z * z
    small = square < 1e-4
    angle = sqrt(where(small, 1.0 + 0.0 * square, square))
    sine, cosine = sincos(0.5 * angle)
    series = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    return where(small, series, (1.0 - 0.5 * angle * cosine / sine) / (angle * angle))
