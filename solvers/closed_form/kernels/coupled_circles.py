"""Two unit circles that two linear equations couple, to which subproblems 5 and 6 come down.

    A (cos s, sin s) + B (cos t, sin t) = d

The equations are turned among themselves until the rows of B are orthogonal; then cos t and sin t are linear in
(cos s, sin s), and that their squares add up to one is a quartic in tan(s/2). Where B is nearly singular its roots lie
in close pairs, so both values of t that the better equation allows are tried, and what is found is polished with Newton
steps on the two equations themselves.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER
from .circle_subproblems import FREE, REACH, line_and_unit_circle
from .flags import OUT_OF_REACH, SINGULAR, VALID
from .quartic import roots_and_bends
from .registers import make_stack

#: Numbers per solution: cosine and sine of s, cosine and sine of t.
EACH = 4
#: Equations count as solved when they are missed by at most this, their coefficients scaled to one.
_SOLVED = 1e-10
#: Solutions nearer to each other than this are one.
_SAME = 1e-7
#: A matrix counts as singular when its smaller singular value is at most this part of the larger one.
_SINGULAR = 1e-12
#: Squared error that is rounding.
_ROUNDING = 5e-31
_POLISH, _POLISH_NEAREST = 20, 30

_roots_room = make_stack(14)

Pair = tuple[float, float]
Rows = tuple[float, float, float, float]


@njit(**INNER)
def coupled_circles(a: Rows, b: Rows, d: Pair, sizes: Pair, slack: float, found: Any) -> tuple[int, int]:
    """Solves A (cos s, sin s) + B (cos t, sin t) = d.

    Args:
        a: A, row by row.
        b: B, row by row.
        d: Right-hand side.
        sizes: Of each equation, what rounding errors in it are measured by.
        slack: What misses the (scaled) equations by less is given as well, though there are solutions.
        found: Room for 16 numbers: four solutions of `EACH` numbers.

    Returns:
        the number of solutions, and flags. ``OUT_OF_REACH``: what was written first misses the equations, and is
        the nearest that was found. ``SINGULAR``: the solutions are some of infinitely many.
    """
    a, b, d = _scaled(a, b, d, sizes)
    # The unknown with the better matrix is eliminated.
    if abs(a[0] * a[3] - a[1] * a[2]) > abs(b[0] * b[3] - b[1] * b[2]):
        count, flags = _eliminate_second(b, a, d, slack, found)
        for k in range(count):
            for i in range(2):
                found[EACH * k + i], found[EACH * k + 2 + i] = found[EACH * k + 2 + i], found[EACH * k + i]
        return count, flags
    return _eliminate_second(a, b, d, slack, found)


@njit(**INNER)
def _scaled(a: Rows, b: Rows, d: Pair, sizes: Pair) -> tuple[Rows, Rows, Pair]:
    """The equations with coefficients of length one; coefficients that are rounding errors are made to be nothing."""
    first = math.sqrt(a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1])
    second = math.sqrt(a[2] * a[2] + a[3] * a[3] + b[2] * b[2] + b[3] * b[3])
    f = 1.0 / first if first > FREE * sizes[0] else 0.0
    g = 1.0 / second if second > FREE * sizes[1] else 0.0
    p = f if f > 0.0 else 1.0 / max(sizes[0], 1e-300)
    q = g if g > 0.0 else 1.0 / max(sizes[1], 1e-300)
    return (
        (f * a[0], f * a[1], g * a[2], g * a[3]),
        (f * b[0], f * b[1], g * b[2], g * b[3]),
        (p * d[0], q * d[1]),
    )


@njit(**INNER)
def _with_orthogonal_rows(a: Rows, b: Rows, d: Pair) -> tuple[Rows, Rows, Pair]:
    """The equations turned among themselves, the rows of B orthogonal and the first of them the longer one."""
    difference = b[0] * b[0] + b[1] * b[1] - b[2] * b[2] - b[3] * b[3]
    twice = 2.0 * (b[0] * b[2] + b[1] * b[3])
    norm = math.sqrt(difference * difference + twice * twice)
    if norm == 0.0:
        return a, b, d
    # Half the angle of (difference, twice), from the half that does not cancel.
    cosine = math.sqrt(0.5 * (1.0 + abs(difference) / norm))
    sine = 0.5 * abs(twice) / (norm * cosine)
    if difference < 0.0:
        cosine, sine = sine, cosine
    if twice < 0.0:
        sine = -sine
    return _mixed(a, cosine, sine), _mixed(b, cosine, sine), (cosine * d[0] + sine * d[1], cosine * d[1] - sine * d[0])


@njit(**INNER)
def _mixed(a: Rows, cosine: float, sine: float) -> Rows:
    return (
        cosine * a[0] + sine * a[2],
        cosine * a[1] + sine * a[3],
        cosine * a[2] - sine * a[0],
        cosine * a[3] - sine * a[1],
    )


@njit(**INNER)
def _eliminate_second(a: Rows, b: Rows, d: Pair, slack: float, found: Any) -> tuple[int, int]:
    a, b, d = _with_orthogonal_rows(a, b, d)
    larger, smaller = math.sqrt(b[0] * b[0] + b[1] * b[1]), math.sqrt(b[2] * b[2] + b[3] * b[3])
    if larger <= _SINGULAR:
        # Neither unknown is in two equations, and this one in none.
        return _free_second(a, d, found)
    if smaller <= _SINGULAR * larger:
        return _one_after_the_other(a, b, d, found)
    if max(max(abs(a[0]), abs(a[1])), max(abs(a[2]), abs(a[3]))) <= _SINGULAR:
        return _free_first(b, d, found)
    roots = _roots_room()
    number, bend_x, bend_y, flat = _directions(a, b, d, larger, smaller, slack, roots)
    count, flags = 0, VALID
    if flat:
        flags, number = SINGULAR, 1
        roots[0], roots[1] = 1.0, 0.0
    ambiguous = flat or smaller < 0.1 * larger
    for k in range(number):
        count = _add(a, b, d, roots[2 * k], roots[2 * k + 1], larger, ambiguous, slack, found, count)
    if count == 0:
        flags |= OUT_OF_REACH
        count = _nearest(a, b, d, bend_x, bend_y, larger, found)
    return count, flags


@njit(**INNER)
def _write(found: Any, at: int, x: float, y: float, p: float, q: float) -> None:
    base = EACH * at
    found[base], found[base + 1], found[base + 2], found[base + 3] = x, y, p, q


@njit(**INNER)
def _free_second(a: Rows, d: Pair, found: Any) -> tuple[int, int]:
    """Without t in any equation, and s in no two that are independent."""
    first = a[0] * a[0] + a[1] * a[1] >= a[2] * a[2] + a[3] * a[3]
    # s from the equation that says more about it; the other has to agree.
    x, y, flags = 1.0, 0.0, VALID
    if first:
        x, y, p, q, flags = line_and_unit_circle(a[0], a[1], d[0], 1.0)
        left, other_left = a[2] * x + a[3] * y - d[1], a[2] * p + a[3] * q - d[1]
    else:
        x, y, p, q, flags = line_and_unit_circle(a[2], a[3], d[1], 1.0)
        left, other_left = a[0] * x + a[1] * y - d[0], a[0] * p + a[1] * q - d[0]
    if min(abs(left), abs(other_left)) > REACH:
        flags |= OUT_OF_REACH
    _write(found, 0, x, y, 1.0, 0.0)
    _write(found, 1, p, q, 1.0, 0.0)
    if flags & OUT_OF_REACH == 0:
        if abs(other_left) > REACH:
            return 1, flags | SINGULAR
        if abs(left) > REACH:
            _write(found, 0, p, q, 1.0, 0.0)
            return 1, flags | SINGULAR
    return 2, flags | SINGULAR


@njit(**INNER)
def _free_first(b: Rows, d: Pair, found: Any) -> tuple[int, int]:
    """Without s in any equation, and t in two."""
    first, second = b[0] * b[0] + b[1] * b[1], b[2] * b[2] + b[3] * b[3]
    p = d[0] * b[0] / first + d[1] * b[2] / second
    q = d[0] * b[1] / first + d[1] * b[3] / second
    norm = math.sqrt(p * p + q * q)
    if norm > 1e-150:
        p, q = p / norm, q / norm
    else:
        p, q = 1.0, 0.0
    _, _, p, q, missed = _polished((0.0, 0.0, 0.0, 0.0), b, d, 1.0, 0.0, p, q, _POLISH_NEAREST)
    _write(found, 0, 1.0, 0.0, p, q)
    return 1, SINGULAR if missed <= REACH * REACH else SINGULAR | OUT_OF_REACH


@njit(**INNER)
def _one_after_the_other(a: Rows, b: Rows, d: Pair, found: Any) -> tuple[int, int]:
    """With t in the first equation only: s from the second, then t from the first."""
    one_x, one_y, other_x, other_y, flags = line_and_unit_circle(a[2], a[3], d[1], 1.0)
    if flags & SINGULAR:
        # Any s will do that leaves something for t.
        one_x, one_y, other_x, other_y, _ = line_and_unit_circle(a[0], a[1], d[0], 1.0)
    count, missed = 0, OUT_OF_REACH
    for allowed in (0, 1):
        # What does not reach is written only when nothing does.
        for k in range(2):
            x, y = (one_x, one_y) if k == 0 else (other_x, other_y)
            p, q, r, s, more = line_and_unit_circle(b[0], b[1], d[0] - a[0] * x - a[1] * y, 1.0)
            if (more & OUT_OF_REACH) and not allowed:
                continue
            _write(found, count, x, y, p, q)
            _write(found, count + 1, x, y, r, s)
            count += 2
            missed &= more
        if count > 0:
            break
    return count, flags | missed


@njit(**INNER)
def _directions(
    a: Rows, b: Rows, d: Pair, larger: float, smaller: float, slack: float, roots: Any
) -> tuple[int, float, float, bool]:
    """Directions s, as cosine and sine, that a t can go with; and where that is nearest to being so.

    With y = d - A u: (y1 / larger)^2 + (y2 / smaller)^2 = 1, times smaller^2.
    """
    weight = (smaller / larger) ** 2
    cc = weight * a[0] * a[0] + a[2] * a[2]
    cs = 2.0 * (weight * a[0] * a[1] + a[2] * a[3])
    ss = weight * a[1] * a[1] + a[3] * a[3]
    c = -2.0 * (weight * d[0] * a[0] + d[1] * a[2])
    s = -2.0 * (weight * d[0] * a[1] + d[1] * a[3])
    k = weight * d[0] * d[0] + d[1] * d[1] - smaller * smaller
    # Turned until t = infinity is where the left side is largest, so that all roots are moderate.
    half = math.sqrt(0.5)
    turn_x, turn_y, top = 1.0, 0.0, 0.0
    x, y = 1.0, 0.0
    for _ in range(8):
        value = cc * x * x + cs * x * y + ss * y * y + c * x + s * y + k
        if abs(value) > abs(top):
            turn_x, turn_y, top = -x, -y, value
        x, y = half * (x - y), half * (x + y)
    size = cc + ss + abs(c) + abs(s) + abs(k) + smaller * smaller
    if abs(top) <= 1e-12 * size:
        return 0, 1.0, 0.0, True
    x, y = turn_x, turn_y
    cc, cs, ss = (
        cc * x * x + cs * x * y + ss * y * y,
        2.0 * (ss - cc) * x * y + cs * (x * x - y * y),
        cc * y * y - cs * x * y + ss * x * x,
    )
    c, s = c * x + s * y, s * x - c * y
    # cos = (1 - t^2) / (1 + t^2), sin = 2 t / (1 + t^2).
    lead = cc - c + k
    number, bend = roots_and_bends(
        2.0 * (s - cs) / lead,
        2.0 * (2.0 * ss - cc + k) / lead,
        2.0 * (s + cs) / lead,
        (cc + c + k) / lead,
        6.0,
        1e-9 + slack,
        roots,
    )
    for at in range(number - 1, -1, -1):
        roots[2 * at], roots[2 * at + 1] = _direction(roots[at], x, y)
    bend_x, bend_y = _direction(bend, x, y)
    return number, bend_x, bend_y, False


@njit(**INNER)
def _direction(tangent: float, turn_x: float, turn_y: float) -> Pair:
    whole = 1.0 / (1.0 + tangent * tangent)
    x, y = (1.0 - tangent * tangent) * whole, 2.0 * tangent * whole
    return turn_x * x - turn_y * y, turn_y * x + turn_x * y


@njit(**INNER)
def _second(a: Rows, b: Rows, d: Pair, x: float, y: float, larger: float, side: float) -> Pair:
    """Cosine and sine of t from the first equation, on the side that the sign tells."""
    along = (d[0] - a[0] * x - a[1] * y) / larger
    along = min(1.0, max(-1.0, along))
    across = side * math.sqrt((1.0 - along) * (1.0 + along))
    p, q = b[0] / larger, b[1] / larger
    return p * along - q * across, q * along + p * across


@njit(**INNER)
def _add(
    a: Rows, b: Rows, d: Pair, x: float, y: float, larger: float, ambiguous: bool, slack: float, found: Any, count: int
) -> int:
    """Finds the t that goes with s, or both where that is not clear, and writes what is a solution and new."""
    # The second row of B is orthogonal to the first: on which side of it t is.
    beside = (b[0] * b[3] - b[1] * b[2]) * (d[1] - a[2] * x - a[3] * y)
    first = -1.0 if beside < 0.0 else 1.0
    for attempt in range(2 if ambiguous else 1):
        p, q = _second(a, b, d, x, y, larger, first * (1.0 - 2.0 * attempt))
        u, v, p, q, missed = _polished(a, b, d, x, y, p, q, _POLISH)
        if missed > _SOLVED * _SOLVED and missed > slack * slack:
            continue
        fresh = count < 4
        for k in range(count):
            base = EACH * k
            if (
                abs(found[base] - u) + abs(found[base + 1] - v) + abs(found[base + 2] - p) + abs(found[base + 3] - q)
                < _SAME
            ):
                fresh = False
        if fresh:
            _write(found, count, u, v, p, q)
            count += 1
    return count


@njit(**INNER)
def _nearest(a: Rows, b: Rows, d: Pair, x: float, y: float, larger: float, found: Any) -> int:
    """The least squares beside the nearest bend."""
    best = 1e300
    for side in (-1.0, 1.0):
        p, q = _second(a, b, d, x, y, larger, side)
        u, v, p, q, missed = _polished(a, b, d, x, y, p, q, _POLISH_NEAREST)
        if missed < best:
            best = missed
            _write(found, 0, u, v, p, q)
    return 1


@njit(**INNER)
def _polished(
    a: Rows, b: Rows, d: Pair, x: float, y: float, p: float, q: float, steps: int
) -> tuple[float, float, float, float, float]:
    """Newton steps on both equations, damped where they meet at a flat angle; and the squared error that is left."""
    e = a[0] * x + a[1] * y + b[0] * p + b[1] * q - d[0]
    f = a[2] * x + a[3] * y + b[2] * p + b[3] * q - d[1]
    error = e * e + f * f
    for _ in range(steps):
        if error <= _ROUNDING:
            break
        # Columns of the Jacobian.
        g, h = a[1] * x - a[0] * y, a[3] * x - a[2] * y
        i, j = b[1] * p - b[0] * q, b[3] * p - b[2] * q
        determinant = g * j - h * i
        if determinant * determinant > 1e-12 * (g * g + h * h) * (i * i + j * j):
            first, second = (e * j - f * i) / determinant, (f * g - e * h) / determinant
        else:
            damping = error + 1e-16
            k, m, n = g * g + h * h + damping, g * i + h * j, i * i + j * j + damping
            along, beside = g * e + h * f, i * e + j * f
            whole = k * n - m * m
            first, second = (along * n - beside * m) / whole, (beside * k - along * m) / whole
        largest = max(abs(first), abs(second))
        if largest > 0.5:
            first, second = 0.5 * first / largest, 0.5 * second / largest
        x, y = _turned_back(x, y, first)
        p, q = _turned_back(p, q, second)
        e = a[0] * x + a[1] * y + b[0] * p + b[1] * q - d[0]
        f = a[2] * x + a[3] * y + b[2] * p + b[3] * q - d[1]
        error = e * e + f * f
    return x, y, p, q, error


@njit(**INNER)
def _turned_back(x: float, y: float, angle: float) -> Pair:
    """A direction turned by minus an angle, to second order: Newton's steps become small at once."""
    u, v = x + angle * y, y - angle * x
    norm = 1.0 / math.sqrt(u * u + v * v)
    return u * norm, v * norm
