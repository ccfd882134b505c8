"""Cells on the boundary are decided by inverse kinematics."""

import itertools

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, ReachabilityError, ReachabilityMap
from kinetree.solvers import InverseKinematics
from kinetree.solvers.reachability.reachability_refinement import boundary, refine_boundary


def make(samples=30_000, step=0.2):
    chain = models.load("ur5e").tip.chain()
    settings = {"step_rotation": np.deg2rad(36.0), "samples": samples, "progress": False, "symmetric": True}
    return ReachabilityMap.create(chain, step_translation=step, **settings)


def test_the_boundary_is_where_neighbours_differ():
    made = make(samples=3000)
    covered = made.values > 0
    found = set(boundary(made).tolist())
    for place in itertools.product(*map(range, covered.shape)):
        neighbours = []
        for axis, offset in itertools.product(range(4), (-1, 1)):
            other = list(place)
            other[axis] += offset
            if 0 <= other[axis] < covered.shape[axis]:
                neighbours.append(covered[tuple(other)])
        differs = any(each != covered[place] for each in neighbours)
        assert (int(np.ravel_multi_index(place, covered.shape)) in found) == differs


def test_angles_that_go_round_have_neighbours_across_the_end():
    chain = models.load("planar3").tip.chain()
    made = ReachabilityMap.create(chain, step_translation=0.5, step_rotation=0.7, samples=2000, progress=False)
    covered = np.zeros(made.grid.cells.shape, dtype=int)
    yaw = covered.shape[5]
    covered[0, 0, 0, 0, 0, 0] = 1
    cells = {tuple(map(int, np.unravel_index(cell, covered.shape)))[5] for cell in boundary(made.refined(covered))}
    assert cells == {0, 1, yaw - 1}


def test_a_refined_map_is_nearer_to_inverse_kinematics():
    made = make()
    refined = refine_boundary(made)
    cells = made.grid.cells
    rng = np.random.default_rng(3)
    poses = made.grid.poses(boundary(made)[rng.integers(len(boundary(made)), size=600)], rng)
    module = InverseKinematics(made.node_set.tip)
    reachable = module.solve_batch(made.frame.transform().homogeneous @ poses, attempts=100).success
    wrong_before = (made.covers(poses) != reachable).mean()
    wrong = (refined.covers(poses) != reachable).mean()
    assert wrong < 0.7 * wrong_before
    inside = np.setdiff1d(np.arange(cells.size), boundary(made))
    before = made.values.ravel()[inside]
    np.testing.assert_array_equal(refined.values.ravel()[inside], np.where(before < made.least, 0, before))
    assert refined.record.is_refined
    with pytest.raises(ReachabilityError, match="refined"):
        refined.add_samples(1)


def test_a_refined_map_is_saved(tmp_path):
    made = make(samples=3000)
    refined = refine_boundary(made, poses=1, attempts=2)
    refined.save(tmp_path / "map.h5")
    again = ReachabilityMap.load(tmp_path / "map.h5", made.node_set)
    np.testing.assert_array_equal(again.values, refined.values)
    with pytest.raises(ReachabilityError, match="refined"):
        again.add_samples(1)


def test_a_constraint_is_asked():
    made = make(samples=3000, step=0.3)
    none = refine_boundary(made, poses=1, attempts=2, constraint=lambda q: False)
    assert not none.values.ravel()[boundary(made)].any()


def test_what_cannot_be_refined(tmp_path):
    made = make(samples=3000)
    with pytest.raises(ReachabilityError, match="max_cells=10"):
        refine_boundary(made, max_cells=10)
    with pytest.raises(InvalidValueError):
        refine_boundary(made, poses=0)
    with pytest.raises(InvalidValueError):
        refine_boundary(made, share=0.0)
    made.save(tmp_path / "map.h5")
    with pytest.raises(ReachabilityError, match="node set"):
        refine_boundary(ReachabilityMap.load(tmp_path / "map.h5"))
