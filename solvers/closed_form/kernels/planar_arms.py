"""Arms that move in a plane, and across it by one slide at most: SCARA and its relatives."""

from __future__ import annotations

from math import atan2

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER, JIT
from .angle_goals import IN_XY, base_axis, turns_for_angle, wanted_direction
from .flags import OUT_OF_REACH, SINGULAR, VALID
from .planar_links import rotated, two_links
from .spatial_vectors import apply, dot, minus, times, triple
from .three_axis_rotation import nearest_turn, rotation_without_tip
from .two_conics import on_curve

# What is asked: the kinds 0 to 5 of `angle_goals` with a point, a whole pose, a place and an angle in the plane.
POSE, PLANE = 6, 7
# What `fit` packs: what is asked, the size, the number of joints in the plane, the index of the one across it (-1 for
# none) and its sign, the place of the tip across the plane, two directions in the plane and the normal, the tool's
# direction, the rotation of the tip, the angle of its x axis in the plane, its first offset in the plane, and for three
# joints each index, whether it slides, sign, direction of the slide, offset behind it; joints at zero, in sizes.
ASKED, SIZE, COUNT, ACROSS, ACROSS_SIGN, HEIGHT, FIRST, SECOND, NORMAL = 0, 1, 2, 3, 4, 5, 6, 9, 12
DIRECTION, TIP, ANGLE, OFFSET, JOINTS = 15, 18, 27, 28, 30
INDEX, SLIDES, SIGN, SLIDE, BEHIND, STRIDE = 0, 1, 2, 3, 5, 7


@njit(**JIT)
def planar_arms(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.planar_arms`; see `Family`.

    The rotation in the plane is known from the goal, or one of two. What is left is the place: with complex numbers a
    sum of known vectors, vectors turned by unknown angles, and slides along them.
    """
    asked, size = int(numbers[ASKED]), numbers[SIZE]
    normal = triple(numbers, NORMAL)
    point = times(1.0 / size, triple(goal, 9))
    turns, total, flag = np.zeros(2), 1, VALID
    seed_turn = 0.0
    for k in range(int(numbers[COUNT])):
        joint = JOINTS + STRIDE * k
        if numbers[joint + SLIDES] < 0.5:
            seed_turn += numbers[joint + SIGN] * seed[int(numbers[joint + INDEX])]
    if asked == PLANE:
        turns[0] = goal[0] - numbers[ANGLE]
    elif asked == POSE:
        turns[0], flag = _turn_of_pose(numbers, goal, normal)
    else:
        reference = wanted_direction(asked, goal[0]) if asked >= IN_XY else base_axis(asked)
        total, flag = turns_for_angle(asked, goal[0], normal, triple(numbers, DIRECTION), reference, seed_turn, turns)
    across = int(numbers[ACROSS])
    gap = dot(normal, point) - numbers[HEIGHT]
    if asked != PLANE and across < 0 and abs(gap) > 1e-9:
        flag |= OUT_OF_REACH
    x = dot(triple(numbers, FIRST), point) - numbers[OFFSET]
    y = dot(triple(numbers, SECOND), point) - numbers[OFFSET + 1]
    count = 0
    for k in range(total):
        found = _place(numbers, turns[k], x, y, seed, q, flags, count)
        for j in range(count, count + found):
            flags[j] |= flag
            if across >= 0:
                q[j, across] = numbers[ACROSS_SIGN] * gap * size
        count += found
    return count


@njit(**INNER)
def _turn_of_pose(numbers, goal, normal):
    wanted = np.empty(9)
    rotation_without_tip(goal, numbers, TIP, wanted)
    gap = minus(apply(wanted, 0, normal), normal)
    return nearest_turn(normal, wanted, 0.0), OUT_OF_REACH if dot(gap, gap) > 1e-18 else VALID


@njit(**INNER)
def _place(numbers, turn, x, y, seed, q, flags, start):
    # Writes the values of the joints in the plane for a known turn of the tip and its place; how many ways there are.
    count = int(numbers[COUNT])
    turning, sliding = 0, 0
    for k in range(count):
        if numbers[JOINTS + STRIDE * k + SLIDES] < 0.5:
            turning += 1
        else:
            sliding += 1
    # The sum over joints of exp(i angle) offset is w = x + i y; angle is 0 before the first turning joint, turn behind
    # the last, and unknown in between, where the offsets add up to `a`, and to `b` behind a further one.
    a, b = np.zeros(2), np.zeros(2)
    so_far = 0
    slides, places = np.empty((3, 2)), np.empty(3, dtype=np.int64)
    slide_turn = np.empty(3, dtype=np.int64)
    turners = np.empty(3, dtype=np.int64)
    slid = 0
    for k in range(count):
        joint = JOINTS + STRIDE * k
        if numbers[joint + SLIDES] < 0.5:
            turners[so_far] = k
            so_far += 1
        offset_x, offset_y = numbers[joint + BEHIND], numbers[joint + BEHIND + 1]
        known = so_far == 0 or so_far == turning
        if known:
            dx, dy = rotated(turn if so_far > 0 else 0.0, offset_x, offset_y)
            x, y = x - dx, y - dy
        elif so_far == 1:
            a[0], a[1] = a[0] + offset_x, a[1] + offset_y
        else:
            b[0], b[1] = b[0] + offset_x, b[1] + offset_y
        if numbers[joint + SLIDES] > 0.5:
            sx, sy = numbers[joint + SLIDE], numbers[joint + SLIDE + 1]
            if known and so_far > 0:
                sx, sy = rotated(turn, sx, sy)
            slides[slid, 0], slides[slid, 1] = sx, sy
            places[slid] = k
            slide_turn[slid] = 0 if known else 1
            slid += 1
    size = numbers[SIZE]
    values, lengths = np.zeros((2, 2)), np.zeros((2, 2))
    found, flag = 1, VALID
    if turning <= 1:
        flag = _slides_only(slides, sliding, x, y, lengths)
    elif turning == 3:
        first, second = JOINTS + STRIDE * turners[0], JOINTS + STRIDE * turners[1]
        start_turns = (
            numbers[first + SIGN] * seed[int(numbers[first + INDEX])],
            numbers[second + SIGN] * seed[int(numbers[second + INDEX])],
        )
        found, flag = two_links((a[0], a[1]), (b[0], b[1]), (x, y), start_turns, values)
    else:
        first = JOINTS + STRIDE * turners[0]
        start_turn = numbers[first + SIGN] * seed[int(numbers[first + INDEX])]
        start_slide = 0.0
        if sliding > 0:
            start_slide = seed[int(numbers[JOINTS + STRIDE * places[0] + INDEX])] / size
        found, flag = _one_turn(a, slides, slide_turn, sliding, x, y, start_turn, start_slide, values, lengths)
    for j in range(found):
        row = start + j
        flags[row] = flag
        for k in range(slid):
            joint = JOINTS + STRIDE * places[k]
            q[row, int(numbers[joint + INDEX])] = lengths[j, k] * size
        left = turn
        for k in range(turning):
            joint = JOINTS + STRIDE * turners[k]
            part = left if k == turning - 1 else values[j, k]
            left -= part
            q[row, int(numbers[joint + INDEX])] = numbers[joint + SIGN] * part
    return found


@njit(**INNER)
def _slides_only(slides, sliding, x, y, lengths):
    # w = q0 u0 + q1 u1 by least squares.
    if sliding == 2:
        det = slides[0, 0] * slides[1, 1] - slides[0, 1] * slides[1, 0]
        if abs(det) > 1e-9:
            lengths[0, 0] = (x * slides[1, 1] - y * slides[1, 0]) / det
            lengths[0, 1] = (slides[0, 0] * y - slides[0, 1] * x) / det
            return VALID
        lengths[0, 0] = x * slides[0, 0] + y * slides[0, 1]
        return SINGULAR | (OUT_OF_REACH if abs(x * slides[0, 1] - y * slides[0, 0]) > 1e-9 else VALID)
    if sliding == 1:
        lengths[0, 0] = x * slides[0, 0] + y * slides[0, 1]
        x, y = x - lengths[0, 0] * slides[0, 0], y - lengths[0, 0] * slides[0, 1]
    return OUT_OF_REACH if x * x + y * y > 1e-18 else VALID


@njit(**INNER)
def _one_turn(a, slides, slide_turn, sliding, x, y, start_turn, start_slide, values, lengths):
    # w = exp(i alpha) a + q u, w = exp(i alpha) (a + q u), or without a slide w = exp(i alpha) a.
    found, flag = 1, VALID
    outside = sliding > 0 and slide_turn[0] == 0
    if sliding > 0:
        # |w - q u|^2 = |a|^2 or |w|^2 = |a + q u|^2
        along = a[0] * slides[0, 0] + a[1] * slides[0, 1]
        constant = x * x + y * y - a[0] * a[0] - a[1] * a[1]
        if outside:
            along, constant = -(x * slides[0, 0] + y * slides[0, 1]), -constant
        roots = np.empty(2)
        found, flag = on_curve(2.0 * along, 1.0, constant, True, start_slide, roots)
        for k in range(found):
            lengths[k, 0] = roots[k]
    for k in range(found):
        from_x, from_y, to_x, to_y = a[0], a[1], x, y
        if outside:
            to_x, to_y = x - lengths[k, 0] * slides[0, 0], y - lengths[k, 0] * slides[0, 1]
        elif sliding > 0:
            from_x, from_y = a[0] + lengths[k, 0] * slides[0, 0], a[1] + lengths[k, 0] * slides[0, 1]
        sine, cosine = from_x * to_y - from_y * to_x, from_x * to_x + from_y * to_y
        if sine * sine + cosine * cosine <= 1e-26:
            values[k, 0] = start_turn
            flag |= SINGULAR
        else:
            values[k, 0] = atan2(sine, cosine)
        gap_x, gap_y = rotated(values[k, 0], from_x, from_y)
        if (gap_x - to_x) ** 2 + (gap_y - to_y) ** 2 > 1e-16:
            flag |= OUT_OF_REACH
    return found, flag
