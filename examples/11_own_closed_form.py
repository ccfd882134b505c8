"""A closed form of one's own: all solutions of a planar arm, from fifteen lines."""

import math

from kinetree import models
from kinetree.kinematics import pose
from kinetree.solvers import Analytical, InverseKinematics

UPPER, FOREARM, HAND = 0.5, 0.4, 0.3  # m, of the built-in planar arm


class PlanarArm(Analytical):
    """Three joints in a plane: position and direction of the tip."""

    dofs = ("joint1", "joint2", "joint3")

    def compute_solutions(self, pose):
        heading = math.atan2(pose.rotation[1, 0], pose.rotation[0, 0])
        x = pose.translation[0] - HAND * math.cos(heading)
        y = pose.translation[1] - HAND * math.sin(heading)
        cosine = (x * x + y * y - UPPER * UPPER - FOREARM * FOREARM) / (2 * UPPER * FOREARM)
        bend = math.acos(min(max(cosine, -1.0), 1.0))  # out of reach this is the nearest; the base class tells
        for elbow in (bend, -bend):
            shoulder = math.atan2(y, x) - math.atan2(FOREARM * math.sin(elbow), UPPER + FOREARM * math.cos(elbow))
            yield shoulder, elbow, heading - shoulder - elbow


robot = models.load("planar3")
ik = InverseKinematics(robot)
ik.gradient_method = closed = PlanarArm()

# Every branch, tagged and ranked: the one nearest to the seed first.
target = pose([0.5, 0.6, 0.0], rpy=[0.0, 0.0, 1.2])
for branch in closed.get_solutions(target, seed=[0.0, 0.5, 0.5]):
    print(branch)

# It is a gradient method like any other, so the module solves with it.
solution = ik.solve(target)
print(solution, "by", solution.engine)
assert solution.success
assert solution.engine == "closed form"

# Out of reach: the nearest, and by how much it misses.
far = closed.get_solutions(pose([1.5, 0.0, 0.0]))[0]
print(far)
failed = ik.solve(pose([1.5, 0.0, 0.0]))
print(failed.reason, "-", failed.detail)
assert not failed.success
