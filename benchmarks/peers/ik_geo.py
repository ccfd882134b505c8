"""ik-geo: the subproblem solvers of IK-Geo (Elias and Wen, arXiv 2211.05737) in Rust."""

from importlib.metadata import version

import numpy as np
from ik_geo import Robot

#: From the quickest solver to the slowest; which one is right is for the caller to say.
SOLVERS = (
    "spherical_two_parallel",
    "spherical_two_intersecting",
    "spherical",
    "three_parallel_two_intersecting",
    "three_parallel",
    "two_parallel",
    "two_intersecting",
    "gen_six_dof",
)
#: Poses that are tried with each, and how many of them have to give back the angles that they were made from; the
#: solvers that search lose some.
TRIALS, ENOUGH = 12, 10
#: What counts as giving back (rad).
NEAR = 1e-5


class Adapter:
    """``Robot.get_ik`` of the first solver that solves the arm; it has no limits and no seed."""

    version = version("ik-geo")

    def __init__(self, problem):
        if len(problem.axes) != 6:
            raise ValueError(f"an arm of {len(problem.axes)} joints; it solves six")
        axes, offsets = problem.axes, with_shared_origins(problem.axes, problem.offsets)
        self._tip_back = problem.tip_rotation.T
        rng = np.random.default_rng(0)
        trials = rng.uniform(-2.8, 2.8, (TRIALS, 6))
        for name in SOLVERS:
            robot = getattr(Robot, name)(axes, offsets)
            if sum(_gives_back(robot, q) for q in trials) >= ENOUGH:
                break
        else:
            raise ValueError("none of its solvers gives back the angles that poses were made from")
        self.version = f"{self.version} {name}"
        self._solve = robot.get_ik

    def query(self, target, seed):
        # It reads rotations column by column, and lists more quickly than arrays.
        return (target[:3, :3] @ self._tip_back).T.tolist(), target[:3, 3].tolist()

    def solve(self, rotation, position):
        return self._solve(rotation, position)

    def answers(self, result):
        return [q for q, is_least_squares in result if not is_least_squares]


def _gives_back(robot, q):
    try:
        found = robot.get_ik(*robot.forward_kinematics(q))
    except KeyboardInterrupt:
        raise
    except BaseException:  # a panic of a solver that the arm is not for is no Exception
        return False
    differences = [np.abs((np.array(each) - q + np.pi) % (2 * np.pi) - np.pi).max() for each, _ in found]
    return min(differences, default=np.inf) < NEAR


def with_shared_origins(axes, offsets):
    """The same arm, with origins (one for each axis, anywhere on it) where axes meet: what its solvers expect."""
    points = np.cumsum(offsets, axis=0)
    origins, tip = points[:-1].copy(), points[-1]
    size = np.linalg.norm(offsets, axis=1).sum()
    moved = set()
    for group in ((3, 4, 5), (4, 5), (0, 1)):
        if moved.isdisjoint(group):
            point = _meeting_point(axes[list(group)], origins[list(group)], 1e-9 * size)
            if point is not None:
                origins[list(group)] = point
                moved.update(group)
    return np.diff(np.vstack([np.zeros(3), origins, tip]), axis=0)


def _meeting_point(axes, origins, tolerance):
    """Where lines meet (3,), or None."""
    across = np.eye(3) - axes[:, :, None] * axes[:, None, :]
    matrix = across.sum(axis=0)
    if np.linalg.cond(matrix) > 1e9:  # parallel
        return None
    point = np.linalg.solve(matrix, np.einsum("kij,kj->i", across, origins))
    away = np.linalg.norm(np.cross(axes, point - origins), axis=1).max()
    return point if away <= tolerance else None
