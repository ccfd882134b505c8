"""Both engines take the same steps: one descent of a few iterations ends at the same place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import (
    FreeJoint,
    PlanarJoint,
    RevoluteJoint,
    SimpleFrame,
    Skeleton,
    SphericalJoint,
    pose,
)
from kinetree.solvers import (
    CenterOfMassTask,
    GradientMethod,
    Halley,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    Problem,
    SelectivelyDamped,
    TaskSpaceRegion,
    kernel,
)
from kinetree.solvers.engine import engine_for
from kinetree.solvers.request import make_request

INF = math.inf


class Scaled(GradientMethod):
    """A user's kernel."""

    parameters = (0.4,)

    @kernel
    def step(jacobian, error, rows, n, parameters, gradient):
        for k in range(n):
            along = 0.0
            for i in range(rows):
                along += jacobian[i, k] * error[i]
            gradient[k] = parameters[0] * along


METHODS = {
    "levenberg-marquardt": LevenbergMarquardt,
    "chan": LevenbergMarquardt.chan,
    "sugihara": LevenbergMarquardt.sugihara,
    "dls": JacobianDLS,
    "transpose": JacobianTranspose,
    "transpose, fixed": lambda: JacobianTranspose(0.3),
    "pseudo-inverse": JacobianPseudoInverse,
    "selectively damped": SelectivelyDamped,
    "halley": Halley,
    "own": Scaled,
}

TASKS: dict[str, Any] = {
    "pose": TaskSpaceRegion,
    "position": TaskSpaceRegion.position_only,
    "dart": TaskSpaceRegion.dart_defaults,
    "weights": lambda: TaskSpaceRegion(weights=[1.0, 2.0, 0.5, 0.1, 0.1, 0.3]),
    "mask": lambda: TaskSpaceRegion(weights=[0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
    "rotation only": lambda: TaskSpaceRegion(weights=[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
    "clamp": lambda: TaskSpaceRegion(error_length_clamp=0.2),
    "bounds": lambda: TaskSpaceRegion(([-0.1, -0.2, 0, -0.3, -INF, 0], [0.1, INF, 0, 0.3, INF, 0])),
    "bounds from their edge": lambda: TaskSpaceRegion(
        ([-0.1, -INF, 0, -0.3, -0.1, -0.2], [0.1, 0.05, 0, 0.3, 0.1, 0.2]), compute_error_from_center=False
    ),
    "axes": lambda: TaskSpaceRegion(
        ([0, 0, -INF, -INF, 0, 0], [0, 0, INF, INF, 0, 0]),
        reference_frame=SimpleFrame("table", None, pose([0.1, 0.2, 0.3], rpy=[0.4, -0.7, 1.1])),
    ),
}


def both(ik: InverseKinematics, target: Any, seed: np.ndarray, iterations: int) -> list[Any]:
    """One descent in each engine, without looking into a failure."""
    found = []
    for name in ("object", "compiled"):
        problem = Problem(iterations=iterations, attempts=1, strikes=1000, improvement=1e9, engine=name)
        problem = problem.replaced(max_step=ik.problem.max_step)
        request = make_request(ik, target, problem, seed, explains=False, warns=False)
        engine = engine_for(request)
        assert engine.name == name
        found.append(engine.solve(request))
    return found


def assert_same(found: list[Any], atol: float = 1e-7) -> None:
    assert found[0].success == found[1].success
    if found[0].success:
        assert found[0].iterations == found[1].iterations
    assert found[1].position_error == pytest.approx(found[0].position_error, abs=atol)
    assert found[1].orientation_error == pytest.approx(found[0].orientation_error, abs=atol)
    np.testing.assert_allclose(found[1].q, found[0].q, atol=atol)


def reachable(robot: Skeleton, rng: np.random.Generator) -> Any:
    return robot.state(robot.random_positions(rng)).transform(robot.tip).copy()


@pytest.fixture(scope="module")
def panda() -> Skeleton:
    return models.load("panda")


@pytest.mark.parametrize("name", METHODS)
def test_methods(panda: Skeleton, name: str) -> None:
    ik = InverseKinematics(panda)
    ik.gradient_method = METHODS[name]()
    rng = np.random.default_rng(2)
    for _ in range(10):
        atol = 1e-4 if name == "halley" else 1e-7
        assert_same(both(ik, reachable(panda, rng), panda.random_positions(rng), 3), atol)


@pytest.mark.parametrize("name", TASKS)
def test_tasks(panda: Skeleton, name: str) -> None:
    ik = InverseKinematics(panda)
    ik.error_method = TASKS[name]()
    rng = np.random.default_rng(4)
    for _ in range(10):
        assert_same(both(ik, reachable(panda, rng), panda.random_positions(rng), 4))


def test_a_tool_point_and_a_frame_on_a_link(panda: Skeleton) -> None:
    frame = SimpleFrame("camera", panda.tip, pose([0.05, 0.0, 0.02], rpy=[0.3, 0.2, 0.1]))
    rng = np.random.default_rng(5)
    for ik in (InverseKinematics(frame), InverseKinematics(panda)):
        ik.offset = [0.0, 0.1, 0.05]
        for _ in range(5):
            assert_same(both(ik, reachable(panda, rng), panda.random_positions(rng), 4))


@pytest.mark.parametrize("option", ["weights of joints", "steps of joints", "clamp", "component weights", "max_step"])
def test_options_that_shape_the_step(option: str) -> None:
    robot = models.load("ur5")
    ik = InverseKinematics(robot)
    if option == "weights of joints":
        for dof, weight in zip(robot.dofs, [1.0, 0.1, 2.0, 0.01, 1.0, 0.3], strict=True):
            dof.weight = weight
    elif option == "steps of joints":
        robot.dofs[1].max_step, robot.dofs[3].max_step = 0.02, 0.3
    elif option == "clamp":
        ik.gradient_method.component_clamp = 0.1
    elif option == "component weights":
        ik.gradient_method.component_weights = [0.5, 1.0, 0.2]
    else:
        ik.problem.max_step = 0.05
    rng = np.random.default_rng(6)
    for method in (LevenbergMarquardt, Halley):
        if option in ("weights of joints", "steps of joints", "max_step"):
            ik.gradient_method = method()
        for _ in range(5):
            # Halley's method takes a difference of the Jacobian in Python.
            assert_same(both(ik, reachable(robot, rng), robot.random_positions(rng), 3), atol=1e-5)


@pytest.mark.parametrize("goal", [{"over": [0.02, 0.03]}, {"point": [0.0, 0.05, 0.7]}])
def test_centre_of_mass(goal: dict[str, Any]) -> None:
    robot = models.load("humanoid")
    ik = InverseKinematics(robot.tip, dofs=[dof for dof in robot.dofs if not isinstance(dof.joint, FreeJoint)])
    ik.error_method = CenterOfMassTask(**goal, weight=2.0)
    rng = np.random.default_rng(7)
    for _ in range(5):
        assert_same(both(ik, None, robot.random_positions(rng), 3))


def curved(kind: str) -> Skeleton:
    """An arm of four joints on, or with, a joint that is no axis."""
    robot = Skeleton(kind)
    joint = {"spherical": SphericalJoint, "free": FreeJoint, "planar": PlanarJoint}[kind]("special")
    link = robot.add_link("base")
    link = robot.add_link("a", RevoluteJoint("j1", "z", (-2.0, 2.0)), link, pose([0.0, 0.0, 0.3], rpy=[0.2, 0.1, 0]))
    link = robot.add_link("b", joint, link, pose([0.3, 0.0, 0.1], rpy=[0.0, 0.5, 0.3]))
    link = robot.add_link("c", RevoluteJoint("j2", "y", (-2.0, 2.0)), link, pose([0.3, 0.1, 0.0]))
    link = robot.add_link("d", RevoluteJoint("j3", "x", (-2.0, 2.0)), link, pose([0.2, 0.0, 0.1]))
    robot.tip = robot.add_link("tool", None, link, pose([0.1, 0.0, 0.0]))
    return robot


@pytest.mark.parametrize("kind", ["spherical", "free", "planar"])
@pytest.mark.parametrize("method", [LevenbergMarquardt, Halley])
def test_joints_that_are_no_axes(kind: str, method: Any) -> None:
    robot = curved(kind)
    ik = InverseKinematics(robot)
    ik.gradient_method = method()
    rng = np.random.default_rng(8)
    for _ in range(10):
        target = reachable(robot, rng)
        assert_same(both(ik, target, robot.random_positions(rng), 3), atol=1e-5)
        solution = ik.solve(target, seed=robot.random_positions(rng))
        assert solution.success
        assert solution.engine == "compiled"
        reached = robot.state(solution.q).transform(robot.tip)
        np.testing.assert_allclose(reached.homogeneous, target.homogeneous, atol=3e-6)
