"""pytracik: TRAC-IK, two threads of KDL's Newton steps and SLSQP, with restarts until its time is over."""

from importlib.metadata import version

import numpy as np
from trac_ik import TracIK

#: How long it may search for one target (s); most are solved in a hundredth of it.
TIMEOUT = 0.05


class Adapter:
    """``TracIK.ik`` in the mode for speed."""

    version = version("pytracik")

    def __init__(self, problem):
        # Its bound holds for each component of the twist to the target. A component bound of tolerance / sqrt(3)
        # keeps the norms of both parts within the tolerance.
        epsilon = min(problem.position_tolerance, problem.orientation_tolerance) / np.sqrt(3.0)
        self._solver = TracIK(problem.base, problem.tip, problem.urdf, timeout=TIMEOUT, epsilon=epsilon)
        if self._solver.dof != len(problem.joints):
            raise ValueError(f"it sees {self._solver.dof} joints, not {len(problem.joints)}")
        if not problem.continuous.any():
            # It reads limits from the file in single precision.
            self._solver.joint_limits = problem.lower, problem.upper

    def query(self, target, seed):
        return target[:3, 3].copy(), target[:3, :3].copy(), seed.copy()

    def solve(self, position, rotation, seed):
        return self._solver.ik(position, rotation, seed)

    def answer(self, result):
        return result
