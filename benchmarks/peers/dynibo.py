"""dynibo: damped least squares from one start; it refuses a solution beyond a limit and has no restarts."""

import dynibo
import numpy as np
from dynibo import DyniboError, IkOptions, Pose, Robot


class Adapter:
    """A loop around ``Robot.inverse_kinematics``: the seed first, then random configurations."""

    version = dynibo.__version__

    def __init__(self, problem):
        self._robot = Robot.from_urdf(problem.urdf)
        if self._robot.joint_count != len(problem.joints):
            raise ValueError(f"it sees {self._robot.joint_count} joints, not {len(problem.joints)}")
        self._tip = self._robot.link_id(problem.tip)
        # Norms of the position error and of the rotation vector: the measures of this benchmark.
        self._options = IkOptions(
            translation_tolerance=problem.position_tolerance, rotation_tolerance=problem.orientation_tolerance
        )
        # Drawn beforehand, so that no time of numpy's is counted.
        self._restarts = [np.ascontiguousarray(row) for row in problem.restarts]

    def query(self, target, seed):
        return Pose(tuple(target[:3, 3]), quaternion_of(target[:3, :3])), np.ascontiguousarray(seed)

    def solve(self, pose, seed):
        inverse, tip, options = self._robot.inverse_kinematics, self._tip, self._options
        try:
            return inverse(seed, tip, pose, options)
        except DyniboError:
            pass
        for start in self._restarts:
            try:
                return inverse(start, tip, pose, options)
            except DyniboError:
                pass
        return None

    def answer(self, result):
        return result


def quaternion_of(rotation):
    """x, y, z, w of a rotation matrix: the eigenvector of Bar-Itzhack's matrix, exact to rounding."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    symmetric = np.array(
        [[a - e - i, b + d, c + g, h - f], [b + d, e - a - i, f + h, c - g], [c + g, f + h, i - a - e, d - b],
         [h - f, c - g, d - b, a + e + i]]
    )  # fmt: skip
    return tuple(np.linalg.eigh(symmetric / 3.0)[1][:, 3])
