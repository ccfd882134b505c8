"""dartpy: DART's inverse kinematics of a frame, damped least squares by gradient descent, with restarts of its own."""

from importlib.metadata import version

import dartpy
import numpy as np

#: Iterations of an attempt: its own default.
ITERATIONS = 100


class Adapter:
    """``InverseKinematics.solveAndApply`` of the tip, from the seed; its solver restarts at random."""

    version = version("dartpy")

    def __init__(self, problem):
        options = dartpy.utils.DartLoaderOptions(defaultRootJointType=dartpy.utils.DartLoaderRootJointType.FIXED)
        loader = dartpy.utils.DartLoader()
        loader.setOptions(options)
        skeleton = loader.parseSkeleton(problem.urdf)
        self._dofs = [skeleton.getDof(name) for name in problem.joints]
        self._skeleton = skeleton
        for dof, lower, upper in zip(self._dofs, problem.lower, problem.upper, strict=True):
            dof.setPositionLimits(lower, upper)
        tip = skeleton.getBodyNode(problem.tip)
        self._ik = tip.getOrCreateIK()
        self._target = dartpy.dynamics.SimpleFrame(dartpy.dynamics.Frame.World(), "target", np.eye(4))
        self._ik.setTarget(self._target)
        self._ik.useWholeBody()
        bound = min(problem.position_tolerance, problem.orientation_tolerance) / np.sqrt(3.0)
        self._ik.getErrorMethod().setBounds(np.full(6, -bound), np.full(6, bound))
        solver = self._ik.getSolver()
        solver.setNumMaxIterations(ITERATIONS)
        solver.setMaxAttempts(problem.attempts)
        self._base = skeleton.getBodyNode(problem.base).getWorldTransform().matrix()

    def query(self, target, seed):
        return self._base @ target, seed.copy()

    def solve(self, target, seed):
        self._target.setRelativeTransform(target)
        self._skeleton.setPositions(seed)
        return self._skeleton.getPositions() if self._ik.solveAndApply(False) else None

    def answer(self, result):
        return result
