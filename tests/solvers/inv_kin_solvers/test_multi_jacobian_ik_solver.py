import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    InvalidPoseError,
    InvalidValueError,
    NodeSet,
    PrismaticJoint,
    ShapeError,
    SimpleFrame,
    Skeleton,
    UnknownNameError,
    pose,
)
from kinetree.solvers import (
    IterativeMultiIK,
    JacobianDLS,
    MultiJacobianIKSolver,
    TaskSpaceRegion,
)
from kinetree.solvers.inv_kin_solvers.stacked_task import StackedTask

TIPS = ["left_tool0", "right_tool0"]


@pytest.fixture
def robot():
    """Two arms on one torso, the base moved and turned."""
    inner = models.load("dual_arm")
    inner.root.joint.placement = pose((0.4, -0.3, 0.2), rpy=(0.3, -0.2, 1.1))
    return inner


def poses(solver, q):
    state = solver.skeleton.state(q)
    base = state.transform(solver.base)
    return [base.actInv(state.transform(frame)) for frame in solver.tcps]


def misses(solver, q, targets):
    """(n, 2) m and rad by Pinocchio's logarithm."""
    away = [reached.actInv(target) for reached, target in zip(poses(solver, q), targets, strict=True)]
    return np.array([[np.linalg.norm(each.translation), np.linalg.norm(pin.log3(each.rotation))] for each in away])


def test_both_arms_at_once(robot, rng, inside):
    solver = MultiJacobianIKSolver(robot, TIPS)
    assert isinstance(solver, IterativeMultiIK)
    assert [frame.name for frame in solver.tcps] == TIPS
    assert solver.base is robot.link("base_link")
    assert len(solver.modules[0].dofs) == 15  # the torso, which the chains of the arms leave out
    before = robot.positions
    for _ in range(20):
        q = robot.random_positions(rng)
        state = robot.clamp(q + rng.uniform(-0.3, 0.3, len(q)))
        kept, targets = state.copy(), poses(solver, q)
        (found,) = solver.solve(targets, state)
        assert misses(solver, found, targets).max() <= 1e-6
        assert inside(robot, found)
        np.testing.assert_array_equal(state, kept)
    np.testing.assert_array_equal(robot.positions, before)


def test_each_target_has_its_own_error(robot, rng):
    solver = MultiJacobianIKSolver(robot, TIPS)
    q = robot.random_positions(rng)
    state = robot.clamp(q + 0.1)
    targets = poses(solver, q)
    loose_and_tight = []
    for errors in ([0.02, 1e-9], [1e-9, 0.02]):
        solver.max_error = errors
        missed = misses(solver, solver.solve(targets, state)[0], targets).max(axis=1)
        assert (missed <= np.array(errors) * 1.001).all()
        loose_and_tight.append(missed)
    # A descent that went on until both were met tightly would not leave anything over.
    solver.max_error = 0.02
    assert misses(solver, solver.solve(targets, state)[0], targets).max() > 1e-6


def test_tasks_within_their_own_tolerance_miss_nothing(robot, rng):
    modules = MultiJacobianIKSolver(robot, TIPS).modules
    q = robot.random_positions(rng)
    state = robot.state(q)
    goals = [state.transform(module.frame) * pose((0.01, 0, 0)) for module in modules]
    tasks = [module.error_method.aimed_at(goal) for module, goal in zip(modules, goals, strict=True)]
    for tolerances, missed in (((0.1, 0.1), 0.0), ((0.1, 1e-6), 0.01), ((1e-6, 1e-6), 0.01 * np.sqrt(2))):
        task = StackedTask(tasks, tolerances)
        assert task.residual(state) == pytest.approx((missed, 0.0), abs=1e-9)
        assert task.measure(state)[2:] == pytest.approx((missed, 0.0), abs=1e-9)


def test_a_target_that_cannot_be_met_is_an_empty_list_or_the_best_fit(robot, rng):
    solver = MultiJacobianIKSolver(robot, TIPS)
    q = robot.random_positions(rng)
    targets = poses(solver, q)
    targets[1] = pose((4.0, 0, 0))
    assert not solver.solve(targets, q)
    solver.return_best_fit = True
    found = solver.solve(targets, q)
    assert len(found) == 1
    assert found.report.refused["not solved"] == 1
    start, end = misses(solver, q, targets), misses(solver, found[0], targets)
    assert np.linalg.norm(end) < np.linalg.norm(start)
    assert (found[0] <= robot.upper_limits).all()


def test_half_a_turn_of_one_of_them_is_no_success(robot, rng):
    solver = MultiJacobianIKSolver(robot, TIPS, max_iterations=0)
    q = robot.random_positions(rng)
    targets = poses(solver, q)
    assert len(solver.solve(targets, q)) == 1
    for axis in np.eye(3):
        flipped = targets[1] * pin.SE3(pin.exp3(np.pi * axis), np.zeros(3))
        assert not solver.solve([targets[0], flipped], q)


def test_convergence_on_the_last_iteration_counts(robot, rng):
    solver = MultiJacobianIKSolver(robot, TIPS)
    q = robot.random_positions(rng)
    state, targets = robot.clamp(q + 0.05), poses(solver, q)
    solved = []
    for iterations in range(8):
        solver.max_iterations = iterations
        solved.append(len(solver.solve(targets, state)))
    first = solved.index(1)
    assert first > 0
    assert solved == [0] * first + [1] * (8 - first)
    solver.max_iterations = first
    q = solver.solve(targets, state)[0]
    assert misses(solver, q, targets).max() <= 1e-6


def test_other_methods_and_interpolation(robot, rng):
    q = robot.random_positions(rng)
    state = robot.clamp(q + 0.2)
    for options in ({"method": JacobianDLS()}, {"interpolation_step": 0.05}):
        solver = MultiJacobianIKSolver(robot, TIPS, max_iterations=1000, max_error=1e-5, **options)
        targets = poses(solver, q)
        assert misses(solver, solver.solve(targets, state)[0], targets).max() <= 1e-5
    assert repr(solver) == "<MultiJacobianIKSolver: 'left_tool0', 'right_tool0' relative to 'base_link'>"


def test_positions_only_and_other_frames(robot, rng):
    elbow = SimpleFrame("elbow", robot.link("left_arm_link_4"), pose((0.0, 0.02, 0.1)))
    solver = MultiJacobianIKSolver(robot, [elbow, "left_tool0"])
    solver.modules[0].error_method = TaskSpaceRegion.position_only()
    q = robot.random_positions(rng)
    targets = poses(solver, q)
    targets[0] = pose(targets[0].translation)  # any rotation
    found = solver.solve(targets, robot.clamp(q + 0.1))[0]
    missed = misses(solver, found, targets)
    assert missed[0, 0] <= 1e-6 < missed[0, 1]
    assert missed[1].max() <= 1e-6


def test_a_node_set_says_what_moves(robot, rng):
    joints = [joint.name for joint in robot.joints if "arm_joint" in joint.name]
    arms = NodeSet("arms", joints, robot.link("torso_link"), robot.tip)
    solver = MultiJacobianIKSolver(arms, TIPS)
    assert solver.base is robot.link("torso_link")
    state = robot.random_positions(rng)
    q = state.copy()
    q[arms.dof_indices] += 0.05
    q = robot.clamp(q)
    found = solver.solve(poses(solver, q), state)[0]
    torso = robot.dof("torso_joint").index
    assert found[torso] == state[torso]
    assert misses(solver, found, poses(solver, q)).max() <= 1e-6


def test_feet_of_a_floating_robot(humanoid, rng):
    solver = MultiJacobianIKSolver(humanoid, ["left_leg_end", "right_leg_end"])
    assert solver.base.name == "world"
    q = humanoid.positions
    moved = humanoid.integrate(q, 0.05 * rng.normal(size=humanoid.num_dofs))
    targets = poses(solver, moved)
    found = solver.solve(targets, q)[0]
    assert misses(solver, found, targets).max() <= 1e-6


def test_wrong_frames_and_targets_are_refused(robot, humanoid):
    for frames, error in (
        ([], InvalidValueError),
        (["left_tool0", "left_tool0"], InvalidValueError),
        (["left_tool1"], UnknownNameError),
        ([humanoid.frame("left_arm_end")], InvalidValueError),
        ([robot.link("base_link")], InvalidValueError),
        ([3], InvalidValueError),
    ):
        with pytest.raises(error):
            MultiJacobianIKSolver(robot, frames)
    solver = MultiJacobianIKSolver(robot, TIPS)
    with pytest.raises(ShapeError, match=r"2 frames.*1 were given"):
        solver.solve([pose()])
    with pytest.raises(InvalidPoseError, match=r"base_T_ends\[1\]"):
        solver.solve([pose(), np.full((4, 4), np.nan)])
    with pytest.raises(InvalidValueError, match="sequence of poses"):
        solver.solve(None)


def test_the_stacked_jacobian_is_the_derivative(robot, rng, differences):
    modules = MultiJacobianIKSolver(robot, TIPS).modules
    for module in modules:
        module.error_method = TaskSpaceRegion.position_only()
    q = robot.random_positions(rng)
    tasks = [module.error_method.aimed_at(np.array([0.3, k, 0.5])) for k, module in enumerate(modules)]
    task = StackedTask(tasks, [1e-6, 1e-6])
    state = robot.state(q)
    error, jacobian = task.evaluate(state)
    assert task.rows == len(error) == 6
    np.testing.assert_allclose(jacobian, differences(task, state), atol=1e-7)


def test_a_dependent_joint_moves_with_its_master():
    skeleton = Skeleton("gripper")
    base = skeleton.add_link("base")
    left = PrismaticJoint("left", axis="y", limits=(0.0, 0.05))
    skeleton.add_link("left_finger", left, base)
    right = PrismaticJoint("right", axis="y", limits=(-0.05, 0.0))
    skeleton.add_link("right_finger", right, base)
    right.depend_on(left, -1.0)
    solver = MultiJacobianIKSolver(skeleton, ["right_finger"])
    assert solver.solve([pose((0, -0.02, 0))])[0] == pytest.approx([0.02], abs=1e-6)
