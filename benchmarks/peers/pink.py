"""pin-pink: one frame task and the joint limits in a quadratic program a step, steps repeated until it arrives."""

from importlib.metadata import version

import numpy as np
import pink
import pinocchio as pin

#: Steps of an attempt.
ITERATIONS = 100
#: Of the task's Levenberg-Marquardt term; its example for arms has 1.
DAMPING = 0.01


class Adapter:
    """A loop around ``solve_ik`` with whole steps; the library is made for following, not for finding from afar.

    The seed first, then random configurations. An attempt ends where the error stops to fall.
    """

    version = version("pin-pink")

    def __init__(self, problem):
        self._model = pin.buildModelFromUrdf(problem.urdf)
        places = [self._model.joints[self._model.getJointId(name)] for name in problem.joints]
        if any(joint.nq != 1 for joint in places):
            raise ValueError("joints without end have two numbers")
        self._places = [joint.idx_q for joint in places]
        self._model.lowerPositionLimit[self._places] = problem.lower
        self._model.upperPositionLimit[self._places] = problem.upper
        self._data = self._model.createData()
        self._task = pink.tasks.FrameTask(problem.tip, 1.0, 1.0, lm_damping=DAMPING)
        self._bounds = problem.position_tolerance, problem.orientation_tolerance
        self._frame = self._model.getFrameId(problem.tip)
        pin.framesForwardKinematics(self._model, self._data, pin.neutral(self._model))
        self._base = self._data.oMf[self._model.getFrameId(problem.base)].copy()
        self._restarts = [self._full(row) for row in problem.restarts]

    def _full(self, q):
        full = pin.neutral(self._model)
        full[self._places] = q
        return full

    def query(self, target, seed):
        return self._base * pin.SE3(np.ascontiguousarray(target)), self._full(seed)

    def solve(self, target, seed):
        self._task.set_target(target)
        for start in (seed, *self._restarts):
            found = self._attempt(start)
            if found is not None:
                return found
        return None

    def _attempt(self, start):
        configuration = pink.Configuration(self._model, self._data, start)
        away, turned = self._bounds
        tasks, last, slow = [self._task], np.inf, 0
        for _ in range(ITERATIONS):
            error = self._task.compute_error(configuration)
            if np.linalg.norm(error[:3]) <= away and np.linalg.norm(error[3:]) <= turned:
                return configuration.q
            size = np.linalg.norm(error)
            slow = slow + 1 if size > 0.9 * last else 0
            if slow > SLOW:
                return None
            last = size
            velocity = pink.solve_ik(configuration, tasks, 1.0, solver="daqp", damping=1e-12, safety_break=False)
            configuration.integrate_inplace(velocity, 1.0)
        return None

    def answer(self, result):
        return None if result is None else result[self._places]


#: Steps that lower the error by less than a tenth, one after another, until an attempt is given up.
SLOW = 5
