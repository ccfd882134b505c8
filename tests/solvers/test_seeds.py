"""Where searches begin, and which solution they give."""

import logging

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, ShapeError, UnknownNameError
from kinetree.solvers import InverseKinematics, TaskSpaceRegion
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def test_a_near_seed_gives_a_near_solution(arm, rng, engine):
    ik = InverseKinematics(arm)
    q = arm.random_positions(rng)
    for _ in range(40):
        step = rng.uniform(-0.1, 0.1, arm.num_dofs)
        goal = arm.clamp(q + step)
        solution = ik.solve(arm.state(goal).transform(arm.tip), seed=q)
        assert solution
        assert solution.attempts == 1 or engine != "object"
        assert np.abs(solution.q - q).max() < 0.5
        q = solution.q


def test_a_seed_may_be_a_mapping_and_the_present_positions_are_the_default(arm, rng):
    ik = InverseKinematics(arm)
    target = reachable(arm, rng)
    q = arm.positions.copy()
    q[0] = 0.7
    np.testing.assert_array_equal(ik.solve(target, seed={"j0": 0.7}).q, ik.solve(target, seed=q).q)
    np.testing.assert_array_equal(ik.solve(target).q, ik.solve(target, seed=arm.positions).q)


def test_a_seed_outside_the_limits_is_moved_inside_with_a_warning(arm, rng, inside, caplog):
    ik = InverseKinematics(arm)
    seed = arm.positions.copy()
    seed[3] = 5.0
    with caplog.at_level(logging.WARNING):
        solution = ik.solve(reachable(arm, rng), seed=seed)
    assert solution
    assert inside(arm, solution.q)
    assert "'j3'" in caplog.text
    assert "the seed" in caplog.text
    assert "degrees" not in caplog.text


def test_a_seed_in_degrees_is_asked_about(arm, rng, caplog):
    seed = arm.positions.copy()
    seed[3] = -90.0
    with caplog.at_level(logging.WARNING):
        InverseKinematics(arm).solve(reachable(arm, rng), seed=seed)
    assert "are these degrees? Angles are in radians" in caplog.text


@pytest.mark.parametrize(
    ("seed", "error"),
    [
        ([0.0] * 6, ShapeError),
        ([0.0] * 8, ShapeError),
        ([np.nan] * 7, InvalidValueError),
        ([np.inf] + [0.0] * 6, InvalidValueError),
        ("left", InvalidValueError),
        ({"elbow": 1.0}, UnknownNameError),
    ],
)
def test_bad_seeds_are_refused(arm, seed, error):
    with pytest.raises(error):
        InverseKinematics(arm).solve(seed=seed)


def test_seeds_of_the_problem_come_before_random_ones(planar):
    # The elbow is on one side at the seed and on the other at the further seed.
    ik = InverseKinematics(planar)
    ik.error_method = TaskSpaceRegion.position_only()
    target = planar.state([0.3, 1.0]).transform(planar.tip)
    ik.problem.seeds = [[1.0, -1.0]]
    up = ik.solve(target, seed=[0.0, 1.5])
    assert up.q[1] > 0
    down = ik.solve(target, seed=[0.0, 1.5], constraint=lambda q: q[1] < 0, attempts=2)
    assert down
    assert down.attempts == 2
    assert down.q[1] < 0
