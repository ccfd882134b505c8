"""Kernels: six turning joints with a spherical wrist, for one goal and for as many as there are lanes.

Up to four placements of the first three joints lead to the centre of the wrist, each with two of the wrist. One goal
has its four placements in the lanes of a register, and many goals have theirs there one after the other, so everything
but the coupled case is written once. Angles are carried as cosine and sine until the end.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER, JIT, absolute, any_lane, atan2, maximum, minimum, sincos, sqrt, where
from .circle_subproblems import REACH
from .common_normals import (
    COSINES,
    LENGTHS,
    MORE,
    SINES,
    angle_of_joint,
    goal_in_chain,
    turned_back,
    value_of_joint,
)
from .coupled_circles import EACH, coupled_circles
from .flags import OUT_OF_REACH, SINGULAR
from .registers import as_numbers, make_register, make_stack
from .wrist import wrist
from .written import ROWS, write_lanes

#: Where the numbers are that `solvers.closed_form.spherical_wrist` adds.
KIND, WRIST_X, WRIST_Y, HEIGHT, REACHING, SIZE, LINE, ELBOW, TURN, BACK, SLACK = (
    MORE, MORE + 1, MORE + 2, MORE + 3, MORE + 4, MORE + 5, MORE + 6, MORE + 13, MORE + 20, MORE + 22, MORE + 26,
)  # fmt: skip
FIRST_JOINT_FIRST, THIRD_JOINT_FIRST, COUPLED = 0.0, 1.0, 2.0
#: An offset from an axis of at most this part of the arm's size is none, and the joint's angle free.
_ON_AXIS = 1e-11

_side_of_first, _side_of_third = make_register((1.0, 1.0, -1.0, -1.0)), make_register((1.0, -1.0, 1.0, -1.0))
_rows_room, _arms_room, _found_room = make_stack(ROWS, 4), make_stack(5, 4), make_stack(4 * EACH)


@njit(**INNER)
def _on_line(numbers: Any, square: Any, along: Any, side: Any) -> tuple[Any, Any, Any]:
    """Where the line of the first joint meets the circle of the wrist's centre, and by how much it misses it."""
    radius = sqrt(square)
    m = maximum(minimum(along, radius), -radius)
    across = side * sqrt(maximum((radius - m) * (radius + m), 0.0))
    a, b = numbers[LINE + 3], numbers[LINE + 4]
    return a * m - b * across, b * m + a * across, maximum(absolute(along) - radius, 0.0) / numbers[SIZE]


@njit(**INNER)
def _elbow(cosine: Any, side: Any) -> tuple[Any, Any, Any]:
    """Cosine, within its range, sine, and by how much the cosine was outside."""
    miss = maximum(absolute(cosine) - 1.0, 0.0)
    cosine = maximum(minimum(cosine, 1.0), -1.0)
    return cosine, side * sqrt(maximum((1.0 - cosine) * (1.0 + cosine), 0.0)), miss


@njit(**INNER)
def first_and_third(numbers: Any, x: Any, y: Any, z: Any, side1: Any, side3: Any) -> Any:
    """The first and the third joint where their equations can be solved one after the other.

    Returns:
        X and Y (see `solvers.closed_form.spherical_wrist`), cosine and sine of the third joint, and what is missed.
    """
    square = x * x + y * y
    n = square + z * z
    on_line = -(numbers[LINE] + numbers[LINE + 1] * z + numbers[LINE + 2] * n)
    on_elbow = numbers[ELBOW] + numbers[ELBOW + 1] * z + numbers[ELBOW + 2] * n
    if numbers[KIND] == FIRST_JOINT_FIRST:
        X, Y, miss = _on_line(numbers, square, on_line, side1)
        c, s, more = _elbow(on_elbow + numbers[ELBOW + 3] * X + numbers[ELBOW + 4] * Y, side3)
    else:
        c, s, miss = _elbow(on_elbow, side3)
        u = (c * numbers[TURN] - s * numbers[TURN + 1]) * numbers[REACHING]
        v = (s * numbers[TURN] + c * numbers[TURN + 1]) * numbers[REACHING]
        X, Y, more = _on_line(numbers, square, on_line - numbers[LINE + 5] * u - numbers[LINE + 6] * v, side1)
    p, q = numbers[BACK], numbers[BACK + 1]
    return X, Y, c * p - s * q, s * p + c * q, miss + more


@njit(**INNER)
def _turned_to(u: Any, v: Any, x: Any, y: Any, is_free: Any, free_angle: Any) -> tuple[Any, Any]:
    """Cosine and sine of the angle from (u, v) to (x, y), or of another one where it is free."""
    cosine, sine = x * u + y * v, y * u - x * v
    norm = 1.0 / sqrt(maximum(cosine * cosine + sine * sine, 1e-300))
    cosine, sine = cosine * norm, sine * norm
    if any_lane(is_free):
        s, c = sincos(free_angle)
        cosine, sine = where(is_free, c, cosine), where(is_free, s, sine)
    return cosine, sine


@njit(**INNER)
def placements(
    numbers: Any, r: Any, x: Any, y: Any, z: Any, X: Any, Y: Any, c3: Any, s3: Any, miss: Any, seed: Any
) -> Any:
    """All six angles, when X, Y and the third joint are known.

    Args:
        numbers: Of the arm.
        r: The goal's rotation, row by row.
        x: Centre of the wrist.
        y: Centre of the wrist.
        z: Centre of the wrist.
        X: The same behind the first joint.
        Y: The same behind the first joint.
        c3: Cosine of the third joint.
        s3: Its sine.
        miss: By how much the centre is missed.
        seed: Values of the joints where they are free.

    Returns:
        values of the six joints, of the wrist's three in its other solution, flags as a number, and what is missed.
    """
    on_axis = _ON_AXIS * numbers[SIZE]
    is_free1 = x * x + y * y <= on_axis * on_axis
    c1, s1 = _turned_to(X, Y, x, y, is_free1, angle_of_joint(numbers, 0, seed[0]))
    gx, gy = c3 * numbers[WRIST_X] - s3 * numbers[WRIST_Y], s3 * numbers[WRIST_X] + c3 * numbers[WRIST_Y]
    fx, fy = numbers[LENGTHS + 1] + gx, numbers[COSINES + 1] * gy - numbers[SINES + 1] * numbers[HEIGHT]
    px, py = X - numbers[LENGTHS], numbers[COSINES] * Y + numbers[SINES] * z
    is_free2 = fx * fx + fy * fy <= on_axis * on_axis
    c2, s2 = _turned_to(fx, fy, px, py, is_free2, angle_of_joint(numbers, 1, seed[1]))
    k, s = COSINES, SINES
    r = turned_back(r, c1, s1, numbers[k], numbers[s])
    r = turned_back(r, c2, s2, numbers[k + 1], numbers[s + 1])
    r = turned_back(r, c3, s3, numbers[k + 2], numbers[s + 2])
    u, v, w, u2, v2, w2, more, is_free4 = wrist(
        r, numbers[k + 3], numbers[s + 3], numbers[k + 4], numbers[s + 4], angle_of_joint(numbers, 3, seed[3])
    )
    miss = miss + more
    # For one goal some of these conditions are the same for all lanes, and no lanes.
    is_singular = maximum(
        maximum(where(is_free1, 1.0 * SINGULAR, 0.0), where(is_free2, 1.0 * SINGULAR, 0.0)),
        where(is_free4, 1.0 * SINGULAR, 0.0),
    )
    flags = where(miss > REACH, 1.0 * OUT_OF_REACH, 0.0) + is_singular
    return (
        value_of_joint(numbers, 0, atan2(s1, c1)),
        value_of_joint(numbers, 1, atan2(s2, c2)),
        value_of_joint(numbers, 2, atan2(s3, c3)),
        value_of_joint(numbers, 3, u),
        value_of_joint(numbers, 4, v),
        value_of_joint(numbers, 5, w),
        value_of_joint(numbers, 3, u2),
        value_of_joint(numbers, 4, v2),
        value_of_joint(numbers, 5, w2),
        flags,
        miss,
    )


@njit(**INNER)
def _coupled(numbers: Any, x: float, y: float, z: float, seed: Any, arms: Any) -> int:
    """The first and the third joint where their equations are coupled: X, Y, cosine, sine, missed, in four lanes."""
    # Rows over (1, z, N, X, Y, Re g, Im g), with X = c1 x + s1 y, Y = c1 y - s1 x, g = (c3 + i s3) (wx + i wy).
    f, s = LINE, ELBOW
    wx, wy = numbers[WRIST_X], numbers[WRIST_Y]
    n = x * x + y * y + z * z
    found = _found_room()
    count, flags = coupled_circles(
        (
            numbers[f + 3] * x + numbers[f + 4] * y,
            numbers[f + 3] * y - numbers[f + 4] * x,
            numbers[s + 3] * x + numbers[s + 4] * y,
            numbers[s + 3] * y - numbers[s + 4] * x,
        ),
        (
            numbers[f + 5] * wx + numbers[f + 6] * wy,
            numbers[f + 6] * wx - numbers[f + 5] * wy,
            numbers[s + 5] * wx + numbers[s + 6] * wy,
            numbers[s + 6] * wx - numbers[s + 5] * wy,
        ),
        (
            -(numbers[f] + numbers[f + 1] * z + numbers[f + 2] * n),
            -(numbers[s] + numbers[s + 1] * z + numbers[s + 2] * n),
        ),
        (numbers[SIZE] + abs(z), numbers[SIZE] * numbers[SIZE] + n),
        numbers[SLACK],
        found,
    )
    lanes = as_numbers(arms)
    for k in range(4):
        at = EACH * min(k, count - 1)
        c, v = found[at], found[at + 1]
        lanes[k], lanes[4 + k] = c * x + v * y, c * y - v * x
        lanes[8 + k], lanes[12 + k] = found[at + 2], found[at + 3]
        lanes[16 + k] = 1.0 if flags & OUT_OF_REACH else 0.0
    return count


@njit(**JIT)
def candidates(numbers: Any, goal: Any, seed: Any, q: Any, flags: Any) -> int:
    """All solutions for one goal, see `Family`."""
    r, (x, y, z) = goal_in_chain(numbers, goal)
    arms, rows = _arms_room(), _rows_room()
    count = 4
    if numbers[KIND] == COUPLED:
        count = _coupled(numbers, x, y, z, seed, arms)
    else:
        arms[0], arms[1], arms[2], arms[3], arms[4] = first_and_third(
            numbers, x, y, z, _side_of_first(), _side_of_third()
        )
    result = placements(numbers, r, x, y, z, arms[0], arms[1], arms[2], arms[3], arms[4], seed)
    for k in range(ROWS):
        rows[k] = result[k]
    return write_lanes(rows, count, 3, numbers[SLACK], q, flags)


@njit(**JIT)
def candidates_in_lanes(numbers: Any, goal: Any, seed: Any, q: Any, flags: Any) -> None:
    """All solutions for as many goals as there are lanes, where the equations can be solved one after the other.

    Args:
        numbers: Of the arm, floats; not of the kind ``COUPLED``.
        goal: (12,) registers.
        seed: (6,) registers.
        q: (8, 6) registers: every lane has eight candidates, whether they reach or not.
        flags: (8,) registers, the flags as numbers.
    """
    r, (x, y, z) = goal_in_chain(numbers, goal)
    for arm in range(4):
        side1, side3 = 1.0 - 1.0 * (arm & 2), 1.0 - 2.0 * (arm & 1)
        X, Y, c3, s3, miss = first_and_third(numbers, x, y, z, side1, side3)
        result = placements(numbers, r, x, y, z, X, Y, c3, s3, miss, seed)
        one, other = 2 * arm, 2 * arm + 1
        for joint in range(3):
            q[one, joint] = q[other, joint] = result[joint]
            q[one, joint + 3] = result[joint + 3]
            q[other, joint + 3] = result[joint + 6]
        flags[one] = flags[other] = result[9]
