import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import InvalidPoseError, InvalidValueError, ShapeError, SimpleFrame, World, pose
from kinetree.solvers import ErrorMethodError, InverseKinematics, TaskSpaceRegion

INF = np.inf
TILTED = pose((0.2, -0.1, 0.3), rpy=(0.4, -0.7, 1.1))
HALF_FREE = ([-0.1, -INF, 0, -0.3, -INF, -0.2], [0.05, 0.2, 0, 0.1, INF, 0.4])


def module(skeleton, rng, **options):
    ik = InverseKinematics(skeleton)
    ik.target = skeleton.state(skeleton.random_positions(rng)).transform(skeleton.tip)
    ik.error_method = TaskSpaceRegion(**options)
    return ik


def state_of(ik, rng):
    return ik.skeleton.state(ik.skeleton.random_positions(rng), ik.dof_indices)


def test_the_error_of_a_full_pose_is_displacement_and_rotation_vector(arm, rng):
    ik = module(arm, rng)
    for _ in range(20):
        state = state_of(ik, rng)
        error, jacobian = ik.error_method.evaluate(state)
        at, target = state.transform(arm.tip), ik.target.transform()
        np.testing.assert_allclose(error[:3], at.translation - target.translation, atol=1e-14)
        np.testing.assert_allclose(pin.exp3(error[3:]) @ target.rotation, at.rotation, atol=1e-12)
        np.testing.assert_allclose(jacobian, state.jacobian(arm.tip), atol=1e-14)


@pytest.mark.parametrize("offset", [None, (0.1, -0.2, 0.05)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bounds": HALF_FREE},
        {"bounds": HALF_FREE, "compute_error_from_center": False},
        {"bounds": ([0, 0, 0, -INF, -INF, 0], [0, 0, 0, INF, INF, 0])},
        {"weights": [1, 2, 3, 0.5, 0, 4]},
        {"bounds": ([-INF] * 3 + [-0.1] * 3, [INF] * 3 + [0.1] * 3)},
    ],
)
@pytest.mark.parametrize("reference", ["default", "tilted", "moving"])
def test_the_jacobian_is_the_derivative(arm, rng, differences, options, offset, reference):
    frames = {"default": None, "tilted": SimpleFrame("tilted", World(), TILTED), "moving": arm.link("l2")}
    ik = module(arm, rng, reference_frame=frames[reference], **options)
    ik.offset = offset
    compared = 0
    for _ in range(10):
        state = state_of(ik, rng)
        error, jacobian = ik.error_method.evaluate(state)
        numeric = differences(ik.error_method, state)
        exact_rotation = ik.error_method.bounds[0][3:].any() or ik.error_method.weights[3:].min() == 0
        rows = slice(None) if exact_rotation else slice(0, 3)
        np.testing.assert_allclose(jacobian[rows], numeric[rows], atol=2e-6)
        if not exact_rotation:
            # Rows of a full rotation are the angular velocity, which the derivative takes to along the error.
            np.testing.assert_allclose(error[3:] @ jacobian[3:], error[3:] @ numeric[3:], atol=2e-6)
        compared += len(error)
    assert compared


@pytest.mark.parametrize("bounds", [None, HALF_FREE])
def test_a_target_on_a_moving_link_of_the_same_robot(arm, rng, differences, bounds):
    ik = InverseKinematics(arm)
    ik.error_method = TaskSpaceRegion(bounds)
    ik.offset = (0.0, 0.1, 0.0)
    ik.target = SimpleFrame("held", arm.link("l3"), TILTED)
    for _ in range(5):
        state = state_of(ik, rng)
        error, jacobian = ik.error_method.evaluate(state)
        numeric = differences(ik.error_method, state)
        # The joints that carry the target as well move nothing.
        np.testing.assert_allclose(jacobian[:, :4], 0.0, atol=1e-12)
        rows = slice(None) if bounds else slice(0, 3)
        np.testing.assert_allclose(jacobian[rows], numeric[rows], atol=2e-6)
        if not bounds:
            np.testing.assert_allclose(error[3:] @ jacobian[3:], error[3:] @ numeric[3:], atol=2e-6)


def test_a_moving_target_is_reached(arm, rng):
    ik = InverseKinematics(arm)
    goal = arm.state(arm.random_positions(rng))
    relative = goal.transform(arm.link("l1")).actInv(goal.transform(arm.tip))
    ik.target = SimpleFrame("held", arm.link("l1"), relative)
    solution = ik.solve()
    assert solution
    at = arm.state(solution.q)
    wanted = at.transform(arm.link("l1")) * relative
    assert np.linalg.norm(at.transform(arm.tip).translation - wanted.translation) < 1e-6


def test_free_components_have_no_row(arm):
    ik = InverseKinematics(arm)
    region = ik.error_method
    assert region.rows == 6
    region.bounds = ([0, 0, 0, -INF, 0, 0], [0, 0, 0, INF, 0, 0])
    assert region.rows == 5
    region.weights = [1, 1, 0, 1, 1, 1]
    assert region.rows == 4
    region.bounds = ([-INF] * 6, [0.0, *[INF] * 5])
    assert region.rows == 1
    assert TaskSpaceRegion.position_only().rows == 3


def test_inside_the_bounds_there_is_no_error(arm):
    ik = InverseKinematics(arm)
    ik.error_method.bounds = (np.full(6, -0.1), np.full(6, 0.1))
    ik.target.set_transform(pose((0.05, -0.09, 0.0)), relative_to=None)
    ik.target.set_transform(arm.tip.transform() * pose((0.05, -0.05, 0.02), rpy=(0.05, 0, 0)))
    error, jacobian = ik.error_method.evaluate(arm.state())
    assert not error.any()
    assert not jacobian.any()
    assert ik.error_method.residual(arm.state()) == (0.0, 0.0)


def displaced(arm, by, **options):
    """The error when the tip is displaced from its target by a position and a rotation vector (world)."""
    ik = InverseKinematics(arm)
    tip = arm.tip.transform()
    by = np.array(by, dtype=float)
    ik.target = pin.SE3(pin.exp3(-by[3:]) @ tip.rotation, tip.translation - by[:3])
    ik.error_method = TaskSpaceRegion(**options)
    return ik.error_method.evaluate(arm.state())[0], ik.error_method.residual(arm.state())


def test_from_the_center_or_from_the_bound(arm):
    bounds = ([-0.1, 0, 0, 0, 0, 0], [0.3, 0, 0, 0, 0, 0])
    outside = [0.5, 0, 0, 0, 0, 0]
    error, residual = displaced(arm, outside, bounds=bounds)
    np.testing.assert_allclose(error, [0.5 - 0.1, 0, 0, 0, 0, 0], atol=1e-12)
    # What is missing is the way to the bound, whatever the error aims at.
    np.testing.assert_allclose(residual, (0.2, 0.0), atol=1e-12)
    error, _ = displaced(arm, outside, bounds=bounds, compute_error_from_center=False)
    np.testing.assert_allclose(error, [0.2, 0, 0, 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize(("low", "high", "by", "expected"), [(-INF, 0.3, 0.5, 0.2), (-0.3, INF, -0.5, -0.2)])
def test_one_infinite_bound_gives_a_finite_error(arm, low, high, by, expected):
    bounds = ([low, 0, 0, 0, 0, 0], [high, 0, 0, 0, 0, 0])
    error, _ = displaced(arm, [by, 0, 0, 0, 0, 0], bounds=bounds, error_length_clamp=1.0)
    assert np.isfinite(error).all()
    assert np.linalg.norm(error) <= 1.0 + 1e-12
    np.testing.assert_allclose(error[0], expected, atol=2e-6)


def test_weights_and_clamp_shape_the_error_but_not_the_residual(arm):
    by = [0.3, 0, 0, 0, 0.4, 0]
    error, residual = displaced(arm, by, weights=[2, 1, 1, 1, 0.5, 1])
    np.testing.assert_allclose(error, [0.6, 0, 0, 0, 0.2, 0], atol=1e-12)
    np.testing.assert_allclose(residual, (0.3, 0.4), atol=1e-12)
    error, residual = displaced(arm, by, error_length_clamp=0.1)
    np.testing.assert_allclose(error, np.array(by) * 0.2, atol=1e-12)
    np.testing.assert_allclose(residual, (0.3, 0.4), atol=1e-12)


def test_rotation_is_a_rotation_vector_and_not_euler_angles(arm):
    turn = np.array([0.7, -0.9, 0.5])
    error, _ = displaced(arm, [0, 0, 0, *turn])
    np.testing.assert_allclose(error[3:], turn, atol=1e-12)


@pytest.mark.parametrize("axis", np.eye(3))
def test_a_flip_is_as_far_off_as_can_be(arm, axis):
    error, residual = displaced(arm, [0, 0, 0, *(np.pi * axis)])
    assert residual[1] == pytest.approx(np.pi, abs=1e-7)
    assert np.linalg.norm(error[3:]) == pytest.approx(np.pi, abs=1e-7)


def test_bounds_are_along_the_axes_of_the_targets_parent(arm):
    table = SimpleFrame("table", World(), TILTED)
    ik = InverseKinematics(arm)
    tip = arm.tip.transform()
    ik.target = SimpleFrame("goal", table)
    # Along the table's z axis the tip is 0.2 beyond the target; this direction is free, the others are not.
    away = pin.SE3(tip.rotation, tip.translation - TILTED.rotation @ np.array([0, 0, 0.2]))
    ik.target.set_transform(away)
    free_z = ([0, 0, -INF, 0, 0, 0], [0, 0, INF, 0, 0, 0])
    ik.error_method = TaskSpaceRegion(free_z)
    np.testing.assert_allclose(ik.error_method.evaluate(arm.state())[0], 0.0, atol=1e-12)
    ik.error_method = TaskSpaceRegion(free_z, reference_frame=World())
    assert np.linalg.norm(ik.error_method.evaluate(arm.state())[0]) > 0.01


@pytest.mark.parametrize("offset", [None, (0.1, 0.2, -0.3)])
@pytest.mark.parametrize("bounds", [None, HALF_FREE])
def test_the_desired_transform_has_no_error(arm, rng, offset, bounds):
    # A reference frame other than the world and an offset are where others go wrong.
    reference = SimpleFrame("reference", World(), TILTED)
    ik = module(arm, rng, bounds=bounds, reference_frame=reference)
    ik.offset = offset
    point = np.zeros(3) if offset is None else np.array(offset)
    for _ in range(10):
        state = state_of(ik, rng)
        desired = ik.error_method.compute_desired_transform(state)
        target = ik.target.transform()
        axes = TILTED.rotation.T
        position = axes @ (desired.act(point) - target.translation)
        turn = pin.log3(axes @ desired.rotation @ target.rotation.T @ axes.T)
        displacement = np.concatenate([position, turn])
        lower, upper = ik.error_method.bounds
        assert (displacement >= lower - 1e-9).all()
        assert (displacement <= upper + 1e-9).all()
        if bounds is None:
            np.testing.assert_allclose(desired.act(point), target.translation, atol=1e-12)


def test_position_only_takes_a_point(arm):
    ik = InverseKinematics(arm)
    ik.error_method = TaskSpaceRegion.position_only()
    solution = ik.solve([0.3, 0.2, 0.5])
    assert solution
    np.testing.assert_allclose(arm.state(solution.q).transform(arm.tip).translation, [0.3, 0.2, 0.5], atol=1e-6)
    ik.error_method = TaskSpaceRegion()
    with pytest.raises(InvalidPoseError, match="shape"):
        ik.solve([0.3, 0.2, 0.5])


def test_a_region_is_entered(arm, rng):
    ik = module(arm, rng, bounds=([-0.02] * 3 + [-0.1, -0.1, -INF], [0.02] * 3 + [0.1, 0.1, INF]))
    solution = ik.solve()
    assert solution
    assert solution.position_error == 0.0
    assert solution.iterations < 15


def test_an_exact_bound_is_reached_from_outside(arm, rng):
    ik = InverseKinematics(arm)
    ik.target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    ik.error_method = TaskSpaceRegion(([-0.05] * 3 + [0] * 3, [0.05] * 3 + [0] * 3), compute_error_from_center=False)
    solution = ik.solve()
    assert solution
    assert 0.0 <= solution.position_error <= 1e-6
    offset = arm.state(solution.q).transform(arm.tip).translation - ik.target.transform().translation
    assert np.abs(offset).max() == pytest.approx(0.05, abs=1e-6)


def test_dart_defaults():
    region = TaskSpaceRegion.dart_defaults()
    np.testing.assert_array_equal(region.bounds[1], np.full(6, 1e-6))
    np.testing.assert_array_equal(region.weights, [1, 1, 1, 0.4, 0.4, 0.4])
    assert region.error_length_clamp == 1.0
    assert region.compute_error_from_center


def test_setters_are_seen_at_once(arm):
    ik = InverseKinematics(arm)
    ik.target.set_transform(arm.tip.transform() * pose((0.1, 0, 0)))
    state = arm.state()
    before = np.linalg.norm(ik.error_method.evaluate(state)[0])
    ik.error_method.weights = np.full(6, 0.5)
    assert np.linalg.norm(ik.error_method.evaluate(state)[0]) == pytest.approx(before / 2)
    ik.error_method.linear_bounds = ([-1] * 3, [1] * 3)
    assert np.linalg.norm(ik.error_method.evaluate(state)[0]) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_array_equal(ik.error_method.linear_bounds[1], [1] * 3)
    ik.error_method.angular_bounds = ([-1] * 3, [2] * 3)
    np.testing.assert_array_equal(ik.error_method.bounds[1], [1, 1, 1, 2, 2, 2])


def test_bad_options_are_refused(arm):
    with pytest.raises(ShapeError):
        TaskSpaceRegion((np.zeros(3), np.zeros(3)))
    with pytest.raises(InvalidValueError, match="lower <= upper"):
        TaskSpaceRegion((np.ones(6), np.zeros(6)))
    with pytest.raises(InvalidValueError, match="lower <= upper"):
        TaskSpaceRegion((np.full(6, np.nan), np.zeros(6)))
    with pytest.raises(InvalidValueError, match="pair"):
        TaskSpaceRegion(3.0)
    with pytest.raises(InvalidValueError, match="weights"):
        TaskSpaceRegion(weights=[-1] * 6)
    with pytest.raises(InvalidValueError, match="clamp"):
        TaskSpaceRegion(error_length_clamp=0.0)
    with pytest.raises(InvalidValueError, match="reference_frame"):
        TaskSpaceRegion(reference_frame="world")
    with pytest.raises(ErrorMethodError, match="not bound"):
        TaskSpaceRegion().evaluate(arm.state())


def test_a_region_belongs_to_one_module(arm, six):
    region = TaskSpaceRegion()
    first, second = InverseKinematics(arm), InverseKinematics(six)
    first.error_method = region
    with pytest.raises(InvalidValueError, match="clone"):
        second.error_method = region
    second.error_method = region.clone()
    first.error_method = TaskSpaceRegion()
    second.error_method = region  # free again


def test_a_subclass_may_change_the_error(arm):
    class Halved(TaskSpaceRegion):
        def evaluate(self, state):
            error, jacobian = super().evaluate(state)
            return 0.5 * error, 0.5 * jacobian

    ik = InverseKinematics(arm)
    ik.error_method = Halved()
    goal = arm.tip.transform() * pose((0.05, 0, 0))
    aimed = ik.error_method.aimed_at(goal)
    error, _, away, _ = aimed.measure(arm.state())
    assert np.linalg.norm(error) == pytest.approx(0.025)
    assert away == pytest.approx(0.05)
    assert ik.solve(goal)
