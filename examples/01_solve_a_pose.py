"""From a robot to joint values in five lines."""

from kinetree import models
from kinetree.solvers import InverseKinematics

robot = models.load("panda")
ik = InverseKinematics(robot)
solution = ik.solve(([0.4, 0.1, 0.5], [1, 0, 0, 0]))  # position, quaternion x, y, z, w
print(f"{robot.tip.name} ({robot.tip_source}): {solution}")
robot.positions = solution.q

print("it is now at", robot.tip.transform().translation.round(6))
