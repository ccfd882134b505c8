"""All six joints of an arm from the hidden and the two kept ones."""

from __future__ import annotations

from math import acos, atan2, cos, sin, sqrt

from numba import njit

from ....kinematics.core.lanes import INNER
from .general_6r_layout import CHOICE_AXES, CHOICE_OFFSETS, DROPPED, REVERSED
from .spatial_vectors import apply, apply_transposed, cross, dot, minus, plus, times, triple, turn_between, turned

#: Below this ratio of singular values the equations for a joint are taken to give its cosine about one direction only;
#: below the other one, if sine and cosine do not fit.
_ONE_EQUATION, _POOR_EQUATION = 1e-7, 1e-2
#: Below this a lever counts as none: the joint may be anything.
_NO_LEVER = 1e-9


@njit(**INNER)
def _turn(choice, joint, angle, v):
    return turned(triple(choice, CHOICE_AXES + 3 * joint), cos(angle), sin(angle), v)


@njit(**INNER)
def _behind_hidden(choice, rotation, hidden, first, second, v):
    """A vector of the left-out joint's frame, its turn left out, in the frame before the hidden joint."""
    if choice[DROPPED] == 0.0:
        w = _turn(choice, 5, second, apply_transposed(rotation, 0, v))
        return _turn(choice, 3, hidden, _turn(choice, 4, first, w))
    w = apply_transposed(rotation, 0, _turn(choice, 0, second, v))
    return _turn(choice, 4, hidden, _turn(choice, 5, first, w))


@njit(**INNER)
def joints_of(choice, rotation, point, hidden, first, second, seed, q):
    """The other three joints, when hidden and kept ones are known.

    The line of the joint that is left out is then known in the frame before the hidden joint: point t, direction u.
    With a, b, c the left-out joint and the two after it, Ri their turns, and w = t + pc,

        t = -pc + Rc' (-pb + Rb' (-pa)),   u = Rc' Rb' ha

    give Rc by equations that are free of Rb, then Rb by vectors that it turns into one another.

    Args:
        choice: The numbers of a way to eliminate.
        rotation: (9,) of the product of all joints' turns.
        point: Of the last joint from the first one, scaled.
        hidden: Angle of the hidden joint, in radians as all.
        first: The kept joint next to it.
        second: The other kept joint.
        seed: (6,) where a free joint is taken from, in the order of the choice's chain.
        q: (2, 6) receives the configurations, in that order.

    Returns:
        How many configurations there are, 1 or 2, and whether a joint was free.
    """
    a = int(choice[DROPPED])
    pa = triple(choice, CHOICE_OFFSETS + 3 * a)
    pb, pc = triple(choice, CHOICE_OFFSETS + 3 * a + 3), triple(choice, CHOICE_OFFSETS + 3 * a + 6)
    ha, hb, hc = (
        triple(choice, CHOICE_AXES + 3 * a),
        triple(choice, CHOICE_AXES + 3 * a + 3),
        triple(choice, CHOICE_AXES + 3 * a + 6),
    )
    if a == 0:
        arm = minus(triple(choice, CHOICE_OFFSETS + 12), _turn(choice, 5, second, apply_transposed(rotation, 0, point)))
        t = _turn(choice, 3, hidden, plus(triple(choice, CHOICE_OFFSETS + 9), _turn(choice, 4, first, arm)))
    else:
        arm = apply_transposed(rotation, 0, minus(_turn(choice, 0, second, triple(choice, CHOICE_OFFSETS)), point))
        t = _turn(choice, 4, hidden, plus(triple(choice, CHOICE_OFFSETS + 12), _turn(choice, 5, first, arm)))
    u = _behind_hidden(choice, rotation, hidden, first, second, ha)
    w = plus(t, pc)
    angles, count, is_free = _middle_joint(pa, pb, ha, hb, hc, w, u, seed[a + 2])
    for k in range(count):
        qc = angles[k]
        c, s = cos(qc), sin(qc)
        moved, pointed = plus(turned(hc, c, s, w), pb), turned(hc, c, s, u)
        qb, lever = _turn_of_two(hb, moved, times(-1.0, pa), pointed, ha)
        if lever < _NO_LEVER:
            qb, is_free = seed[a + 1], True
        row = q[k]
        row[a + 1], row[a + 2], row[a + 3], row[a + 4] = qb, qc, hidden, first
        row[5 if a == 0 else 0] = second
        # The left-out joint turns what comes behind it to where the goal has it.
        row[a] = 0.0
        lever, best = -1.0, 0.0
        for i in range(3):
            e = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
            behind = e
            for joint in range(5, a, -1):
                behind = _turn(choice, joint, row[joint], behind)
            wanted = apply(rotation, 0, e)
            if a == 1:
                wanted = _turn(choice, 0, -second, wanted)
            angle, found = turn_between(ha, behind, wanted)
            if found > lever:
                lever, best = found, angle
        row[a] = best
    return count, is_free


@njit(**INNER)
def _turn_of_two(h, a, b, c, d):
    """The angle about h that turns b nearest to a and d to c at once, and their common lever."""
    y = dot(h, cross(a, b)) + dot(h, cross(c, d))
    x = dot(a, b) - dot(h, a) * dot(h, b) + dot(c, d) - dot(h, c) * dot(h, d)
    lever = sqrt(x * x + y * y)
    return (atan2(y, x), lever) if lever > 1e-300 else (0.0, 0.0)


@njit(**INNER)
def _middle_joint(pa, pb, ha, hb, hc, w, u, seed):
    """The joint c of `joints_of`: angles, how many, and whether it is free."""
    # Rows v . Rc x = z: heights along hb of point and direction, the distance from joint a, and the moment.
    square = dot(pa, pa) - dot(pb, pb) - dot(w, w)
    rows = (
        (hb, w, -dot(hb, plus(pa, pb))),
        (hb, u, dot(hb, ha)),
        (pb, w, 0.5 * square),
        (pb, u, -dot(ha, pa) - dot(u, w)),
    )
    aa, ab, bb, az, bz = 0.0, 0.0, 0.0, 0.0, 0.0
    for v, x, z in rows:
        fixed = dot(v, hc) * dot(hc, x)
        a, b = dot(v, x) - fixed, dot(v, cross(hc, x))
        aa, ab, bb = aa + a * a, ab + a * b, bb + b * b
        az, bz = az + a * (z - fixed), bz + b * (z - fixed)
    # Least squares by the eigenvectors of the normal equations.
    middle, half = 0.5 * (aa + bb), 0.5 * (aa - bb)
    radius = sqrt(half * half + ab * ab)
    large, small = middle + radius, middle - radius
    if large < _NO_LEVER * _NO_LEVER:
        return (seed, seed), 1, True
    direction = 0.5 * atan2(ab, half)
    c, s = cos(direction), sin(direction)
    along = (c * az + s * bz) / large
    across = (c * bz - s * az) / max(small, 1e-300)
    is_poor = small < _POOR_EQUATION * _POOR_EQUATION * large and abs(along * along + across * across - 1.0) > 1e-3
    if is_poor or small < _ONE_EQUATION * _ONE_EQUATION * large:
        spread = acos(max(-1.0, min(1.0, along)))
        return (direction + spread, direction - spread), 2, False
    return (direction + atan2(across, along), 0.0), 1, False


@njit(**INNER)
def in_order(choice, q):
    """Turn a configuration (6,) between the order of the choice's chain and that of the arm, in place."""
    if choice[REVERSED] != 0.0:
        for k in range(3):
            q[k], q[5 - k] = q[5 - k], q[k]
