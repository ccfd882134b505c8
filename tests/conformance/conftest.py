"""What the conformance suite runs over: one line for each solver and for each robot.

Every test of the suite takes ``setup``: a robot with a solver for its natural tip. Solvers differ in how they are
called and in what they give back; `Answer` and the ``make`` functions below even that out, and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import KinetreeError, Skeleton
from kinetree.solvers import (
    AmbiguityResolver,
    CCDSolver,
    GradientMethod,
    HierarchicalIK,
    IKMetaSolver,
    InverseKinematics,
    InvKinMethod,
    JacobianDLS,
    JacobianIKSolver,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    ModuleSolver,
    Problem,
    Solution,
    TaskSpaceRegion,
)


class UserWritten(GradientMethod):
    """What a user writes in ten lines of numpy: damped Gauss-Newton."""

    def gradient(self, jacobian, error):
        damping = 0.01 * (error @ error) + 1e-9
        square = jacobian @ jacobian.T + damping * np.eye(len(error))
        return jacobian.T @ np.linalg.solve(square, error)


# Making solvers: ``make(robot, error_method) -> solve``, and ``solve(target, seed) -> Answer``.


@dataclass(frozen=True)
class Answer:
    """What any solver says.

    Attributes:
        found: Configurations that it calls solutions, the best one first.
        solution: Its report about a single solution, if it makes one.
        refused: Its count of failed attempts, if it gives lists.
    """

    found: tuple
    solution: Solution | None = None
    refused: dict = field(default_factory=dict)


def error_of(is_full_pose):
    return TaskSpaceRegion() if is_full_pose else TaskSpaceRegion.position_only()


def module_with(method, **options):
    """An `InverseKinematics` module with a gradient method, and options of its problem."""

    def make(robot, is_full_pose):
        module = InverseKinematics(robot)
        module.error_method = error_of(is_full_pose)
        module.gradient_method = method()
        module.problem = Problem(**options)
        return lambda target, seed: _one(module.solve(target, seed=seed))

    return make


def closed_form(robot, is_full_pose):
    """The closed form that is found for the robot."""
    module = InverseKinematics(robot)
    module.error_method = error_of(is_full_pose)
    method = module.analytical()
    if method is None:
        pytest.skip(module.analytical_report)
    module.gradient_method = method
    return lambda target, seed: _one(module.solve(target, seed=seed))


def meta_around_module(robot, is_full_pose):
    module = InverseKinematics(robot)
    module.error_method = error_of(is_full_pose)
    return _listed(IKMetaSolver(module))


def meta_around_jacobian_solver(robot, is_full_pose):
    solver = JacobianIKSolver(robot.tip.chain())
    solver.module.error_method = error_of(is_full_pose)
    return _listed(IKMetaSolver(solver))


def jacobian_solver(method):
    """A `JacobianIKSolver`: one descent, no restarts."""

    def make(robot, is_full_pose):
        solver = JacobianIKSolver(robot, method())
        solver.module.error_method = error_of(is_full_pose)
        return _listed(solver)

    return make


def ccd(robot, is_full_pose):
    return _listed(CCDSolver(robot, position_only=not is_full_pose))


def meta_around_ccd(robot, is_full_pose):
    meta = IKMetaSolver(CCDSolver(robot, position_only=not is_full_pose))
    meta.stop_at_first = True
    return _listed(meta)


def closed_module(robot, is_full_pose):
    module = InverseKinematics(robot)
    module.error_method = error_of(is_full_pose)
    method = module.analytical()
    if method is None:
        pytest.skip(module.analytical_report)
    module.gradient_method = method
    return module


def branches_of_module(robot, is_full_pose):
    """A `ModuleSolver` around the closed form that is found for the robot."""
    return _listed(ModuleSolver(closed_module(robot, is_full_pose)))


def every_turn_of_branches(robot, is_full_pose):
    return _listed(AmbiguityResolver(closed_module(robot, is_full_pose)))


def module_of_inv_kin_solver(robot, is_full_pose):
    """The way back: a module whose gradient method is an `InvKinSolver`."""
    solver = JacobianIKSolver(robot)
    solver.module.error_method = error_of(is_full_pose)
    module = InverseKinematics(robot)
    module.error_method = error_of(is_full_pose)
    module.gradient_method = InvKinMethod(solver)
    return lambda target, seed: _one(module.solve(target, seed=seed))


def hierarchy_of_one(robot, is_full_pose):
    module = InverseKinematics(robot)
    module.error_method = error_of(is_full_pose)
    hierarchy = HierarchicalIK(robot)
    hierarchy.add(module, level=0)

    def solve(target, seed):
        module.target = target
        return _one(hierarchy.solve(seed=seed))

    return solve


def _one(solution):
    return Answer((solution.q,) if solution else (), solution)


def _listed(solver):
    """A solver after `InvKinSolver`, whose targets are relative to the base of its chain."""
    base = solver.chain.base

    def solve(target, seed):
        try:
            relative = base.skeleton.state(seed).transform(base).actInv(target)
        except (KinetreeError, TypeError):
            relative = target  # one of the two is wrong, which the solver is to find out
        found = solver.solve(relative, seed)
        return Answer(tuple(found), refused=dict(found.report.refused))

    return solve


@dataclass(frozen=True)
class SolverCase:
    """A solver, with what may be asked of it.

    Attributes:
        name: In the names of the tests.
        make: See above.
        solved: Least part of random reachable targets that it solves.
        samples: How many of them, when not slow.
        followed: Least part of the steps of a random walk that it follows without a jump.
        tolerance: What it is asked for (m and rad).
    """

    name: str
    make: Callable[..., Any]
    solved: float = 1.0
    samples: int = 10
    followed: float = 1.0
    tolerance: float = 1e-6


#: First order: to a tenth of a millimetre it takes thousands of iterations where others take ten.
COARSE = {"tolerance": 1e-3, "attempts": 30}

SOLVERS = (
    SolverCase("levenberg_marquardt", module_with(LevenbergMarquardt, engine="object")),
    SolverCase("dls", module_with(JacobianDLS, engine="object"), solved=0.9, followed=0.8),
    SolverCase("pseudo_inverse", module_with(JacobianPseudoInverse)),
    SolverCase("transpose", module_with(JacobianTranspose, engine="object", **COARSE), solved=0.7, tolerance=1e-3),
    SolverCase("user_written", module_with(UserWritten)),
    SolverCase("compiled_levenberg_marquardt", module_with(LevenbergMarquardt, engine="compiled"), samples=40),
    SolverCase("compiled_dls", module_with(JacobianDLS, engine="compiled"), solved=0.9, followed=0.8),
    SolverCase(
        "compiled_transpose",
        module_with(JacobianTranspose, engine="compiled", **COARSE),
        solved=0.7,
        tolerance=1e-3,
    ),
    SolverCase("closed_form", closed_form, samples=40),
    SolverCase("meta_of_module", meta_around_module),
    SolverCase("meta_of_jacobian_solver", meta_around_jacobian_solver),
    SolverCase("jacobian_solver", jacobian_solver(LevenbergMarquardt), solved=0.4, samples=40),
    SolverCase("ccd", ccd, solved=0.3, followed=0.8, samples=20),
    SolverCase("meta_of_ccd", meta_around_ccd, followed=0.8),
    SolverCase("branches_of_module", branches_of_module, samples=40),
    SolverCase("every_turn_of_branches", every_turn_of_branches, samples=20),
    SolverCase("module_of_inv_kin_solver", module_of_inv_kin_solver),
    SolverCase("hierarchy", hierarchy_of_one),
)


@dataclass(frozen=True)
class RobotCase:
    """A built-in robot.

    Attributes:
        name: Of the built-in robot.
        is_full_pose: Whether its tip is to reach poses, or positions only.
    """

    name: str
    is_full_pose: bool = True


ROBOTS = (
    RobotCase("ur5"),
    RobotCase("panda"),
    RobotCase("iiwa14"),
    RobotCase("kr6_r900"),
    RobotCase("gen3"),
    RobotCase("planar3", is_full_pose=False),
    RobotCase("scara", is_full_pose=False),
    RobotCase("dual_arm"),
)


class Setup:
    """A robot, a solver for its natural tip, and Pinocchio to check it."""

    def __init__(self, robot_case, solver_case):
        self.case = solver_case
        self.is_full_pose = robot_case.is_full_pose
        self.robot: Skeleton = models.load(robot_case.name)
        self.robot.positions = self.robot.random_positions(np.random.default_rng(99))
        self.indices = self.robot.tip.chain().dof_indices
        self.model = self.robot.model
        self.data = self.model.createData()
        self.solve = self.new_solver()

    def new_solver(self):
        """Another solver of the same kind for the same robot."""
        return self.case.make(self.robot, self.is_full_pose)

    def pose(self, q):
        """World pose of the tip by Pinocchio, from nothing of ours but the model."""
        pin.framesForwardKinematics(self.model, self.data, self.robot.to_pinocchio(q))
        tip = self.robot.tip
        return self.data.oMf[self.model.getFrameId(tip.link.name)] * tip.transform(tip.link)

    def errors(self, q, target):
        """(m, rad) by which the tip misses a target; no angle where only positions are asked for."""
        reached = self.pose(q)
        away = float(np.linalg.norm(reached.translation - target.translation))
        turned = float(np.linalg.norm(pin.log3(target.rotation.T @ reached.rotation)))
        return away, turned if self.is_full_pose else 0.0

    def random(self, rng):
        """A configuration at random; joints outside the chain stay at the present positions."""
        return self.robot.random_positions(rng, self.indices)

    def is_inside(self, q):
        return bool((q >= self.robot.lower_limits).all() and (q <= self.robot.upper_limits).all())

    def check(self, answer, target):
        """Every configuration that is called a solution is one."""
        for q in answer.found:
            assert max(self.errors(q, target)) <= self.case.tolerance * (1 + 1e-6)
            assert self.is_inside(q)


def pytest_generate_tests(metafunc):
    if "setup" in metafunc.fixturenames:
        cases = [(robot, solver) for solver in SOLVERS for robot in ROBOTS]
        names = [f"{solver.name}-{robot.name}" for robot, solver in cases]
        metafunc.parametrize("setup", cases, ids=names, indirect=True)


@pytest.fixture
def setup(request):
    return Setup(*request.param)
