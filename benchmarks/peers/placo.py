"""placo: a frame task and the joint limits in a quadratic program a step, steps repeated until it arrives."""

from importlib.metadata import version
from pathlib import Path

import numpy as np
import placo

#: Steps of an attempt, and those that lower the error by less than a tenth until it is given up.
ITERATIONS, SLOW = 100, 5
#: Weight of standing still; without it steps grow without bound at a singularity.
STILL = 1e-4


class Adapter:
    """A loop around ``KinematicsSolver.solve``; the library is made for following, not for finding from afar.

    The seed first, then random configurations. An attempt ends where the error stops to fall.
    """

    version = version("placo")

    def __init__(self, problem):
        text = Path(problem.urdf).read_text(encoding="utf-8")
        self._robot = placo.RobotWrapper("", placo.Flags.ignore_collisions, text)
        model = self._robot.model
        self._places = [model.joints[list(model.names).index(name)].idx_q for name in problem.joints]
        for name, lower, upper in zip(problem.joints, problem.lower, problem.upper, strict=True):
            self._robot.set_joint_limits(name, lower, upper)
        self._rest = np.array(self._robot.state.q)
        self._robot.update_kinematics()
        self._base = np.array(self._robot.get_T_world_frame(problem.base))
        solver = placo.KinematicsSolver(self._robot)
        solver.mask_fbase(True)
        solver.enable_velocity_limits(False)
        self._task = solver.add_frame_task(problem.tip, np.eye(4))
        self._task.configure("tip", "soft", 1.0, 1.0)
        solver.add_regularization_task(STILL)
        self._solver = solver
        self._bounds = problem.position_tolerance, problem.orientation_tolerance
        self._restarts = [self._full(row) for row in problem.restarts]

    def _full(self, q):
        full = self._rest.copy()
        full[self._places] = q
        return full

    def query(self, target, seed):
        return self._base @ target, self._full(seed)

    def solve(self, target, seed):
        self._task.T_world_frame = target
        for start in (seed, *self._restarts):
            found = self._attempt(start)
            if found is not None:
                return found
        return None

    def _attempt(self, start):
        robot, solver, task = self._robot, self._solver, self._task
        state = robot.state
        state.q = start
        away, turned = self._bounds
        last, slow = np.inf, 0
        position, orientation = task.position(), task.orientation()
        for _ in range(ITERATIONS):
            robot.update_kinematics()
            position.update()
            orientation.update()
            far, angle = position.error_norm(), orientation.error_norm()
            if far <= away and angle <= turned:
                return np.array(robot.state.q)
            slow = slow + 1 if far + angle > 0.9 * last else 0
            if slow > SLOW:
                return None
            last = far + angle
            solver.solve(True)
        return None

    def answer(self, result):
        return None if result is None else result[self._places]
