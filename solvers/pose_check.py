"""`PoseCheck`: whether what a solver gave is at its target, by forward kinematics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import Frame, NodeSet
from ..kinematics.transforms import Array
from .active_dofs import ActiveDofs
from .inverse_kinematics import InverseKinematics

#: What rounding may add to an error that is just within what a solver allows.
_ROUNDING = 1e-12


class PoseCheck:
    """Measures configurations for one target.

    What counts as there is the full pose, or the error method of the solver's ``module`` where it has one.

    Args:
        solver: Its attribute ``max_error`` (m and rad) says what counts as there.
        chain: The device.
        active: Its joints.
        target: Pose of the tip relative to the base.
    """

    def __init__(self, solver: Any, chain: NodeSet, active: ActiveDofs, target: pin.SE3) -> None:
        self._max_error = stated_error(solver)
        tip = getattr(solver, "tcp", None)
        self._tip = tip if isinstance(tip, Frame) else chain.tip
        module = getattr(solver, "module", None)
        self._module = module if isinstance(module, InverseKinematics) else None
        self._base, self._active, self._target = chain.base, active, target

    def miss(self, q: Array) -> tuple[float, float] | None:
        """How far off (m, rad) q (n,) is when that is too far; None when it is there."""
        if self._max_error is None:
            return None
        state = self._active.borrow_state(q)
        try:
            base = state.transform(self._base).copy()
            if self._module is not None:
                away, angle = self._module.error_method.aimed_at(base * self._target).residual(state)
            else:
                error = (base * self._target).actInv(state.transform(self._tip))
                away, angle = float(np.linalg.norm(error.translation)), float(np.linalg.norm(pin.log3(error.rotation)))
        finally:
            self._active.return_state(state)
        allowed = self._max_error + _ROUNDING
        return None if away <= allowed and angle <= allowed else (away, angle)


def stated_error(solver: Any) -> float | None:
    """What a solver counts as there, when it says so and is not one of ours, which have measured it themselves."""
    for each in type(solver).__mro__:
        if "solve" in vars(each) or "attempt" in vars(each):
            if each.__module__.startswith(__package__):
                return None
            break
    value = getattr(solver, "max_error", None)
    if isinstance(value, bool) or not isinstance(value, float | int | np.floating) or not value > 0.0:
        return None
    return float(value)
