"""Angles that differ by whole turns. Plain Python, which the kernels compile for themselves."""

from __future__ import annotations

import math

#: A whole turn (rad).
TURN = 2.0 * math.pi

#: Angles (rad) are not moved further than this by whole turns: so many turns are not whole any more.
MOST_TURNED = 1e3


def nearest_equivalent(angle: float, near: float, lower: float, upper: float) -> float:
    """The angle plus whole turns that lies inside [lower, upper] and nearest to ``near``.

    Limits count with a slack of 1e-12 rad, so that an angle one rounding error outside is moved onto the
    limit. An angle that has no equivalent inside is returned unchanged. Of two equally near values the
    lower one is taken.
    """
    if not math.isfinite(angle) or not math.isfinite(near):
        return angle
    slack = 1e-12
    candidate = angle + TURN * math.ceil((near - angle) / TURN - 0.5)
    # A candidate outside is moved to the first equivalent on the inner side of the limit that it is beyond.
    if candidate > upper + slack:
        candidate = angle + TURN * math.floor((upper + slack - angle) / TURN)
    elif candidate < lower - slack:
        candidate = angle + TURN * math.ceil((lower - slack - angle) / TURN)
    if lower - slack <= candidate <= upper + slack:
        return min(max(candidate, lower), upper)
    return angle
