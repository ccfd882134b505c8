"""`SolverCall`: an `InvKinSolver` that is measured."""

from __future__ import annotations

from typing import Any

import pinocchio as pin

from ...kinematics import NodeSet
from ...solvers import IKMetaSolver, InvKinSolver
from .call import Answer, Array, Call


class SolverCall(Call):
    """Calls ``solve`` of a solver for targets relative to the base of its chain; the first configuration counts.

    Args:
        solver: Made for the chain.
        chain: The chain; of the same robot as the solver's.
    """

    def __init__(self, solver: InvKinSolver, chain: NodeSet) -> None:
        self._solver = solver
        self._chain = chain

    def query(self, target: pin.SE3, seed: Array) -> tuple[pin.SE3, Array]:
        """The target relative to the base of the chain, where that is at the seed."""
        base = self._chain.skeleton.state(seed).transform(self._chain.base)
        return base.actInv(target), seed

    def solve(self, query: Any) -> Any:
        """One solve."""
        base_T_end, seed = query
        return self._solver.solve(base_T_end, seed)

    def answer(self, result: Any) -> Answer:
        """The first configuration, and the attempts of the report."""
        report = getattr(result, "report", None)
        return Answer(result[0] if len(result) else None, None, None if report is None else report.attempts)

    def solves_within(self, query: Any, attempts: int) -> bool | None:
        """Solves again, when it is a meta solver, whose attempts can be chosen."""
        if not isinstance(self._solver, IKMetaSolver):
            return None
        base_T_end, seed = query
        return bool(self._solver.solve(base_T_end, seed, attempts))
