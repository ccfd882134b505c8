"""The step of a hierarchy inside bounds, on random and on nearly singular Jacobians."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.kinematics import core
from kinetree.kinematics.core.compile_cache import entry_point
from kinetree.kinematics.core.lanes import make_vector
from kinetree.solvers import JacobianDLS, JacobianPseudoInverse, LevenbergMarquardt, bounded_kernels
from kinetree.solvers.bounded_kernels.bounded_step import hierarchy_inside_bounds, scratch_size
from kinetree.solvers.hierarchy.bounded_hierarchical_step import bounded_hierarchical_gradient
from kinetree.solvers.hierarchy.hierarchical_step import Level, hierarchical_gradient

METHODS = [LevenbergMarquardt(), LevenbergMarquardt(damping=1.0), JacobianDLS(damping=0.2), JacobianPseudoInverse()]


@st.composite
def hierarchies(draw, least_singular=1e-12):
    """Levels, of which each may have one direction in which it hardly moves anything, and bounds."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n = draw(st.integers(2, 9))
    rule = draw(st.sampled_from(METHODS)).gradient
    levels = []
    for m in draw(st.lists(st.integers(1, 6), min_size=1, max_size=4)):
        jacobian = rng.normal(size=(m, n))
        if draw(st.booleans()):
            u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
            s[-1] = draw(st.sampled_from([1e-2, 1e-5, 1e-8, least_singular, 0.0]))
            jacobian = (u * s) @ vt
        levels.append(Level(jacobian, rng.normal(size=m) * draw(st.sampled_from([1e-3, 1.0])), rule))
    lower, upper = -rng.random(n), rng.random(n)
    closed = rng.random(n)
    lower[closed < 0.2], upper[closed > 0.8] = 0.0, 0.0
    return levels, lower, upper


@settings(max_examples=300)
@given(hierarchies())
def test_bounds_are_kept_and_nothing_leaks_upwards(case):
    levels, lower, upper = case
    partial = [bounded_hierarchical_gradient(levels[: k + 1], lower, upper) for k in range(len(levels))]
    for gradient in partial:
        assert (gradient >= lower).all()
        assert (gradient <= upper).all()
    for low in range(1, len(levels)):
        for high in range(low):
            leak = levels[high].jacobian @ (partial[low] - partial[low - 1])
            assert np.abs(leak).max() <= 1e-8


@settings(max_examples=150)
@given(hierarchies())
def test_far_bounds_change_nothing(case):
    levels, lower, _ = case
    far = np.full(len(lower), 1e9)
    wanted = hierarchical_gradient(levels, len(lower))
    np.testing.assert_allclose(bounded_hierarchical_gradient(levels, -far, far), wanted, rtol=1e-12, atol=1e-12)


def test_others_make_up_for_what_has_met_its_bound():
    # Three joints move a point along a line; the first may go by 0.1 only.
    level = Level(np.ones((1, 3)), np.array([1.0]), JacobianPseudoInverse().gradient)
    bound = np.array([0.1, 9.0, 9.0])
    np.testing.assert_allclose(bounded_hierarchical_gradient([level], -bound, bound), [0.1, 0.45, 0.45])
    # And when all have met theirs, the level has what there is.
    bound = np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(bounded_hierarchical_gradient([level], -bound, bound), bound)


def test_a_lower_level_has_what_is_left_of_the_bounds():
    rule = JacobianPseudoInverse().gradient
    high = Level(np.array([[1.0, 0.0]]), np.array([0.8]), rule)
    low = Level(np.array([[1.0, 1.0]]), np.array([5.0]), rule)
    gradient = bounded_hierarchical_gradient([high, low], -np.ones(2), np.ones(2))
    np.testing.assert_allclose(gradient, [0.8, 1.0])
    # The other way round the first joint is at its bound before the second level asks.
    np.testing.assert_allclose(bounded_hierarchical_gradient([low, high], -np.ones(2), np.ones(2)), [1.0, 1.0])


def test_it_comes_as_near_as_the_bounds_allow_in_the_plane():
    # One level of two rows over three joints: as near to the wanted motion as any combination inside the bounds.
    rng = np.random.default_rng(5)
    rule = JacobianPseudoInverse().gradient
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 41)] * 3), axis=-1).reshape(-1, 3)
    closer = 0
    for _ in range(20):
        jacobian, error = rng.normal(size=(2, 3)), rng.normal(size=2)
        gradient = bounded_hierarchical_gradient([Level(jacobian, error, rule)], -np.ones(3), np.ones(3))
        best = np.linalg.norm(grid @ jacobian.T - error, axis=1).min()
        closer += np.linalg.norm(jacobian @ gradient - error) <= best + 0.1
    assert closer >= 18


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_the_same_level_twice_is_no_trouble(method):
    rng = np.random.default_rng(6)
    level = Level(rng.normal(size=(3, 6)), rng.normal(size=3), method.gradient)
    bound = np.full(6, 0.1)
    once = bounded_hierarchical_gradient([level], -bound, bound)
    np.testing.assert_allclose(bounded_hierarchical_gradient([level, level], -bound, bound), once, atol=1e-9)


vector = make_vector(1)


def inside_bounds(jacobian, error, firsts, ends, damping, bounds, most, scratch, gradient):
    hierarchy_inside_bounds(
        jacobian, error, firsts, len(ends), ends, damping, bounds, most, scratch, 0, vector(gradient, 0),
        jacobian.shape[1],
    )  # fmt: skip


@functools.cache
def compiled():
    return entry_point(inside_bounds, [core, bounded_kernels], label="test of steps inside bounds")


def kernel(jacobians, errors, damping, lower, upper, ends=None):
    """The gradient by the kernel."""
    n, sizes = len(lower), [len(error) for error in errors]
    firsts, ends = np.cumsum([0, *sizes]), np.full(len(sizes), n) if ends is None else np.array(ends)
    scratch, gradient = np.full((scratch_size(n, max(sizes), sum(sizes)), 1), np.nan), np.full((n, 1), np.nan)
    damped = np.array([damping] * len(errors))
    bounds = np.stack([lower, upper])
    stacked = np.vstack(jacobians), np.concatenate(errors)
    compiled()(*stacked, firsts, ends, damped, bounds, max(sizes), scratch, gradient)
    return gradient[:, 0]


@pytest.mark.parametrize("method", METHODS[:3], ids=["plain", "much damping", "damped least squares"])
@settings(max_examples=200)
@given(case=hierarchies())
def test_the_kernel_keeps_bounds_and_levels(method, case):
    levels, lower, upper = case
    damping = (0.0, method.damping**2) if isinstance(method, JacobianDLS) else (method.damping, method.floor)
    jacobians, errors = [level.jacobian for level in levels], [level.error for level in levels]
    partial = [kernel(jacobians[: k + 1], errors[: k + 1], damping, lower, upper) for k in range(len(levels))]
    for gradient in partial:
        assert (gradient >= lower).all()
        assert (gradient <= upper).all()
    for low in range(1, len(levels)):
        for high in range(low):
            assert np.abs(jacobians[high] @ (partial[low] - partial[low - 1])).max() <= 1e-8


@pytest.mark.parametrize("method", METHODS[:3], ids=["plain", "much damping", "damped least squares"])
def test_the_kernel_is_the_numpy_version(method):
    damping = (0.0, method.damping**2) if isinstance(method, JacobianDLS) else (method.damping, method.floor)
    rng = np.random.default_rng(7)
    met = 0
    for trial in range(300):
        n = int(rng.integers(2, 12)) if trial % 10 else 36
        sizes = rng.integers(1, 7, size=rng.integers(1, 5)) if trial % 10 else [12, 2, 12]
        jacobians, errors = [rng.normal(size=(m, n)) for m in sizes], [rng.normal(size=m) for m in sizes]
        upper = rng.random(n) * rng.choice([0.1, 1.0, 10.0])
        levels = [Level(j, e, method.gradient) for j, e in zip(jacobians, errors, strict=True)]
        wanted = bounded_hierarchical_gradient(levels, -upper, upper)
        np.testing.assert_allclose(kernel(jacobians, errors, damping, -upper, upper), wanted, atol=1e-9)
        met += (np.abs(wanted) == upper).any()
    assert 100 < met < 300


def test_joints_that_only_lower_levels_move_come_last():
    # What the kernel may leave out for the upper levels makes no difference, and a joint that nothing moves stays.
    rng = np.random.default_rng(8)
    for _ in range(100):
        jacobians, errors = [rng.normal(size=(m, 8)) for m in (3, 2, 3)], [rng.normal(size=m) for m in (3, 2, 3)]
        jacobians[0][:, 4:] = 0.0
        jacobians[1][:, 6:] = 0.0
        jacobians[2][:, 7:] = 0.0
        upper = rng.random(8)
        wanted = kernel(jacobians, errors, (1e-2, 1e-9), -upper, upper)
        given = kernel(jacobians, errors, (1e-2, 1e-9), -upper, upper, [4, 6, 7])
        np.testing.assert_allclose(given, wanted, atol=1e-10)
        assert given[7] == 0.0


@pytest.mark.parametrize("way", ["numpy", "kernel"])
def test_no_free_joint_could_bring_a_level_nearer(way):
    # The condition of Karush, Kuhn and Tucker over the joints inside their bounds, with all but no damping.
    rng = np.random.default_rng(9)
    free_joints = 0
    for _ in range(200):
        n = int(rng.integers(3, 10))
        jacobians = [rng.normal(size=(m, n)) for m in rng.integers(1, 5, size=3)]
        errors = [rng.normal(size=len(jacobian)) for jacobian in jacobians]
        upper = rng.random(n)
        seen = np.zeros((0, n))
        for count, (jacobian, error) in enumerate(zip(jacobians, errors, strict=True), 1):
            if way == "kernel":
                gradient = kernel(jacobians[:count], errors[:count], (0.0, 1e-12), -upper, upper)
            else:
                rule = JacobianPseudoInverse().gradient
                levels = [Level(j, e, rule) for j, e in zip(jacobians[:count], errors[:count], strict=True)]
                gradient = bounded_hierarchical_gradient(levels, -upper, upper)
            inside = np.abs(gradient) < upper
            slope = jacobian[:, inside].T @ (error - jacobian @ gradient)
            above = seen[:, inside]
            hidden = slope - np.linalg.pinv(above, rcond=1e-9) @ (above @ slope)
            assert np.abs(hidden).max(initial=0.0) < 1e-7
            free_joints += inside.sum()
            seen = np.vstack([seen, jacobian])
    assert free_joints > 1000


@pytest.mark.parametrize("way", ["numpy", "kernel"])
def test_joints_at_their_bounds_are_told_by_more_than_rounding(way):
    # The first level drives three joints to bounds; whether the second one meets them exactly must not depend on
    # the last digits, so the same problem with its rows exchanged has the same answer.
    rng = np.random.default_rng(10)
    for _ in range(100):
        jacobians, errors = [rng.normal(size=(4, 9)), rng.normal(size=(5, 9))], [9.0 * rng.normal(size=4), np.ones(5)]
        upper = 0.2 * rng.random(9)
        answers = []
        for order in (np.arange(4), np.array([2, 0, 3, 1])):
            high = jacobians[0][order], errors[0][order]
            if way == "kernel":
                answers.append(kernel([high[0], jacobians[1]], [high[1], errors[1]], (1e-2, 1e-9), -upper, upper))
            else:
                rule = LevenbergMarquardt().gradient
                levels = [Level(*high, rule), Level(jacobians[1], errors[1], rule)]
                answers.append(bounded_hierarchical_gradient(levels, -upper, upper))
        np.testing.assert_allclose(answers[0], answers[1], atol=1e-9)
