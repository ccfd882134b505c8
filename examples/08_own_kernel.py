"""A step rule of one's own inside the compiled loop, beside the built-in ones."""

import numpy as np

from kinetree import models
from kinetree.solvers import FAST, GradientMethod, Halley, InverseKinematics, LevenbergMarquardt, kernel


class DampedByDiagonal(GradientMethod):
    """J^T (J J^T + mu D)^-1 e with D the diagonal of J J^T, solved by a few sweeps of Gauss and Seidel."""

    pace = FAST
    parameters = (0.02,)

    @kernel
    def step(jacobian, error, rows, n, parameters, gradient):
        for i in range(rows):
            gradient[n + i] = 0.0 * error[i]
        for _ in range(12):
            for i in range(rows):
                rest = error[i] * 1.0
                diagonal = 1e-9
                for j in range(rows):
                    product = 0.0
                    for k in range(n):
                        product += jacobian[i, k] * jacobian[j, k]
                    if i == j:
                        diagonal += product * (1.0 + parameters[0])
                    else:
                        rest -= product * gradient[n + j]
                gradient[n + i] = rest / diagonal
        for k in range(n):
            total = 0.0
            for i in range(rows):
                total += jacobian[i, k] * gradient[n + i]
            gradient[k] = total


robot = models.load("ur5")
rng = np.random.default_rng(0)
targets = [robot.state(robot.random_positions(rng)).transform(robot.tip).copy() for _ in range(200)]
for method in (DampedByDiagonal(), LevenbergMarquardt(), Halley()):
    ik = InverseKinematics(robot)
    ik.gradient_method = method
    print(f"{method.name:20} {ik.solve_batch(targets, tolerance=1e-4)}")
