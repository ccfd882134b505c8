"""Targets of all types are fulfilled where they were made, and what is missing is what the library says is missing."""

import numpy as np
import pytest

from benchmarks.closed_form.partial_targets import draw, missing
from kinetree import models
from kinetree.solvers import InverseKinematics
from kinetree.solvers.targets import TARGET_CLASSES


@pytest.mark.parametrize("kind", TARGET_CLASSES.values())
def test_targets_are_reachable_and_errors_are_right(kind):
    robot = models.load("panda")
    places = robot.tip.chain().dof_indices
    rng, again = (np.random.default_rng(3) for _ in range(2))
    for _ in range(5):
        drawn = draw(kind, robot, places, None, rng)
        witness, seed = (robot.random_positions(again, places) for _ in range(2))
        np.testing.assert_array_equal(drawn.seed, seed)
        assert max(missing(drawn, robot.state(witness).transform(robot.tip))) < 1e-9
        # Elsewhere both say the same: ours from the definition, the library's from its own error.
        away, turned = missing(drawn, robot.state(seed).transform(robot.tip))
        ik = InverseKinematics(robot)
        ik.error_method = drawn.target.clone()
        assert (away, turned) == pytest.approx(ik.error_method.residual(robot.state(seed)), abs=1e-9)
        again.bit_generator.state = rng.bit_generator.state


def test_a_direction_of_ones_own():
    robot = models.load("scara")
    drawn = draw(
        TARGET_CLASSES[next(each for each in TARGET_CLASSES if each.name.endswith("Z_NORM_4D"))],
        robot,
        robot.tip.chain().dof_indices,
        "x",
        np.random.default_rng(0),
    )
    assert drawn.target.reference is None
    np.testing.assert_array_equal(drawn.target.tool_direction, [1.0, 0.0, 0.0])
