import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import (
    InvalidValueError,
    RevoluteJoint,
    ShapeError,
    SimpleFrame,
    Skeleton,
    UnknownNameError,
    pose,
)
from kinetree.solvers import (
    GradientMethod,
    IKMetaSolver,
    JacobianDLS,
    JacobianIKSolver,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    Solutions,
    TaskSpaceRegion,
)


def relative(skeleton, q, base, tip):
    state = skeleton.state(q)
    return state.transform(base).actInv(state.transform(tip))


@pytest.fixture
def bent(arm):
    """A configuration well away from singularities."""
    return arm.clamp([0.3, 0.4, -0.2, -1.7, 0.2, 1.9, 0.5])


# What RobWork calls types.


@pytest.mark.parametrize("kind", ["transpose", "svd", "dls", "weighted", "SVD"])
def test_robworks_defaults(arm, bent, kind):
    solver = JacobianIKSolver.robwork_defaults(arm, kind)
    kinds = {"transpose": JacobianTranspose, "dls": JacobianDLS}
    assert type(solver.method) is kinds.get(kind, JacobianPseudoInverse)
    assert (solver.max_iterations, solver.max_error) == (15, 1e-6)
    assert (solver.check_joint_limits, solver.clamp_to_bounds, solver.interpolation_step) == (False, False, None)
    assert (solver.joint_limit_tolerance, solver.max_step) == (0.0, 0.8)
    assert solver.weights is None
    if kind != "transpose":
        target = relative(arm, bent + 0.01, solver.chain.base, arm.tip)
        assert len(solver.solve(target, bent)) == 1


def test_another_kind_is_refused(arm):
    with pytest.raises(InvalidValueError, match="'svd', 'dls', 'weighted', not 'newton'"):
        JacobianIKSolver.robwork_defaults(arm, "newton")


def test_ours_stay_what_they_were(arm):
    solver = JacobianIKSolver(arm)
    assert type(solver.method) is LevenbergMarquardt
    assert (solver.max_iterations, solver.clamp_to_bounds, solver.check_joint_limits) == (100, True, True)


def test_a_transpose_step_at_a_singular_or_solved_state_is_no_crash(planar):
    """RobWork's asserts a positive step length, which is none where J^T e is zero."""
    solver = JacobianIKSolver(planar, JacobianTranspose())
    solver.module.error_method = TaskSpaceRegion.position_only()
    stretched = [0.0, 0.0]
    assert not solver.solve(pose((1.2, 0, 0)), stretched)  # the error points along the arm: J^T e is zero
    np.testing.assert_array_equal(solver.solve(pose((1.5, 0, 0)), stretched)[0], stretched)


def test_convergence_on_the_last_iteration_counts(arm, bent):
    target = relative(arm, bent + 0.05, arm.tip.chain().base, arm.tip)
    solver = JacobianIKSolver(arm)
    needed = solver.attempt(target, bent).iterations
    assert needed > 1
    solver.max_iterations = needed
    assert len(solver.solve(target, bent)) == 1
    solver.max_iterations = needed - 1
    assert not solver.solve(target, bent)


@pytest.mark.parametrize("axis", np.eye(3).tolist())
def test_half_a_turn_is_no_success(arm, bent, axis):
    """The sum of R21, R02 and R10, RobWork's error, is zero there."""
    here = relative(arm, bent, arm.tip.chain().base, arm.tip)
    flipped = here * pin.SE3(pin.exp3(math.pi * np.array(axis)), np.zeros(3))
    for solver in (JacobianIKSolver(arm), JacobianIKSolver.robwork_defaults(arm)):
        solver.max_iterations = 0
        assert not solver.solve(flipped, bent)
        solver.max_iterations = 100
        for q in solver.solve(flipped, bent):
            assert np.linalg.norm(pin.log6(relative(arm, q, arm.tip.chain().base, arm.tip).actInv(flipped))) < 3e-6


# Limits.


def test_limits_are_kept_or_tested_or_left_alone(arm, bent):
    arm.dof("j3").limits = bent[3] - 0.02, bent[3] + 0.02
    q = bent.copy()
    q[3] += 0.1
    target = relative(arm, q, arm.tip.chain().base, arm.tip)
    solver = JacobianIKSolver(arm, clamp_to_bounds=False)
    solver.check_joint_limits = False
    free = solver.solve(target, bent)
    assert abs(free[0][3] - bent[3]) > 0.02
    solver.check_joint_limits = True
    refused = solver.solve(target, bent)
    assert not refused
    assert refused.report.refused["limits"] == 1
    solver.joint_limit_tolerance = abs(free[0][3] - bent[3]) - 0.02 + 1e-6
    np.testing.assert_array_equal(solver.solve(target, bent)[0], free[0])
    for wrong in (-1e-9, math.inf, math.nan):
        with pytest.raises(InvalidValueError, match="joint_limit_tolerance"):
            solver.joint_limit_tolerance = wrong


def test_whole_turns_are_taken_off_before_limits_are_tested():
    skeleton = Skeleton("wheel")
    link = skeleton.add_link("wheel", RevoluteJoint("spin", limits=(1.0, 4.0)), skeleton.add_link("base"))
    skeleton.tip = skeleton.add_link("rim", None, link, pose((1, 0, 0)))
    solver = JacobianIKSolver(skeleton, clamp_to_bounds=False)
    target = skeleton.state([-2.5]).transform(skeleton.tip)
    found = solver.solve(target, [-2.4])
    assert found[0] == pytest.approx([2 * math.pi - 2.5])
    solver.check_joint_limits = False
    assert solver.solve(target, [-2.4])[0] == pytest.approx([-2.5])


# Weights.


def one_step(solver, target, state):
    solver.max_iterations = 1
    return solver.attempt(target, state).q - state


@pytest.mark.parametrize("engine", ["compiled", "object"])
def test_a_weighted_step_is_the_shortest_in_its_own_sense(arm, bent, rng, monkeypatch, engine):
    if engine == "object":
        monkeypatch.setattr("kinetree.solvers.engine.kernel_of", lambda method: None)
    weights = rng.uniform(0.2, 5.0, 7)
    solver = JacobianIKSolver(arm, JacobianPseudoInverse(1e-9), weights=weights)
    q = bent + rng.uniform(-0.01, 0.01, 7)
    target = relative(arm, q, solver.chain.base, arm.tip)
    step = one_step(solver, target, bent)
    state = arm.state(bent)
    goal, here = arm.state(q).transform(arm.tip), state.transform(arm.tip)
    error = np.concatenate([goal.translation - here.translation, pin.log3(goal.rotation @ here.rotation.T)])
    jacobian = state.jacobian(arm.tip)
    # Minimise dq^T W dq under J dq = e, by Lagrange's multipliers.
    system = np.block([[np.diag(weights), -jacobian.T], [jacobian, np.zeros((6, 6))]])
    expected = np.linalg.solve(system, np.concatenate([np.zeros(7), error]))[:7]
    np.testing.assert_allclose(step, expected, atol=1e-9)
    solver.weights = None
    assert np.abs(one_step(solver, target, bent) - expected).max() > 1e-5


def test_weights_go_with_those_of_the_joints(arm, bent):
    target = relative(arm, bent + 0.02, arm.tip.chain().base, arm.tip)
    solver = JacobianIKSolver(arm, weights={"j6": 4.0})
    own = one_step(solver, target, bent)
    solver.weights = None
    arm.dof("j6").weight = 0.25  # how readily: the inverse
    np.testing.assert_allclose(one_step(solver, target, bent), own, atol=1e-12)
    solver.weights = {"j2": 3.0}
    both = one_step(solver, target, bent)
    arm.dof("j6").weight = 1.0
    solver.weights = {"j2": 3.0, "j6": 4.0}
    np.testing.assert_allclose(one_step(solver, target, bent), both, atol=1e-12)


def test_wrong_weights_change_nothing(arm):
    solver = JacobianIKSolver(arm, weights=[1, 2, 3, 4, 5, 6, 7])
    for wrong, error, words in (
        ([1.0, 2.0], ShapeError, "must be 7 numbers, for j0, j1"),
        (np.ones((7, 1)), ShapeError, "shape"),
        ([1, 1, 1, 0, 1, 1, 1], InvalidValueError, r"'j3'.*positive"),
        ({"j3": -1.0}, InvalidValueError, r"'j3'.*positive"),
        ({"j3": math.nan}, InvalidValueError, "'j3'"),
        ({"j9": 1.0}, UnknownNameError, "j9"),
    ):
        with pytest.raises(error, match=words):
            solver.weights = wrong
    np.testing.assert_array_equal(solver.weights, [1, 2, 3, 4, 5, 6, 7])
    with pytest.raises(ValueError, match="read-only"):
        solver.weights[0] = 3.0
    with pytest.raises(InvalidValueError, match=r"'j0'.*not in"):
        JacobianIKSolver(arm.tip.chain(arm.link("l3")), weights={"j0": 1.0})


def test_weights_hold_when_limits_change(arm, bent):
    solver = JacobianIKSolver(arm, weights={"j6": 1000.0})
    target = relative(arm, bent + 0.02, solver.chain.base, arm.tip)
    before = solver.solve(target, bent)[0]
    assert np.abs(before - JacobianIKSolver(arm).solve(target, bent)[0]).max() > 1e-3
    arm.dof("j0").limits = -2.0, 2.0
    np.testing.assert_allclose(solver.solve(target, bent)[0], before, atol=1e-12)
    # A little tighter than the solution needs; so that the others have to make up for it.
    towards = 0.9 * before[0] + 0.1 * bent[0]
    arm.dof("j0").limits = (-2.0, towards) if before[0] > bent[0] else (towards, 2.0)
    (held,) = solver.solve(target, bent)
    assert abs(held[0] - bent[0]) < abs(before[0] - bent[0])
    solver.weights = {"j6": 1e-3}
    assert abs(solver.solve(target, bent)[0][6] - bent[6]) > abs(held[6] - bent[6])


# Interpolation.


class Watched(GradientMethod):
    """Notes how long the errors are that it is asked about."""

    def __init__(self):
        self.lengths = []

    def gradient(self, jacobian, error):
        self.lengths.append(np.abs(error).max())
        return np.linalg.pinv(jacobian) @ error


def test_interpolation_goes_by_way_of_poses_in_between(arm, bent):
    far = bent + 0.6
    target = relative(arm, far, arm.tip.chain().base, arm.tip)
    solver = JacobianIKSolver(arm, Watched())
    assert solver.solve(target, bent)
    assert solver.method.lengths[0] > 0.5
    solver = JacobianIKSolver(arm, Watched(), interpolation_step=0.1)
    (q,) = solver.solve(target, bent)
    assert max(solver.method.lengths) < 0.12  # what is left of a piece, and the next one
    reached = relative(arm, q, solver.chain.base, arm.tip)
    np.testing.assert_allclose(reached.homogeneous, target.homogeneous, atol=3e-6)


def test_a_solution_in_pieces_has_its_angles_near_the_state(six, rng):
    solver = JacobianIKSolver(six, interpolation_step=0.2)
    for _ in range(20):
        target = relative(six, six.random_positions(rng), solver.chain.base, six.tip)
        state = six.random_positions(rng)
        for q in solver.solve(target, state):
            away = np.abs(q - state)
            turns = [[q[k] + 2 * math.pi * sign for sign in (-1, 1)] for k in range(6)]
            for k in range(6):
                for other in turns[k]:
                    assert not -2 * math.pi <= other <= 2 * math.pi or abs(other - state[k]) >= away[k] - 1e-9


def test_interpolation_counts_every_iteration(arm, bent):
    target = relative(arm, bent + 0.3, arm.tip.chain().base, arm.tip)
    solver = JacobianIKSolver(arm)
    at_once = solver.attempt(target, bent)
    solver.interpolation_step = 0.02
    assert solver.attempt(target, bent).iterations > at_once.iterations
    assert solver.attempt(relative(arm, bent, solver.chain.base, arm.tip), bent).iterations == 0
    for wrong in (0.0, -1.0, math.nan):
        with pytest.raises(InvalidValueError, match="interpolation_step"):
            solver.interpolation_step = wrong
    assert solver.interpolation_step == 0.02


# Frames.


def test_another_frame_of_interest(arm, rng):
    camera = SimpleFrame("camera", arm.link("l5"), pose((0.05, 0, 0.1), rpy=(0.2, 0, 1.0)))
    solver = JacobianIKSolver(arm.tip.chain(), tip=camera)
    assert solver.tcp is camera
    state = arm.random_positions(rng)
    q = arm.clamp(state + 0.05)
    target = relative(arm, q, solver.chain.base, camera)
    found = solver.solve(target, state)[0]
    np.testing.assert_allclose(
        relative(arm, found, solver.chain.base, camera).homogeneous, target.homogeneous, atol=3e-6
    )
    assert found[6] == state[6]  # does not move the camera
    with pytest.raises(InvalidValueError, match="moved by no joint"):
        JacobianIKSolver(arm.tip.chain(), tip=arm.link("base"))
    with pytest.raises(InvalidValueError, match="tip must be a frame"):
        JacobianIKSolver(arm, tip=3)


def test_an_offset_is_the_tool_point(arm, bent):
    solver = JacobianIKSolver(arm)
    solver.module.offset = [0.0, 0.0, 0.1]
    assert solver.tcp.parent is arm.tip
    assert solver.tcp is solver.tcp
    target = relative(arm, bent + 0.03, solver.chain.base, solver.tcp)
    q = solver.solve(target, bent)[0]
    np.testing.assert_allclose(
        relative(arm, q, solver.chain.base, solver.tcp).homogeneous, target.homogeneous, atol=3e-6
    )
    solver.interpolation_step = 0.01
    assert solver.solve(target, bent)


# Inside the meta solver.


def test_only_what_is_all_of_a_solve_is_given_as_a_request(arm, bent):
    target = relative(arm, bent, arm.tip.chain().base, arm.tip)

    class Picky(JacobianIKSolver):
        def solve(self, base_T_end, state=None):
            return Solutions()

    assert JacobianIKSolver(arm).request_for(target, bent) is not None
    assert Picky(arm).request_for(target, bent) is None
    assert JacobianIKSolver(arm, interpolation_step=0.1).request_for(target, bent) is None
    solver = JacobianIKSolver(arm, clamp_to_bounds=False)
    assert solver.request_for(target, bent) is None
    solver.check_joint_limits = False
    request = solver.request_for(target, bent)
    assert (request.problem.attempts, request.problem.respect_limits) == (1, False)
    np.testing.assert_array_equal(request.seed, bent)


@pytest.mark.parametrize("options", [{}, {"weights": {"j6": 9.0}}, {"interpolation_step": 0.2}])
def test_inside_the_meta_solver(arm, rng, options, misses, inside):
    meta = IKMetaSolver(JacobianIKSolver(arm, **options))
    meta.stop_at_first = True
    for _ in range(20):
        target = relative(arm, arm.random_positions(rng), meta.chain.base, arm.tip)
        (q,) = meta.solve(target, arm.random_positions(rng))
        assert max(misses(arm, q, arm.tip, target)) <= 1e-6
        assert inside(arm, q)
