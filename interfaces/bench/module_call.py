"""`ModuleCall`: an `InverseKinematics` module that is measured."""

from __future__ import annotations

from typing import Any

import pinocchio as pin

from ...solvers import InverseKinematics, PreparedSolver, Solution
from .call import Answer, Array, Call


class ModuleCall(Call):
    """Calls ``solve`` of a module, as a program would.

    Args:
        module: Made for the frame, with its method and its options.
        timeout: Seconds for a target.
    """

    def __init__(self, module: InverseKinematics, timeout: float) -> None:
        self._module = module
        self._timeout = timeout
        self._within: dict[int, PreparedSolver] = {}

    def query(self, target: pin.SE3, seed: Array) -> tuple[pin.SE3, Array]:
        """The same."""
        return target, seed

    def solve(self, query: Any) -> Solution:
        """One search."""
        target, seed = query
        return self._module.solve(target, seed=seed, timeout=self._timeout)

    def answer(self, result: Solution) -> Answer:
        """The solution's configuration when it is one."""
        return Answer(result.q if result.success else None, result.iterations, result.attempts, result.detail)

    def solves_within(self, query: Any, attempts: int) -> bool | None:
        """Searches again with so few attempts.

        The number that a solution reports says less: several attempts run side by side in one processor register, and
        all that were begun are counted.
        """
        target, seed = query
        if attempts not in self._within:
            # Without the search for what was in the way, which takes longer than the attempts.
            self._within[attempts] = self._module.prepare(attempts=attempts, timeout=self._timeout, explain=False)
        return self._within[attempts].solve(target, seed).success
