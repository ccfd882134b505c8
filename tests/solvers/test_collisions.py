"""Solving without collisions."""

import re

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import Box, QConstraint, pose
from kinetree.kinematics.collision import CollisionDetector
from kinetree.solvers import InverseKinematics, Reason
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def cell(robot, *, blocked=False):
    """A detector with a wall beside the robot, or with everything inside a block."""
    detector = CollisionDetector(robot)
    if blocked:
        detector.add("block", Box(4.0, 4.0, 4.0))
    else:
        detector.add("wall", Box(0.1, 4.0, 4.0), pose((0.45, 0.0, 0.0)))
    return detector


@pytest.fixture(scope="module")
def ur5():
    return models.load("ur5")


@pytest.mark.parametrize("method", ["numeric", "closed form"])
def test_a_collision_free_solution_is_found_behind_those_in_collision(ur5, method, misses):
    """What is nearest to the seed is in collision, and the others are tried (moveit/moveit#578)."""
    detector, rng = cell(ur5), np.random.default_rng(0)
    ik = InverseKinematics(ur5)
    if method == "closed form":
        ik.gradient_method = ik.analytical()
    solved = tried = 0
    for _ in range(200):
        seed, q = ur5.random_positions(rng), ur5.random_positions(rng)
        target = ur5.state(q).transform(ur5.tip)
        if detector.in_collision(q) or not detector.in_collision(ik.solve(target, seed=seed).q):
            continue
        tried += 1
        solution = ik.solve(target, seed=seed, constraint=detector)
        solved += solution.success
        assert solution.success or "'wall'" in solution.detail
        if solution:
            assert not detector.in_collision(solution.q)
            assert max(misses(ur5, solution.q, ur5.tip, target)) <= 1.001e-6
        if tried == 12:
            break
    assert solved >= 11


def test_collisions_are_named_and_counted(ur5, rng):
    detector = cell(ur5, blocked=True)
    failed = InverseKinematics(ur5).solve(reachable(ur5, rng), constraint=detector, attempts=30)
    assert failed.reason is Reason.COLLISION
    assert re.search(r"attempts? reached the target; refused: \d+ collision \(.*touches 'block'.*\)", failed.detail)
    both = detector.constraint & QConstraint(lambda q: False, "never")
    assert InverseKinematics(ur5).solve(reachable(ur5, rng), constraint=both, attempts=30).reason is Reason.COLLISION
    detector.remove("block")
    free = InverseKinematics(ur5).solve(reachable(ur5, rng), constraint=both, attempts=200)
    assert free.reason is Reason.CONSTRAINT
    assert "'never'" in free.detail
    assert InverseKinematics(ur5).solve(reachable(ur5, rng), constraint=detector, attempts=500)


def test_batches(ur5):
    detector, rng = cell(ur5), np.random.default_rng(1)
    free = []
    while len(free) < 30:
        q = ur5.random_positions(rng)
        if not detector.in_collision(q):
            free.append(q)
    targets = [ur5.state(q).transform(ur5.tip) for q in free]
    ik = InverseKinematics(ur5)
    batch = ik.solve_batch(targets, constraint=detector)
    assert detector.in_collision_many(ik.solve_batch(targets).q).any()
    assert not detector.in_collision_many(batch.q[batch.success]).any()
    assert batch.success.sum() >= 29
    detector.add("block", Box(4.0, 4.0, 4.0))
    failed = ik.solve_batch(targets[:5], constraint=detector, attempts=10)
    assert failed.reasons == {Reason.COLLISION: 5}
    assert "touches 'block'" in failed.detail[0] or "'wall'" in failed.detail[0]
