"""Targets so far away that the squares of distances are infinite."""

import warnings

import numpy as np
import pytest

from kinetree.kinematics import InvalidPoseError, SimpleFrame, World, pose
from kinetree.solvers import (
    CCDSolver,
    CenterOfMassTask,
    IKMetaSolver,
    InverseKinematics,
    JacobianIKSolver,
    Reason,
    Translation3D,
)


def at(x):
    matrix = np.eye(4)
    matrix[0, 3] = x
    return matrix


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("x", [1e101, 1e154, 1e200, 1e308])
def test_targets_further_than_anything_are_refused(six, x, engine):
    ik = InverseKinematics(six)
    for solve in (
        ik.solve,
        ik.prepare().solve,
        IKMetaSolver(JacobianIKSolver(six)).solve,
        IKMetaSolver(ik).solve,
        CCDSolver(six).solve,
    ):
        for target in (at(x), pose([x, 0, 0])):
            with pytest.raises(InvalidPoseError, match="away"):
                solve(target)
    with pytest.raises(InvalidPoseError, match="away"):
        ik.solve(SimpleFrame("far", World(), at(x)))
    with pytest.raises(InvalidPoseError, match="away"):
        Translation3D([x, 0, 0])
    with pytest.raises(InvalidPoseError, match="away"):
        CenterOfMassTask(over=(x, 0.0))


@pytest.mark.parametrize("x", [1e154, 1e308])
def test_in_a_batch_and_on_a_path_the_others_are_solved(six, x, engine):
    ik, here = InverseKinematics(six), six.tip.transform().homogeneous
    for targets in ([here, at(x), here], np.array([here, at(x), here])):
        for solve in (ik.solve_batch, ik.solve_path):
            found = solve(targets)
            assert found.success.tolist() == [True, False, True]
            assert found.reason[1] is Reason.INVALID_INPUT
            assert "further" in found.detail[1]
            assert np.isnan(found.position_error[1])


@pytest.mark.parametrize("x", [1e10, 1e80, 1e99])
def test_up_to_there_the_error_is_the_distance(six, x, engine):
    ik = InverseKinematics(six)
    for found in (ik.solve(at(x), attempts=5), ik.solve_batch([at(x)], attempts=5)[0], ik.solve_path([at(x)])[0]):
        assert found.position_error == pytest.approx(x)
    report = IKMetaSolver(JacobianIKSolver(six)).solve(at(x), np.zeros(6)).report
    assert report.nearest[0] == pytest.approx(x)
