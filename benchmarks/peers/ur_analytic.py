"""ur-analytic-ik: the closed form of the arms of Universal Robots in C++."""

from importlib.metadata import version

import numpy as np
import ur_analytic_ik

#: Configurations in which its arm is compared with ours, and the largest difference (m, or of a rotation's entries).
TRIALS, NEAR = 5, 1e-6


class Adapter:
    """``inverse_kinematics`` of the arm of that name: all solutions, each angle within half a turn, no limits."""

    version = version("ur-analytic-ik")

    def __init__(self, problem):
        arm = getattr(ur_analytic_ik, problem.robot, None)
        if arm is None:
            raise ValueError("it solves the arms of Universal Robots alone")
        trials = np.random.default_rng(0).uniform(-2.8, 2.8, (TRIALS, 6))
        theirs = np.array([arm.forward_kinematics(*q) for q in trials])
        ours = np.array([problem.pose_at(q) for q in trials])
        # Makers and files differ in whether the base looks ahead or back.
        tools = {turn: np.linalg.inv(about_z(turn) @ theirs) @ ours for turn in (0.0, np.pi)}
        turn = min(tools, key=lambda each: np.ptp(tools[each], axis=0).max())
        away = np.ptp(tools[turn], axis=0).max()
        if away > NEAR:
            raise ValueError(f"its arm differs from this one by {away:.0e}")
        self._back, self._tool_back = about_z(-turn), np.linalg.inv(tools[turn][0])
        self.solve = arm.inverse_kinematics

    def query(self, target, seed):
        return (np.ascontiguousarray(self._back @ target @ self._tool_back),)

    def answers(self, result):
        return result


def about_z(angle):
    """Pose (4, 4)."""
    pose, c, s = np.eye(4), np.cos(angle), np.sin(angle)
    pose[:2, :2] = [[c, -s], [s, c]]
    return pose
