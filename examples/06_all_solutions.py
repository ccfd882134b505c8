"""All joint values that give one pose: in closed form, and by random restarts for arms without one."""

import numpy as np

from kinetree import models
from kinetree.solvers import IKMetaSolver, InverseKinematics, JacobianIKSolver

robot = models.load("ur5")
target = robot.state([0.3, -1.2, 1.5, -0.8, 1.2, 0.1]).transform(robot.tip)

closed = InverseKinematics(robot).analytical()
print(closed.why)
for branch in closed.get_solutions(target):
    print("  ", np.rad2deg(branch.q).round(2), "" if not branch.validity else branch.validity)

# The elbow of this arm is up where it is higher than the line from shoulder to wrist.
elbow = robot.frame("forearm_link")
heights = [robot.state(branch.q).transform(elbow).translation[2] for branch in closed.get_solutions(target)]
print(f"elbow heights: {np.round(heights, 3)} m")

chain = robot.tip.chain()
meta = IKMetaSolver(JacobianIKSolver(chain))
meta.max_attempts = 200
solutions = meta.solve(chain.base.transform().actInv(target), robot.positions)
print(f"{len(solutions)} different solutions after {meta.max_attempts} attempts:")
for q in solutions:
    off = np.abs(robot.state(q).transform(robot.tip).homogeneous - target.homogeneous).max()
    print("  ", np.rad2deg(q).round(2), f"off by {off:.0e}")
