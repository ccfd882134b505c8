"""pytorch-kinematics: damped least squares on tensors, on the processor, all restarts of all targets at once."""

from importlib.metadata import version

import numpy as np
import pytorch_kinematics
import torch

#: Restarts that are worked on at once, and iterations: with more of them a call takes longer than it gains.
RETRIES, ITERATIONS = 20, 60


class Adapter:
    """``PseudoInverseIK.solve`` in double precision, from the seed and random configurations together."""

    version = f"{version('pytorch-kinematics')}, torch {torch.__version__.split('+')[0]}"

    def __init__(self, problem):
        torch.set_num_threads(problem.options.get("threads", 1))
        with open(problem.urdf, "rb") as file:
            chain = pytorch_kinematics.build_serial_chain_from_urdf(file.read(), problem.tip, problem.base)
        self._chain = chain.to(dtype=torch.float64)
        if self._chain.get_joint_parameter_names() != list(problem.joints):
            raise ValueError(f"it sees the joints {self._chain.get_joint_parameter_names()}")
        self._chain.low = torch.as_tensor(problem.lower, dtype=torch.float64)
        self._chain.high = torch.as_tensor(problem.upper, dtype=torch.float64)
        self._restarts = torch.as_tensor(problem.restarts[: RETRIES - 1], dtype=torch.float64)
        self._limits = torch.stack([self._chain.low, self._chain.high], dim=1)
        self._solver = pytorch_kinematics.PseudoInverseIK(
            self._chain,
            pos_tolerance=problem.position_tolerance,
            rot_tolerance=problem.orientation_tolerance,
            retry_configs=torch.cat([self._restarts[:1], self._restarts]),
            joint_limits=self._limits,
            max_iterations=ITERATIONS,
            early_stopping_any_converged=False,
            early_stopping_no_improvement=None,
            clamp_to_limits=True,
        )

    def query(self, target, seed):
        return pytorch_kinematics.Transform3d(matrix=torch.as_tensor(target)[None]), torch.as_tensor(seed)[None]

    def solve(self, target, seed):
        self._solver.initial_config = torch.cat([seed, self._restarts])
        return self._solver.solve(target)

    def answer(self, result):
        q = self.answer_all(result)[0]
        return None if np.isnan(q).any() else q

    def query_all(self, targets, seeds):
        return pytorch_kinematics.Transform3d(matrix=torch.as_tensor(targets)), torch.as_tensor(seeds)

    def solve_all(self, targets, seeds):
        self._solver.initial_config = torch.cat([self._restarts[:1], self._restarts])
        return self._solver.solve(targets)

    def answer_all(self, result):
        q, good = result.solutions.numpy(), result.converged.numpy()
        low, high = self._limits[:, 0].numpy(), self._limits[:, 1].numpy()
        good = good & ((q >= low) & (q <= high)).all(axis=2)
        first = q[np.arange(len(q)), good.argmax(axis=1)]
        return np.where(good.any(axis=1)[:, None], first, np.nan)
