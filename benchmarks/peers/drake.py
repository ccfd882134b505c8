"""drake: a nonlinear program with SNOPT, three points of the tip in their places inside the joint limits."""

from importlib.metadata import version

import numpy as np
from pydrake.multibody.inverse_kinematics import InverseKinematics
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.solvers import SnoptSolver, SolverOptions

#: Points of the tip (m): an orientation constraint's cosine cannot be told from one below 1e-4 rad.
POINTS = np.eye(3)


class Adapter:
    """``InverseKinematics`` and ``SnoptSolver.Solve``, from the seed, then from random configurations.

    The program is built once for each target, as its constraints hold the target.
    """

    version = version("drake")

    def __init__(self, problem):
        plant = MultibodyPlant(0.0)
        (robot,) = Parser(plant).AddModels(problem.urdf)
        base = plant.GetFrameByName(problem.base, robot)
        if plant.GetBodyByName(problem.base, robot).index() != plant.world_body().index():
            plant.WeldFrames(plant.world_frame(), base)
        plant.Finalize()
        self._plant, self._tip = plant, plant.GetFrameByName(problem.tip, robot)
        self._places = [plant.GetJointByName(name, robot).position_start() for name in problem.joints]
        self._lower, self._upper = np.empty(plant.num_positions()), np.empty(plant.num_positions())
        self._lower[self._places], self._upper[self._places] = problem.lower, problem.upper
        bound = 0.3 * min(problem.position_tolerance, problem.orientation_tolerance)
        self._bound = np.full(3, bound)
        self._options = SolverOptions()
        self._options.SetOption(SnoptSolver.id(), "Major feasibility tolerance", 0.3 * bound)
        self._options.SetOption(SnoptSolver.id(), "Minor feasibility tolerance", 0.3 * bound)
        self._solver = SnoptSolver()
        self._restarts = [self._full(row) for row in problem.restarts]

    def _full(self, q):
        full = np.zeros(self._plant.num_positions())
        full[self._places] = q
        return full

    def query(self, target, seed):
        return target[:3, :3] @ POINTS.T + target[:3, 3:], self._full(seed)

    def solve(self, places, seed):
        ik = InverseKinematics(self._plant, with_joint_limits=False)
        ik.prog().AddBoundingBoxConstraint(self._lower, self._upper, ik.q())
        world = self._plant.world_frame()
        for point, place in zip(POINTS, places.T, strict=True):
            ik.AddPositionConstraint(self._tip, point, world, place - self._bound, place + self._bound)
        for start in (seed, *self._restarts):
            result = self._solver.Solve(ik.prog(), start, self._options)
            if result.is_success():
                return result.GetSolution(ik.q())
        return None

    def answer(self, result):
        return None if result is None else result[self._places]
