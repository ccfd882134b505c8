"""Solving without collisions."""

import re

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import Box, QConstraint, pose
from kinetree.kinematics.collision import CollisionDetector
from kinetree.solvers import InverseKinematics, Reason, TaskSpaceRegion
from kinetree.solvers.constraints.refused_solutions import RefusedSolutions
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


@pytest.fixture(scope="module")
def panda_and_block():
    robot = models.load("panda")
    robot.positions = HOME
    detector = CollisionDetector(robot)
    detector.add("block", Box(0.2, 0.2, 0.2), pose((0.5, 0.0, 0.4)))
    return robot, detector


HOME = {"panda_joint2": -0.785, "panda_joint4": -2.356, "panda_joint6": 1.571, "panda_joint7": 0.785}
INSIDE = pose((0.5, 0.0, 0.4), rpy=(np.pi, 0.0, 0.0))
BLAME = "'panda_hand' touches 'block', ...: the target itself is in collision"


def test_a_target_in_an_obstacle_is_to_blame_itself(panda_and_block):
    robot, detector = panda_and_block
    ik = InverseKinematics(robot)
    assert not detector.in_collision(robot.positions)
    failed = ik.solve(INSIDE, constraint=detector, attempts=60)
    assert failed.reason is Reason.COLLISION
    assert failed.detail.endswith(f"collision (in all of 16 looked at {BLAME})")
    batch = ik.solve_batch([INSIDE] * 2, constraint=[detector, lambda q: True], attempts=60)
    assert all(detail.endswith(f"collision (in the one looked at {BLAME})") for detail in batch.detail)
    with_tool = detector.clone()
    with_tool.remove("block")
    with_tool.attach("tool", Box(0.02, 0.02, 0.02), "panda_hand", pose((0.0, 0.0, 0.3)))
    with_tool.add("floor", Box(1.0, 1.0, 0.04), pose((0.5, 0.0, 0.1)))
    failed = ik.solve(INSIDE, constraint=with_tool, attempts=60)
    assert "'tool' touches 'floor': the target itself is in collision" in failed.detail


def test_where_the_rotation_is_free_the_target_is_not_to_blame(panda_and_block):
    robot, detector = panda_and_block
    ik = InverseKinematics(robot)
    ik.error_method = TaskSpaceRegion.position_only()
    failed = ik.solve(INSIDE, constraint=detector, attempts=60)
    assert "(in all of 16 looked at " in failed.detail
    assert "'panda_hand' touches 'block'" in failed.detail
    assert "target itself" not in failed.detail


def test_no_pair_is_counted_more_often_than_was_looked(ur5):
    refused = RefusedSolutions(InverseKinematics(ur5).active_dofs())
    rng, detector = np.random.default_rng(0), cell(ur5)
    for q in (ur5.random_positions(rng) for _ in range(400)):
        if detector.in_collision(q):
            refused.add(q, detector.constraint)
            for _ in range(5):
                assert refused.knows(q)
    said = refused.text()
    assert re.search(r"collision \(of 16 looked at most often '\w+' touches '\w+' \d+ times, ", said)
    assert 1 < max(map(int, re.findall(r"(\d+) times", said))) <= 16


def test_a_start_in_collision_is_told_of(panda_and_block):
    robot, detector = panda_and_block
    ik = InverseKinematics(robot)
    folded = np.array([0.0, 0.0, 0.0, -0.07, 0.0, 0.0, 0.0, 0.0])
    pair = detector.check(folded)
    assert pair
    told = ik.solve(INSIDE, seed=folded, constraint=detector, attempts=60).detail
    assert f"; the start itself is in collision: {pair}" in told
    assert "start" not in ik.solve(INSIDE, constraint=detector, attempts=60).detail


def test_waypoints_in_an_obstacle_are_told_of_together(panda_and_block):
    robot, detector = panda_and_block
    path = [pose((0.5, y, 0.4), rpy=(np.pi, 0.0, 0.0)) for y in np.linspace(-0.4, 0.4, 41)]
    for options in ({}, {"strategy": "graph", "allow_jumps": True, "samples": 12}):
        found = InverseKinematics(robot).solve_path(path, constraint=detector, **options)
        hit = found.breaks
        assert hit == tuple(range(hit[0], hit[-1] + 1))
        parts = found.why.split("; waypoint")
        assert len(parts) <= 3
        assert re.search(rf"waypoints {hit[0]} to \d+ \(collision\)", found.why)
        assert "'panda_hand' touches 'block'" in found.why
        assert "the target itself is in collision" in found.why
        assert found.why.count(str(hit[-1])) >= 1
