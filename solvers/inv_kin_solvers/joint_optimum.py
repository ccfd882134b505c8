"""The best value of one joint while all others stand still."""

from __future__ import annotations

import math

from ...kinematics.core.whole_turns import TURN, nearest_equivalent

#: Newton steps towards the best angle of a screw joint; it has one term that is no sinusoid.
_NEWTON_STEPS = 20


def best_angle(cosine: float, sine: float, x: float, lower: float, upper: float) -> float:
    """The angle of a joint, now at ``x``, that makes ``cosine * cos(t) + sine * sin(t)`` of its turn t largest.

    The equivalent nearest to ``x`` is taken; when none is inside the limits, the better one of the two. A function that
    is the same everywhere leaves the joint where it is.
    """
    if cosine * cosine + sine * sine < 1e-30:
        return x
    best = nearest_equivalent(x + math.atan2(sine, cosine), x, lower, upper)
    if lower <= best <= upper:
        return best
    return max((lower, upper), key=lambda end: cosine * math.cos(end - x) + sine * math.sin(end - x))


def best_screw_angle(
    cosine: float, sine: float, along: float, lead: float, x: float, lower: float, upper: float
) -> float:
    """The angle of a screw joint, now at ``x``, that makes its part of the error least.

    That is ``(along + lead t)^2 - 2 (cosine cos(t) + sine sin(t))`` for a turn t.

    Args:
        cosine: See above (m^2).
        sine: See above (m^2).
        along: How far the tip is beyond the target, along the axis (m).
        lead: Advance per radian (m).
        x: Where the joint is (rad).
        lower: Its limit.
        upper: Its limit.
    """

    def error(turn: float) -> float:
        return (along + lead * turn) ** 2 - 2.0 * (cosine * math.cos(turn) + sine * math.sin(turn))

    low, high = lower - x, upper - x
    # The square alone is least at `middle`, the sinusoid at `best` and whole turns from there: of the minima of both
    # together the lowest ones inside the limits are those nearest to the middle.
    middle, best = min(max(-along / lead, low), high), math.atan2(sine, cosine)
    nearest = math.floor((middle - best) / TURN)
    turns = [0.0, *(end for end in (low, high) if math.isfinite(end))]
    for begin in (middle, *(best + TURN * (nearest + k) for k in (-1, 0, 1, 2))):
        turn = begin
        for _ in range(_NEWTON_STEPS):
            slope = lead * (along + lead * turn) + cosine * math.sin(turn) - sine * math.cos(turn)
            curvature = lead * lead + cosine * math.cos(turn) + sine * math.sin(turn)
            if curvature <= 0.0 or abs(slope) <= 1e-15 * curvature:
                break
            turn -= min(max(slope / curvature, -0.5), 0.5)
        turns.append(min(max(turn, low), high))
    return x + min(turns, key=error)
