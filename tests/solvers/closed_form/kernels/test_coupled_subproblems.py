"""Subproblems 5 and 6 against their definitions: random, degenerate and tangent, and with no root missing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.solvers.closed_form.kernels.flags import OUT_OF_REACH, SINGULAR
from tests.solvers.closed_form.subproblem_calls import (
    COARSE,
    NOTHING,
    axes,
    make_solve,
    turned,
    unit,
    vectors,
)


@pytest.fixture(scope="module")
def solve():
    return make_solve()


# Subproblem 5.


def residual5(v, angles):
    p0, k1, p1, k2, p2, k3, p3 = v
    return p0 + turned(k1, angles[0], p1) - turned(k2, angles[1], p2 + turned(k3, angles[2], p3))


def problem5(rng, change=lambda v: None):
    """A problem with a known answer: p0 is what makes it one."""
    v = [rng.normal(size=3) if k in (0, 2, 4, 6) else unit(rng) for k in range(7)]
    change(v)
    angles = rng.uniform(-np.pi, np.pi, 3)
    v[0] = v[0] * 0.0
    v[0] = -residual5(v, angles)
    return v, angles


CHANGES5 = {
    "general": lambda v: None,
    "axes 1 and 2 parallel": lambda v: v.__setitem__(1, v[3]),
    "axes 2 and 3 against each other": lambda v: v.__setitem__(5, -v[3]),
    "no p2": lambda v: v.__setitem__(4, NOTHING),
    "p2 along axis 3": lambda v: v.__setitem__(4, 0.7 * v[5]),
    "p2 along axis 2": lambda v: v.__setitem__(4, 0.7 * v[3]),
    "p1 along axis 1": lambda v: v.__setitem__(2, 0.7 * v[1]),
    "p3 along axis 3": lambda v: v.__setitem__(6, 0.7 * v[5]),
    "axes 2 and 3 nearly parallel": lambda v: v.__setitem__(
        5, (v[3] + 1e-7 * v[5]) / np.linalg.norm(v[3] + 1e-7 * v[5])
    ),
    "no p3": lambda v: v.__setitem__(6, NOTHING),
}


@pytest.mark.parametrize("name", CHANGES5)
def test_three_circles_meet(solve, name):
    rng = np.random.default_rng(5)
    for _ in range(300):
        v, angles = problem5(rng, CHANGES5[name])
        found, flags = solve(5, v)
        assert flags & OUT_OF_REACH == 0
        for each in found:
            assert np.abs(residual5(v, each)).max() < 1e-8
        if flags & SINGULAR == 0:
            away = np.abs(np.angle(np.exp(1j * (found - angles)))).max(axis=1)
            assert away.min() < 1e-6


# Subproblem 6.


def values6(v, one, two):
    h, k, p = v[:4], v[4:8], v[8:]
    parts = [turned(k[i], (one, two, one, two)[i], p[i]) @ h[i] for i in range(4)]
    return parts[0] + parts[1], parts[2] + parts[3]


def problem6(rng, change=lambda v: None):
    v = [unit(rng) if 4 <= k < 8 else rng.normal(size=3) for k in range(12)]
    change(v)
    angles = rng.uniform(-np.pi, np.pi, 2)
    return v, angles, values6(v, *angles)


def silent(*places):
    """Points that lie on their axes, whose circles are points."""

    def change(v):
        for k in places:
            v[8 + k] = 0.5 * v[4 + k]

    return change


def nearly_silent(*places):
    """Points that lie on their axes but for a little."""

    def change(v):
        for k in places:
            v[8 + k] = 0.5 * v[4 + k] + 1e-9 * v[8 + k]

    return change


CHANGES6 = {
    "general": lambda v: None,
    "first equation without angle 1": silent(0),
    "second equation without angle 2": silent(3),
    "one equation each": silent(0, 3),
    "the other way round": silent(1, 2),
    "angle 2 nearly in one equation only": nearly_silent(3),
    "both nearly in one equation only": nearly_silent(0, 3),
    "both nearly in the first equation only": nearly_silent(2, 3),
    "angle 1 nowhere": silent(0, 2),
    "angle 2 nowhere": silent(1, 3),
    "no angle anywhere": silent(0, 1, 2, 3),
}


@pytest.mark.parametrize("name", CHANGES6)
def test_four_circles_meet(solve, name):
    rng = np.random.default_rng(6)
    for _ in range(300):
        v, angles, wanted = problem6(rng, CHANGES6[name])
        found, flags = solve(6, v, *wanted)
        assert flags & OUT_OF_REACH == 0
        assert bool(flags & SINGULAR) == ("nowhere" in name or "anywhere" in name)
        for each in found:
            np.testing.assert_allclose(values6(v, *each), wanted, atol=1e-8)
        if flags & SINGULAR == 0:
            away = np.abs(np.angle(np.exp(1j * (found - angles)))).max(axis=1)
            # An equation whose coefficients are all small tells the angles with as many digits less.
            assert away.min() < (1e-4 if "the first equation only" in name else 1e-6)


def refined(v, wanted, x):
    """Damped Gauss-Newton steps from many starts (n, 2), and what is missed then."""

    def error(x):
        return np.stack(values6(v, x[:, 0], x[:, 1]), axis=1) - wanted

    step = 1e-6
    for _ in range(40):
        f = error(x)
        jacobian = np.stack([(error(x + d) - error(x - d)) / (2.0 * step) for d in step * np.eye(2)], axis=2)
        transposed = np.swapaxes(jacobian, 1, 2)
        normal = transposed @ jacobian + 1e-9 * np.eye(2)
        x = x - np.clip(np.linalg.solve(normal, transposed @ f[..., None])[..., 0], -0.3, 0.3)
    return x, np.abs(error(x)).max(axis=1)


def test_four_circles_have_no_other_solutions(solve):
    """Brute force: sign changes on a fine grid lead Newton to every root."""
    rng = np.random.default_rng(7)
    starts = np.stack(np.meshgrid(COARSE[::24], COARSE[::24]), axis=-1).reshape(-1, 2)
    most = 0
    for _ in range(20):
        v, _, wanted = problem6(rng)
        found, _ = solve(6, v, *wanted)
        x, missed = refined(v, wanted, starts)
        roots = []
        for each in x[missed < 1e-9]:
            if all(np.abs(np.angle(np.exp(1j * (each - root)))).max() > 1e-3 for root in roots):
                roots.append(each)
        for root in roots:
            assert np.abs(np.angle(np.exp(1j * (found - root)))).max(axis=1).min() < 1e-4
        most = max(most, len(roots))
    assert most == 4


@settings(max_examples=200, deadline=None)
@given(given_vectors=st.lists(vectors, min_size=8, max_size=8), given_axes=st.lists(axes, min_size=4, max_size=4),
       first=st.floats(-5.0, 5.0), second=st.floats(-5.0, 5.0))  # fmt: skip
def test_what_four_circles_say_is_so(solve, given_vectors, given_axes, first, second):
    v = given_vectors[:4] + given_axes + given_vectors[4:]
    found, flags = solve(6, v, first, second)
    scale = sum(np.linalg.norm(h) * np.linalg.norm(p) for h, p in zip(v[:4], v[8:], strict=True))
    errors = [np.hypot(*(np.array(values6(v, *each)) - (first, second))) for each in found]
    if flags & OUT_OF_REACH == 0:
        assert max(errors) < 1e-6
    else:
        # What is said to be out of reach is so for Newton's method, too, from wherever it starts.
        starts = np.stack(np.meshgrid(COARSE[::45], COARSE[::45]), axis=-1).reshape(-1, 2)
        _, missed = refined(v, (first, second), starts)
        assert missed.min() > 1e-10 * scale or min(errors) < 1e-6


def test_tangent_circles_are_found_with_rounding_errors(solve):
    """Double roots: the curve of solutions in angle 1 only touches."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        v, angles, _ = problem6(rng)
        # A second equation whose gradient is a multiple of the first one's at the given angles.
        one, two = angles
        d1 = np.cross(v[4], turned(v[4], one, v[8])) @ v[0], np.cross(v[5], turned(v[5], two, v[9])) @ v[1]
        d2 = np.cross(v[6], turned(v[6], one, v[10])) @ v[2], np.cross(v[7], turned(v[7], two, v[11])) @ v[3]
        if abs(d1[1] * d2[0]) < 1e-2:
            continue
        v[3] = v[3] * (d2[0] / d1[0] * d1[1] / d2[1])
        wanted = values6(v, one, two)
        found, flags = solve(6, v, *wanted)
        assert flags & OUT_OF_REACH == 0
        for each in found:
            np.testing.assert_allclose(values6(v, *each), wanted, atol=1e-7 * (1.0 + np.linalg.norm(v[3])))
        away = np.abs(np.angle(np.exp(1j * (found - angles)))).max(axis=1)
        assert away.min() < 1e-4
