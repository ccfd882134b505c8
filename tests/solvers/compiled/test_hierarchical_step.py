"""The kernel of the hierarchical step against the numpy version, and against formulas of its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.solvers import LevenbergMarquardt
from kinetree.solvers.compiled.hierarchical_limits import (
    GIVEN_BACK,
    HELD,
    KEPT,
    LARGEST,
    LOWER,
    ROOT,
    STOPS,
    UPPER,
    limited_hierarchical_step,
)
from kinetree.solvers.hierarchy.hierarchical_step import Level, hierarchical_gradient

FACTOR, FLOOR = 0.01, 1e-9
METHOD = LevenbergMarquardt(FACTOR, FLOOR)


class Case:
    """Levels with the arrays that the kernel needs; far away from all limits unless told otherwise."""

    def __init__(self, jacobians: list[np.ndarray], errors: list[np.ndarray], damping: tuple = (FACTOR, FLOOR)) -> None:
        self.jacobians, self.errors = jacobians, errors
        self.n, self.damping = jacobians[0].shape[1], np.array([damping] * len(errors))
        self.joints = np.zeros((5, self.n))
        self.joints[0], self.joints[ROOT] = STOPS, 1.0
        self.joints[LOWER], self.joints[UPPER], self.joints[LARGEST] = -1e30, 1e30, 1e30
        self.x = np.zeros(self.n)
        self.held = np.zeros(self.n, dtype=bool)

    def run(self, levels: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and the following values, with the first levels only."""
        levels = len(self.errors) if levels is None else levels
        n, m = self.n, sum(len(error) for error in self.errors)
        columns: list[int] = []
        ends = []
        for jacobian in self.jacobians:
            columns += [k for k in range(n) if jacobian[:, k].any() and k not in columns]
            ends.append(len(columns))
        columns += [k for k in range(n) if k not in columns]
        gradient, following, standing = np.full(n, np.nan), np.full(n, np.nan), np.full(n, -1)
        self.rounds = limited_hierarchical_step(
            np.vstack(self.jacobians), np.concatenate(self.errors),
            np.cumsum([0, *(len(error) for error in self.errors)]), levels, np.array(columns), np.array(ends),
            self.damping, self.joints, self.x, standing, np.zeros(n, int), np.zeros(len(ends), int), np.zeros(n, int),
            np.zeros((m, n)), np.zeros(m), np.zeros(m), np.zeros((n, n)), np.zeros(n), np.zeros((n, n)), np.zeros(n),
            gradient, following, n,
        )  # fmt: skip
        self.held = (standing == HELD) | (standing == KEPT)
        self.given_back = (standing == GIVEN_BACK) | (standing == KEPT)
        return gradient, following

    def reference(self) -> np.ndarray:
        """The numpy version."""
        levels = [Level(j, e, METHOD.gradient) for j, e in zip(self.jacobians, self.errors, strict=True)]
        return hierarchical_gradient(levels, self.n)


def random_case(seed: int, n: int, rows: list[int], ranks: list[int], sparse: bool) -> Case:
    """Levels of given ranks, in which some columns may be zero."""
    rng = np.random.default_rng(seed)
    jacobians = []
    for m, rank in zip(rows, ranks, strict=True):
        jacobian = rng.normal(size=(m, rank)) @ rng.normal(size=(rank, n))
        jacobians.append(jacobian * (rng.random(n) < 0.6) if sparse else jacobian)
    return Case(jacobians, [rng.normal(size=m) for m in rows])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(1, 12))
    rows = draw(st.lists(st.integers(1, 8), min_size=1, max_size=4))
    ranks = [draw(st.integers(0, m)) for m in rows]
    return random_case(draw(st.integers(0, 10_000)), n, rows, ranks, draw(st.booleans()))


@settings(max_examples=150)
@given(cases())
def test_it_is_the_numpy_version(case: Case) -> None:
    gradient, following = case.run()
    np.testing.assert_allclose(gradient, case.reference(), atol=1e-7)
    np.testing.assert_allclose(following, -gradient, atol=0.0)


@settings(max_examples=150)
@given(cases())
def test_lower_levels_never_move_higher_ones(case: Case) -> None:
    partial = [case.run(levels)[0] for levels in range(1, len(case.errors) + 1)]
    for high, jacobian in enumerate(case.jacobians):
        for low in range(high + 1, len(partial)):
            assert np.abs(jacobian @ (partial[low] - partial[low - 1])).max(initial=0.0) <= 1e-10


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-8, 1e-10, 1e-14])
def test_damping_does_not_leak_near_a_singularity(size: float) -> None:
    rng = np.random.default_rng(2)
    u, v = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.linalg.qr(rng.normal(size=(7, 7)))[0]
    high, low = u @ np.diag([1.0, 0.5, size]) @ v[:3], rng.normal(size=(4, 7))
    case = Case([high, low], [np.ones(3), np.ones(4)])
    moved = case.run()[0] - case.run(1)[0]
    assert np.abs(high @ moved).max() <= 1e-10
    assert np.abs(low @ moved).max() > 1e-3
    if size > 1e-12:
        # What the first level can still move, however little, is not left to the second; rounding lets the
        # direction be known only to 1e-16 / size.
        assert abs(v[2] @ moved) <= 1e-7 + 1e-14 / size
    known = 1e-14 / size if size > 1e-12 else 0.0
    np.testing.assert_allclose(case.run()[0], case.reference(), atol=1e-7 + known)


def test_without_damping_it_is_the_formula_of_pseudo_inverses() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=(3, 8)), rng.normal(size=(4, 8))
    errors = [rng.normal(size=3), rng.normal(size=4)]
    gradient, _ = Case([first, second], errors, (0.0, 0.0)).run()
    one = np.linalg.pinv(first) @ errors[0]
    free = second @ (np.eye(8) - np.linalg.pinv(first) @ first)
    np.testing.assert_allclose(gradient, one + np.linalg.pinv(free) @ (errors[1] - second @ one), atol=1e-10)


def test_it_is_the_optimum_of_each_level() -> None:
    # Each level minimises |J g - e|^2 + mu |added|^2 in the null space of those above: the derivative along any
    # motion that those above do not see is zero.
    case = random_case(5, 12, [4, 5, 6], [4, 3, 6], False)
    before = np.zeros(12)
    above = np.zeros((0, 12))
    for level, (jacobian, error) in enumerate(zip(case.jacobians, case.errors, strict=True)):
        gradient, _ = case.run(level + 1)
        left = error - jacobian @ before
        mu = FACTOR * left @ left + FLOOR
        slope = jacobian.T @ (jacobian @ gradient - error) + mu * (gradient - before)
        free = np.eye(12) - np.linalg.pinv(above) @ above if len(above) else np.eye(12)
        assert np.abs(free @ slope).max() < 1e-9
        assert np.abs(free @ slope - slope).max() > 1e-3 or level == 0
        before, above = gradient, np.vstack([above, jacobian])


def test_a_row_that_is_nothing_but_rounding_takes_no_freedom() -> None:
    # The three rows span two directions, of which the second is seen clearly only in the last row.
    high = np.zeros((3, 4))
    high[0, 0], high[1, :2], high[2, 1] = 1.0, [1.0, 1e-8 / 3.0], 1.0 / 3.0
    low = np.zeros((2, 4))
    low[0, 2] = low[1, 3] = 1.0
    turn = np.linalg.qr(np.random.default_rng(6).normal(size=(4, 4)))[0]
    gradient, _ = Case([high @ turn, low @ turn], [np.zeros(3), np.ones(2)], (0.0, 1e-12)).run()
    np.testing.assert_allclose(turn @ gradient, [0.0, 0.0, 1.0, 1.0], atol=1e-9)


# Limits.


@st.composite
def limited_cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(2, 10))
    rows = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    seed = draw(st.integers(0, 10_000))
    case = random_case(seed, n, rows, rows, draw(st.booleans()))
    rng = np.random.default_rng(seed + 1)
    case.joints[LOWER], case.joints[UPPER] = -rng.random(n), rng.random(n)
    case.joints[ROOT] = rng.random(n) + 0.5
    case.joints[LARGEST] = draw(st.sampled_from([0.1, 0.5, 1e30]))
    place = rng.random(n)
    case.x = case.joints[LOWER] + place * (case.joints[UPPER] - case.joints[LOWER])
    case.x[place < 0.3] = case.joints[LOWER, place < 0.3]
    case.x[place > 0.7] = case.joints[UPPER, place > 0.7]
    return case


@settings(max_examples=150)
@given(limited_cases())
def test_limits_are_kept_and_the_others_make_up_for_held_joints(case: Case) -> None:
    gradient, following = case.run()
    lower, upper, roots = case.joints[LOWER], case.joints[UPPER], case.joints[ROOT]
    assert (following >= lower).all()
    assert (following <= upper).all()
    assert np.abs(gradient).max() <= case.joints[LARGEST].min() * (1.0 + 1e-12)
    # No joint at its limit is pushed outwards, or the step would be lost.
    assert not ((case.x <= lower) & (gradient > 0.0)).any()
    assert not ((case.x >= upper) & (gradient < 0.0)).any()
    # With the held joints taken out, it is the step of the numpy version among the others.
    assert ((case.x <= lower) | (case.x >= upper))[case.held].all()
    assert (gradient[case.held] == 0.0).all()
    free = Case([j * roots * ~case.held for j in case.jacobians], case.errors)
    expected = roots * free.reference()
    largest = np.abs(expected).max()
    if largest > case.joints[LARGEST, 0]:
        expected *= case.joints[LARGEST, 0] / largest
    np.testing.assert_allclose(gradient, expected, atol=1e-7)


def test_no_more_joints_are_held_than_needed_and_each_is_freed_again() -> None:
    # Two joints move a point along a line; the first stands at its limit.
    case = Case([np.array([[1.0, 1.0]])], [np.array([1.0])])
    case.joints[LOWER], case.joints[UPPER] = [0.0, -9.0], 9.0
    gradient, following = case.run()
    assert case.held.tolist() == [True, False]
    np.testing.assert_allclose(gradient, [0.0, 1.0 / 1.01], rtol=1e-6)
    case.x = following
    case.errors = [np.array([-1.0])]
    gradient, following = case.run()
    assert not case.held.any()
    assert following[0] > 0.4


def test_the_null_space_holds_among_the_joints_that_are_left() -> None:
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(50):
        case = random_case(int(rng.integers(1 << 30)), 10, [3, 3], [3, 3], False)
        case.joints[LOWER, :3] = 0.0
        both, _ = case.run()
        held += case.held.any()
        only = Case([j * ~case.held for j in case.jacobians], case.errors)
        assert np.abs(case.jacobians[0] @ (both - only.run(1)[0])).max() <= 1e-10
    assert held > 20, held
