"""Kernel: six turning joints, axes 1, 2 and 3 parallel.

The first three joints move the rest in a plane and turn it about the plane's normal. So the goal says which way the
normal points, seen from axis 6, and how high axis 6 is: two equations for joints 4 and 6, to which subproblem 6 is the
answer. Joint 5 follows, the sum of the first three, and two links in a plane.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER, JIT, absolute, any_lane, atan2, maximum, sincos, sqrt, where
from .circle_subproblems import REACH
from .common_normals import COSINES, LENGTHS, MORE, OFFSETS, SINES, angle_of_joint, goal_in_chain, value_of_joint
from .coupled_circles import EACH, coupled_circles
from .flags import OUT_OF_REACH, SINGULAR
from .planar_arm import planar_arm, turn_within_reach
from .registers import as_numbers, make_stack
from .written import ROWS, write_lanes

#: Where the numbers are that `solvers.closed_form.parallel_axes` adds.
HEIGHT, SIZE, SLACK = MORE, MORE + 1, MORE + 2
#: Sine between axis 5 and the parallel ones below which joint 5 is free. Joints 4 and 6 are a double root there, and
#: known to half the digits.
_ALIGNED = 1e-6

_rows_room, _outer_room, _found_room = make_stack(ROWS, 4), make_stack(6, 4), make_stack(4 * EACH)


@njit(**INNER)
def _behind(m: Any, c: Any, s: Any, cosine_of_twist: float, sine_of_twist: float) -> Any:
    """M rot_z(angle) rot_x(twist), row by row."""
    ct, st = cosine_of_twist, sine_of_twist
    a, d, g = c * m[0] + s * m[1], c * m[3] + s * m[4], c * m[6] + s * m[7]
    b, e, h = c * m[1] - s * m[0], c * m[4] - s * m[3], c * m[7] - s * m[6]
    return (
        a, ct * b + st * m[2], ct * m[2] - st * b,
        d, ct * e + st * m[5], ct * m[5] - st * e,
        g, ct * h + st * m[8], ct * m[8] - st * h,
    )  # fmt: skip


@njit(**INNER)
def _coupled(numbers: Any, r: Any, z: float, outer: Any) -> int:
    """Joints 4 and 6: cosines and sines, what is missed, and whether there are more, for up to four lanes."""
    c, s, a, d = COSINES, SINES, LENGTHS, OFFSETS
    ct3, st3, ct4, st4 = numbers[c + 2], numbers[s + 2], numbers[c + 3], numbers[s + 3]
    ct5, st5 = numbers[c + 4], numbers[s + 4]
    a4, a5, d4, d5 = numbers[a + 3], numbers[a + 4], numbers[d + 3], numbers[d + 4]
    found = _found_room()
    # Third component, seen from axis 5, of the normal, which is the last row of the rotation; then the height.
    count, flags = coupled_circles(
        (-st3 * st4, 0.0, 0.0, a4 * st3),
        (-st5 * r[7], -st5 * r[6], a5 * r[6] + d5 * st5 * r[7], d5 * st5 * r[6] - a5 * r[7]),
        (ct5 * r[8] - ct3 * ct4, z - numbers[HEIGHT] - ct3 * d4 - d5 * ct5 * r[8]),
        (1.0, numbers[SIZE] + abs(z)),
        numbers[SLACK],
        found,
    )
    lanes = as_numbers(outer)
    for k in range(4):
        at = EACH * min(k, count - 1)
        for i in range(EACH):
            lanes[4 * i + k] = found[at + i]
        lanes[16 + k] = 1.0 if flags & OUT_OF_REACH else 0.0
        lanes[20 + k] = 1.0 * (flags & SINGULAR)
    return count


@njit(**INNER)
def placements(
    numbers: Any, r: Any, x: Any, y: Any, c4: Any, s4: Any, c6: Any, s6: Any, miss: Any, singular: Any, seed: Any
) -> Any:
    """All six angles, when joints 4 and 6 are known.

    Returns:
        values of the six joints, of joints 1, 2 and 3 with the other elbow, flags as a number, and what is missed.
    """
    c, s, a, d = COSINES, SINES, LENGTHS, OFFSETS
    ct3, st3, ct4, st4 = numbers[c + 2], numbers[s + 2], numbers[c + 3], numbers[s + 3]
    ct5, st5 = numbers[c + 4], numbers[s + 4]
    # The normal seen from in front of joint 5, and from behind it; joint 5 takes one to the other.
    front_x, front_y = st3 * s4, st3 * c4 * ct4 + ct3 * st4
    back_x, back_y = r[6] * c6 - r[7] * s6, (r[6] * s6 + r[7] * c6) * ct5 - r[8] * st5
    c5, s5 = front_x * back_x + front_y * back_y, front_y * back_x - front_x * back_y
    is_free5 = front_x * front_x + front_y * front_y <= _ALIGNED * _ALIGNED
    norm = 1.0 / sqrt(maximum(c5 * c5 + s5 * s5, 1e-300))
    c5, s5 = c5 * norm, s5 * norm
    if any_lane(is_free5):
        sf, cf = sincos(angle_of_joint(numbers, 4, seed[4]))
        c5, s5 = where(is_free5, cf, c5), where(is_free5, sf, s5)
        # Joints 4 and 6 to all digits: in the plane of the axes on either side.
        c4, s4 = where(is_free5, where(c4 > 0.0, 1.0, -1.0), c4), where(is_free5, 0.0, s4)
        across = sqrt(maximum(r[6] * r[6] + r[7] * r[7], 1e-300)) * where(r[6] * s6 + r[7] * c6 < 0.0, -1.0, 1.0)
        turns = is_free5 & (absolute(across) > _ALIGNED)
        c6, s6 = where(turns, r[7] / across, c6), where(turns, r[6] / across, s6)
    # K from axis 3 to axis 6, and the position of axis 6 in it; R = rot_z(sum) K.
    front = _behind(_behind((1.0, 0.0, 0.0, 0.0, ct3, -st3, 0.0, st3, ct3), c4, s4, 1.0, 0.0), 1.0, 0.0, ct4, st4)
    m = _behind(front, c5, s5, 1.0, 0.0)
    # Up to axis 5, and what joint 5 turns.
    u, v = numbers[a + 2] + numbers[a + 3] * c4, numbers[a + 3] * ct3 * s4 - numbers[d + 3] * st3
    p, q = numbers[a + 4] * m[0] + numbers[d + 4] * m[2], numbers[a + 4] * m[3] + numbers[d + 4] * m[5]
    m = _behind(_behind(m, 1.0, 0.0, ct5, st5), c6, s6, 1.0, 0.0)
    ca = m[0] * r[0] + m[3] * r[3] + m[1] * r[1] + m[4] * r[4] + m[2] * r[2] + m[5] * r[5]
    sa = m[0] * r[3] - m[3] * r[0] + m[1] * r[4] - m[4] * r[1] + m[2] * r[5] - m[5] * r[2]
    norm = 1.0 / sqrt(maximum(ca * ca + sa * sa, 1e-300))
    ca, sa = ca * norm, sa * norm
    x, y = x - (ca * p - sa * q), y - (sa * p + ca * q)
    if any_lane(is_free5):
        # What is behind joint 5 stays where it is: joint 5 as near to the seed as the two links allow, the others
        # of the parallel joints turning against it.
        cw, sw = turn_within_reach(x, y, u, v, numbers[a], numbers[a + 1], ca, sa)
        change, beside = ca * cw + sa * sw, sa * cw - ca * sw
        along = where(front[8] > 0.0, 1.0, -1.0)
        c5, s5 = (
            where(is_free5, c5 * change - along * s5 * beside, c5),
            where(is_free5, s5 * change + along * c5 * beside, s5),
        )
        ca, sa = where(is_free5, cw, ca), where(is_free5, sw, sa)
    x, y = x - (ca * u - sa * v), y - (sa * u + ca * v)
    c1, s1, c2, s2, c1b, s1b, more, is_free1 = planar_arm(
        x,
        y,
        numbers[a],
        numbers[a + 1],
        numbers[SIZE],
        angle_of_joint(numbers, 0, seed[0]),
    )
    miss = miss + more
    singular = maximum(singular, maximum(where(is_free5, 1.0 * SINGULAR, 0.0), where(is_free1, 1.0 * SINGULAR, 0.0)))
    v1, v2, v1b, total = atan2(s1, c1), atan2(s2, c2), atan2(s1b, c1b), atan2(sa, ca)
    return (
        value_of_joint(numbers, 0, v1),
        value_of_joint(numbers, 1, v2),
        value_of_joint(numbers, 2, total - v1 - v2),
        value_of_joint(numbers, 3, atan2(s4, c4)),
        value_of_joint(numbers, 4, atan2(s5, c5)),
        value_of_joint(numbers, 5, atan2(s6, c6)),
        value_of_joint(numbers, 0, v1b),
        value_of_joint(numbers, 1, -v2),
        value_of_joint(numbers, 2, total - v1b + v2),
        where(miss > REACH, 1.0 * OUT_OF_REACH, 0.0) + singular,
        miss,
    )


@njit(**JIT)
def candidates(numbers: Any, goal: Any, seed: Any, q: Any, flags: Any) -> int:
    """All solutions for one goal, see `Family`."""
    r, (x, y, z) = goal_in_chain(numbers, goal)
    outer, rows = _outer_room(), _rows_room()
    count = _coupled(numbers, r, z, outer)
    result = placements(numbers, r, x, y, outer[0], outer[1], outer[2], outer[3], outer[4], outer[5], seed)
    for k in range(ROWS):
        rows[k] = result[k]
    return write_lanes(rows, count, 0, numbers[SLACK], q, flags)
