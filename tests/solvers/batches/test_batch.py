"""Many targets at once."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import FreeJoint, InvalidValueError, ShapeError, SimpleFrame, pose
from kinetree.solvers import CenterOfMassTask, GradientMethod, InverseKinematics, Reason, TaskSpaceRegion


@pytest.fixture(scope="module")
def panda():
    robot = models.load("panda")
    robot.positions = robot.clamp(robot.rest_positions)
    return robot


@pytest.fixture(scope="module")
def targets(panda):
    rng = np.random.default_rng(3)
    state = panda.state()
    found = []
    for _ in range(700):
        state.set(panda.random_positions(rng))
        found.append(state.transform(panda.tip).homogeneous.copy())
    return np.array(found)


@pytest.fixture
def ik(panda):
    return InverseKinematics(panda)


def check(robot, batch, targets):
    state = robot.state()
    for q, target in zip(batch.q, targets, strict=True):
        state.set(q)
        reached = state.transform(robot.tip).homogeneous
        assert np.linalg.norm(reached[:3, 3] - target[:3, 3]) <= 1.0001e-6
        np.testing.assert_allclose(reached[:3, :3], target[:3, :3], atol=3e-6)
    assert (batch.q >= robot.lower_limits).all()
    assert (batch.q <= robot.upper_limits).all()


def test_all_reachable_targets_are_reached(ik, panda, targets):
    batch = ik.solve_batch(targets)
    assert batch
    assert batch.engine == "compiled"
    assert batch.reasons == {Reason.CONVERGED: 700}
    check(panda, batch, targets)
    assert batch[5].success
    assert (batch[-1].q == batch.q[-1]).all()
    assert len(list(batch)) == 700
    assert "700 of 700 solved" in repr(batch)


def test_the_result_does_not_depend_on_threads_or_neighbours(ik, targets):
    one, two = ik.solve_batch(targets, threads=1), ik.solve_batch(targets, threads=2)
    np.testing.assert_array_equal(one.q, two.q)
    np.testing.assert_array_equal(one.attempts, two.attempts)
    part = ik.solve_batch(targets[100:110])
    np.testing.assert_array_equal(part.q, one.q[100:110])


def test_seeds_of_each_target(ik, panda, targets):
    rng = np.random.default_rng(1)
    first = ik.solve_batch(targets[:50])
    near = panda.clamp(first.q[7] + 0.01 * rng.normal(size=panda.num_dofs))
    seeds = np.clip(first.q + 0.01 * rng.normal(size=first.q.shape), panda.lower_limits, panda.upper_limits)
    again = ik.solve_batch(targets[:50], seeds)
    assert np.abs(again.q - seeds).max() < 0.4
    assert np.abs(ik.solve_batch(targets[7:8], near).q[0] - near).max() < 0.4


def test_bad_rows_are_reported_and_the_others_solved(ik, panda, targets):
    some = targets[:6].copy()
    some[1, 0, 3] = np.nan
    some[2, :3, :3] *= 1.5
    some[3, 3, 3] = 2.0
    seeds = np.tile(panda.positions, (6, 1))
    seeds[4, 2] = np.inf
    batch = ik.solve_batch(some, seeds)
    assert [str(reason) for reason in batch.reason] == ["converged", *["invalid input"] * 4, "converged"]
    assert [bool(text) for text in batch.detail] == [False, True, True, True, True, False]
    assert "target 1" in batch[1].detail
    assert "seed 4" in batch[4].detail
    assert np.isnan(batch.q[1:5]).all()
    assert not batch
    check(panda, ik.solve_batch(some[[0, 5]]), some[[0, 5]])


def test_all_forms_of_targets(ik, targets):
    import pinocchio as pin

    poses = [pin.SE3(each) for each in targets[:4]]
    numbers = [pin.SE3ToXYZQUAT(each) for each in poses]
    expected = ik.solve_batch(targets[:4]).q
    for given in (poses, np.array(numbers), [(each[:3], each[3:]) for each in numbers], list(targets[:4])):
        np.testing.assert_allclose(ik.solve_batch(given).q, expected, atol=1e-9)
    mixed = ik.solve_batch([poses[0], "home", None, numbers[3]])
    assert list(mixed.success) == [True, False, False, True]


def test_no_targets(ik):
    batch = ik.solve_batch(np.zeros((0, 4, 4)))
    assert len(batch) == 0
    assert len(ik.solve_batch([])) == 0
    assert "0 of 0" in repr(batch)


@pytest.mark.parametrize("shape", [(3, 3), (3, 4, 3), (5,), (4, 4)])
def test_wrong_shapes_of_targets(ik, shape):
    with pytest.raises((ShapeError, InvalidValueError)):
        ik.solve_batch(np.zeros(shape))


def test_wrong_shapes_of_seeds(ik, targets):
    with pytest.raises(ShapeError, match=r"give \(3, 8\), or \(8,\) for all"):
        ik.solve_batch(targets[:3], np.zeros((2, 8)))
    with pytest.raises(ShapeError):
        ik.solve_batch(targets[:3], np.zeros(3))
    with pytest.raises(InvalidValueError, match="threads"):
        ik.solve_batch(targets[:3], threads=0)


def test_targets_out_of_reach(ik, targets):
    some = targets[:3].copy()
    some[1, :3, 3] = [5.0, 0.0, 0.0]
    batch = ik.solve_batch(some, attempts=50)
    assert list(batch.success) == [True, False, True]
    assert batch.reason[1] in (Reason.UNREACHABLE, Reason.ITERATIONS)
    assert 3.5 < batch.position_error[1] < 5.0
    assert batch.attempts[1] == 50
    assert "m and" in batch[1].detail
    with pytest.raises(IndexError, match="3 targets"):
        batch[3]


def test_positions_alone_and_other_tasks(ik, panda, targets):
    ik.error_method = TaskSpaceRegion.position_only()
    batch = ik.solve_batch(targets[:20, :3, 3])
    assert batch
    assert batch.engine == "compiled"
    state = panda.state()
    for q, target in zip(batch.q, targets, strict=False):
        state.set(q)
        assert np.linalg.norm(state.transform(panda.tip).translation - target[:3, 3]) <= 1.0001e-6
    ik.error_method = TaskSpaceRegion(([0, 0, 0, -0.2, -0.2, -3.2], [0, 0, 0, 0.2, 0.2, 3.2]))
    assert ik.solve_batch(targets[:20])


@pytest.mark.parametrize("engine", ["compiled", "object"])
def test_regions_are_along_the_same_axes_as_in_a_single_solve(ik, panda, targets, engine):
    """The module's own target may hang on a frame of other axes; those of the batch's targets do not."""
    ik.problem.engine = engine
    table = SimpleFrame("table", None, pose(rpy=[0.3, 0.8, -0.5]))
    ik.target = SimpleFrame("own", table, pose([0.4, 0.0, 0.4]))
    ik.error_method = TaskSpaceRegion(([-0.2, 0, 0, 0, 0, 0], [0.2, 0, 0, 0, 0, 0]))
    some = targets[:6]
    batch = ik.solve_batch(some, attempts=200)
    path = ik.solve_path(some[:2], attempts=200)
    assert batch
    for q, target in zip([*batch.q, *path.q], [*some, *some[:2]], strict=True):
        away = panda.state(q).transform(panda.tip).translation - target[:3, 3]
        assert abs(away[0]) <= 0.2 + 1e-6
        assert np.abs(away[1:]).max() <= 1.1e-6


@pytest.mark.parametrize("engine", ["compiled", "object"])
def test_centres_of_mass(engine):
    robot = models.load("humanoid")
    ik = InverseKinematics(robot.tip, dofs=[dof for dof in robot.dofs if not isinstance(dof.joint, FreeJoint)])
    ik.error_method = CenterOfMassTask(over=[0.0, 0.0])
    ik.problem.engine = engine
    points = robot.state().com()[:2] + np.array([[0.01, 0.0], [0.0, -0.02], [0.015, 0.01]])
    for batch in (ik.solve_batch(points), ik.solve_batch(list(points)), ik.solve_path(points)):
        assert batch
        assert batch.engine == engine
        for q, point in zip(batch.q, points, strict=True):
            np.testing.assert_allclose(robot.state(q).com()[:2], point, atol=1.1e-6)
    with pytest.raises(ShapeError, match=r"\(m, 2\)"):
        ik.solve_batch(np.zeros((2, 4, 4)))


def test_python_methods_run_in_python(ik, targets):
    class Own(GradientMethod):
        def gradient(self, jacobian, error):
            return np.linalg.pinv(jacobian, rcond=1e-3) @ error

    ik.gradient_method = Own()
    batch = ik.solve_batch(targets[:3], attempts=5)
    assert batch.engine == "object"
    assert batch.attempts.max() <= 5


def test_seeds_that_differ_in_joints_that_stand_still():
    """The plan depends on joints that carry the tool and are not moved."""
    robot = models.load("ur5")
    ik = InverseKinematics(robot, dofs=range(1, 6))
    ik.error_method = TaskSpaceRegion.position_only()
    rng = np.random.default_rng(0)
    q = np.array([robot.random_positions(rng) for _ in range(8)])
    state = robot.state()
    goals = []
    for each in q:
        state.set(each)
        goals.append(state.transform(robot.tip).translation.copy())
    seeds = q.copy()
    seeds[:, 1:] = 0.1
    batch = ik.solve_batch(np.array(goals), seeds)
    assert batch
    np.testing.assert_array_equal(batch.q[:, 0], q[:, 0])
    for each, goal in zip(batch.q, goals, strict=True):
        state.set(each)
        assert np.linalg.norm(state.transform(robot.tip).translation - goal) <= 1.0001e-6


def test_a_progress_bar_is_shown_when_asked(ik, targets, capfd):
    ik.solve_batch(targets[:3])
    assert capfd.readouterr().err == ""
    ik.solve_batch(targets[:3], progress=True)
    assert "3/3" in capfd.readouterr().err


def test_separate_modules_on_separate_threads(panda, targets):
    found = {}

    def work(name):
        own = InverseKinematics(panda)
        found[name] = np.array([own.solve(target).q for target in targets[:100]])

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for name in range(1, 4):
        np.testing.assert_array_equal(found[name], found[0])


def test_one_module_on_several_threads(ik, targets):
    expected = [ik.solve(target).q for target in targets[:100]]
    wrong = []

    def work():
        wrong.extend(k for k, target in enumerate(targets[:100]) if not np.array_equal(ik.solve(target).q, expected[k]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


INTERRUPTED = """
import signal
import numpy as np
from kinetree import models
from kinetree.solvers import InverseKinematics
# A shell that runs the tests in the background has its children ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
ik = InverseKinematics(models.load("ur5"))
far = np.tile(np.eye(4), (200_000, 1, 1))
far[:, 0, 3] = 50.0
ik.solve_batch(far[:1], attempts=100)
print("begun", flush=True)
try:
    ik.solve_batch(far)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_batch():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "stopped\n"
