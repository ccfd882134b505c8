"""cartan-bindings: its projected Levenberg-Marquardt with restarts of its own."""

from importlib.metadata import version

import cartan
import numpy as np

#: Iterations of an attempt: its own default.
ITERATIONS = 100


class Adapter:
    """``solve_ik_speed``: ``solve_ik``, which also runs a second solver, takes more than twice as long."""

    version = version("cartan-bindings")

    def __init__(self, problem):
        self._loaded = cartan.load_urdf(problem.urdf)
        if list(self._loaded.metadata.joint_names) != list(problem.joints):
            raise ValueError(f"it sees the joints {self._loaded.metadata.joint_names}")
        self._chain = self._loaded.chain
        # Its default budget of five attempts leaves one target in a hundred unsolved.
        budget = problem.attempts * ITERATIONS
        self._config = cartan.IkConfig(
            position_tol=problem.position_tolerance,
            orientation_tol=problem.orientation_tolerance,
            max_iterations_per_attempt=ITERATIONS,
            max_total_iterations=budget,
            max_total_work_units=budget,
        )

    def query(self, target, seed):
        return cartan.SE3.from_matrix(np.ascontiguousarray(target)), seed.copy()

    def solve(self, target, seed):
        return cartan.solve_ik_speed(self._chain, target, seed, self._config)

    def answer(self, result):
        return result.q if result.converged else None
