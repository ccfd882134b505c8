"""A thousand targets at once, a path on one branch, and a control loop."""

import numpy as np

from kinetree import models
from kinetree.solvers import InverseKinematics

robot = models.load("ur5")
ik = InverseKinematics(robot)
rng = np.random.default_rng(0)
targets = [robot.state(robot.random_positions(rng)).transform(robot.tip).copy() for _ in range(1000)]
print(ik.solve_batch(targets))

# Up and down a line of 40 cm, starting from a chosen branch.
start = np.array([0.3, -1.2, 1.4, -0.7, 1.1, 0.2])
line = np.tile(robot.state(start).transform(robot.tip).homogeneous, (500, 1, 1))
line[:, 2, 3] -= 0.2 * (1.0 - np.cos(np.linspace(0.0, 2.0 * np.pi, 500)))
path = ik.solve_path(line, seed=start)
print(path)
print("largest change of a joint between two points:", np.abs(np.diff(path.q, axis=0)).max())

solver = ik.prepare()
q = start
for target in line:
    q = solver.solve(target, q).q
print("back where it began:", np.allclose(q, start, atol=1e-4))
