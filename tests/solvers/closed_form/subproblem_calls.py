"""What the tests of the subproblems share: calling them, turning vectors in numpy, examples for hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from kinetree.kinematics import core
from kinetree.kinematics.core.compile_cache import entry_point
from kinetree.solvers.closed_form import kernels
from kinetree.solvers.closed_form.kernels.circle_subproblems import (
    circle_and_plane,
    circle_and_sphere,
    circle_to_point,
    two_circles,
)
from kinetree.solvers.closed_form.kernels.coupled_subproblems import four_circles, three_circles

X, Y, Z, NOTHING = *np.eye(3), np.zeros(3)


def _run(which, v, numbers, answer, found):
    """All six through one entry point: vectors (k, 3), numbers (k,), answer (10,), found (24,)."""

    def at(k):
        return v[k, 0], v[k, 1], v[k, 2]

    if which == 1:
        answer[0], answer[1], answer[9] = circle_to_point(at(0), at(1), at(2))
        return 1
    if which == 2:
        c1, s1, c2, s2, c3, s3, c4, s4, answer[9] = two_circles(at(0), at(1), at(2), at(3))
        answer[:8] = (c1, s1, c2, s2, c3, s3, c4, s4)
        return 2
    if which == 3 or which == 4:
        if which == 3:
            c1, s1, c2, s2, answer[9] = circle_and_sphere(at(0), at(1), at(2), numbers[0])
        else:
            c1, s1, c2, s2, answer[9] = circle_and_plane(at(0), at(1), at(2), numbers[0])
        answer[:4] = (c1, s1, c2, s2)
        return 2
    if which == 5:
        count, flags = three_circles(at(0), at(1), at(2), at(3), at(4), at(5), at(6), 0.0, found)
    else:
        count, flags = four_circles(
            (at(0), at(1), at(2), at(3)),
            (at(4), at(5), at(6), at(7)),
            (at(8), at(9), at(10), at(11)),
            numbers[0],
            numbers[1],
            0.0,
            found,
        )
    answer[9] = flags
    return count


def make_solve():
    """``solve(which, vectors, *numbers)`` gives angles, one row per solution, and flags; all finite."""
    run = entry_point(_run, [core, kernels], [], "test of the subproblems")

    def call(which, vectors, *numbers):
        answer, found = np.full(10, np.nan), np.full(24, np.nan)
        count = run(which, np.array(vectors, dtype=float), np.array([*numbers, 0.0, 0.0]), answer, found)
        each = {1: 2, 2: 4, 3: 2, 4: 2, 5: 6, 6: 4}[which]
        pairs = (found if which > 4 else answer)[: count * each].reshape(count, each // 2, 2)
        assert np.isfinite(pairs).all(), (which, vectors, numbers)
        np.testing.assert_allclose(np.linalg.norm(pairs, axis=2), 1.0, atol=1e-9)
        assert count > 0
        return np.arctan2(pairs[:, :, 1], pairs[:, :, 0]), int(answer[9])

    return call


def unit(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def turned(axis, angle, vector):
    """Rodrigues' formula, for many angles at once in the last-but-one place."""
    angle = np.asarray(angle)[..., None]
    return (
        np.cos(angle) * vector
        + np.sin(angle) * np.cross(axis, vector)
        + (1.0 - np.cos(angle)) * (np.asarray(axis) @ np.asarray(vector)) * np.asarray(axis)
    )


GRID = np.linspace(-np.pi, np.pi, 2001)
COARSE = np.linspace(-np.pi, np.pi, 361)

# Vectors are not tiny as a whole: what is said is measured by their lengths.
numbers = st.floats(-2.0, 2.0).map(lambda x: 0.0 if abs(x) < 1e-6 else x) | st.sampled_from([0.0, 1.0, -1.0])
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
axes = (
    vectors.filter(lambda v: np.linalg.norm(v) > 0.1).map(lambda v: v / np.linalg.norm(v))
    | st.sampled_from([X, Y, Z, -Z])
)  # fmt: skip
