"""The error of a direction: the angle that it is off, and which way."""

from __future__ import annotations

import math

import numpy as np

from ...kinematics.transforms import Array
from ..compiled.target_layout import LARGEST_RATIO, NARROW_CONE, SMALLEST_SINE


def tilt_rows(seen: Array, motion: Array, wanted: float = 0.0) -> tuple[Array, Array]:
    """Error (2,) and Jacobian (2, n) of a direction that is to have an angle with the third axis.

    With (a, b, c) the direction, s the length of (a, b) and r = (a, b) / s, the error is (t - w) r, where
    t = atan2(s, c) is the angle that is there and w the one that is wanted. Its length is the angle that is missing. It
    changes with k (a', b') + r (t' - k s'), where k = (t - w) / s. For w = 0 this is the logarithm of the
    sphere, which is smooth up to half a turn; there, and on the axis when another angle is wanted, any r will do.

    Args:
        seen: (a, b, c), of unit length.
        motion: (3, n) its rate of change; what it has along the direction itself does not matter.
        wanted: w, in [0, pi / 2].
    """
    a, b, c = seen.tolist()
    sine = math.hypot(a, b)
    missing = math.atan2(sine, c) - wanted
    away = np.array([a / sine, b / sine] if sine > SMALLEST_SINE else [1.0, 0.0])
    ratio = missing / max(sine, 1e-20)
    if wanted == 0.0 and sine <= SMALLEST_SINE and c > 0.0:
        ratio = 1.0
    ratio = min(max(ratio, -LARGEST_RATIO), LARGEST_RATIO)
    along = away @ motion[:2]
    turning = c * along - sine * motion[2]
    return missing * away, ratio * motion[:2] + np.outer(away, turning - ratio * along)


def cone_rows(seen: Array, motion: Array, wanted: float) -> tuple[Array, Array]:
    """The same for an angle in [0, pi] with the third axis.

    Wide cones need one row, t - w; the second one is zero. Near its tip a cone is no smooth
    surface, and a narrow one is kept together by both rows of `tilt_rows`.
    """
    if wanted > 0.5 * math.pi:
        seen, motion, wanted = -seen, -motion, math.pi - wanted
    error, jacobian = tilt_rows(seen, motion, wanted)
    if wanted < NARROW_CONE:
        return error, jacobian
    sine = math.hypot(seen[0], seen[1])
    away = seen[:2] / sine if sine > SMALLEST_SINE else np.array([1.0, 0.0])
    row = seen[2] * (away @ motion[:2]) - sine * motion[2]
    return np.array([math.atan2(sine, seen[2]) - wanted, 0.0]), np.stack([row, np.zeros_like(row)])
