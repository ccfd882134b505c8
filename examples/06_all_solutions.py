"""All joint values that give one pose, found by random restarts."""

import numpy as np

from kinetree import models
from kinetree.solvers import IKMetaSolver, JacobianIKSolver

robot = models.load("ur5")
chain = robot.tip.chain()
target = robot.state([0.3, -1.2, 1.5, -0.8, 1.2, 0.1]).transform(robot.tip)
base_T_end = chain.base.transform().actInv(target)

meta = IKMetaSolver(JacobianIKSolver(chain))
meta.max_attempts = 200
solutions = meta.solve(base_T_end, robot.positions)

print(f"{len(solutions)} different solutions after {meta.max_attempts} attempts (degrees):")
for q in solutions:
    off = np.abs(robot.state(q).transform(robot.tip).homogeneous - target.homogeneous).max()
    print("  ", np.rad2deg(q).round(2), f"off by {off:.0e}")
