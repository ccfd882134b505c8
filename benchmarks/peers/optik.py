"""optik-py: SLSQP on the logarithm of the pose error, with restarts of its own."""

from importlib.metadata import version

import numpy as np
import optik


class Adapter:
    """``Robot.ik`` in the mode for speed, with its default of a thread for each core: faster than one thread."""

    version = version("optik-py")

    def __init__(self, problem):
        self._robot = optik.Robot.from_urdf_file(problem.urdf, problem.base, problem.tip)
        if self._robot.num_positions() != len(problem.joints):
            raise ValueError(f"it sees {self._robot.num_positions()} joints, not {len(problem.joints)}")
        # It stops where the squared norm of the logarithm of the pose error is below tol_f: then both parts
        # of the error are within the tolerance.
        tolerance = min(problem.position_tolerance, problem.orientation_tolerance)
        self._config = optik.SolverConfig(
            solution_mode="speed", max_time=1.0, max_restarts=problem.attempts, tol_f=tolerance**2
        )

    def query(self, target, seed):
        return np.ascontiguousarray(target), seed.copy()

    def solve(self, target, seed):
        return self._robot.ik(self._config, target, seed)

    def answer(self, result):
        return None if result is None else result[0]
