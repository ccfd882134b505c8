"""Two links in a plane, whose points are complex numbers."""

from __future__ import annotations

from math import atan2, cos, sin

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import SINGULAR
from .two_conics import on_curve


@njit(**INNER)
def rotated(angle, x, y):
    """A point of the plane turned about the origin."""
    c, s = cos(angle), sin(angle)
    return c * x - s * y, s * x + c * y


@njit(**INNER)
def two_links(a, b, w, seed, values):
    """All (alpha, gamma) with exp(i alpha) (a + exp(i gamma) b) = w, or the nearest.

    Args:
        a: (x, y) of the first link, of about the order of one.
        b: (x, y) of the second.
        w: (x, y) to be reached.
        seed: (alpha, gamma) where they are free.
        values: (2, 2) receives the pairs.

    Returns:
        How many were written, 1 or 2, and a flag for both.
    """
    # |w|^2 = |a|^2 + |b|^2 + 2 Re(conj(a) b exp(i gamma))
    real, imaginary = a[0] * b[0] + a[1] * b[1], a[0] * b[1] - a[1] * b[0]
    constant = w[0] * w[0] + w[1] * w[1] - a[0] * a[0] - a[1] * a[1] - b[0] * b[0] - b[1] * b[1]
    angles = np.empty(2)
    count, flag = on_curve(2.0 * real, -2.0 * imaginary, constant, False, seed[1], angles)
    for k in range(count):
        x, y = rotated(angles[k], b[0], b[1])
        x, y = x + a[0], y + a[1]
        sine, cosine = x * w[1] - y * w[0], x * w[0] + y * w[1]
        values[k, 1] = angles[k]
        if sine * sine + cosine * cosine <= 1e-26:
            values[k, 0] = seed[0]
            flag |= SINGULAR
        else:
            values[k, 0] = atan2(sine, cosine)
    return count, flag
