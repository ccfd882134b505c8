"""Targets that can be reached are reached, on arms of every kind."""

import numpy as np
import pytest

from kinetree import models
from kinetree.solvers import InverseKinematics
from tests.solvers.targets.samples import CLASSES, fulfilled, misses

ARMS = ["panda", "ur5", "kr6_r900", "iiwa14", "scara", "planar3"]


def failures(name, kind, count, engine="auto"):
    """Targets of a kind from random configurations of an arm, of which as many are not reached."""
    robot, rng, failed = models.load(name), np.random.default_rng(11), 0
    ik = InverseKinematics(robot)
    ik.problem.engine = engine
    for _ in range(count):
        at = robot.state(robot.random_positions(rng)).transform(robot.tip)
        target = fulfilled(kind, at, rng, plain=rng.random() < 0.5)
        solution = ik.solve(target, seed=robot.random_positions(rng))
        assert solution.engine == ("object" if engine == "object" else "compiled")
        if not solution:
            failed += 1
            continue
        away, turned = misses(target, robot.state(solution.q).transform(robot.tip))
        assert away <= 1.001e-6
        assert turned <= 1.001e-6
        assert ((solution.q >= robot.lower_limits) & (solution.q <= robot.upper_limits)).all()
    return failed


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("name", ARMS)
def test_sixty_targets(name, kind):
    assert failures(name, kind, 60) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("name", ARMS)
def test_a_thousand_targets(name, kind):
    assert failures(name, kind, 1000) <= 1


@pytest.mark.parametrize("kind", CLASSES)
def test_in_python(kind):
    assert failures("ur5", kind, 10, "object") == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLASSES)
def test_a_hundred_targets_in_python(kind):
    assert failures("panda", kind, 100, "object") == 0
