"""kinetree itself, called and timed like its peers."""

from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pinocchio as pin

from kinetree import models
from kinetree.solvers import InverseKinematics


class Adapter:
    """``solve``, or ``solve`` of what ``prepare`` returns when ``options["call"]`` is ``"prepare"``."""

    def __init__(self, problem):
        # The built-in robot as a user loads it, with all that is not in the chain.
        robot = models.load(problem.robot)
        robot.positions = robot.clamp(robot.rest_positions)
        self._ik = InverseKinematics(robot)
        self._base = robot.tip.chain().base.transform()
        self._rest = robot.positions
        self._indices = robot.tip.chain().dof_indices
        call = problem.options.get("call", "solve")
        self._solve = self._ik.prepare().solve if call == "prepare" else self._ik.solve
        try:
            self.version = version("kinetree")
        except PackageNotFoundError:
            self.version = "of the checkout"

    def query(self, target, seed):
        q = self._rest.copy()
        q[self._indices] = seed
        return self._base * pin.SE3(np.ascontiguousarray(target)), q

    def solve(self, target, seed):
        return self._solve(target, seed=seed)

    def answer(self, result):
        return result.q[self._indices] if result.success else None
