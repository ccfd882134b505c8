"""roboticstoolbox-python: its Levenberg-Marquardt in C++ with Chan's damping; restarts are its own."""

from importlib.metadata import version

import numpy as np
from roboticstoolbox import Robot


class Adapter:
    """``ETS.ik_LM``, the call under ``Robot.ik_LM`` that does not look up the links every time."""

    version = version("roboticstoolbox-python")

    def __init__(self, problem):
        robot = Robot.URDF(problem.urdf)
        self._ets = robot.ets(start=problem.base, end=problem.tip)
        if self._ets.n != len(problem.joints):
            raise ValueError(f"it sees {self._ets.n} joints, not {len(problem.joints)}")
        # It stops at E = (position error^2 + rotation angle^2) / 2 < tol. This is the largest tol that keeps
        # both errors within the tolerance.
        tolerance = min(problem.position_tolerance, problem.orientation_tolerance)
        self._options = {"tol": 0.5 * tolerance**2, "slimit": problem.attempts, "method": "chan", "joint_limits": True}

    def query(self, target, seed):
        return np.asfortranarray(target), seed.copy()

    def solve(self, target, seed):
        return self._ets.ik_LM(target, q0=seed, **self._options)

    def answer(self, result):
        return result.q if result.success else None
