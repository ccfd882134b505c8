import numpy as np
import pytest

from kinetree.kinematics import PrismaticJoint, Skeleton
from kinetree.solvers.active_dofs import ActiveDofs
from kinetree.solvers.limited_step import LimitedStep


@pytest.fixture
def sliders():
    """Three independent slides between 0 and 1."""
    skeleton = Skeleton("sliders")
    link = skeleton.add_link("base")
    for number, axis in enumerate("xyz"):
        link = skeleton.add_link(f"l{number}", PrismaticJoint(f"j{number}", axis=axis, limits=(0.0, 1.0)), link)
    return skeleton


def step(skeleton, q, jacobian, error, rule, **options):
    state = skeleton.state(q)
    LimitedStep(ActiveDofs(skeleton, range(skeleton.num_dofs)), **{"max_step": 10.0, **options}).move(
        state, np.array(jacobian, dtype=float), np.array(error, dtype=float), rule
    )
    return state.q


def least_squares(jacobian, error):
    return np.linalg.pinv(jacobian) @ error


def test_a_step_inside_is_taken_as_it_is(sliders):
    np.testing.assert_allclose(step(sliders, [0.5] * 3, np.eye(3), [0.1, -0.2, 0.3], least_squares), [0.4, 0.7, 0.2])


def test_a_step_beyond_is_cut_off_there(sliders):
    np.testing.assert_allclose(step(sliders, [0.5] * 3, np.eye(3), [0.9, 0.0, -0.9], least_squares), [0.0, 0.5, 1.0])


def test_the_others_make_up_for_a_joint_that_is_pushed(sliders):
    # The sum is to fall by 0.3; the first joint cannot help, so the others go 0.15 each and not 0.1.
    q = step(sliders, [0.0, 0.5, 0.5], [[1, 1, 1]], [0.3], least_squares)
    np.testing.assert_allclose(q, [0.0, 0.35, 0.35])


def test_joints_that_are_pushed_only_then_are_cut_off(sliders):
    # Holding the first pushes the second outwards; looking again and again would cost more than it gains.
    seen = []

    def rule(jacobian, error):
        seen.append(jacobian.copy())
        return np.array([1.0, -0.1, 0.1]) if jacobian[0, 0] else np.array([7.0, 1.0, 0.2])

    q = step(sliders, [0.0, 0.0, 0.5], np.eye(3), [1, 1, 1], rule)
    np.testing.assert_allclose(q, [0.0, 0.0, 0.3])
    assert [list(each.any(axis=0)) for each in seen] == [
        [True] * 3,
        [False, True, True],
    ]


def test_a_joint_at_its_limit_may_leave_it(sliders):
    np.testing.assert_allclose(
        step(sliders, [0.0, 1.0, 0.5], np.eye(3), [-0.2, 0.2, 0], least_squares), [0.2, 0.8, 0.5]
    )


def test_limits_may_be_ignored(sliders):
    q = step(sliders, [0.0] * 3, np.eye(3), [0.5, 0, 0], least_squares, respect_limits=False)
    np.testing.assert_allclose(q, [-0.5, 0.0, 0.0])


def test_the_whole_step_is_scaled(sliders):
    q = step(sliders, [0.5] * 3, np.eye(3), [0.4, 0.2, 0.0], least_squares, max_step=0.1)
    np.testing.assert_allclose(q, [0.4, 0.45, 0.5])


def test_a_joint_may_have_a_largest_step_of_its_own(sliders):
    sliders.dof("j1").max_step = 0.05
    q = step(sliders, [0.5] * 3, np.eye(3), [0.4, 0.2, 0.0], least_squares)
    np.testing.assert_allclose(q, [0.4, 0.45, 0.5])


def test_the_rule_never_sees_the_callers_jacobian_change(sliders):
    jacobian = np.ones((1, 3))
    step(sliders, [0.0, 0.5, 0.5], jacobian, [0.3], least_squares)
    assert jacobian.all()
