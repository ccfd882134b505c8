"""kinetree with many targets in one call."""

from importlib.metadata import PackageNotFoundError, version

import numpy as np

from kinetree import models
from kinetree.solvers import InverseKinematics


class Adapter:
    """``solve_batch``, or ``solve_path`` when ``options["call"]`` is ``"path"``; ``options["threads"]`` for batches."""

    def __init__(self, problem):
        robot = models.load(problem.robot)
        robot.positions = robot.clamp(robot.rest_positions)
        self._ik = InverseKinematics(robot)
        self._base = robot.tip.chain().base.transform().homogeneous
        self._rest, self._indices = robot.positions, robot.tip.chain().dof_indices
        self._is_path = problem.options.get("call") == "path"
        self._threads = problem.options.get("threads")
        try:
            self.version = version("kinetree")
        except PackageNotFoundError:
            self.version = "of the checkout"

    def query_all(self, targets, seeds):
        q = np.tile(self._rest, (len(seeds), 1))
        q[:, self._indices] = seeds
        return self._base @ targets, q

    def solve_all(self, targets, seeds):
        if self._is_path:
            return self._ik.solve_path(targets, seed=seeds[0])
        return self._ik.solve_batch(targets, seeds=seeds, threads=self._threads)

    def answer_all(self, result):
        return np.where(np.asarray(result.success)[:, None], result.q[:, self._indices], np.nan)
