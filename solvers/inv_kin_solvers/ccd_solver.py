"""`CCDSolver`: cyclic coordinate descent."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, NodeSet, PoseLike, Skeleton, State
from ...kinematics.core.working_clock import working_time
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..dof_selection import DofSelection
from ..far_targets import goal_pose
from .anderson_acceleration import AndersonAcceleration
from .ccd_sweep import CcdSweep, Miss
from .device import as_chain
from .iterative_ik import IterativeIK
from .solutions import Solutions, SolutionsReport


class CCDSolver(IterativeIK):
    """Moves one joint after the other to where it is best, from the tip to the base, again and again; one solution.

    It needs no Jacobian and is safe at singularities: no sweep over the joints makes the error larger (Wang and Chen,
    "A combined optimization method for solving the inverse kinematics problem of mechanical manipulators", 1991). Plain
    sweeps creep; between them the `AndersonAcceleration` of the sweeps is tried, and taken where it is better. Joint
    limits are kept in every sweep, with the best value inside them. It runs in Python, some milliseconds a solve.

    Chains must be serial and of joints with one degree of freedom: revolute, prismatic or screw.

    Args:
        chain: A chain or node set, a frame (then its chain), or a skeleton (then the chain of its natural
            tip).
        max_error: What counts as there (m and rad).
        max_iterations: Sweeps, at most.
        position_only: Leave the rotation of the tip free.

    Raises:
        StructureError: Another kind of joint in the chain; its name is in the message. Also at `solve`, when the robot
            was changed.
    """

    def __init__(
        self,
        chain: NodeSet | Frame | Skeleton,
        *,
        max_error: float = defaults.POSITION_TOLERANCE,
        max_iterations: int = defaults.CCD_SWEEPS,
        position_only: bool = False,
    ) -> None:
        self._chain = as_chain(chain, "chain")
        self.max_error = max_error
        self.max_iterations = max_iterations
        self._position_only = bool(position_only)
        self._selection = DofSelection.of(self._chain.skeleton, self._chain.dofs)
        self._known = self._sweep_for(self._selection.active())

    @property
    def chain(self) -> NodeSet:
        """The joints that are moved, with base and tip."""
        return self._chain

    @property
    def position_only(self) -> bool:
        """Whether the rotation of the tip is free."""
        return self._position_only

    def solve(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """The solution that the sweeps end in, if they do; always inside the limits."""
        begun = working_time()
        relative = goal_pose(base_T_end, "base_T_end")
        start = self._chain.skeleton.as_configuration(state, name="state")
        active, sweep = self._present()
        moving = active.borrow_state(start)
        try:
            target = moving.transform(self._chain.base) * relative
            solved = self._descend(moving, sweep, target, active)
            found = [self._near(moving, sweep, target, active, start)] if solved else []
        finally:
            active.return_state(moving)
        refused = MappingProxyType({"not solved": 1 - len(found)})
        return Solutions(found, SolutionsReport(1, len(found), refused, working_time() - begun))

    def _present(self) -> tuple[ActiveDofs, CcdSweep]:
        """What there is to move, for the robot as it is now."""
        active = self._selection.active()
        if self._known[0] is not active:
            self._known = self._sweep_for(active)
        return self._known

    def _sweep_for(self, active: ActiveDofs) -> tuple[ActiveDofs, CcdSweep]:
        return active, CcdSweep(self._chain, self._chain.tip, active, self._position_only)

    def _descend(self, state: State, sweep: CcdSweep, target: pin.SE3, active: ActiveDofs) -> bool:
        """Moves the state towards the target; true when it got there."""
        state.set_dofs(active.inside(state.x))
        miss, accelerator = sweep.miss(state, target), AndersonAcceleration(defaults.CCD_DEPTH)
        before, strikes = sweep.error(miss, target), 0
        for iteration in range(self.max_iterations + 1):
            if max(sweep.lengths(miss, target)) <= self.max_error:
                return True
            if iteration == self.max_iterations:
                break
            miss, error = self._step(state, sweep, target, miss, accelerator, active)
            strikes += error > defaults.CCD_IMPROVEMENT * before
            if strikes >= defaults.CCD_STRIKES:
                break
            before = error
        return False

    @staticmethod
    def _step(
        state: State,
        sweep: CcdSweep,
        target: pin.SE3,
        miss: Miss,
        accelerator: AndersonAcceleration,
        active: ActiveDofs,
    ) -> tuple[Miss, float]:
        """One sweep, or what the acceleration makes of it if that is better. Moves the state."""
        x, swept = sweep.sweep(state, miss, target)
        error = sweep.error(swept, target)
        guess = accelerator.guess(state.x.copy(), x)
        if guess is not None:
            state.set_dofs(np.clip(guess, active.lower, active.upper))
            guessed = sweep.miss(state, target)
            if (better := sweep.error(guessed, target)) < error:
                return guessed, better
            accelerator.forget()
        state.set_dofs(x)
        # Measured, not carried along by the sweep: rounding errors do not add up.
        return sweep.miss(state, target), error

    def _near(self, state: State, sweep: CcdSweep, target: pin.SE3, active: ActiveDofs, start: Array) -> Array:
        """The solution with its angles where they are nearest to the start."""
        found = state.q.copy()
        x = active.nearest(state.x, start[active.indices])
        state.set_dofs(x)
        return state.q.copy() if max(sweep.lengths(sweep.miss(state, target), target)) <= self.max_error else found
