import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.bench import pose_errors, workload


def test_verification():
    work = workload("ur5", 4)
    q = work.witnesses.copy()
    q[1, 2] += 1e-3
    q[2, 5] = work.robot.upper_limits[5] + 1e-9
    q[3, 0] = np.nan
    check = work.verify(q)
    assert check.answered.tolist() == [True, True, True, False]
    assert check.inside.tolist() == [True, True, False, False]
    assert work.verify(q, slack=1e-8).inside[2]
    assert check.solved(1e-6, 1e-6).tolist() == [True, False, False, False]
    assert check.orientation_error[1] == pytest.approx(1e-3)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 2.0, np.pi - 1e-9, np.pi])
def test_the_angle_is_the_true_one(angle):
    rng = np.random.default_rng(0)
    wanted = pin.SE3.Random()
    axis = rng.normal(size=3)
    turn = pin.exp3(angle * axis / np.linalg.norm(axis))
    reached = pin.SE3(turn @ wanted.rotation, wanted.translation + np.array([3.0, 4.0, 0.0]))
    away, found = pose_errors(reached.homogeneous[None], wanted.homogeneous[None])
    assert away[0] == pytest.approx(5.0)
    assert found[0] == pytest.approx(angle, abs=1e-14 + 1e-8 * (angle > 3.0))
