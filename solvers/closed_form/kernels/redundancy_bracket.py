"""A bracket on a branch of a redundant arm, in which the least merit is looked for.

Where no angle of a bracket turns back, the distance from the seed is the largest of curves of which each falls, then
rises, and so is the distance outside the limits. So at one point of the bracket

* the higher one of the highest falling and the highest rising curve is the merit, and tells on which side the least lies;
* the lower one is a bound for the whole bracket: what falls is higher on the left, what rises on the right.

The next point to look at is where the curves that decide at the ends meet.
"""

from __future__ import annotations

from numba import njit

from ....kinematics.core.lanes import INLINE, INNER
from . import redundancy_layout as at
from .redundancy_window import OUTSIDE, REAL, SLACK, UNREAL, merit_of

# A task: one gap of one branch. At both ends r, merit, the slope of the merit (only its sign where the distance is the
# largest difference), the margin of what is real, and which curve decides; then per joint where its window begins, its
# limits, the seed, its sense (0 where it may turn back), and angles and derivatives at both ends.
BRANCH, BOUND, LEFT, RIGHT = 0, 1, 2, 7
MERIT, SLOPE, MARGIN, CURVE = 1, 2, 3, 4
START = 12
LOWER, UPPER, SEED, SENSE = START + 7, START + 14, START + 21, START + 28
LEFT_Q, RIGHT_Q, LEFT_D, RIGHT_D = SENSE + 7, SENSE + 14, SENSE + 21, SENSE + 28
SPLITS = RIGHT_D + 7  #: how often it may still be split
PIECE = SPLITS + 1
TASK_ROWS = PIECE + 1
# Curves: three per joint, and the sum of squares.
FAR, BELOW, ABOVE, SUM = 0, 1, 2, 21
#: By how much an angle (rad) has to turn back, or to differ from what the derivatives foretell, to split a bracket.
NO_SWING, BEND = 2e-4, 0.3


@njit(**INLINE)
def least_of(low, high, seed, p, e):
    """How far outside its limits, and how far from the seed, an angle that runs from p up to e is at least."""
    first, last = max(p, low), min(e, high)
    if first > last:
        return first - last, min(abs(first - seed), abs(last - seed))
    return 0.0, abs(min(max(seed, first), last) - seed)


@njit(**INLINE)
def swing_of(width, q0, d0, q1, d1):
    """How far an angle may go beyond its values at the ends of a bracket, going by its derivatives there."""
    bend = abs(q1 - q0 - 0.5 * width * (d0 + d1))
    swing = bend if bend > BEND else 0.0
    return max(swing, 0.25 * width * min(abs(d0), abs(d1))) if d0 * d1 < 0.0 else swing


@njit(**INNER)
def rated(numbers, task, q, d, margin):
    """Merit of a point of a bracket (angles unrolled), its slope, the curve that decides, and a bound for the bracket."""
    out_down, out_up, far_down, far_up, squares, slope = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    down, up, far_down_curve, far_up_curve = -1, -1, 0, 0
    for j in range(at.JOINTS):
        x, sense = q[j], task[SENSE + j]
        still = d[j] == 0.0
        rises = sense > 0.0 if sense != 0.0 else d[j] >= 0.0
        below, above, away = task[LOWER + j] - x, x - task[UPPER + j], x - task[SEED + j]
        if below > SLACK or above > SLACK:
            out, kind = (below, BELOW) if below > above else (above, ABOVE)
            falls = rises == (kind == BELOW)
            if (falls or still) and out > out_down:
                out_down, down = out, 3 * j + kind
            if (not falls or still) and out > out_up:
                out_up, up = out, 3 * j + kind
        far = abs(away)
        falls = rises == (away < 0.0)
        if (falls or still) and far > far_down:
            far_down, far_down_curve = far, 3 * j
        if (not falls or still) and far > far_up:
            far_up, far_up_curve = far, 3 * j
        weighted = numbers[at.WEIGHTS + j] * away
        squares += weighted * away
        slope += 2.0 * weighted * (abs(d[j]) * sense if sense != 0.0 else d[j])
    if margin < -REAL:
        return UNREAL * (1.0 - margin), 0.0, 0.0, 0.0
    if down >= 0 or up >= 0:
        lower = min(out_down, out_up)
        bound = OUTSIDE * (1.0 + lower) if lower > 0.0 else 0.0
        if out_down >= out_up:
            return OUTSIDE * (1.0 + out_down), -1.0, float(down), bound
        return OUTSIDE * (1.0 + out_up), 1.0, float(up), bound
    if numbers[at.MEASURE] > 0.5:
        return squares, slope, float(SUM), 0.0
    if far_down >= far_up:
        return far_down, -1.0, float(far_down_curve), far_up
    return far_up, 1.0, float(far_up_curve), far_down


@njit(**INLINE)
def _is_flat(task, end, end_d, width):
    """Whether the angle that decides at an end may turn back a little further in."""
    curve = int(task[end + CURVE])
    return task[SENSE] == 0.0 and curve < SUM and abs(task[end_d + curve // 3]) * width < 8.0 * NO_SWING


@njit(**INLINE)
def _slopes_meet(task):
    """Whether the merits at both ends of a bracket do not rise inwards."""
    m0, s0, m1, s1 = task[LEFT + MERIT], task[LEFT + SLOPE], task[RIGHT + MERIT], task[RIGHT + SLOPE]
    if m0 >= UNREAL or m1 >= UNREAL:
        # The edge of what is real: beyond it, nothing.
        if m0 >= UNREAL and m1 >= UNREAL:
            return False
        return s0 <= 0.0 if m0 < UNREAL else s1 >= 0.0
    width = task[RIGHT] - task[LEFT]
    inwards0 = s0 <= 0.0 or _is_flat(task, LEFT, LEFT_D, width)
    inwards1 = s1 >= 0.0 or _is_flat(task, RIGHT, RIGHT_D, width)
    if m0 >= OUTSIDE > m1:
        return inwards1
    if m1 >= OUTSIDE > m0:
        return inwards0
    return inwards0 and inwards1


@njit(**INLINE)
def bound_of(numbers, task):
    """A bound for the merit in a bracket, from the angles at its ends."""
    outside, far, squares = 0.0, 0.0, 0.0
    for j in range(at.JOINTS):
        a, b = task[LEFT_Q + j], task[RIGHT_Q + j]
        p, e = min(a, b), max(a, b)
        if task[SPLITS] > 0.5:
            swing = swing_of(task[RIGHT] - task[LEFT], a, task[LEFT_D + j], b, task[RIGHT_D + j])
            p, e = p - swing, e + swing
        away, near = least_of(task[LOWER + j], task[UPPER + j], task[SEED + j], p, e)
        outside, far = max(outside, away), max(far, near)
        squares += numbers[at.WEIGHTS + j] * near * near
    return merit_of(outside, far, squares, numbers[at.MEASURE] > 0.5)


@njit(**INLINE)
def is_edge(task):
    """Whether nothing is real at one end of a bracket."""
    return task[LEFT + MARGIN] < -REAL or task[RIGHT + MARGIN] < -REAL


@njit(**INNER)
def is_promising(numbers, task, enough):
    """Whether a merit below ``enough`` may be in a bracket."""
    if not _slopes_meet(task) and turning_part(task) == 0.0:
        return False
    return is_edge(task) or bound_of(numbers, task) < enough


@njit(**INLINE)
def _turn_of(width, q0, d0, q1, d1):
    """Where the cubic of an angle turns back, as a part of the bracket: Newton's method from the secant's zero."""
    h0, h1, change = d0 * width, d1 * width, q1 - q0
    c2, c3 = 3.0 * change - 2.0 * h0 - h1, h0 + h1 - 2.0 * change
    t = h0 / (h0 - h1)
    for _ in range(2):
        bend = 2.0 * c2 + 6.0 * t * c3
        if abs(bend) > 1e-12:
            t = min(max(t - (h0 + t * (2.0 * c2 + 3.0 * t * c3)) / bend, 0.0), 1.0)
    return t


@njit(**INLINE)
def turning_part(task):
    """Where a bracket should be split because an angle turns back or swings in it, as a part; 0 where it need not."""
    if task[SPLITS] < 0.5:
        return 0.0
    width = task[RIGHT] - task[LEFT]
    part, most = 0.0, NO_SWING
    for j in range(at.JOINTS):
        q0, d0, q1, d1 = task[LEFT_Q + j], task[LEFT_D + j], task[RIGHT_Q + j], task[RIGHT_D + j]
        swing = swing_of(width, q0, d0, q1, d1)
        if swing > most:
            most, part = swing, _turn_of(width, q0, d0, q1, d1) if swing < BEND else 0.5
    return min(max(part, 0.02), 0.98) if part > 0.0 else 0.0


@njit(**INLINE)
def _curve_at(task, curve, q):
    """Value of a curve at an end of a bracket, ``q`` where its angles begin, and the factor of the angle in it."""
    j, kind = curve // 3, curve % 3
    x = task[q + j]
    if kind == BELOW:
        return task[LOWER + j] - x, -1.0
    if kind == ABOVE:
        return x - task[UPPER + j], 1.0
    away = x - task[SEED + j]
    return abs(away), 1.0 if away >= 0.0 else -1.0


@njit(**INNER)
def next_part(task):
    """Where in a bracket to look next, as a part of its width: where the curves that decide at its ends meet.

    Of each curve value and derivative are known at both ends: the zero of the cubic of their difference.
    """
    width = task[RIGHT] - task[LEFT]
    m0, m1 = task[LEFT + MERIT], task[RIGHT + MERIT]
    if m0 >= UNREAL or m1 >= UNREAL:
        # A secant to the edge of what is real, a little on this side.
        part = task[LEFT + MARGIN] / (task[LEFT + MARGIN] - task[RIGHT + MARGIN])
        part = part * 0.98 if m0 < UNREAL else 1.0 - 0.98 * (1.0 - part)
        return min(max(part, 0.05), 0.95)
    left, right = int(task[LEFT + CURVE]), int(task[RIGHT + CURVE])
    if left == SUM and right == SUM:
        s0, s1 = task[LEFT + SLOPE], task[RIGHT + SLOPE]
        return s0 / (s0 - s1) if s0 < 0.0 < s1 else 0.5
    g0, g1, h0, h1 = 0.0, 0.0, 0.0, 0.0
    if m0 >= OUTSIDE or m1 < OUTSIDE:
        # The sign of x - seed at the end where it decides is kept: past the seed the curve goes on below zero.
        j = left // 3
        value, factor = _curve_at(task, left, LEFT_Q)
        g0, h0 = value, factor * task[LEFT_D + j]
        g1, h1 = value + factor * (task[RIGHT_Q + j] - task[LEFT_Q + j]), factor * task[RIGHT_D + j]
    if m1 >= OUTSIDE or m0 < OUTSIDE:
        j = right // 3
        value, factor = _curve_at(task, right, RIGHT_Q)
        g1, h1 = g1 - value, h1 - factor * task[RIGHT_D + j]
        g0, h0 = g0 - value - factor * (task[LEFT_Q + j] - task[RIGHT_Q + j]), h0 - factor * task[LEFT_D + j]
    part = _zero_of_cubic(g0, h0 * width, g1, h1 * width)
    # At a limit, a little into what is inside.
    if m0 >= OUTSIDE > m1:
        return part + (1e-9 + 1e-7 * part * width) / width
    if m1 >= OUTSIDE > m0:
        return part - (1e-9 + 1e-7 * (1.0 - part) * width) / width
    return part


@njit(**INLINE)
def _zero_of_cubic(g0, h0, g1, h1):
    """A zero in [0, 1] of the cubic with values g and derivatives h at 0 and 1, g0 > 0 > g1; a half where it is not so.

    Newton's method from the secant's zero, kept within the bracket.
    """
    if g0 <= 0.0 or g1 >= 0.0:
        return 0.5
    change = g1 - g0
    c2, c3 = 3.0 * change - 2.0 * h0 - h1, h0 + h1 - 2.0 * change
    t, low, high = g0 / (g0 - g1), 0.0, 1.0
    for _ in range(4):
        g = g0 + t * (h0 + t * (c2 + t * c3))
        if g > 0.0:
            low = t
        else:
            high = t
        slope = h0 + t * (2.0 * c2 + 3.0 * t * c3)
        after = t - g / slope if slope < -1e-12 else 0.5 * (low + high)
        t = after if low < after < high else 0.5 * (low + high)
    return t


@njit(**INLINE)
def goes_left(task, merit, slope):
    """Whether the least value is on the left side of a point of a bracket."""
    m0, m1 = task[LEFT + MERIT], task[RIGHT + MERIT]
    if merit >= UNREAL:
        return m0 < UNREAL
    if merit >= OUTSIDE:
        if m0 < OUTSIDE <= m1:
            return True
        if m1 < OUTSIDE <= m0:
            return False
    return slope > 0.0


@njit(**INLINE)
def move_end(task, to_right, r, merit, slope, margin, curve, q, d):
    """Puts the right or the left end of a bracket to a value of r."""
    end, end_q, end_d = (RIGHT, RIGHT_Q, RIGHT_D) if to_right else (LEFT, LEFT_Q, LEFT_D)
    task[end], task[end + MERIT], task[end + SLOPE] = r, merit, slope
    task[end + MARGIN], task[end + CURVE] = margin, curve
    for j in range(at.JOINTS):
        task[end_q + j], task[end_d + j] = q[j], d[j]
