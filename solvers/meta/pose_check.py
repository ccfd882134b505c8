"""`PoseCheck`: whether what a solver gave is at its target, by forward kinematics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import Frame, NodeSet
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..inverse_kinematics import InverseKinematics
from ..own_class import is_own_class

#: What rounding may add to an error that is just within what a solver allows.
_ROUNDING = 1e-12


class PoseCheck:
    """Measures configurations for one target.

    What counts as there is the full pose, or the error method of the solver's ``module`` where it has one.

    Args:
        solver: What gives the configurations. Solvers of ours are believed: they have measured them.
        chain: The device.
        active: Its joints.
        target: Pose of the tip relative to the base.
        max_error: What counts as there (m and rad).
    """

    def __init__(self, solver: Any, chain: NodeSet, active: ActiveDofs, target: pin.SE3, max_error: float) -> None:
        self._is_believed = _is_ours(solver)
        self._max_error = max_error
        tip = getattr(solver, "tcp", None)
        self._tip = tip if isinstance(tip, Frame) else chain.tip
        module = getattr(solver, "module", None)
        self._module = module if isinstance(module, InverseKinematics) else None
        self._base, self._active, self._target = chain.base, active, target

    def miss(self, q: Array) -> tuple[float, float] | None:
        """How far off (m, rad) q (n,) is when that is too far; None when it is there."""
        if self._is_believed:
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
    """What a solver counts as there (m and rad), when it says so."""
    value = getattr(solver, "max_error", None)
    if isinstance(value, bool) or not isinstance(value, float | int | np.floating) or not value > 0.0:
        return None
    return float(value)


def _is_ours(solver: Any) -> bool:
    """Whether the solver solves as a class of ours does."""
    for each in type(solver).__mro__:
        if "solve" in vars(each) or "attempt" in vars(each):
            return is_own_class(each)
    return False
