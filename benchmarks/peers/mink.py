"""mink: one frame task and the joint limits in a quadratic program a step on MuJoCo, repeated until it arrives."""

from importlib.metadata import version
from pathlib import Path

import mink
import mujoco
import numpy as np

#: Steps of an attempt, and those that lower the error by less than a tenth until it is given up.
ITERATIONS, SLOW = 100, 5
#: Of the task's Levenberg-Marquardt term.
DAMPING = 0.01
#: Links welded together stay bodies of their own, so that they can be targets.
KEEP = '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco></robot>'


class Adapter:
    """A loop around ``solve_ik`` with whole steps; the library is made for following, not for finding from afar.

    The seed first, then random configurations. An attempt ends where the error stops to fall.
    """

    version = version("mink")

    def __init__(self, problem):
        text = Path(problem.urdf).read_text(encoding="utf-8").replace("</robot>", KEEP)
        model = mujoco.MjModel.from_xml_string(text)
        joints = [model.joint(name) for name in problem.joints]
        self._places = [joint.qposadr[0] for joint in joints]
        for joint, lower, upper in zip(joints, problem.lower, problem.upper, strict=True):
            model.jnt_limited[joint.id] = 1
            model.jnt_range[joint.id] = lower, upper
        self._rest = model.qpos0.copy()
        self._configuration = mink.Configuration(model)
        # The base is the world, or hangs on it without a joint.
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, problem.base)
        base = np.eye(4)
        if body >= 0:
            base[:3, :3] = self._configuration.data.xmat[body].reshape(3, 3)
            base[:3, 3] = self._configuration.data.xpos[body]
        self._base = base
        self._task = mink.FrameTask(problem.tip, "body", 1.0, 1.0, lm_damping=DAMPING)
        self._limits = [mink.ConfigurationLimit(model, gain=1.0)]
        self._bounds = problem.position_tolerance, problem.orientation_tolerance
        self._restarts = [self._full(row) for row in problem.restarts]

    def _full(self, q):
        full = self._rest.copy()
        full[self._places] = q
        return full

    def query(self, target, seed):
        return mink.SE3.from_matrix(self._base @ target), self._full(seed)

    def solve(self, target, seed):
        self._task.set_target(target)
        for start in (seed, *self._restarts):
            found = self._attempt(start)
            if found is not None:
                return found
        return None

    def _attempt(self, start):
        configuration, tasks = self._configuration, [self._task]
        configuration.update(start)
        away, turned = self._bounds
        last, slow = np.inf, 0
        for _ in range(ITERATIONS):
            error = self._task.compute_error(configuration)
            if np.linalg.norm(error[:3]) <= away and np.linalg.norm(error[3:]) <= turned:
                return configuration.q.copy()
            size = np.linalg.norm(error)
            slow = slow + 1 if size > 0.9 * last else 0
            if slow > SLOW:
                return None
            last = size
            velocity = mink.solve_ik(configuration, tasks, 1.0, "daqp", damping=1e-12, limits=self._limits)
            configuration.integrate_inplace(velocity, 1.0)
        return None

    def answer(self, result):
        return None if result is None else result[self._places]
