"""`SolverCall`: an `InvKinSolver` that is measured."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import NodeSet
from ...solvers import IKMetaSolver, Solution, Solutions
from .call import Answer, Array, Call


class SolverCall(Call):
    """Calls ``solve`` of a solver for targets relative to the base of its chain; the first configuration counts.

    Args:
        solver: An `InvKinSolver` for the chain, or any object with a method ``solve(base_T_end, q)`` that gives what an
            `IKMetaSolver` takes: None, a configuration, a `Solution`, or a sequence of configurations.
        chain: The chain; of the same robot as the solver's.
        remark: See `Call`.
    """

    def __init__(self, solver: Any, chain: NodeSet, remark: str = "") -> None:
        self._solver = solver
        self._chain = chain
        self.remark = remark

    def query(self, target: pin.SE3, seed: Array) -> tuple[pin.SE3, Array]:
        """The target relative to the base of the chain, where that is at the seed."""
        base = self._chain.skeleton.state(seed).transform(self._chain.base)
        return base.actInv(target), seed

    def solve(self, query: Any) -> Any:
        """One solve."""
        base_T_end, seed = query
        result = self._solver.solve(base_T_end, seed)
        return _begun(result, len(seed)) if isinstance(result, Iterator) else result

    def answer(self, result: Any) -> Answer:
        """The first configuration, and the attempts of the report."""
        if isinstance(result, Solution):
            return Answer(result.q if result else None, result.iterations, result.attempts, result.detail)
        first = _first(result)
        if isinstance(result, Solutions):
            return Answer(first, None, result.report.attempts, str(result.report))
        return Answer(first, None, 1)

    def solves_within(self, query: Any, attempts: int) -> bool | None:
        """Solves again, when it is a meta solver, whose attempts can be chosen."""
        if not isinstance(self._solver, IKMetaSolver):
            return None
        base_T_end, seed = query
        return bool(self._solver.solve(base_T_end, seed, attempts))


def _begun(result: Iterator[Any], size: int) -> list[Any]:
    """The first that a generator gives, which is when it works; all numbers (n,) where these are a configuration."""
    given = list(itertools.islice(result, 1))
    if given and isinstance(given[0], Real):
        given += itertools.islice(result, size)
    return given


def _first(result: Any) -> Array | None:
    """The first configuration (n,) in what a solver gave."""
    if result is None:
        return None
    if isinstance(result, np.ndarray) and result.ndim == 1 and result.dtype != object:
        return result if result.size else None
    given: Sequence[Any] = result if isinstance(result, Sequence) else list(result)
    if len(given) and all(isinstance(each, Real) for each in given):
        return np.array(given, dtype=object)  # plain numbers are one configuration
    if not len(given):
        return None
    each = given[0]
    return each.q if isinstance(each, Solution) else np.asarray(each)
