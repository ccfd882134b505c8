"""Subproblems 1 to 4 against their definitions: exact, by least squares against brute force, and degenerate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.solvers.closed_form.kernels.flags import OUT_OF_REACH, SINGULAR
from tests.solvers.closed_form.subproblem_calls import (
    COARSE,
    GRID,
    NOTHING,
    X,
    Z,
    axes,
    make_solve,
    turned,
    unit,
    vectors,
)


@pytest.fixture(scope="module")
def solve():
    return make_solve()


# Subproblem 1.


def test_a_point_is_turned_onto_its_target(solve):
    rng = np.random.default_rng(1)
    for _ in range(500):
        axis, point, angle = unit(rng), rng.normal(size=3), rng.uniform(-np.pi, np.pi)
        angles, flags = solve(1, [axis, point, turned(axis, angle, point)])
        assert flags == 0
        assert abs(np.angle(np.exp(1j * (angles[0, 0] - angle)))) < 1e-10


@settings(max_examples=300, deadline=None)
@given(axis=axes, point=vectors, target=vectors)
def test_no_angle_is_nearer_to_the_target(solve, axis, point, target):
    angles, flags = solve(1, [axis, point, target])
    distance = np.linalg.norm(turned(axis, angles[0, 0], point) - target)
    assert distance <= np.linalg.norm(turned(axis, GRID, point) - target, axis=1).min() + 1e-9
    if flags & OUT_OF_REACH == 0:
        assert distance < 1e-7


def test_a_point_on_the_axis_has_no_angle_of_its_own(solve):
    for point, target, expected in (
        (2.0 * Z, 2.0 * Z, SINGULAR),
        (NOTHING, NOTHING, SINGULAR),
        (Z, X, SINGULAR | OUT_OF_REACH),
        (X, Z, SINGULAR | OUT_OF_REACH),
        (NOTHING, X, SINGULAR | OUT_OF_REACH),
    ):
        angles, flags = solve(1, [Z, point, target])
        assert flags == expected
        assert angles[0, 0] == 0.0


# Subproblem 2.


def test_two_points_are_turned_onto_each_other(solve):
    rng = np.random.default_rng(2)
    for _ in range(500):
        k1, k2, p1 = unit(rng), unit(rng), rng.normal(size=3)
        given_angles = rng.uniform(-np.pi, np.pi, 2)
        p2 = turned(k2, -given_angles[1], turned(k1, given_angles[0], p1))
        angles, flags = solve(2, [k1, p1, k2, p2])
        assert flags == 0
        for one, two in angles:
            np.testing.assert_allclose(turned(k1, one, p1), turned(k2, two, p2), atol=1e-9)
        away = np.abs(np.angle(np.exp(1j * (angles - given_angles)))).max(axis=1)
        assert away.min() < 1e-6


@settings(max_examples=200, deadline=None)
@given(k1=axes, p1=vectors, k2=axes, p2=vectors)
def test_no_angles_bring_two_points_nearer(solve, k1, p1, k2, p2):
    angles, flags = solve(2, [k1, p1, k2, p2])
    nearest = np.linalg.norm(turned(k1, COARSE, p1)[:, None] - turned(k2, COARSE, p2)[None], axis=2).min()
    for one, two in angles:
        distance = np.linalg.norm(turned(k1, one, p1) - turned(k2, two, p2))
        assert distance <= nearest + 1e-6
        if flags & OUT_OF_REACH == 0:
            assert distance < 1e-4


def test_touching_circles_are_a_double_root(solve):
    rng = np.random.default_rng(3)
    for _ in range(100):
        k1, k2 = unit(rng), unit(rng)
        meeting = rng.normal() * k1 + rng.normal() * k2
        p1, p2 = turned(k1, rng.uniform(-3, 3), meeting), turned(k2, rng.uniform(-3, 3), meeting)
        angles, flags = solve(2, [k1, p1, k2, p2])
        assert flags & OUT_OF_REACH == 0
        for one, two in angles:
            np.testing.assert_allclose(turned(k1, one, p1), turned(k2, two, p2), atol=1e-7)


@pytest.mark.parametrize("other", [Z, -Z])
def test_one_of_two_angles_about_parallel_axes_is_free(solve, other):
    p = np.array([0.3, -0.4, 0.5])
    angles, flags = solve(2, [Z, p, other, turned(Z, 0.7, p)])
    assert flags == SINGULAR
    for one, two in angles:
        np.testing.assert_allclose(turned(Z, one, p), turned(other, two, turned(Z, 0.7, p)), atol=1e-12)


# Subproblems 3 and 4.


@settings(max_examples=300, deadline=None)
@given(axis=axes, point=vectors, centre=vectors, distance=st.floats(0.0, 4.0))
def test_no_angle_is_nearer_to_the_sphere(solve, axis, point, centre, distance):
    angles, flags = solve(3, [axis, point, centre], distance)
    missed = np.abs(np.linalg.norm(turned(axis, angles[:, 0], point) - centre, axis=1) - distance)
    assert (missed <= np.abs(np.linalg.norm(turned(axis, GRID, point) - centre, axis=1) - distance).min() + 1e-6).all()
    if flags & OUT_OF_REACH:
        # Where the sphere touches the circle, rounding decides which side it is on.
        away = np.linalg.norm(turned(axis, GRID, point) - centre, axis=1)
        is_touching = min(abs(away.min() - distance), abs(away.max() - distance)) < 1e-6
        assert (missed > 0.0).all() or is_touching


@settings(max_examples=300, deadline=None)
@given(axis=axes, point=vectors, normal=vectors, distance=st.floats(-4.0, 4.0))
def test_no_angle_is_nearer_to_the_plane(solve, axis, point, normal, distance):
    angles, flags = solve(4, [axis, point, normal], distance)
    missed = np.abs(turned(axis, angles[:, 0], point) @ normal - distance)
    assert (missed <= np.abs(turned(axis, GRID, point) @ normal - distance).min() + 1e-8).all()
    if flags & OUT_OF_REACH == 0:
        assert (missed < 1e-8).all()


@pytest.mark.parametrize("which", [3, 4])
def test_both_angles_of_a_circle_are_found(solve, which):
    rng = np.random.default_rng(4)
    for _ in range(500):
        axis, point, other, angle = unit(rng), rng.normal(size=3), rng.normal(size=3), rng.uniform(-np.pi, np.pi)
        place = turned(axis, angle, point)
        number = np.linalg.norm(place - other) if which == 3 else place @ other
        angles, flags = solve(which, [axis, point, other], number)
        assert flags == 0
        assert np.abs(np.angle(np.exp(1j * (angles - angle)))).min() < 1e-6
        places = turned(axis, angles[:, 0], point)
        reached = np.linalg.norm(places - other, axis=1) if which == 3 else places @ other
        np.testing.assert_allclose(reached, number, atol=1e-12)


def test_tangents_and_free_angles_of_one_circle(solve):
    angles, flags = solve(4, [Z, X, X], 1.0)
    assert flags == 0
    assert np.abs(angles).max() < 1e-7
    assert solve(4, [Z, X, X], 1.0 + 1e-6)[1] == OUT_OF_REACH
    assert solve(4, [Z, X, Z], 0.0)[1] == SINGULAR
    assert solve(4, [Z, X, Z], 0.5)[1] == SINGULAR | OUT_OF_REACH
    assert solve(3, [Z, X, Z], np.sqrt(2.0))[1] == SINGULAR
    assert solve(3, [Z, NOTHING, NOTHING], 0.0)[1] == SINGULAR
    assert solve(3, [Z, X, 2.0 * X], 0.5)[1] == OUT_OF_REACH
    assert solve(3, [Z, X, 2.0 * X], 4.0)[1] == OUT_OF_REACH
    assert solve(3, [Z, X, 2.0 * X], 3.0)[1] == 0
