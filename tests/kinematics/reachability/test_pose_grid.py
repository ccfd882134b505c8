"""Cells of poses: which one a pose is in, and which poses a cell has."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import InvalidPoseError, InvalidValueError, PoseGrid, ShapeError, pose, rotation_angle
from kinetree.kinematics.reachability.cells import Cells
from kinetree.kinematics.reachability.pose_arrays import as_poses, inverse_of, poses_from, rpy_of

PI = math.pi
angle = st.floats(-PI, PI)
place = st.floats(-0.99, 0.99)


def full_grid(step: float = 0.1, turn: float = 0.5, low: float = -PI) -> PoseGrid:
    return PoseGrid.between(([-1.0] * 3 + [low] * 3, [1.0] * 3 + [low + 2 * PI] * 3), step, turn)


@given(st.tuples(place, place, place), st.tuples(angle, angle, angle))
def test_roll_pitch_yaw_are_those_of_pose(position, rpy):
    one = pose(position, rpy=rpy).homogeneous[None]
    np.testing.assert_allclose(poses_from(np.array([position]), np.array([rpy])), one, atol=1e-12)
    again = poses_from(np.array([position]), rpy_of(one).T)
    np.testing.assert_allclose(again, one, atol=1e-7)  # near a pitch of 90 degrees angles lose half their digits


@given(st.tuples(place, place, place), st.tuples(angle, angle, angle))
def test_a_pose_is_in_a_cell_whose_middle_is_near(position, rpy):
    grid = full_grid()
    one = pose(position, rpy=rpy).homogeneous[None]
    middle = grid.poses(grid.index(one))[0]
    assert np.abs(middle[:3, 3] - position).max() <= 0.05 + 1e-6
    # Half a step in each of three angles.
    assert rotation_angle(middle[:3, :3].T @ one[0, :3, :3]) <= 1.5 * 0.5


@pytest.mark.parametrize("turn", [0.0, PI / 4, -PI / 4, PI / 2, -PI / 2])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_cells_of_a_tenth_of_a_metre(turn, axis):
    """Simox's own test: step 10 mm and 0.5 rad, bounds [0, 100] mm and [0, 2 pi]."""
    grid = PoseGrid.between(([0.0] * 6, [0.1] * 3 + [2 * PI] * 3), 0.01, 0.5)
    rpy = np.zeros(3)
    rpy[axis] = turn
    one = pose((0.033, 0.077, 0.051), rpy=rpy).homogeneous[None]
    cell = grid.index(one)
    assert cell[0] >= 0, "an angle below zero is one below a whole turn"
    middle = grid.poses(cell)[0]
    assert np.linalg.norm(middle[:3, 3] - one[0, :3, 3]) <= 0.01 * math.sqrt(3.0)
    assert rotation_angle(middle[:3, :3].T @ one[0, :3, :3]) <= 0.5 * math.sqrt(3.0)


@given(st.tuples(place, place, place), st.tuples(angle, angle, angle), st.floats(-7.0, 7.0))
def test_where_angles_begin_loses_no_pose(position, rpy, low):
    one = pose(position, rpy=rpy).homogeneous[None]
    assert full_grid(low=low).index(one)[0] >= 0


def test_every_cell_is_found_from_its_own_poses():
    grid = PoseGrid.between(([-0.3, 0, 0, -PI, -PI / 2, -PI], [0.3, 0.2, 0.1, PI, PI / 2, PI]), 0.1, PI / 5)
    cells = np.arange(grid.cells.size)
    np.testing.assert_array_equal(grid.index(grid.poses(cells)), cells)
    np.testing.assert_array_equal(grid.index(grid.poses(cells, np.random.default_rng(0))), cells)


def test_outside_is_no_cell_and_the_edges_are_inside():
    grid = PoseGrid.between(([0.0] * 3 + [-PI] * 3, [0.1] * 3 + [PI] * 3), 0.05, 0.5)
    ends = [pose((x, 0.05, 0.05)).homogeneous for x in (-1e-3, 0.0, 0.1, 0.101)]
    assert (grid.index(np.array(ends)) >= 0).tolist() == [False, True, True, False]
    straight_up = pose((0.05, 0.05, 0.05), rpy=(0.0, PI / 2, 0.0)).homogeneous[None]
    assert grid.index(straight_up)[0] >= 0


def test_a_whole_turn_is_cut_into_equal_cells_without_a_rest():
    grid = full_grid(turn=0.5)
    assert grid.cells.shape[3:] == (13, 13, 13)
    np.testing.assert_allclose(grid.cells.steps[3:], 2 * PI / 13)


def test_zero_angles_are_in_the_middle_of_a_cell_of_bounds_that_were_found():
    rng = np.random.default_rng(0)
    poses = poses_from(rng.uniform(-1, 1, (5000, 3)), rng.uniform(-PI, PI, (5000, 3)))
    grid = PoseGrid.around(poses, 0.1, np.deg2rad(36.0))
    for turn in (0.0, PI):
        near = np.array([pose(rpy=(turn + e, 0, e)).homogeneous for e in (-1e-9, 0.0, 1e-9)])
        assert len(set(grid.index(near).tolist())) == 1, "rounding must not decide about the cell"
    assert (grid.index(poses) >= 0).all()


def test_flat_things_get_one_cell_across():
    poses = poses_from(np.array([[0.0, 0.0, 0.5], [1.0, 0.5, 0.5]]), np.array([[0.0, 0.0, -0.4], [0.0, 0.0, 0.4]]))
    grid = PoseGrid.around(poses, 0.1, 0.2)
    assert [grid.cells.shape[k] for k in (2, 3, 4)] == [1, 1, 1]
    assert grid.cells.shape[5] < 10


@pytest.mark.parametrize(
    ("bounds", "error"),
    [
        (([0] * 6, [1] * 5), InvalidValueError),
        (([0] * 5, [1] * 5), ShapeError),
        (([0] * 6, [1] * 5 + [0]), InvalidValueError),
        (([0] * 6, [1] * 5 + [math.nan]), InvalidValueError),
        (([0] * 6, [1] * 5 + [math.inf]), InvalidValueError),
        ("bounds", InvalidValueError),
    ],
)
def test_bounds_that_make_no_box(bounds, error):
    with pytest.raises(error):
        PoseGrid.between(bounds, 0.1, 0.1)


@pytest.mark.parametrize("steps", [(0.0, 0.1), (0.1, -1.0), (math.nan, 0.1), (math.inf, 0.1)])
def test_steps_that_are_none(steps):
    with pytest.raises(InvalidValueError, match="step"):
        PoseGrid.between(([0] * 6, [1] * 6), *steps)


def test_what_two_boxes_differ_in_is_told():
    one = full_grid().cells
    assert one == full_grid().cells
    assert "cells" in one.difference(full_grid(step=0.2).cells)
    assert "begin" in one.difference(Cells(one.lower + 0.01, one.steps, one.shape, one.turns))
    assert "steps" in one.difference(Cells(one.lower, one.steps * 1.01, one.shape, one.turns))


def test_poses_are_checked_row_by_row():
    good = np.tile(np.eye(4), (3, 1, 1))
    assert as_poses(np.eye(4)).shape == (1, 4, 4)
    assert as_poses(np.zeros((0, 4, 4))).shape == (0, 4, 4)
    for change, what in ((np.nan, "row 1.*finite"), (1.1, "row 1.*rigid"), (-1.0, "row 1.*rigid")):
        bad = good.copy()
        bad[1, 0, 0] = change
        with pytest.raises(InvalidPoseError, match=what):
            as_poses(bad)
    bad = good.copy()
    bad[2, 3, 0] = 0.1
    with pytest.raises(InvalidPoseError, match="row 2"):
        as_poses(bad)
    for wrong in (np.eye(3), np.zeros((2, 4)), "poses", np.zeros((1, 2, 4, 4))):
        with pytest.raises(InvalidPoseError):
            as_poses(wrong)


def test_inverses():
    rng = np.random.default_rng(0)
    poses = poses_from(rng.normal(size=(10, 3)), rng.normal(size=(10, 3)))
    np.testing.assert_allclose(inverse_of(poses), np.linalg.inv(poses), atol=1e-12)


def test_no_pose_of_a_cell_is_pitched_beyond_ninety_degrees():
    grid = full_grid(step=1.0, turn=np.deg2rad(36.0), low=-PI)
    poses = poses_from(np.zeros((4000, 3)), np.random.default_rng(0).uniform(-PI, PI, (4000, 3)))
    cells = np.unique(grid.index(poses))
    for rng in (None, np.random.default_rng(1)):
        np.testing.assert_array_equal(grid.index(grid.poses(cells, rng)), cells)
