"""The built-in robots that small arms' closed forms are for, against the skeleton's own forward kinematics."""

from __future__ import annotations

import numpy as np
import pytest

from kinetree import models
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from tests.solvers.closed_form.small_arms import (
    NORMAL_ANGLE,
    OUT_OF_REACH,
    Solver,
    Tally,
    family_for,
    loses_no_root,
    recovers,
)

X, Z = np.eye(3)[0], np.eye(3)[2]
#: Robot, kind of goal, tool's direction, whether every goal that the kind has at a configuration is reached there.
CASES = [
    ("scara", "transform_6d", Z),
    ("scara", "translation_x_axis_angle_4d", X),
    ("scara", "translation_y_axis_angle_4d", X),
    ("scara", "translation_x_axis_angle_z_norm_4d", X),
    ("planar3", "transform_6d", Z),
    ("planar3", "translation_xy_orientation_3d", Z),
    ("so101", "transform_6d", Z),
    ("so101", "translation_direction_5d", Z),
    ("so101", "translation_direction_5d", X),
    ("stanford_arm", "transform_6d", Z),
    ("gantry_wrist", "transform_6d", Z),
]


def chain(name):
    robot = models.load(name)
    return robot, ChainGeometry.of(robot, robot.tip, range(len(robot.dofs)), robot.root)


@pytest.mark.parametrize(("name", "target", "direction"), CASES)
def test_built_in_robot(name, target, direction):
    robot, geometry = chain(name)
    family = family_for(target, geometry, direction)
    assert family is not None
    solver, rng, tally = Solver(family, geometry, direction), np.random.default_rng(1), Tally()
    recovers(solver, rng, 1000, tally)
    loses_no_root(solver, rng, 20, tally, starts=60)
    print(name, family.name, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == tally.roots_missed == 0
    assert tally.worst_error <= 1e-10
    if target not in NORMAL_ANGLE:
        # The same robot by Pinocchio: where the tip is that the goal was packed from.
        q = rng.uniform(-1.0, 1.0, len(geometry))
        found, flags = solver(solver.goal(q))
        for each in found[flags & OUT_OF_REACH == 0]:
            reached, wanted = robot.state(each).transform(robot.tip), robot.state(q).transform(robot.tip)
            if target == "transform_6d":
                np.testing.assert_allclose(reached.homogeneous, wanted.homogeneous, atol=1e-9)
            elif target == "translation_direction_5d":
                np.testing.assert_allclose(reached.translation, wanted.translation, atol=1e-9)
                np.testing.assert_allclose(reached.rotation @ direction, wanted.rotation @ direction, atol=1e-9)
