"""kinetree's own closed forms, called and timed like their peers."""

from importlib.metadata import PackageNotFoundError, version

import numpy as np

from kinetree import models
from kinetree.solvers import InverseKinematics, Validity


class Adapter:
    """``solve_all`` of what ``InverseKinematics.analytical`` finds; limits and ranking by the seed are in the call.

    ``options["call"]`` may be ``"get_solutions"``, which gives objects, or ``"solve_many"``. ``options["valid"]``:
    answers are only the solutions inside the limits, in order; otherwise all that reach. ``options["threads"]``: for
    many targets, 1.
    """

    def __init__(self, problem):
        built_in = problem.robot in {info.name for info in models.robots()}
        robot = models.load(problem.robot if built_in else problem.urdf)
        if not built_in:
            robot.tip = problem.tip
        robot.positions = robot.clamp(robot.rest_positions)
        ik = InverseKinematics(robot)
        self._closed = ik.analytical()
        if self._closed is None:
            raise ValueError(ik.analytical_report)
        self._rest, self._indices = robot.positions, robot.tip.chain().dof_indices
        order = self._closed.solved_dofs().indices.tolist()
        self._order = [order.index(index) for index in self._indices]
        call = problem.options.get("call", "solve_all")
        self._gives_objects = call == "get_solutions"
        self._threads = problem.options.get("threads", 1)
        self._unwanted = int(Validity.OUT_OF_REACH)
        if problem.options.get("valid"):
            self._unwanted |= int(Validity.LIMIT_VIOLATED)
        self.solve = self._closed.get_solutions if self._gives_objects else self._closed.solve_all
        # What is compiled on the first call is compiled here.
        if call == "solve_many":
            self._closed.solve_many(np.eye(4)[None], self._rest[None], threads=self._threads)
        else:
            self.solve(np.eye(4), self._rest.copy())
        try:
            self.version = version("kinetree")
        except PackageNotFoundError:
            self.version = "of the checkout"

    def query(self, target, seed):
        # Relative to the base, which is what closed forms take.
        q = self._rest.copy()
        q[self._indices] = seed
        return np.ascontiguousarray(target), q

    def answers(self, result):
        if self._gives_objects:
            return [each.q[self._indices] for each in result if not each.validity & self._unwanted]
        q, validity = result
        return q[(validity & self._unwanted) == 0][:, self._order]

    def query_all(self, targets, seeds):
        q = np.tile(self._rest, (len(seeds), 1))
        q[:, self._indices] = seeds
        return np.ascontiguousarray(targets), q

    def solve_all(self, targets, seeds):
        return self._closed.solve_many(targets, seeds, threads=self._threads)

    def answers_all(self, result):
        q, validity, counts = result
        there = np.arange(q.shape[1]) < counts[:, None]
        there &= (validity & self._unwanted) == 0
        return q[there][:, self._order], there.sum(axis=1)
