"""`WarmStart`: begins a meta solver's search at sampled configurations near the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, NodeSet, PoseIndex, PoseLike
from ..inv_kin_solvers.inv_kin_solver import InvKinSolver
from ..inv_kin_solvers.solutions import Solutions
from ..meta.ik_meta_solver import IKMetaSolver


class WarmStart(InvKinSolver):
    """Tries the nearest samples of an index first, then what the meta solver would have done without it.

    This pays where attempts are dear: many constraints, collisions, a solver in Python. Where the compiled engine makes
    all attempts of a solve in a few microseconds, looking for the nearest sample takes longer than they do.

    Args:
        solver: The meta solver; its options count as they are at each call.
        index: Of the same chain.
        seeds: How many of the nearest samples to begin at, each with one attempt.

    Raises:
        InvalidValueError: An index of another chain, or a number of seeds that is none.
    """

    def __init__(self, solver: IKMetaSolver, index: PoseIndex, seeds: int = 2) -> None:
        if not isinstance(solver, IKMetaSolver):
            raise InvalidValueError(f"WarmStart needs an IKMetaSolver, not {type(solver).__name__}")
        if isinstance(seeds, bool) or not isinstance(seeds, int) or not 1 <= seeds <= len(index):
            raise InvalidValueError(f"the number of seeds must be from 1 to {len(index)}, not {seeds!r}")
        chain, sampled = solver.chain, index.node_set
        if chain.base is not sampled.base or solver.tcp is not sampled.tip:
            raise InvalidValueError(
                f"the index is from {sampled.base.name!r} to {sampled.tip.name!r}, and the solver from "
                f"{chain.base.name!r} to {solver.tcp.name!r}"
            )
        self._solver = solver
        self._index = index
        self._seeds = seeds

    @property
    def solver(self) -> IKMetaSolver:
        """The meta solver inside."""
        return self._solver

    @property
    def chain(self) -> NodeSet:
        """The chain that is solved for."""
        return self._solver.chain

    @property
    def tcp(self) -> Frame:
        """The frame that is put at the pose."""
        return self._solver.tcp

    def solve(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """Looks for configurations; see `IKMetaSolver.solve`.

        Args:
            base_T_end: Pose of the tip relative to the base of the chain.
            state: Where the search goes on when it was not successful from the samples.

        Returns:
            What the first successful search gave: one, when ``stop_at_first`` is set, else those of that attempt.

        Raises:
            InvalidValueError: The meta solver has a ``max_joint_change``, which is from the state, not from a sample.
        """
        if self._solver.max_joint_change is not None:
            raise InvalidValueError("a warm start moves the state, which max_joint_change is counted from; unset it")
        start = self.chain.skeleton.as_configuration(state, name="state")
        for q in self._index.nearest(base_T_end, self._seeds, start):
            found = self._solver.solve(base_T_end, q, max_attempts=1)
            if len(found):
                return found
        return self._solver.solve(base_T_end, start)
