"""Roots of trigonometric polynomials: all of them at once, with none lost at infinity."""

from __future__ import annotations

from math import atan2, cos, log, pi, sin, sqrt

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER

#: A root whose modulus has a logarithm below this may be a pair of real roots, or a double one, in disguise.
NEAR_THE_CIRCLE = 1e-4


@njit(**INNER)
def circle_roots(cosines, sines, degree, angles, misses):
    """Zeros in (-pi, pi] of f(t) = sum over k of cosines[k] cos(k t) + sines[k] sin(k t), k = 0 ... degree.

    With z = exp(i t), z^degree f is a polynomial whose roots are real angles on the unit circle and otherwise
    come in pairs (z, 1 / conj z). All are found together by the method of Aberth (1973). The half-angle tangent
    would have lost those near pi.

    Args:
        cosines: (degree + 1,)
        sines: (degree + 1,), the first is not looked at.
        degree: At most 16.
        angles: (2 degree,) receives the zeros, and after them for each pair off the circle the angle where f is
            next to zero.
        misses: (2 degree,) receives 0 for a zero, and for the others how far their pair is from the circle.

    Returns:
        How many angles were written; -1 where f is zero everywhere.
    """
    top = 0.0
    for k in range(degree + 1):
        top = max(top, abs(cosines[k]))
        if k > 0:
            top = max(top, abs(sines[k]))
    if top < 1e-290:
        return -1
    n = degree
    while n > 0 and abs(cosines[n]) + abs(sines[n]) <= 1e-14 * top:
        n -= 1
    if n == 0:
        return 0
    coefficients = np.empty(2 * n + 1, dtype=np.complex128)
    coefficients[n] = complex(cosines[0] / top, 0.0)
    for k in range(1, n + 1):
        coefficients[n + k] = complex(0.5 * cosines[k] / top, -0.5 * sines[k] / top)
        coefficients[n - k] = complex(0.5 * cosines[k] / top, 0.5 * sines[k] / top)
    roots = polynomial_roots(coefficients, 2 * n)
    count = 0
    for wanted in range(2):
        # Zeros first, then the angles of pairs off the circle.
        for k in range(2 * n):
            x, y = roots[k].real, roots[k].imag
            off = 0.5 * log(max(1e-300, x * x + y * y))
            on_circle, angle = False, atan2(y, x)
            if abs(off) < NEAR_THE_CIRCLE:
                on_circle, angle = _refined(cosines, sines, n, top, angle)
            if wanted == 0 and on_circle:
                angles[count] = angle
                misses[count] = 0.0
                count += 1
            elif wanted == 1 and not on_circle and off >= 0.0:
                angles[count] = angle
                misses[count] = max(off, 1e-12)
                count += 1
    return count


@njit(**INNER)
def _refined(cosines, sines, n, top, angle):
    # Steps to the nearer zero of the parabola through f, f' and f'', or to its vertex where it has none: so a double
    # root is found as well as a simple one.
    value = 0.0
    scale = 1.0
    for _ in range(4):
        value, slope, bend = 0.0, 0.0, 0.0
        for k in range(n + 1):
            c, s = cos(k * angle), sin(k * angle)
            b = sines[k] if k > 0 else 0.0
            value += (cosines[k] * c + b * s) / top
            slope += k * (b * c - cosines[k] * s) / top
            bend -= k * k * (cosines[k] * c + b * s) / top
        scale = max(1.0, abs(bend))
        inside = slope * slope - 2.0 * value * bend
        step = 0.0
        if inside >= 0.0:
            below = abs(slope) + sqrt(inside)
            if below > 1e-200:
                step = -2.0 * value / below if slope >= 0.0 else 2.0 * value / below
        elif abs(bend) > 1e-200:
            step = -slope / bend
        step = max(-0.01, min(0.01, step))
        angle += step
        if abs(step) < 1e-16:
            break
    value = 0.0
    for k in range(n + 1):
        value += cosines[k] * cos(k * angle) / top
        if k > 0:
            value += sines[k] * sin(k * angle) / top
    return abs(value) <= 1e-13 * scale * (n + 1), angle


@njit(**INNER)
def polynomial_roots(coefficients, degree):
    """All complex roots of a polynomial, by the method of Aberth (1973).

    Args:
        coefficients: (degree + 1 or more,) complex, the constant first.
        degree: Of the polynomial.

    Returns:
        (degree,) complex.
    """
    roots = np.empty(degree, dtype=np.complex128)
    for k in range(degree):
        # Not symmetric to the circle: from a start that is, roots off the circle would never be found.
        radius = 0.83 if k % 2 == 0 else 1.13
        angle = 2.0 * pi * k / degree + 0.37
        roots[k] = complex(radius * cos(angle), radius * sin(angle))
    for _ in range(100):
        largest = 0.0
        for k in range(degree):
            z = roots[k]
            size = abs(z)
            value, slope = complex(0.0, 0.0), complex(0.0, 0.0)
            if size <= 1.0:
                for j in range(degree, -1, -1):
                    slope = slope * z + value
                    value = value * z + coefficients[j]
                newton_inverse = complex(0.0, 0.0)
                if abs(value) < 1e-300:
                    continue
                newton_inverse = slope / value
            else:
                # The reversed polynomial at 1 / z, so that nothing grows.
                w = 1.0 / z
                for j in range(degree + 1):
                    slope = slope * w + value
                    value = value * w + coefficients[j]
                if abs(value) < 1e-300:
                    continue
                newton_inverse = w * (degree - w * slope / value)
            around = complex(0.0, 0.0)
            for j in range(degree):
                if j != k:
                    gap = z - roots[j]
                    distance = gap.real * gap.real + gap.imag * gap.imag
                    if distance > 1e-300:
                        around += complex(gap.real / distance, -gap.imag / distance)
            below = newton_inverse - around
            length = below.real * below.real + below.imag * below.imag
            if length < 1e-300:
                continue
            step = complex(below.real / length, -below.imag / length)
            far = abs(step)
            if far > 0.5 * (size + 0.1):
                step = step * (0.5 * (size + 0.1) / far)
                far = 0.5 * (size + 0.1)
            roots[k] = z - step
            largest = max(largest, far / (size + 1e-12))
        if largest < 1e-15:
            break
    return roots
