import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, SimpleFrame, StructureError, pose
from kinetree.solvers import (
    CCDSolver,
    IKMetaSolver,
    InverseKinematics,
    InvKinMethod,
    InvKinSolver,
    JacobianIKSolver,
    ModuleSolver,
    Reason,
    Solutions,
    SolverError,
    TaskSpaceRegion,
    Validity,
    as_inv_kin_solver,
)


def meta(solver):
    inner = IKMetaSolver(solver)
    inner.stop_at_first = True
    return inner


@pytest.fixture
def robot():
    """An arm with one branching base that is moved and turned, and a joint before its base."""
    inner = models.load("dual_arm")
    inner.root.joint.placement = pose((0.4, -0.3, 0.2), rpy=(0.3, -0.2, 1.1))
    inner.positions = {"torso_joint": 0.7}
    return inner


SOLVERS = {
    "jacobian": JacobianIKSolver,
    "ccd": CCDSolver,
    "meta": lambda tip: meta(JacobianIKSolver(tip)),
    "branches": lambda tip: as_inv_kin_solver(InverseKinematics(tip).analytical()),
    "user_written": lambda tip: Written(tip),
}


class Written(InvKinSolver):
    """A user's: gives what a module finds, outside the limits as well."""

    def __init__(self, tip):
        self.inner = InverseKinematics(tip)
        self.asked = 0

    @property
    def chain(self):
        return self.inner.frame.chain()

    def solve(self, base_T_end, state=None):
        self.asked += 1
        base = self.chain.skeleton.state(state).transform(self.chain.base)
        found = self.inner.solve(base * base_T_end, seed=state)
        return Solutions([found.q.copy()] if found else [])


@pytest.mark.parametrize("name", SOLVERS)
def test_any_solver_as_a_gradient_method(robot, rng, misses, inside, name):
    tip = robot.frame("right_tool0")
    module = InverseKinematics(tip)
    module.gradient_method = InvKinMethod(SOLVERS[name](tip))
    before = robot.positions
    for _ in range(8):
        q = robot.random_positions(rng, tip.chain().dof_indices)
        target = robot.state(q).transform(tip)
        solution = module.solve(target, seed=robot.random_positions(rng, tip.chain().dof_indices))
        assert solution, solution
        assert max(misses(robot, solution.q, tip, target)) <= 1.001e-6
        assert inside(robot, solution.q)
        others = np.setdiff1d(np.arange(robot.num_dofs), tip.chain().dof_indices)
        np.testing.assert_array_equal(solution.q[others], before[others])
    np.testing.assert_array_equal(robot.positions, before)


def test_the_way_there_and_back_is_the_same(rng):
    """Solver -> method -> module -> solver gives what the solver gave."""
    robot = models.load("ur5")
    inner = as_inv_kin_solver(InverseKinematics(robot).analytical())
    module = InverseKinematics(robot)
    module.gradient_method = InvKinMethod(inner)
    outer = ModuleSolver(module)
    for _ in range(10):
        q = robot.random_positions(rng)
        state = robot.random_positions(rng)
        target = robot.state(q).transform(outer.chain.base).actInv(robot.state(q).transform(robot.tip))
        there, back = inner.solve(target, state), outer.solve(target, state)
        assert len(there) == len(back) >= 4
        np.testing.assert_allclose(np.array(there), np.array(back), atol=1e-12)


def test_a_module_there_and_back(arm, rng):
    """Module -> solver -> method: the same solutions as the module alone with as many attempts."""
    plain, wrapped = InverseKinematics(arm), InverseKinematics(arm)
    wrapped.gradient_method = InvKinMethod(ModuleSolver(InverseKinematics(arm), attempts=None))
    for _ in range(10):
        target = arm.state(arm.random_positions(rng)).transform(arm.tip)
        seed = arm.random_positions(rng)
        one, other = plain.solve(target, seed=seed), wrapped.solve(target, seed=seed, tolerance=2e-6)
        assert one
        assert other
        np.testing.assert_allclose(other.q, one.q, atol=1e-9)


def test_branches_validity_and_ranking_are_those_of_a_closed_form(rng):
    robot = models.load("ur5")
    module = InverseKinematics(robot)
    module.gradient_method = method = InvKinMethod(as_inv_kin_solver(module.analytical()))
    q = robot.random_positions(rng)
    target = robot.state(q).transform(robot.tip)
    base = robot.state(q).transform(method.base)
    branches = method.get_solutions(base.actInv(target), seed=q)
    assert len(branches) >= 4
    np.testing.assert_allclose(branches[0].q, q, atol=1e-9)
    robot.dof("elbow_joint").limits = q[2] - 0.1, q[2] + 0.1
    branches = method.get_solutions(base.actInv(target), seed=q)
    assert {each.validity for each in branches} == {Validity.VALID, Validity.LIMIT_VIOLATED}
    # A constraint takes the next branch, as for every closed form.
    robot.dof("elbow_joint").limits = -6.0, 6.0
    first = module.solve(target, seed=q)
    other = module.solve(target, seed=q, constraint=lambda each: np.abs(each - q).max() > 0.1)
    assert first.engine == other.engine == "closed form"
    assert np.abs(other.q - q).max() > 0.1


def test_offsets_and_frames_that_are_fixed_to_each_other(robot, rng):
    tip = robot.frame("right_tool0")
    tool = SimpleFrame("tool", tip, pose((0.02, 0.01, 0.1), rpy=(0.3, 0.1, 0.7)))
    for frame, offset in ((tool, None), (tip, [0.01, -0.05, 0.2]), (tool, [0.01, -0.05, 0.2])):
        module = InverseKinematics(frame)
        module.offset = offset
        module.gradient_method = InvKinMethod(meta(JacobianIKSolver(tip)))
        q = robot.random_positions(rng, tip.chain().dof_indices)
        target = robot.state(q).transform(frame)
        if offset is not None:
            target = target * pose(offset)
        solution = module.solve(target, seed=robot.random_positions(rng, tip.chain().dof_indices))
        assert solution
        reached = robot.state(solution.q).transform(frame)
        if offset is not None:
            reached = reached * pose(offset)
        np.testing.assert_allclose(reached.homogeneous, target.homogeneous, atol=3e-6)


def test_other_frames_and_robots_are_refused(robot, arm):
    module = InverseKinematics(robot.frame("right_tool0"))
    for solver, words in ((JacobianIKSolver(arm), "'arm'"), (JacobianIKSolver(robot.frame("left_tool0")), "not fixed")):
        with pytest.raises(StructureError, match=words):
            module.gradient_method = InvKinMethod(solver)
        assert type(module.gradient_method).__name__ == "LevenbergMarquardt"
    with pytest.raises(InvalidValueError, match="as_inv_kin_solver"):
        InvKinMethod(module)


def test_restarts_are_the_modules_where_the_solver_has_none(arm, rng):
    assert InvKinMethod(JacobianIKSolver(arm)).restarts
    assert not InvKinMethod(IKMetaSolver(JacobianIKSolver(arm))).restarts
    assert not InvKinMethod(Written(arm.tip)).restarts
    solver = Written(arm.tip)
    module = InverseKinematics(arm)
    module.gradient_method = InvKinMethod(solver, restarts=False)
    solution = module.solve(pose((9, 0, 0)))
    assert solution.reason is Reason.UNREACHABLE
    assert solver.asked < 5


def test_a_single_attempt_fails_where_restarts_do_not(rng):
    robot = models.load("kr6_r900")
    pairs = [(robot.random_positions(rng), robot.random_positions(rng)) for _ in range(40)]
    solved = []
    for restarts in (None, False):
        module = InverseKinematics(robot)
        module.gradient_method = InvKinMethod(JacobianIKSolver(robot), restarts=restarts)
        solved.append(sum(bool(module.solve(robot.state(q).transform(robot.tip), seed=seed)) for q, seed in pairs))
    assert solved[0] == 40 > solved[1] > 0


def test_a_coarse_solver_is_taken_at_its_word(arm, rng):
    """What it counts as there counts as reached; whether that is enough is what the module's tolerance says."""
    module = InverseKinematics(arm)
    module.gradient_method = InvKinMethod(CCDSolver(arm, max_error=1e-2))
    assert module.gradient_method.tolerance == 1e-2
    module.gradient_method.solver.max_error = 5e-3
    assert module.gradient_method.tolerance == 5e-3
    module.gradient_method.tolerance = 1e-2
    assert module.gradient_method.tolerance == 1e-2
    module.gradient_method.solver.max_error = 1e-2
    q = arm.random_positions(rng)
    target, seed = arm.state(q).transform(arm.tip), arm.clamp(q + 0.1)
    branches = module.gradient_method.get_solutions(target, seed=seed)
    assert branches[0].validity == Validity.VALID
    assert branches[0].position_error > 1e-6
    coarse = module.solve(target, seed=seed, tolerance=1e-2, attempts=1)
    assert coarse
    assert 1e-6 < max(coarse.position_error, coarse.orientation_error) <= 1e-2


def test_a_solver_that_raises_is_named(arm):
    class Broken(Written):
        def solve(self, base_T_end, state=None):
            raise RuntimeError("no licence")

    module = InverseKinematics(arm)
    module.gradient_method = InvKinMethod(Broken(arm.tip))
    with pytest.raises(SolverError, match=r"InvKinMethod.*RuntimeError: no licence"):
        module.solve(pose((0.4, 0.1, 0.5)))


def test_clones_and_partial_targets(arm, rng):
    solver = CCDSolver(arm, position_only=True)
    module = InverseKinematics(arm)
    module.error_method = TaskSpaceRegion.position_only()
    module.gradient_method = InvKinMethod(solver)
    point = arm.state(arm.random_positions(rng)).transform(arm.tip).translation
    for each in (module, module.clone(), module.prepare()):
        solution = each.solve(point)
        assert solution
        np.testing.assert_allclose(arm.state(solution.q).transform(arm.tip).translation, point, atol=2e-6)
    assert module.gradient_method.clone().solver is solver
    assert repr(module.gradient_method) == f"InvKinMethod({solver!r})"
