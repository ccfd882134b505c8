"""A method of one's own in a few lines of NumPy, compared with the built-in ones."""

import numpy as np

from kinetree import models
from kinetree.solvers import (
    GradientMethod,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
)


class WristFirst(GradientMethod):
    """Damped least squares that would rather move joints near the tool than those near the base."""

    def gradient(self, jacobian, error):
        """(m, n), (m,) current - desired -> (n,), uphill; the solver subtracts it."""
        rows, n = jacobian.shape
        readiness = np.linspace(0.3, 1.0, n)
        weighted = jacobian * readiness
        damped = weighted @ weighted.T + 1e-6 * np.eye(rows)
        return readiness * (weighted.T @ np.linalg.solve(damped, error))


robot = models.load("panda")
robot.positions = {"panda_joint2": -0.5, "panda_joint4": -2.0, "panda_joint6": 1.8}
rng = np.random.default_rng(1)
near = [robot.clamp(robot.positions + rng.normal(scale=0.15, size=robot.num_dofs)) for _ in range(50)]
targets = [robot.state(q).transform(robot.tip) for q in near]

methods = [
    WristFirst(),
    JacobianTranspose(),
    JacobianPseudoInverse(),
    JacobianDLS(),
    LevenbergMarquardt(),
]
print(f"{'method':24} solved  iterations of the solved (median)")
for method in methods:
    ik = InverseKinematics(robot)
    ik.gradient_method = method
    # One attempt from where the robot is, and more patience than usual: transposes converge slowly.
    solutions = [ik.solve(target, attempts=1, iterations=1000, tolerance=1e-4) for target in targets]
    counts = [each.iterations for each in solutions if each]
    median = f"{np.median(counts):.0f}" if counts else "-"
    print(f"{type(method).__name__:24} {len(counts):3}/{len(targets)}  {median}")
