import copy
import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import InvalidPoseError, InvalidValueError, NodeSet, SimpleFrame, pose
from kinetree.solvers import (
    Analytical,
    GradientMethod,
    IKMetaSolver,
    InverseKinematics,
    InvKinSolver,
    JacobianDLS,
    JacobianIKSolver,
    ModuleSolver,
    Solutions,
    TaskSpaceRegion,
    as_inv_kin_solver,
)


def relative(skeleton, q, base, tip):
    state = skeleton.state(q)
    return state.transform(base).actInv(state.transform(tip))


def check(skeleton, solver, q, target, tolerance=1e-6):
    away = relative(skeleton, q, solver.chain.base, solver.tcp).actInv(target)
    assert np.linalg.norm(away.translation) <= tolerance
    assert np.linalg.norm(pin.log3(away.rotation)) <= tolerance


class UserWritten(GradientMethod):
    def gradient(self, jacobian, error):
        square = jacobian @ jacobian.T + (0.01 * (error @ error) + 1e-9) * np.eye(len(error))
        return jacobian.T @ np.linalg.solve(square, error)


class Elbows(Analytical):
    """Both solutions of the arm of two links."""

    def compute_solutions(self, pose):
        x, y, _ = pose.translation
        cosine = (x * x + y * y - 1.0 - 0.25) / (2 * 1.0 * 0.5)
        for elbow in (math.acos(cosine), -math.acos(cosine)) if abs(cosine) <= 1 else ():
            yield math.atan2(y, x) - math.atan2(0.5 * math.sin(elbow), 1 + 0.5 * math.cos(elbow)), elbow


@pytest.fixture
def moved_ur5():
    """A UR5 on a base that is moved and turned."""
    robot = models.load("ur5")
    robot.root.joint.placement = pose((0.4, -0.3, 0.2), rpy=(0.3, -0.2, 1.1))
    return robot


# Any module.


@pytest.mark.parametrize("method", [None, JacobianDLS, UserWritten])
def test_a_module_with_any_gradient_method(moved_ur5, rng, inside, method):
    module = InverseKinematics(moved_ur5)
    if method is not None:
        module.gradient_method = method()
    solver = as_inv_kin_solver(module)
    assert isinstance(solver, InvKinSolver)
    assert solver.module is module
    before, solved = moved_ur5.positions, 0
    for _ in range(20):
        q = moved_ur5.random_positions(rng)
        state = moved_ur5.clamp(q + rng.uniform(-0.1, 0.1, 6))
        target = relative(moved_ur5, q, solver.chain.base, solver.tcp)
        for found in solver.solve(target, state):
            check(moved_ur5, solver, found, target)
            assert inside(moved_ur5, found)
            solved += 1
    assert solved >= 15
    np.testing.assert_array_equal(moved_ur5.positions, before)


def test_one_attempt_or_as_many_as_the_module_makes(moved_ur5, rng):
    module = InverseKinematics(moved_ur5)
    one, many = ModuleSolver(module), ModuleSolver(module, attempts=None)
    counts = {one: 0, many: 0}
    for _ in range(30):
        target = relative(moved_ur5, moved_ur5.random_positions(rng), one.chain.base, one.tcp)
        state = moved_ur5.random_positions(rng)
        for solver in counts:
            found = solver.solve(target, state)
            counts[solver] += len(found)
            assert found.report.attempts == found.report.found + found.report.refused["not solved"]
    assert counts[many] == 30 > counts[one] > 0
    many.attempts = 3
    assert many.solve(pose((9, 0, 0))).report.attempts == 3
    with pytest.raises(InvalidValueError, match="attempts"):
        many.attempts = 0


def test_a_closed_form_gives_all_its_branches(moved_ur5, rng):
    closed = InverseKinematics(moved_ur5).analytical()
    solver = as_inv_kin_solver(closed)
    for _ in range(20):
        q = moved_ur5.random_positions(rng)
        target = relative(moved_ur5, q, solver.chain.base, solver.tcp)
        state = moved_ur5.random_positions(rng)
        found = solver.solve(target, state)
        assert len(found) in (4, 6, 8)
        for each in found:
            check(moved_ur5, solver, each, target, 1e-9)
        away = [np.abs(each - state).max() for each in found]
        assert away == sorted(away)
        turned = [np.abs(np.angle(np.exp(1j * (each - q)))).max() for each in found]
        assert min(turned) < 1e-6  # the branch that the target was made from
        np.testing.assert_array_equal(solver.solve(target, q)[0], q)


def test_branches_beyond_limits_are_left_out_unless_they_are_wanted(moved_ur5, rng, inside):
    q = moved_ur5.random_positions(rng)
    moved_ur5.dof("elbow_joint").limits = (0.0, 3.0) if q[2] > 0 else (-3.0, 0.0)
    q[2] = np.clip(q[2], *moved_ur5.dof("elbow_joint").limits)
    solver = as_inv_kin_solver(InverseKinematics(moved_ur5).analytical())
    target = relative(moved_ur5, q, solver.chain.base, solver.tcp)
    kept = solver.solve(target, q)
    solver.check_joint_limits = False
    every = solver.solve(target, q)
    assert 0 < len(kept) < len(every)
    assert kept.report.refused["limits"] == len(every) - len(kept)
    assert all(inside(moved_ur5, each) for each in kept)
    assert not all(inside(moved_ur5, each) for each in every)


def test_a_users_closed_form_with_a_device(planar):
    solver = as_inv_kin_solver(Elbows(), planar)
    solver.module.error_method = TaskSpaceRegion.position_only()
    found = solver.solve(pose((0.9, 0.6, 0)), [0.5, 0.5])
    assert len(found) == 2
    for q in found:
        reached = relative(planar, q, solver.chain.base, planar.tip).translation
        np.testing.assert_allclose(reached, [0.9, 0.6, 0], atol=1e-9)
    assert found[0][1] > 0 > found[1][1]
    assert not solver.solve(pose((5, 0, 0)))


def test_a_gradient_method_for_a_device(arm, rng):
    q = arm.random_positions(rng)
    for device in (arm, arm.tip, arm.tip.chain()):
        solver = as_inv_kin_solver(UserWritten(), device)
        target = relative(arm, q, solver.chain.base, arm.tip)
        check(arm, solver, solver.solve(target, arm.clamp(q + 0.02))[0], target)


def test_a_method_of_a_module_works_in_a_copy_of_it(moved_ur5):
    module = InverseKinematics(moved_ur5)
    closed = module.analytical()
    solver = as_inv_kin_solver(closed)
    assert solver.module is not module
    assert closed.ik is module
    assert type(module.gradient_method).__name__ == "LevenbergMarquardt"


def test_what_is_no_solver_is_refused(arm):
    inner = JacobianIKSolver(arm)
    assert as_inv_kin_solver(inner) is inner
    with pytest.raises(InvalidValueError, match="belongs to no module"):
        as_inv_kin_solver(UserWritten())
    for wrong in (None, 3, arm, UserWritten):
        with pytest.raises(InvalidValueError, match="no InvKinSolver"):
            as_inv_kin_solver(wrong)
    with pytest.raises(InvalidValueError, match="module"):
        ModuleSolver(inner)
    with pytest.raises(InvalidValueError, match="device"):
        ModuleSolver(InverseKinematics(arm), 3)
    with pytest.raises(InvalidPoseError, match="base_T_end"):
        as_inv_kin_solver(InverseKinematics(arm)).solve(np.zeros((4, 4)))


# Frames.


@pytest.mark.parametrize("closed", [False, True])
def test_a_tool_point_and_a_tool_frame(moved_ur5, rng, closed):
    module = InverseKinematics(moved_ur5)
    module.offset = [0.02, -0.03, 0.15]
    if closed:
        module.gradient_method = module.analytical()
    solver = ModuleSolver(module)
    assert solver.tcp.parent is module.frame
    assert solver.tcp is solver.tcp
    assert solver.chain.tip is solver.tcp
    q = moved_ur5.random_positions(rng)
    target = relative(moved_ur5, q, solver.chain.base, solver.tcp)
    for found in solver.solve(target, moved_ur5.clamp(q + 0.02)):
        check(moved_ur5, solver, found, target)
    module.offset = [0.0, 0.0, 0.3]
    assert solver.tcp.relative_transform.translation[2] == 0.3

    tool = SimpleFrame("tip", moved_ur5.tip, pose((0.0, 0.1, 0.1), rpy=(0.5, 0.2, 0)))
    module = InverseKinematics(tool)
    if closed:
        module.gradient_method = module.analytical()
    solver = ModuleSolver(module)
    assert solver.tcp is tool
    target = relative(moved_ur5, q, solver.chain.base, tool)
    found = solver.solve(target, moved_ur5.clamp(q + 0.02))
    assert len(found) >= (4 if closed else 1)
    for each in found:
        check(moved_ur5, solver, each, target)


@pytest.mark.parametrize("closed", [False, True])
def test_one_arm_of_a_tree_whose_base_moves(rng, closed):
    robot = models.load("dual_arm")
    module = InverseKinematics(robot.frame("right_tool0"))
    if closed:
        module.gradient_method = module.analytical()
    solver = ModuleSolver(module)
    assert solver.chain.base is robot.link("torso_link")
    solved = 0
    for _ in range(10):
        q = robot.random_positions(rng)
        state = q.copy()
        state[solver.chain.dof_indices] += 0.03
        state = robot.clamp(state)
        target = relative(robot, q, solver.chain.base, solver.tcp)
        for found in solver.solve(target, state):
            check(robot, solver, found, target)
            others = np.setdiff1d(np.arange(robot.num_dofs), solver.chain.dof_indices)
            np.testing.assert_array_equal(found[others], state[others])
            solved += 1
    assert solved >= 8


def test_a_base_that_the_module_moves_is_not_taken(rng):
    robot = models.load("dual_arm")
    module = InverseKinematics(robot.frame("right_tool0"))
    module.use_whole_body()
    solver = ModuleSolver(module)
    assert solver.chain.base is robot.link("base_link")
    given = NodeSet("arm", ["right_arm_joint_1"], robot.link("torso_link"), robot.tip)
    assert ModuleSolver(InverseKinematics(robot.frame("right_tool0")), given).chain.base is robot.link("torso_link")
    q = robot.random_positions(rng)
    target = relative(robot, q, solver.chain.base, solver.tcp)
    check(robot, solver, solver.solve(target, robot.clamp(q + 0.03))[0], target)


# Requests, for the meta solver.


def test_only_what_is_all_of_a_solve_is_given_as_a_request(moved_ur5):
    module = InverseKinematics(moved_ur5)
    target = pose((0.3, 0.2, 0.4))

    class Picky(ModuleSolver):
        def solve(self, base_T_end, state=None):
            return Solutions()

    assert ModuleSolver(module).request_for(target).problem.attempts == 1
    assert ModuleSolver(module, attempts=None).request_for(target).problem.attempts == module.problem.attempts
    assert Picky(module).request_for(target) is None
    assert as_inv_kin_solver(module.analytical()).request_for(target) is None
    module.problem.respect_limits = False
    solver = ModuleSolver(module)
    assert solver.request_for(target) is None
    solver.check_joint_limits = False
    assert solver.request_for(target) is not None


def test_branches_inside_the_meta_solver(moved_ur5, rng, inside):
    """All branches that are wanted, without a single restart."""
    solver = as_inv_kin_solver(InverseKinematics(moved_ur5).analytical())
    meta = IKMetaSolver(solver, constraint=lambda q: np.sin(q[2]) > 0.0)
    meta.max_attempts = 1
    q = moved_ur5.random_positions(rng)
    target = relative(moved_ur5, q, solver.chain.base, solver.tcp)
    every, wanted = solver.solve(target, q), meta.solve(target, q)
    assert len(wanted) == sum(np.sin(each[2]) > 0.0 for each in every) > 0
    for each in wanted:
        check(moved_ur5, solver, each, target)
        assert inside(moved_ur5, each)


# What is kept from solve to solve follows every change.


def solves(meta, rng):
    """Solves for a configuration of the chain as it is now, and looks whether the answer is right."""
    robot = meta.chain.skeleton
    q = robot.random_positions(rng, meta.chain.dof_indices)
    target = relative(robot, q, meta.chain.base, meta.tcp)
    found = meta.solve(target, robot.positions, 60, True)
    assert found, found.report
    check(robot, meta, found[0], target)
    return found[0]


def test_what_is_kept_of_the_chain_follows_changes(moved_ur5, rng, inside):
    robot = moved_ur5
    tool = SimpleFrame("tool", robot.tip, pose((0.0, 0.0, 0.1)))
    module = InverseKinematics(tool)
    meta = IKMetaSolver(module)
    solver = ModuleSolver(module)
    solves(meta, rng)
    before = solver.chain
    robot.root.joint.placement = pose((-1.0, 0.5, 0.2), rpy=(0.0, 0.4, -0.3))
    solves(meta, rng)
    robot.dofs[0].limits = (-0.1, 0.1)
    assert inside(robot, solves(meta, rng))
    tool.relative_transform = pose((0.2, 0.0, 0.0), rpy=(1.0, 0.0, 0.0))
    solves(meta, rng)
    assert solver.chain.name.endswith("tool")
    tool.name = "renamed"
    assert solver.chain.name.endswith("renamed")
    for offset in (0.1, 0.2):
        module.offset = (0.0, offset, 0.0)
        assert solver.chain.tip is solver.tcp
        solves(meta, rng)
    module.offset = None
    module.set_dofs(robot.dofs[1:])
    state = robot.positions
    assert solves(meta, rng)[0] == state[0]
    assert len(solver.chain) == len(before) - 1


def test_a_chain_that_was_given_out_is_the_callers(moved_ur5, rng):
    meta = IKMetaSolver(InverseKinematics(moved_ur5))
    solves(meta, rng)
    given = meta.chain
    base, given.base = given.base, moved_ur5.links[1]
    assert meta.chain.base is base
    solves(meta, rng)


def test_a_frame_that_is_hung_elsewhere_has_another_base():
    robot = models.load("humanoid")
    tool = SimpleFrame("tool", robot.frame("left_hand"))
    solver = ModuleSolver(InverseKinematics(tool))
    before = solver.chain.base
    assert before is tool.chain().base
    tool.set_parent(robot.frame("left_foot"))
    assert solver.chain.base is tool.chain().base
    assert solver.chain.base is not before


def test_a_base_that_moves_is_where_the_state_has_it(rng):
    robot = models.load("humanoid")
    frame = robot.frame("left_foot")
    meta = IKMetaSolver(InverseKinematics(frame))
    q = robot.random_positions(rng, frame.chain().dof_indices)
    for _ in range(2):
        state = robot.random_positions(rng)
        whole = state.copy()
        whole[frame.chain().dof_indices] = q[frame.chain().dof_indices]
        target = relative(robot, whole, meta.chain.base, frame)
        found = meta.solve(target, state, 60, True)
        check(robot, meta, found[0], target)


def test_a_copy_keeps_nothing_of_the_original(moved_ur5, rng):
    meta = IKMetaSolver(InverseKinematics(moved_ur5))
    solves(meta, rng)
    twin = copy.deepcopy(meta)
    assert twin.chain.skeleton is not moved_ur5
    solves(twin, rng)
    twin.chain.skeleton.root.joint.placement = pose((5.0, 0.0, 0.0))
    solves(twin, rng)
    solves(meta, rng)
