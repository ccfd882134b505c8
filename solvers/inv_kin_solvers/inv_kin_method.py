"""`InvKinMethod`: any `InvKinSolver` as the gradient method of a module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

import numpy as np
import pinocchio as pin

from ...kinematics import Frame, InvalidValueError, Joint, StructureError
from ...kinematics.transforms import Array
from ..analytical.analytical import Analytical
from ..analytical.analytical_options import TOLERANCE
from ..meta.ik_meta_solver import IKMetaSolver
from ..tasks.error_method import ErrorMethod
from .inv_kin_solver import InvKinSolver
from .iterative_ik import IterativeIK

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics


class InvKinMethod(Analytical):
    """Solves a module's targets with an `InvKinSolver`, as a closed form would: what it finds are the branches.

    The way back from `ModuleSolver`. The solver works for its own chain, which must be of the module's skeleton and end
    in a frame that is fixed to the module's frame; an offset of the module is taken into account. Limits, ranking,
    constraints and restarts are the module's: the solver is asked without its check of limits.

    Args:
        solver: Any `InvKinSolver`, a user's own included.
        restarts: Whether the module is to start the solver again from random configurations when it finds nothing; None
            does so for an `IterativeIK` that is no `IKMetaSolver`.

    Raises:
        InvalidValueError: Something that is no `InvKinSolver`.

    Example:
        ::

            ik.gradient_method = InvKinMethod(CCDSolver(ik.frame.chain()))
    """

    def __init__(self, solver: InvKinSolver, *, restarts: bool | None = None) -> None:
        if not isinstance(solver, InvKinSolver):
            raise InvalidValueError(
                f"InvKinMethod needs an InvKinSolver, not {solver!r}; as_inv_kin_solver makes one of a module"
            )
        self._solver = solver
        self._restarts = restarts
        self._given_tolerance = TOLERANCE

    @property
    def solver(self) -> InvKinSolver:
        """The solver inside."""
        return self._solver

    @property
    def restarts(self) -> bool:
        """Whether the module starts the solver again from random configurations."""
        if self._restarts is not None:
            return self._restarts
        return isinstance(self._solver, IterativeIK) and not isinstance(self._solver, IKMetaSolver)

    @property
    def _tolerance(self) -> float:
        """By how much a solution may miss the pose: what was set, but not less than an iterative solver allows."""
        allowed = self._solver.max_error if isinstance(self._solver, IterativeIK) else 0.0
        return max(self._given_tolerance, allowed)

    @_tolerance.setter
    def _tolerance(self, value: float) -> None:
        self._given_tolerance = value

    def bind(self, ik: InverseKinematics) -> None:
        """Says whose targets are solved.

        Raises:
            StructureError: The solver is for another skeleton, or its frame is not fixed to the module's.
        """
        chain, tcp = self._solver.chain, self._solver.tcp
        if chain.skeleton is not ik.skeleton:
            raise StructureError(
                f"{type(self._solver).__name__} solves for {chain.skeleton.name!r}, not for {ik.skeleton.name!r}"
            )
        if _movers(tcp) != _movers(ik.frame):
            raise StructureError(
                f"{type(self._solver).__name__} moves {tcp.name!r}, which is not fixed to the module's {ik.name!r}"
            )
        self.dofs = chain.dofs
        super().bind(ik)

    def compute_solutions(self, pose: pin.SE3) -> Iterable[Array]:
        """What the solver finds from the seed, over the degrees of freedom of its chain."""
        module, solver, start = self.module, self._solver, self.seed_positions()
        chain, indices = solver.chain, self.solved_dofs().indices
        state = module.skeleton.state(start)
        desired = state.transform(self.base) * pose
        if module.offset is not None:
            desired = desired * pin.SE3(np.eye(3), -module.offset)
        end = desired * state.transform(module.frame).actInv(state.transform(solver.tcp))
        found = solver.without_limit_check().solve(state.transform(chain.base).actInv(end), start)
        return [q[indices] for q in found]

    def obstacle_to_solving(self, method: ErrorMethod) -> str:
        """See `Analytical`: with restarts it works as the step of a descent, which has them."""
        if self.restarts:
            return f"{type(self._solver).__name__} has to be started again where it finds nothing"
        return super().obstacle_to_solving(method)

    def clone(self) -> Self:
        """A copy that belongs to no module; the solver is shared."""
        twin = super().clone()
        twin.dofs = None
        return twin

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._solver!r})"


def _movers(frame: Frame) -> list[Joint]:
    """The joints that move a frame: frames that have the same ones do not move relative to each other."""
    joints, link = [], frame.link
    while link is not None:
        if link.joint.is_moving:
            joints.append(link.joint)
        link = link.parent_link
    return joints
