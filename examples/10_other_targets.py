"""Targets that ask for less than a pose: along a line, at a point, by an angle; and a camera that follows a point."""

import math

import numpy as np

from kinetree import models
from kinetree.solvers import InverseKinematics, Lookat3D, Ray4D, TranslationDirection5D, TranslationZAxisAngle4D

robot = models.load("panda")
ik = InverseKinematics(robot)
hole = [0.45, 0.15, 0.2]


def show(name, solution):
    at = robot.state(solution.q).transform(ik.frame)
    z = at.rotation[:, 2]
    print(f"{name:24s} {solution.reason.name}: at {at.translation.round(3) + 0.0}, pointing along {z.round(3) + 0.0}")


# A drill above a hole: anywhere on its axis, in its direction, turned anyhow about it.
show("on the axis of a hole", ik.solve(Ray4D(hole, "-z")))
show("at the hole", ik.solve(TranslationDirection5D(hole, "-z")))
# A welding torch, 30 degrees off the vertical to whichever side.
show("30 degrees off vertical", ik.solve(TranslationZAxisAngle4D(hole, math.radians(150))))
show("looking at the hole", ik.solve(Lookat3D(hole)))

# A pose stands for the target that it fulfils: here its point and the direction of its z.
ik.error_method = TranslationDirection5D(hole, "-z")
rng = np.random.default_rng(0)
poses = [robot.state(robot.random_positions(rng)).transform(robot.tip) for _ in range(1000)]
print(ik.solve_batch(poses))

# The camera follows a point on its way across the table.
points = [[0.4, y, 0.0] for y in np.linspace(-0.3, 0.3, 100)]
path = ik.solve_path([Lookat3D(point) for point in points])
print(f"looked at {int(path.success.sum())} points; largest step {np.abs(np.diff(path.q, axis=0)).max():.3f} rad")
