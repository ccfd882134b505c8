"""Kernels: six turning joints, axes 2, 3 and 4 parallel, for one goal and for as many as there are lanes.

Up to four placements of joints 1 and 5 give axis 6 its direction and its height along the parallel axes; joint 6 and
the sum of joints 2, 3 and 4 follow, and what is left are two links in a plane. One goal has its four placements in the
lanes of a register, and many goals have theirs there one after the other. Angles are carried as cosine and sine
until the end.
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
    OFFSETS,
    SINES,
    angle_of_joint,
    goal_in_chain,
    turned_back,
    value_of_joint,
)
from .coupled_circles import EACH, coupled_circles
from .flags import OUT_OF_REACH, SINGULAR
from .planar_arm import ON_AXIS, planar_arm, turn_within_reach
from .registers import as_numbers, make_register, make_stack
from .written import ROWS, write_lanes

#: Where the numbers are that `solvers.closed_form.parallel_axes` adds.
KIND, HEIGHT, SIZE, SLACK = MORE, MORE + 1, MORE + 2, MORE + 3
FIRST_JOINT_FIRST = 0.0
#: Sine between axis 6 and the parallel ones below which joint 6 is free.
_ALIGNED = 1e-11

_side_of_first, _side_of_fifth = make_register((1.0, 1.0, -1.0, -1.0)), make_register((1.0, -1.0, 1.0, -1.0))
_rows_room, _outer_room, _found_room = make_stack(ROWS, 4), make_stack(5, 4), make_stack(4 * EACH)


@njit(**INNER)
def first_and_fifth(numbers: Any, r: Any, x: Any, y: Any, z: Any, side1: Any, side5: Any, seed: Any) -> Any:
    """Joints 1 and 5 where axes 5 and 6 meet: from the height of that point and from the direction of axis 6.

    Returns:
        cosine and sine of both, and what is missed.
    """
    ca, sa, cd, sd, ce, se = _twists(numbers)
    # sin(t1) (s1 x - c1 y) + cos(t1) z = height + cos(t4) d5.
    m = (numbers[HEIGHT] + cd * numbers[OFFSETS + 4] - ca * z) / sa
    square = x * x + y * y
    radius = sqrt(square)
    miss = maximum(absolute(m) - radius, 0.0) / numbers[SIZE]
    m = maximum(minimum(m, radius), -radius)
    w = side1 * sqrt(maximum((radius - m) * (radius + m), 0.0))
    on_axis = ON_AXIS * numbers[SIZE]
    is_free = square <= on_axis * on_axis
    # e^(i v1) (w - i m) = x + iy.
    norm = 1.0 / maximum(square, 1e-300)
    c1, s1 = (x * w - y * m) * norm, (y * w + x * m) * norm
    if any_lane(is_free):
        s, c = sincos(angle_of_joint(numbers, 0, seed[0]))
        c1, s1 = where(is_free, c, c1), where(is_free, s, s1)
    # sin(t1) (s1 r02 - c1 r12) + cos(t1) r22 = cos(t4) cos(t5) - sin(t4) sin(t5) c5.
    c5 = (cd * ce - sa * (s1 * r[2] - c1 * r[5]) - ca * r[8]) / (sd * se)
    more = maximum(absolute(c5) - 1.0, 0.0)
    c5 = maximum(minimum(c5, 1.0), -1.0)
    s5 = sqrt(maximum((1.0 - c5) * (1.0 + c5), 0.0))
    if cd == 0.0 and ce == 0.0:
        # The other two elements of the same row keep the digits that are lost above near 0.
        p, q = sa * (s1 * r[0] - c1 * r[3]) + ca * r[6], sa * (s1 * r[1] - c1 * r[4]) + ca * r[7]
        s5 = sqrt(p * p + q * q)
    return c1, s1, c5, side5 * s5, miss + more


@njit(**INNER)
def _twists(numbers: Any) -> Any:
    c, s = COSINES, SINES
    return numbers[c], numbers[s], numbers[c + 3], numbers[s + 3], numbers[c + 4], numbers[s + 4]


@njit(**INNER)
def placements(
    numbers: Any, r: Any, x: Any, y: Any, z: Any, c1: Any, s1: Any, c5: Any, s5: Any, miss: Any, seed: Any
) -> Any:
    """All six angles, when joints 1 and 5 are known.

    Args:
        numbers: Of the arm.
        r: The goal's rotation, row by row.
        x: Origin of axis 6.
        y: The same.
        z: The same.
        c1: Cosine of joint 1.
        s1: Its sine.
        c5: Cosine of joint 5.
        s5: Its sine.
        miss: By how much their equations are missed.
        seed: Values of the joints where they are free.

    Returns:
        values of the six joints, of joints 2, 3 and 4 with the other elbow, flags as a number, and what is missed.
    """
    ca, sa, cd, sd, ce, se = _twists(numbers)
    on_axis = ON_AXIS * numbers[SIZE]
    is_free1 = x * x + y * y <= on_axis * on_axis
    m = turned_back(r, c1, s1, ca, sa)
    # M = rot_z(v2 + v3 + v4) K rot_z(v6), K = rot_x(t4) rot_z(v5) rot_x(t5): its last row gives v6.
    k00, k10, k20 = c5, cd * s5, sd * s5
    k01, k11, k21 = -s5 * ce, cd * c5 * ce - sd * se, sd * c5 * ce + cd * se
    k02, k12 = s5 * se, -cd * c5 * se - sd * ce
    c6, s6 = k20 * m[6] + k21 * m[7], k21 * m[6] - k20 * m[7]
    square = m[6] * m[6] + m[7] * m[7]
    is_free6 = square <= _ALIGNED * _ALIGNED
    norm = 1.0 / sqrt(maximum(c6 * c6 + s6 * s6, 1e-300))
    c6, s6 = c6 * norm, s6 * norm
    if any_lane(is_free6):
        s, c = sincos(angle_of_joint(numbers, 5, seed[5]))
        c6, s6 = where(is_free6, c, c6), where(is_free6, s, s6)
    # The sum, by least squares over the columns of M rot_z(v6)^T = rot_z(sum) K.
    n00, n10 = m[0] * c6 - m[1] * s6, m[3] * c6 - m[4] * s6
    n01, n11 = m[0] * s6 + m[1] * c6, m[3] * s6 + m[4] * c6
    c = k00 * n00 + k10 * n10 + k01 * n01 + k11 * n11 + k02 * m[2] + k12 * m[5]
    s = k00 * n10 - k10 * n00 + k01 * n11 - k11 * n01 + k02 * m[5] - k12 * m[2]
    norm = 1.0 / sqrt(maximum(c * c + s * s, 1e-300))
    c, s = c * norm, s * norm
    # From axis 4 to the origin of axis 6, in the plane.
    a4, a5, d5 = numbers[LENGTHS + 3], numbers[LENGTHS + 4], numbers[OFFSETS + 4]
    u, v = a4 + a5 * c5, cd * a5 * s5 - sd * d5
    px, py = c1 * x + s1 * y - numbers[LENGTHS], ca * (c1 * y - s1 * x) + sa * z
    if any_lane(is_free6):
        # Joint 6 as near to the seed as the two links allow.
        cw, sw = turn_within_reach(px, py, u, v, numbers[LENGTHS + 1], numbers[LENGTHS + 2], c, s)
        c, s = where(is_free6, cw, c), where(is_free6, sw, s)
        n00, n10, n01, n11 = c * m[0] + s * m[3], c * m[3] - s * m[0], c * m[1] + s * m[4], c * m[4] - s * m[1]
        cw, sw = k00 * n00 + k10 * n10 + k01 * n01 + k11 * n11, k01 * n00 + k11 * n10 - k00 * n01 - k10 * n11
        norm = 1.0 / sqrt(maximum(cw * cw + sw * sw, 1e-300))
        c6, s6 = where(is_free6, cw * norm, c6), where(is_free6, sw * norm, s6)
    px, py = px - (c * u - s * v), py - (s * u + c * v)
    c2, s2, c3, s3, c2b, s2b, more, is_free2 = planar_arm(
        px, py, numbers[LENGTHS + 1], numbers[LENGTHS + 2], numbers[SIZE], angle_of_joint(numbers, 1, seed[1])
    )
    miss = miss + more
    is_singular = maximum(
        maximum(where(is_free1, 1.0 * SINGULAR, 0.0), where(is_free6, 1.0 * SINGULAR, 0.0)),
        where(is_free2, 1.0 * SINGULAR, 0.0),
    )
    v2, v3, v2b, total = atan2(s2, c2), atan2(s3, c3), atan2(s2b, c2b), atan2(s, c)
    return (
        value_of_joint(numbers, 0, atan2(s1, c1)),
        value_of_joint(numbers, 1, v2),
        value_of_joint(numbers, 2, v3),
        value_of_joint(numbers, 3, total - v2 - v3),
        value_of_joint(numbers, 4, atan2(s5, c5)),
        value_of_joint(numbers, 5, atan2(s6, c6)),
        value_of_joint(numbers, 1, v2b),
        value_of_joint(numbers, 2, -v3),
        value_of_joint(numbers, 3, total - v2b + v3),
        where(miss > REACH, 1.0 * OUT_OF_REACH, 0.0) + is_singular,
        miss,
    )


@njit(**INNER)
def _coupled(numbers: Any, r: Any, x: float, y: float, z: float, seed: Any, outer: Any) -> int:
    """Joints 1 and 5 where their equations are coupled: cosines and sines, and what is missed, for up to four lanes."""
    ca, sa, cd, sd, ce, se = _twists(numbers)
    found = _found_room()
    # Height of the origin of axis 6, and of the axis's direction, along the parallel axes.
    count, flags = coupled_circles(
        (-sa * y, sa * x, -sa * r[5], sa * r[2]),
        (0.0, -sd * numbers[LENGTHS + 4], sd * se, 0.0),
        (numbers[HEIGHT] + cd * numbers[OFFSETS + 4] - ca * z, cd * ce - ca * r[8]),
        (numbers[SIZE] + abs(x) + abs(y) + abs(z), 1.0),
        numbers[SLACK],
        found,
    )
    lanes = as_numbers(outer)
    for k in range(4):
        at = EACH * min(k, count - 1)
        for i in range(EACH):
            lanes[4 * i + k] = found[at + i]
        lanes[16 + k] = 1.0 if flags & OUT_OF_REACH else 0.0
    return count


@njit(**JIT)
def candidates(numbers: Any, goal: Any, seed: Any, q: Any, flags: Any) -> int:
    """All solutions for one goal, see `Family`."""
    r, (x, y, z) = goal_in_chain(numbers, goal)
    outer, rows = _outer_room(), _rows_room()
    count = 4
    if numbers[KIND] == FIRST_JOINT_FIRST:
        outer[0], outer[1], outer[2], outer[3], outer[4] = first_and_fifth(
            numbers, r, x, y, z, _side_of_first(), _side_of_fifth(), seed
        )
    else:
        count = _coupled(numbers, r, x, y, z, seed, outer)
    result = placements(numbers, r, x, y, z, outer[0], outer[1], outer[2], outer[3], outer[4], seed)
    for k in range(ROWS):
        rows[k] = result[k]
    return write_lanes(rows, count, 1, numbers[SLACK], q, flags)


@njit(**JIT)
def candidates_in_lanes(numbers: Any, goal: Any, seed: Any, q: Any, flags: Any) -> None:
    """All solutions for as many goals as there are lanes, where axes 5 and 6 meet.

    Args:
        numbers: Of the arm, floats; of the kind ``FIRST_JOINT_FIRST``.
        goal: (12,) registers.
        seed: (6,) registers.
        q: (8, 6) registers: every lane has eight candidates, whether they reach or not.
        flags: (8,) registers, the flags as numbers.
    """
    r, (x, y, z) = goal_in_chain(numbers, goal)
    for outer in range(4):
        side1, side5 = 1.0 - 1.0 * (outer & 2), 1.0 - 2.0 * (outer & 1)
        c1, s1, c5, s5, miss = first_and_fifth(numbers, r, x, y, z, side1, side5, seed)
        result = placements(numbers, r, x, y, z, c1, s1, c5, s5, miss, seed)
        one, other = 2 * outer, 2 * outer + 1
        for joint in range(6):
            q[one, joint] = q[other, joint] = result[joint]
        for joint in range(1, 4):
            q[other, joint] = result[joint + 5]
        flags[one] = flags[other] = result[9]
