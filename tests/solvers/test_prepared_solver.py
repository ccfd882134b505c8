"""Solvers with everything bound."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import InvalidPoseError, InvalidValueError, ShapeError, StructureError
from kinetree.solvers import InverseKinematics, JacobianDLS, Reason, TaskSpaceRegion


@pytest.fixture
def panda():
    robot = models.load("panda")
    robot.positions = robot.clamp(robot.rest_positions)
    return robot


def targets(robot, count, seed=0):
    rng = np.random.default_rng(seed)
    state = robot.state()
    for _ in range(count):
        state.set(robot.random_positions(rng))
        yield state.transform(robot.tip).copy()


def test_it_gives_what_the_module_gives(panda):
    ik = InverseKinematics(panda)
    prepared = ik.prepare()
    assert prepared.engine == "compiled"
    assert "compiled" in repr(prepared)
    rng = np.random.default_rng(0)
    for target in targets(panda, 50):
        seed = panda.random_positions(rng)
        mine, its = prepared.solve(target, seed), ik.solve(target, seed=seed)
        assert mine.success
        assert mine.reason is Reason.CONVERGED
        np.testing.assert_array_equal(mine.q, its.q)
        assert mine[3:7] == its[3:7]
        assert not mine.q.flags.writeable


@pytest.mark.parametrize("form", ["SE3", "matrix", "transposed", "single", "list", "pair", "seven"])
def test_all_forms_of_a_target(panda, form):
    target = next(targets(panda, 1))
    matrix = target.homogeneous
    numbers = pin.SE3ToXYZQUAT(target)
    given = {
        "SE3": target,
        "matrix": np.ascontiguousarray(matrix),
        "transposed": np.asfortranarray(matrix),
        "single": matrix.astype(np.float32),
        "list": matrix.tolist(),
        "pair": (numbers[:3], numbers[3:]),
        "seven": numbers,
    }[form]
    prepared = InverseKinematics(panda).prepare(tolerance=1e-5)
    for seed in (None, panda.positions, panda.positions.tolist(), {"panda_joint1": 0.2}, panda.positions[::1]):
        solution = prepared.solve(given, seed)
        reached = panda.state(solution.q).transform(panda.tip)
        np.testing.assert_allclose(reached.homogeneous, matrix, atol=3e-5)


def test_bad_input_is_refused_as_by_the_module(panda):
    prepared = InverseKinematics(panda).prepare()
    good = np.ascontiguousarray(next(targets(panda, 1)).homogeneous)
    seed = panda.positions.copy()
    for change in ((0, 0, np.nan), (0, 3, np.inf), (3, 3, 2.0), (0, 0, 3.0)):
        bad = good.copy()
        bad[change[0], change[1]] = change[2]
        with pytest.raises(InvalidPoseError):
            prepared.solve(bad, seed)
    mirrored = good.copy()
    mirrored[:3, 0] *= -1.0
    for bad in (mirrored, np.zeros((3, 3)), np.zeros((5, 5)), "home", np.zeros((2, 8))):
        with pytest.raises(InvalidPoseError):
            prepared.solve(bad, seed)
    with pytest.raises(ShapeError):
        prepared.solve(good, np.zeros(3))
    with pytest.raises(ShapeError):
        prepared.solve(good, np.zeros(40))
    with pytest.raises(InvalidValueError):
        prepared.solve(good, np.full(panda.num_dofs, np.nan))
    assert prepared.solve(good, seed)


def test_a_rotation_with_rounding_errors_is_made_one(panda):
    target = next(targets(panda, 1)).homogeneous.copy()
    target[:3, :3] *= 1.0 + 3e-8
    assert InverseKinematics(panda).prepare().solve(np.ascontiguousarray(target), panda.positions).success


def test_a_seed_outside_the_limits_is_moved_inside_and_told(panda, caplog):
    prepared = InverseKinematics(panda).prepare()
    target = np.ascontiguousarray(next(targets(panda, 1)).homogeneous)
    outside = panda.positions.copy()
    outside[1] = 5.0
    solution = prepared.solve(target, outside)
    assert solution.success
    assert "outside the limits" in caplog.text
    assert (solution.q <= panda.upper_limits).all()


def test_failures_are_explained_and_count_every_attempt(panda):
    prepared = InverseKinematics(panda).prepare(attempts=100)
    target = next(targets(panda, 1)).homogeneous.copy()
    target[0, 3] = 3.0
    solution = prepared.solve(np.ascontiguousarray(target), panda.positions)
    assert not solution.success
    assert solution.reason is Reason.UNREACHABLE
    assert "gets at most" in solution.detail
    assert solution.attempts == 100
    again = prepared.solve(next(targets(panda, 1)), panda.positions)
    assert again.success


def test_constraints(panda):
    prepared = InverseKinematics(panda).prepare()
    target = next(targets(panda, 1))
    free = prepared.solve(target)
    other = prepared.solve(target, constraint=lambda q: abs(q[0] - free.q[0]) > 0.2)
    assert other.success
    assert abs(other.q[0] - free.q[0]) > 0.2
    assert prepared.solve(target, constraint=lambda q: False).reason is Reason.CONSTRAINT
    np.testing.assert_array_equal(prepared.solve(target).q, free.q)


def test_options_stay_as_they_were(panda):
    ik = InverseKinematics(panda)
    prepared = ik.prepare(tolerance=1e-3)
    ik.gradient_method = JacobianDLS()
    ik.problem.tolerance = 1e-9
    target = next(targets(panda, 1))
    assert 1e-9 < prepared.solve(target).position_error <= 1e-3


def test_a_changed_robot_needs_another(panda):
    prepared = InverseKinematics(panda).prepare()
    panda.dofs[0].limits = (-0.1, 0.1)
    with pytest.raises(StructureError, match="prepare it anew"):
        prepared.solve(next(targets(panda, 1)))


def test_tasks_that_are_no_poses(panda):
    ik = InverseKinematics(panda)
    ik.error_method = TaskSpaceRegion.position_only()
    prepared = ik.prepare()
    point = next(targets(panda, 1)).translation
    reached = panda.state(prepared.solve(point).q).transform(panda.tip).translation
    np.testing.assert_allclose(reached, point, atol=2e-6)
    ik.error_method = TaskSpaceRegion(weights=[1.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    assert ik.prepare().solve(next(targets(panda, 1))).success
