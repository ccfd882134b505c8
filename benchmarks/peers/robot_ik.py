"""robot-ik: damped least squares in C++ on Denavit-Hartenberg parameters, for arms of six joints."""

from importlib.metadata import version

import numpy as np
from robot_ik.ik import FastIKSolver

#: Iterations of an attempt: its own default.
ITERATIONS = 200
#: Damping; with its default of 0.1 four times as many attempts end before they are within 1e-6.
DAMPING = 0.03
#: A part of the arm's size below which axes meet, and a sine below which they are parallel.
SMALL = 1e-9


class Adapter:
    """``FastIKSolver.ik_solve``; it has one start, so that the seed and random configurations are tried in turn.

    It knows no zero of a joint other than that of its parameters, no base and no tool: poses, angles and limits are
    turned into its own beforehand.
    """

    version = version("robot-ik")

    def __init__(self, problem):
        if len(problem.axes) != 6:
            raise ValueError(f"an arm of {len(problem.axes)} joints; it solves six")
        rows, self._turns, base = parameters(problem.axes, problem.offsets)
        limits = np.stack([problem.lower + self._turns, problem.upper + self._turns], axis=1)
        self._solver = FastIKSolver(rows, limits)
        if not self._solver.has_fast:
            raise ValueError("its C++ extension is not there")
        zero = np.eye(4)
        zero[:3, :3], zero[:3, 3] = problem.tip_rotation, problem.offsets.sum(axis=0)
        self._back = np.linalg.inv(base)
        self._tool_back = np.linalg.inv(zero) @ base @ self._solver.forward_kinematics(self._turns)
        self._tolerances = ITERATIONS, problem.position_tolerance, problem.orientation_tolerance, DAMPING
        self._restarts = [np.ascontiguousarray(row) for row in problem.restarts + self._turns]

    def query(self, target, seed):
        return np.ascontiguousarray(self._back @ target @ self._tool_back), seed + self._turns

    def solve(self, target, seed):
        solve, tolerances = self._solver.ik_solve, self._tolerances
        found = solve(target, seed, *tolerances)
        if found[0]:
            return found[1]
        for start in self._restarts:
            found = solve(target, start, *tolerances)
            if found[0]:
                return found[1]
        return None

    def answer(self, result):
        return None if result is None else result - self._turns


def parameters(axes, offsets):
    """Denavit-Hartenberg parameters of turning joints.

    Args:
        axes: Unit vectors (n, 3) at the zero position.
        offsets: (n + 1, 3) from the base to a point on the first axis, on to the next ones, and to the tip.

    Returns:
        Rows (n, 4) of a, alpha, d and theta; the angles ``turns`` (n,) that its joints have where ours are zero; and
        the pose ``base`` (4, 4) of its first frame. What is beyond the last axis is left to a tool.
    """
    points, size = np.cumsum(offsets, axis=0), np.linalg.norm(offsets, axis=1).sum()
    count = len(axes)
    x = np.cross(axes[0], np.eye(3)[np.abs(axes[0]).argmin()])
    x /= np.linalg.norm(x)
    origin, base = points[0], np.eye(4)
    base[:3, :3], base[:3, 3] = np.stack([x, np.cross(axes[0], x), axes[0]], axis=1), origin
    rows, turns = np.zeros((count, 4)), np.zeros(count)
    for k in range(count - 1):
        foot, following, normal = common_normal(axes[k : k + 2], origin, points[k + 1], x, SMALL * size)
        turns[k] = angle(x, normal, axes[k])
        rows[k, :3] = (following - foot) @ normal, angle(axes[k], axes[k + 1], normal), (foot - origin) @ axes[k]
        origin, x = following, normal
    return rows, turns, base


def common_normal(axes, origin, point, x, small):
    """Where the common normal of two lines begins and ends, and its direction (3,); near ``x`` where it is any."""
    first, second = axes
    across, between = np.cross(first, second), point - origin
    if np.linalg.norm(across) < SMALL:  # parallel: the normal through the origin
        foot, following = origin, point - (between @ second) * second
        fallback = x
    else:
        s, t, _ = np.linalg.solve(np.stack([first, -second, across], axis=1), between)
        foot, following = origin + s * first, point + t * second
        fallback = across / np.linalg.norm(across)
    length = np.linalg.norm(following - foot)
    return foot, following, (following - foot) / length if length > small else fallback


def angle(start, end, axis):
    """From one unit vector to another about a third (rad)."""
    return np.arctan2(np.cross(start, end) @ axis, start @ end)
