"""The fifteen features of a line in a frame: what elimination is linear in."""

from __future__ import annotations

from numba import njit

from ....kinematics.core.lanes import INNER
from .spatial_vectors import cross, dot, minus, times, triple

# The line through t with direction u has the features
#     t, u, t.t, t.u, t x u, (t.t) u - 2 (t.u) t, 1      (3 + 3 + 1 + 1 + 3 + 3 + 1 numbers).
# Turning the frame turns the four vectors; moving it adds to each feature a sum of others: both are linear, which is
# why the fourteen equations of Raghavan and Roth hold between products of the joints' cosines and sines.


@njit(**INNER)
def write_line(features, row, t, u):
    """Features of the line through t with direction u, in a row of ``features`` (rows, 15)."""
    square, along = dot(t, t), dot(t, u)
    moment, mirrored = cross(t, u), minus(times(square, u), times(2.0 * along, t))
    for i in range(3):
        features[row, i], features[row, 3 + i] = t[i], u[i]
        features[row, 8 + i], features[row, 11 + i] = moment[i], mirrored[i]
    features[row, 6], features[row, 7], features[row, 14] = square, along, 1.0


@njit(**INNER)
def write_turns(features, h):
    """The line of row 0 turned about the unit axis h: rows 0, 1, 2 become what belongs to 1, cosine and sine."""
    for part in range(4):
        k = 3 * part if part < 2 else 3 * part + 2
        v = triple(features[0], k)
        fixed, side = times(dot(h, v), h), cross(h, v)
        for i in range(3):
            features[0, k + i], features[1, k + i], features[2, k + i] = fixed[i], v[i] - fixed[i], side[i]
    for row in range(1, 3):
        features[row, 6], features[row, 7], features[row, 14] = 0.0, 0.0, 0.0


@njit(**INNER)
def move_lines(features, p):
    """Add p to the points of the lines in rows 0 to 2."""
    square = dot(p, p)
    for row in range(3):
        line = features[row]
        t, u, moment, mirrored = triple(line, 0), triple(line, 3), triple(line, 8), triple(line, 11)
        one, along, pu = line[14], line[7], dot(p, u)
        line[6] += 2.0 * dot(p, t) + square * one
        line[7] += pu
        side, twice = cross(p, u), cross(p, moment)
        for i in range(3):
            line[i] = t[i] + one * p[i]
            line[8 + i] = moment[i] + side[i]
            line[11 + i] = mirrored[i] - 2.0 * twice[i] + square * u[i] - 2.0 * (pu + along) * p[i]


@njit(**INNER)
def turn_lines_back(features, rotation):
    """Apply the transpose of a rotation (9,), row by row, to the lines in rows 0 to 2."""
    for row in range(3):
        line = features[row]
        for part in range(4):
            k = 3 * part if part < 2 else 3 * part + 2
            v = triple(line, k)
            for i in range(3):
                line[k + i] = rotation[i] * v[0] + rotation[3 + i] * v[1] + rotation[6 + i] * v[2]
