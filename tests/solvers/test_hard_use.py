"""What careless or unlucky users do: copies, changes, huge numbers, re-entrance, nonsense."""

import copy
import os
import subprocess
import sys

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import (
    InvalidPoseError,
    InvalidValueError,
    RevoluteJoint,
    SimpleFrame,
    Skeleton,
    UnknownNameError,
    pose,
)
from kinetree.solvers import (
    GradientMethod,
    GradientMethodError,
    IKMetaSolver,
    InverseKinematics,
    JacobianIKSolver,
    PreparedSolver,
    Problem,
    kernel,
)


@pytest.fixture
def ur5():
    return models.load("ur5")


def targets(robot, count=3, seed=0):
    rng = np.random.default_rng(seed)
    return [robot.state(robot.random_positions(rng)).transform(robot.tip).copy() for _ in range(count)]


def off(robot, q, target, frame=None, point=(0.0, 0.0, 0.0)):
    reached = robot.state(q).transform(robot.tip if frame is None else frame)
    return np.linalg.norm(reached.act(np.array(point)) - target.translation)


def test_copies_are_modules_of_their_own(ur5):
    ik = InverseKinematics(ur5)
    first, second, third = targets(ur5)
    ik.solve(first)
    deep, twin = copy.deepcopy(ik), copy.copy(ik)
    twin.offset = [0.0, 0.0, 0.02]
    assert off(deep.skeleton, deep.solve(second).q, second) <= 1e-6
    assert off(ur5, twin.solve(second).q, second, point=(0.0, 0.0, 0.02)) <= 1e-6
    assert off(ur5, ik.solve(third).q, third) <= 1e-6
    del ik
    assert off(deep.skeleton, deep.solve(third).q, third) <= 1e-6


def test_copies_of_prepared_solvers(ur5):
    prepared = InverseKinematics(ur5).prepare()
    first, second, _ = targets(ur5)
    prepared.solve(first)
    twins = [copy.copy(prepared), copy.deepcopy(prepared)]
    del prepared
    for twin in twins:
        assert off(ur5, twin.solve(second).q, second) <= 1e-6


def test_a_frame_that_is_hung_elsewhere(ur5):
    frame = SimpleFrame("tool", ur5.tip, pose([0.1, 0.0, 0.0]))
    ik = InverseKinematics(frame)
    first, second, _ = targets(ur5)
    prepared = ik.prepare()
    ik.solve(first)
    prepared.solve(first)
    frame.set_parent(ur5.links[-3])
    for solution in (ik.solve(second, attempts=50), prepared.solve(second)):
        if solution:
            assert off(ur5, solution.q, second, frame) <= 1e-6


def test_a_prepared_solver_keeps_its_offset(ur5):
    ik = InverseKinematics(ur5)
    prepared = ik.prepare()
    ik.offset = [0.0, 0.0, 0.3]
    target = targets(ur5)[0]
    for constraint in (None, lambda q: True):
        assert off(ur5, prepared.solve(target, constraint=constraint).q, target) <= 1e-6


def test_a_constraint_that_asks_the_same_solver(ur5):
    prepared = InverseKinematics(ur5).prepare()
    outer, inner, _ = targets(ur5)

    def constraint(q):
        return bool(prepared.solve(inner, q))

    assert off(ur5, prepared.solve(outer, constraint=constraint).q, outer) <= 1e-6


@pytest.mark.parametrize("size", [1e5, 1e8, 1e12, 1e17, 1e99, 1e300])
def test_angles_of_many_turns(size):
    robot = Skeleton("endless")
    link = robot.add_link("base")
    for k, axis in enumerate("zyyzyz"):
        link = robot.add_link(f"l{k}", RevoluteJoint(f"j{k}", axis), link, pose([0.1, 0.05, 0.3]))
    robot.tip = link
    ik = InverseKinematics(robot)
    target = robot.state(np.full(6, 0.4)).transform(link).copy()
    seed = np.full(6, size)
    found = [ik.solve(target, seed=seed).q, ik.solve_batch([target], seed).q[0], ik.solve_path([target], seed).q[0]]
    found += list(IKMetaSolver(JacobianIKSolver(link.chain())).solve(target, seed))
    for q in found:
        assert off(robot, q, target) <= 1.1e-6


def test_options_that_can_be_changed_afterwards(ur5):
    ik = InverseKinematics(ur5)
    target = targets(ur5)[0]
    tolerance = [1e-2, 1e-2]
    ik.solve(target, tolerance=tolerance)
    tolerance[:] = [1e-9, 1e-9]
    assert ik.solve(target, tolerance=tolerance).position_error <= 1e-9
    ik.solve(target, tolerance=np.array([1e-3, 1e-3]))
    assert ik.solve(target).success


def test_parameters_of_any_kind_of_sequence(ur5):
    class Scaled(GradientMethod):
        parameters = np.array([0.3])

        @kernel
        def step(jacobian, error, rows, n, parameters, gradient):
            for k in range(n):
                along = 0.0
                for i in range(rows):
                    along += jacobian[i, k] * error[i]
                gradient[k] = parameters[0] * along

    ik = InverseKinematics(ur5)
    ik.gradient_method = Scaled()
    for _ in range(2):
        ik.solve(targets(ur5)[0], attempts=2)
    Scaled.parameters = 0.3
    with pytest.raises(GradientMethodError, match="parameters of Scaled"):
        ik.solve(targets(ur5)[0])


@pytest.mark.parametrize("shape", [(2, 8), (1, 16), (8, 2), (16, 1)])
def test_sixteen_numbers_are_no_pose_by_themselves(ur5, shape):
    ik = InverseKinematics(ur5)
    ik.solve(targets(ur5)[0])
    with pytest.raises(InvalidPoseError):
        ik.solve(np.eye(4).reshape(shape), seed=ur5.positions)


def test_numbers_that_are_too_large(ur5):
    ik = InverseKinematics(ur5)
    for name in ("random_seed", "attempts", "iterations"):
        with pytest.raises(InvalidValueError, match=name):
            ik.solve(targets(ur5)[0], **{name: 2**63})
    assert not ik.solve(pose([1e99, 0.0, 0.0]), attempts=3)
    for size in (1e101, 1e154, 1e300):
        with pytest.raises(InvalidPoseError, match="target"):
            ik.solve(pose([size, 0.0, 0.0]), attempts=3)
    with pytest.raises(InvalidValueError, match="timeout"):
        Problem(timeout="soon")
    with pytest.raises(UnknownNameError, match="attempts"):
        Problem().max_attempts = 3


@pytest.mark.parametrize("given", [{0: np.eye(4)}, {1, 2}, "home", np.array(["a"]), np.zeros((2, 4, 4), dtype=complex)])
def test_targets_of_a_batch_that_are_none(ur5, given):
    with pytest.raises(InvalidValueError):
        InverseKinematics(ur5).solve_batch(given)


def test_kernels_that_give_nan_or_yield(ur5):
    class Nan(GradientMethod):
        @kernel
        def step(jacobian, error, rows, n, parameters, gradient):
            for k in range(n):
                gradient[k] = (error[0] - error[0]) / (error[0] - error[0])

    ik = InverseKinematics(ur5)
    ik.gradient_method = Nan()
    with pytest.raises(GradientMethodError, match="not finite"):
        ik.solve(targets(ur5)[0], attempts=3)
    with pytest.raises(InvalidValueError, match="yield"):

        @kernel
        def step(jacobian, error, rows, n, parameters, gradient):
            yield


CONSTANT = """
import numpy as np
import gains
from kinetree.solvers import GradientMethod, kernel

class Mine(GradientMethod):
    @kernel
    def step(jacobian, error, rows, n, parameters, gradient):
        for k in range(n):
            gradient[k] = gains.GAIN * error[0]

print(Mine().gradient(np.eye(6), np.ones(6))[0])
"""


def test_a_changed_constant_of_another_module_is_compiled_anew(tmp_path):
    found = []
    (tmp_path / "mine.py").write_text(CONSTANT)
    for gain in ("0.25", "0.125"):
        (tmp_path / "gains.py").write_text(f"GAIN = {gain}\n")
        environment = {**os.environ, "KINETREE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        result = subprocess.run(
            [sys.executable, tmp_path / "mine.py"], env=environment, capture_output=True, text=True, check=True
        )
        found.append(result.stdout.strip())
    assert found == ["0.25", "0.125"]


def test_a_damaged_index_of_the_cache_is_made_anew(tmp_path):
    (tmp_path / "mine.py").write_text(CONSTANT)
    (tmp_path / "gains.py").write_text("GAIN = 0.5\n")
    environment = {**os.environ, "KINETREE_CACHE_DIR": str(tmp_path / "cache")}
    for turn in range(3):
        result = subprocess.run(
            [sys.executable, tmp_path / "mine.py"], env=environment, capture_output=True, text=True, check=True
        )
        assert result.stdout.strip() == "0.5"
        assert ("compiling" in result.stderr) == (turn < 2)
        if turn == 0:
            for file in (tmp_path / "cache").rglob("*.nbi"):
                file.write_bytes(b"nonsense")


def test_calls_that_take_turns_between_options_keep_their_solvers(ur5, monkeypatch):
    made = []
    ik = InverseKinematics(ur5)
    original = PreparedSolver.__init__
    monkeypatch.setattr(PreparedSolver, "__init__", lambda self, *given: made.append(given) or original(self, *given))
    for _ in range(5):
        ik.solve(targets(ur5)[0])
        ik.solve(targets(ur5)[1], attempts=50, tolerance=[1e-4, 1e-4])
    assert len(made) == 2
    ik.problem.tolerance = 1e-3
    assert ik.solve(targets(ur5)[0]).success
    assert len(made) == 3
    with pytest.raises(InvalidValueError, match="attempts"):
        ik.solve(targets(ur5)[0], attempts=[3])
