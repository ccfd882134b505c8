"""The step of a hierarchy inside bounds, on random and on nearly singular Jacobians."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.solvers import JacobianDLS, JacobianPseudoInverse, LevenbergMarquardt
from kinetree.solvers.bounded_hierarchical_step import bounded_hierarchical_gradient
from kinetree.solvers.bounded_kernels.bounded_step import compiled_bounded_step
from kinetree.solvers.hierarchical_step import Level, hierarchical_gradient

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


def kernel(jacobians, errors, damping, lower, upper):
    """The gradient by the kernel."""
    firsts = np.cumsum([0, *(len(error) for error in errors)])
    gradient = np.full(len(lower), np.nan)
    damped = np.array([damping] * len(errors))
    bounds = np.stack([lower, upper])
    compiled_bounded_step()(np.vstack(jacobians), np.concatenate(errors), firsts, damped, bounds, gradient)
    return gradient


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
    for _ in range(300):
        n = int(rng.integers(2, 12))
        sizes = rng.integers(1, 7, size=rng.integers(1, 5))
        jacobians, errors = [rng.normal(size=(m, n)) for m in sizes], [rng.normal(size=m) for m in sizes]
        upper = rng.random(n) * rng.choice([0.1, 1.0, 10.0])
        levels = [Level(j, e, method.gradient) for j, e in zip(jacobians, errors, strict=True)]
        wanted = bounded_hierarchical_gradient(levels, -upper, upper)
        np.testing.assert_allclose(kernel(jacobians, errors, damping, -upper, upper), wanted, atol=1e-6)
        met += (np.abs(wanted) == upper).any()
    assert 100 < met < 300
