"""Brackets on branches of a redundant arm, in which the least merit is looked for: one in each lane.

Where no angle of a bracket turns back, the distance from the seed is the largest of curves of which each falls, then
rises, and so is the distance outside the limits. So at one point of the bracket

* the higher one of the highest falling and the highest rising curve is the merit, and tells on which side the least
  lies;
* the lower one is a bound for the whole bracket: what falls is higher on the left, what rises on the right.

The next point to look at is where the curves that decide at the ends meet.
"""

from __future__ import annotations

from numba import njit

from ....kinematics.core.lanes import INLINE, INNER, absolute, maximum, minimum, where
from ....kinematics.core.whole_turns import TURN
from . import redundancy_layout as at
from .redundancy_window import CLOSE, OUTSIDE, REAL, SLACK, UNREAL

# Rows of a bracket. At both ends r, merit, the slope of the merit (only its sign where the distance is the largest
# difference), the margin of what is real, and which curve decides; then per joint where its window begins, its limits,
# the seed, its sense (0 where it may turn back), and angles and derivatives at both ends.
BRANCH, BOUND, LEFT, RIGHT = 0, 1, 2, 7
MERIT, SLOPE, MARGIN, CURVE = 1, 2, 3, 4
START = 12
LOWER, UPPER, SEED, SENSE = START + 7, START + 14, START + 21, START + 28
LEFT_Q, RIGHT_Q, LEFT_D, RIGHT_D = SENSE + 7, SENSE + 14, SENSE + 21, SENSE + 28
SPLITS = RIGHT_D + 7  #: how often it may still be split
PIECE = SPLITS + 1
ENOUGH = PIECE + 1  #: merits below this are of use
SLOW = ENOUGH + 1  #: how often it shrank by little in a row
TRIES = SLOW + 1
PART = TRIES + 1  #: where it should be split, as a part of its width; 0 where it need not
_SWING = PART + 1  #: how far each angle may go beyond its values at the ends
TASK_ROWS = _SWING + 7
# Curves: three per joint, and the sum of squares.
FAR, BELOW, ABOVE, SUM = 0, 1, 2, 21
#: By how much an angle (rad) has to turn back, or to differ from what the derivatives foretell, to split a bracket.
NO_SWING, BEND = 2e-4, 0.3
#: Values of r that are spent on one bracket, and on one that ends where nothing is real.
_MOST_TRIES, _EDGE_TRIES = 40.0, 10.0


@njit(**INLINE)
def least_of(low, high, seed, p, e):
    """How far outside its limits, and how far from the seed, an angle that runs from p up to e is at least."""
    first, last = maximum(low, p), minimum(high, e)
    return maximum(first - last, 0.0 * p), absolute(minimum(maximum(first, seed), last) - seed)


@njit(**INLINE)
def swing_of(width, q0, d0, q1, d1):
    """How far an angle may go beyond its values at the ends of a bracket, going by its derivatives there."""
    bend = absolute(q1 - q0 - 0.5 * width * (d0 + d1))
    swing = where(bend > BEND, bend, 0.0 * bend)
    turned = where(d0 * d1 < 0.0, 0.25 * width * minimum(absolute(d0), absolute(d1)), 0.0 * bend)
    return maximum(swing, turned)


@njit(**INLINE)
def merit_of(outside, far, squares, by_squares):
    """Merit of being so far outside the limits, and so far from the seed by either measure."""
    inside = squares if by_squares else far
    return where(outside > SLACK, OUTSIDE * (1.0 + outside), inside)


@njit(**INLINE)
def sat_down(angle, start):
    """An angle moved by one or two whole turns into the turn that begins at ``start``."""
    angle = where(angle < start, angle + TURN, angle)
    angle = where(angle < start, angle + TURN, angle)
    angle = where(angle >= start + TURN, angle - TURN, angle)
    return where(angle >= start + TURN, angle - TURN, angle)


@njit(**INNER)
def rated(numbers, task, points, q, d, margin):
    """Merits of points of brackets, slopes, the curves that decide, and bounds for the brackets.

    The angles (unrolled) begin at row q of ``points``, their derivatives at row d.
    """
    zero = 0.0 * margin
    out_down, out_up, far_down, far_up, squares, slope = zero, zero, zero, zero, zero, zero
    down, up, far_down_curve, far_up_curve = zero, zero, zero, zero
    for j in range(at.JOINTS):
        x, rate, sense = points[q + j], points[d + j], task[SENSE + j]
        rate = where(sense == 0.0, rate, absolute(rate) * sense)
        turn = where(where(sense == 0.0, rate, sense) >= 0.0, zero + 1.0, zero - 1.0)
        still = (rate == 0.0) & (task[LEFT_Q + j] == task[RIGHT_Q + j])
        below, above, away = task[LOWER + j] - x, x - task[UPPER + j], x - task[SEED + j]
        is_below = below > above
        out = maximum(below, above)
        out = where(out > SLACK, out, zero)
        kind = where(is_below, zero + (3.0 * j + BELOW), zero + (3.0 * j + ABOVE))
        fall = where(is_below, turn, -turn)
        better = ((fall > 0.0) | still) & (out > out_down)
        out_down, down = where(better, out, out_down), where(better, kind, down)
        better = ((fall < 0.0) | still) & (out > out_up)
        out_up, up = where(better, out, out_up), where(better, kind, up)
        far = absolute(away)
        fall = where(away < 0.0, turn, -turn)
        better = ((fall > 0.0) | still) & (far > far_down)
        far_down, far_down_curve = where(better, far, far_down), where(better, zero + 3.0 * j, far_down_curve)
        better = ((fall < 0.0) | still) & (far > far_up)
        far_up, far_up_curve = where(better, far, far_up), where(better, zero + 3.0 * j, far_up_curve)
        weighted = numbers[at.WEIGHTS + j] * away
        squares += weighted * away
        slope += 2.0 * weighted * rate
    falls = far_down >= far_up
    merit, curve = where(falls, far_down, far_up), where(falls, far_down_curve, far_up_curve)
    bound, sign = minimum(far_down, far_up), where(falls, zero - 1.0, zero + 1.0)
    if numbers[at.MEASURE] > 0.5:
        merit, curve, bound, sign = squares, zero + SUM, zero, slope
    is_out = maximum(out_down, out_up) > 0.0
    falls = out_down >= out_up
    lower = minimum(out_down, out_up)
    bound = where(is_out, where(lower > 0.0, OUTSIDE * (1.0 + lower), zero), bound)
    merit = where(is_out, OUTSIDE * (1.0 + maximum(out_down, out_up)), merit)
    sign = where(is_out, where(falls, zero - 1.0, zero + 1.0), sign)
    curve = where(is_out, where(falls, down, up), curve)
    unreal = margin < -REAL
    merit, sign = where(unreal, UNREAL * (1.0 - margin), merit), where(unreal, zero, sign)
    return merit, sign, curve, where(unreal, zero, bound)


@njit(**INLINE)
def _is_flat(task, end, end_d, width):
    """Whether the angle that decides at an end may turn back a little further in."""
    curve = task[end + CURVE]
    rate = 0.0 * width + 1e9
    for j in range(at.JOINTS):
        rate = where((curve >= 3.0 * j) & (curve < 3.0 * j + 3.0), absolute(task[end_d + j]), rate)
    return (task[SENSE] == 0.0) & (curve < SUM) & (rate * width < 8.0 * NO_SWING)


@njit(**INLINE)
def _slopes_meet(task, exact):
    """Whether the merits at both ends of a bracket do not rise inwards."""
    m0, s0, m1, s1 = task[LEFT + MERIT], task[LEFT + SLOPE], task[RIGHT + MERIT], task[RIGHT + SLOPE]
    inwards0, inwards1 = s0 <= 0.0, s1 >= 0.0
    # The edge of what is real: beyond it, nothing.
    real0, real1 = m0 < UNREAL, m1 < UNREAL
    at_edge = (maximum(m0, m1) >= UNREAL) & ((inwards0 & real0) | (inwards1 & real1))
    if not exact:
        width = task[RIGHT] - task[LEFT]
        inwards0 = inwards0 | _is_flat(task, LEFT, LEFT_D, width)
        inwards1 = inwards1 | _is_flat(task, RIGHT, RIGHT_D, width)
    meet = (inwards0 | ((m0 >= OUTSIDE) & (m1 < OUTSIDE))) & (inwards1 | ((m1 >= OUTSIDE) & (m0 < OUTSIDE)))
    return at_edge | (real0 & real1 & meet)


@njit(**INLINE)
def is_edge(task):
    """Whether nothing is real at one end of a bracket."""
    return minimum(task[LEFT + MARGIN], task[RIGHT + MARGIN]) < -REAL


@njit(**INNER)
def is_promising(numbers, task, exact):
    """Whether a merit below what is enough may be in a bracket; 1.0 or 0.0.

    Notes where the bracket should be split because an angle turns back or swings in it. An angle that stays inside its
    limits, and nearer to the seed than another one comes, decides nothing.
    """
    width = task[RIGHT] - task[LEFT]
    zero = 0.0 * width
    outside, far, squares = zero, zero, zero
    for j in range(at.JOINTS):
        a, b = task[LEFT_Q + j], task[RIGHT_Q + j]
        p, e = minimum(a, b), maximum(a, b)
        if not exact:
            swing = swing_of(width, a, task[LEFT_D + j], b, task[RIGHT_D + j])
            task[_SWING + j] = where(task[SPLITS] > 0.5, swing, zero)
            p, e = p - task[_SWING + j], e + task[_SWING + j]
        away, near = least_of(task[LOWER + j], task[UPPER + j], task[SEED + j], p, e)
        outside, far = maximum(outside, away), maximum(far, near)
        squares += numbers[at.WEIGHTS + j] * near * near
    by_squares = numbers[at.MEASURE] > 0.5
    bound = merit_of(outside, far, squares, by_squares)
    meet = _slopes_meet(task, exact)
    if not exact:
        task[PART] = _turning_part(task, width, zero if by_squares else far)
        meet = meet | (task[PART] > 0.0)
    return where(meet & (is_edge(task) | (bound < task[ENOUGH])), zero + 1.0, zero)


@njit(**INLINE)
def _turning_part(task, width, far):
    zero = 0.0 * width
    most, q0, d0, q1, d1 = zero + NO_SWING, zero, zero - 1.0, zero, zero + 1.0
    for j in range(at.JOINTS):
        a, b, swing = task[LEFT_Q + j], task[RIGHT_Q + j], task[_SWING + j]
        p, e = minimum(a, b) - swing, maximum(a, b) + swing
        farthest = maximum(task[SEED + j] - p, e - task[SEED + j])
        decides = (farthest > far) | (p < task[LOWER + j]) | (e > task[UPPER + j])
        larger = decides & (swing > most)
        most, q0, q1 = where(larger, swing, most), where(larger, a, q0), where(larger, b, q1)
        d0, d1 = where(larger, task[LEFT_D + j], d0), where(larger, task[RIGHT_D + j], d1)
    part = where(most < BEND, _turn_of(width, q0, d0, q1, d1), zero + 0.5)
    part = minimum(maximum(part, zero + 0.02), zero + 0.98)
    return where(most > NO_SWING, part, zero)


@njit(**INLINE)
def _turn_of(width, q0, d0, q1, d1):
    """Where the cubic of an angle turns back, as a part of the bracket: Newton's method from the secant's zero."""
    h0, h1, change = d0 * width, d1 * width, q1 - q0
    c2, c3 = 3.0 * change - 2.0 * h0 - h1, h0 + h1 - 2.0 * change
    t = h0 / where(h0 == h1, 0.0 * h0 + 1.0, h0 - h1)
    for _ in range(2):
        bend = 2.0 * c2 + 6.0 * t * c3
        step = (h0 + t * (2.0 * c2 + 3.0 * t * c3)) / where(absolute(bend) > 1e-12, bend, 0.0 * bend + 1e30)
        t = minimum(maximum(t - step, 0.0 * t), 0.0 * t + 1.0)
    return t


@njit(**INLINE)
def _curve_between(task, end):
    """The curve that decides at an end of a bracket: its values and derivatives at the left and the right end.

    The sign of x - seed at the end where it decides is kept: past the seed the curve goes on below zero.
    """
    curve = task[end + CURVE]
    zero = 0.0 * curve
    x0, x1, d0, d1, low, high, seed, joint = zero, zero, zero, zero, zero, zero, zero, zero
    for j in range(at.JOINTS):
        mine = (curve >= 3.0 * j) & (curve < 3.0 * j + 3.0)
        x0, x1 = where(mine, task[LEFT_Q + j], x0), where(mine, task[RIGHT_Q + j], x1)
        d0, d1 = where(mine, task[LEFT_D + j], d0), where(mine, task[RIGHT_D + j], d1)
        low, high = where(mine, task[LOWER + j], low), where(mine, task[UPPER + j], high)
        seed, joint = where(mine, task[SEED + j], seed), where(mine, zero + 3.0 * j, joint)
    kind = curve - joint
    here = x0 if end == LEFT else x1
    factor = where((kind == BELOW) | ((kind == FAR) & (here < seed)), zero - 1.0, zero + 1.0)
    from_where = where(kind == BELOW, low, where(kind == ABOVE, high, seed))
    return factor * (x0 - from_where), factor * (x1 - from_where), factor * d0, factor * d1


@njit(**INNER)
def next_part(task):
    """Where in a bracket to look next, as a part of its width: where the curves that decide at its ends meet.

    Of each curve value and derivative are known at both ends: the zero of the cubic of their difference.
    """
    width = task[RIGHT] - task[LEFT]
    zero = 0.0 * width
    m0, m1 = task[LEFT + MERIT], task[RIGHT + MERIT]
    out0, out1, in0, in1 = m0 >= OUTSIDE, m1 >= OUTSIDE, m0 < OUTSIDE, m1 < OUTSIDE
    a0, a1, a0_rate, a1_rate = _curve_between(task, LEFT)
    b0, b1, b0_rate, b1_rate = _curve_between(task, RIGHT)
    # Where only one end is outside, the zero of the curve that is outside.
    left, right = out0 | in1, out1 | in0
    g0, g1 = where(left, a0, zero) - where(right, b0, zero), where(left, a1, zero) - where(right, b1, zero)
    h0, h1 = (
        where(left, a0_rate, zero) - where(right, b0_rate, zero),
        where(left, a1_rate, zero) - where(right, b1_rate, zero),
    )
    part = _zero_of_cubic(g0, h0 * width, g1, h1 * width)
    # At a limit, a little into what is inside.
    part = where(out0 & in1, part + (1e-9 + 1e-7 * part * width) / width, part)
    part = where(out1 & in0, part - (1e-9 + 1e-7 * (1.0 - part) * width) / width, part)
    s0, s1 = task[LEFT + SLOPE], task[RIGHT + SLOPE]
    sums = (task[LEFT + CURVE] == SUM) & (task[RIGHT + CURVE] == SUM)
    bowl = (s0 < 0.0) & (s1 > 0.0)
    part = where(sums, where(bowl, s0 / where(bowl, s0 - s1, zero - 1.0), zero + 0.5), part)
    # A secant to the edge of what is real, a little on this side.
    g0, g1 = task[LEFT + MARGIN], task[RIGHT + MARGIN]
    edge = (m0 >= UNREAL) | (m1 >= UNREAL)
    secant = g0 / where(edge, g0 - g1, zero + 1.0)
    secant = where(m0 < UNREAL, secant * 0.98, 1.0 - 0.98 * (1.0 - secant))
    part = where(edge, minimum(maximum(secant, zero + 0.05), zero + 0.95), part)
    # Where a bracket shrinks by little, its middle.
    part = where(task[SLOW] > 2.5, zero + 0.5, part)
    return minimum(maximum(part, zero + 1e-6), zero + (1.0 - 1e-6))


@njit(**INLINE)
def _zero_of_cubic(g0, h0, g1, h1):
    """A zero in [0, 1] of the cubic with values g and derivatives h at 0 and 1, g0 > 0 > g1; a half where it is not so.

    Newton's method from the secant's zero, kept within the bracket.
    """
    zero = 0.0 * g0
    change = g1 - g0
    c2, c3 = 3.0 * change - 2.0 * h0 - h1, h0 + h1 - 2.0 * change
    brackets = (g0 > 0.0) & (g1 < 0.0)
    t, low, high = g0 / where(brackets, g0 - g1, zero + 1.0), zero, zero + 1.0
    for _ in range(4):
        g = g0 + t * (h0 + t * (c2 + t * c3))
        low, high = where(g > 0.0, t, low), where(g > 0.0, high, t)
        slope = h0 + t * (2.0 * c2 + 3.0 * t * c3)
        after = t - g / where(slope < -1e-12, slope, zero - 1e-12)
        t = where((low < after) & (after < high), after, 0.5 * (low + high))
    return where(brackets, t, zero + 0.5)


@njit(**INNER)
def narrow(numbers, task, points, r, q, d, finding, forced, exact):
    """Moves one end of each bracket to a point in it; gives 1.0 where it is of use to go on, else 0.0.

    Args:
        numbers: What the fit found.
        task: Brackets.
        points: Rows of which row r has the points, and from rows q and d on angles and derivatives.
        r: Row.
        q: Row.
        d: Row.
        finding: What `rated` gave for the points, and their margins: merit, slope, curve, bound, margin.
        forced: Above zero where the right end is to move, whatever the point tells.
        exact: That no angle turns back.
    """
    merit, slope, curve, bound, margin = finding
    m0, m1 = task[LEFT + MERIT], task[RIGHT + MERIT]
    before = task[RIGHT] - task[LEFT]
    zero = 0.0 * before
    out = merit >= OUTSIDE
    side = where(slope > 0.0, zero + 1.0, zero - 1.0)
    side = where(out & (m0 >= OUTSIDE) & (m1 < OUTSIDE), zero - 1.0, side)
    side = where(out & (m0 < OUTSIDE) & (m1 >= OUTSIDE), zero + 1.0, side)
    side = where(merit >= UNREAL, where(m0 < UNREAL, zero + 1.0, zero - 1.0), side)
    side = where(forced > 0.0, zero + 1.0, side)
    _move(task, RIGHT, RIGHT_Q, RIGHT_D, side > 0.0, points, r, q, d, merit, slope, margin, curve)
    _move(task, LEFT, LEFT_Q, LEFT_D, side < 0.0, points, r, q, d, merit, slope, margin, curve)
    width = task[RIGHT] - task[LEFT]
    task[SLOW] = where((width > 0.5 * before) & (task[SLOW] < 2.5), task[SLOW] + 1.0, zero)
    task[TRIES] = task[TRIES] + 1.0
    tried = task[TRIES] > where(is_edge(task), zero + _EDGE_TRIES, zero + _MOST_TRIES)
    flat = (curve == SUM) & (absolute(slope) * width < CLOSE)
    over = tried | (width < 1e-10) | ((forced == 0.0) & ((bound >= task[ENOUGH]) | flat))
    return where(over, zero, is_promising(numbers, task, exact))


@njit(**INLINE)
def _move(task, end, end_q, end_d, moves, points, r, q, d, merit, slope, margin, curve):
    task[end], task[end + MERIT] = where(moves, points[r], task[end]), where(moves, merit, task[end + MERIT])
    task[end + SLOPE] = where(moves, slope, task[end + SLOPE])
    task[end + MARGIN] = where(moves, margin, task[end + MARGIN])
    task[end + CURVE] = where(moves, curve, task[end + CURVE])
    for j in range(at.JOINTS):
        task[end_q + j] = where(moves, points[q + j], task[end_q + j])
        task[end_d + j] = where(moves, points[d + j], task[end_d + j])
