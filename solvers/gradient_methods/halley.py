"""`Halley`: Levenberg-Marquardt with the curvature of the motion; converges cubically."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kinematics import State
from ...kinematics.transforms import Array
from ..kernel import BuiltInKernel
from .levenberg_marquardt import LevenbergMarquardt

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics

#: Largest change of a coordinate (rad or m) with which the Jacobian's derivative is taken.
_PROBE = 1e-7


class Halley(LevenbergMarquardt):
    """The Levenberg-Marquardt step g, then a second one with the Jacobian half way along the first.

    After Lloyd, Irani and Ahmadi, "Fast and robust inverse kinematics of serial robots using Halley's method",
    IEEE Transactions on Robotics 38(5), 2022. Moving by -g changes the error by -(J - 1/2 dJ) g up to the third
    order, with dJ the derivative of J for the joint velocity g; so the second step solves for J - 1/2 dJ. It is
    damped like the first: mu = damping e.e + floor.

    The derivative of the Jacobian of a pose, whose rotation rows are the angular velocity, will do, although the
    rotation vector has a derivative that depends on itself: what that adds is along the error, up to the third
    order.

    The compiled engine calls the Levenberg-Marquardt rule twice, around `jacobian_rate`. The object engine takes a
    difference of the Jacobian, which serves every error method; Pinocchio's derivative would be wrong for joints
    that are made of several, as universal ones are. Where nothing is known but a matrix, outside of a search and in
    a hierarchy, the step is the first one alone.

    Args:
        damping: Factor of the squared error.
        floor: What remains at the goal; it keeps the matrix positive definite.
    """

    step = BuiltInKernel("levenberg_marquardt_rule", is_second_order=True)

    def compute_gradient(self, error: Array) -> Array:
        """See the class."""
        jacobian, state, ik = self.jacobian, self.state, self.ik
        assert jacobian is not None
        first = self.gradient(jacobian, error)
        if state is None or ik is None:
            return first
        change = _change(jacobian, state, ik, first)
        return first if change is None else self.gradient(jacobian - 0.5 * change, error)


def _change(jacobian: Array, state: State, ik: InverseKinematics, velocity: Array) -> Array | None:
    """The derivative of a Jacobian (m, n) for a joint velocity (n,); None when it is not known whose it is."""
    columns = len(state.dofs)
    largest = float(np.abs(velocity).max(initial=0.0))
    if jacobian.shape[1] != columns or largest == 0.0:
        return None
    # Columns may be scaled by the joints' weights, and those of joints that are held at a limit are zero.
    scale = jacobian.any(axis=0).astype(float)
    roots = ik.active_dofs().root_weights
    if roots is not None and len(roots) == columns:
        scale *= roots
    for measured in (_of_frame, _of_error):
        here = measured(state, ik, len(jacobian)) * scale
        if here.shape == jacobian.shape and np.allclose(here, jacobian, rtol=1e-9, atol=1e-9):
            break
    else:
        return None
    step = _PROBE / largest
    start = state.q
    try:
        state.set(state.moved(step * scale * velocity))
        there = measured(state, ik, len(jacobian)) * scale
    finally:
        state.set(start)
    result: Array = (there - here) / step
    return result


def _of_frame(state: State, ik: InverseKinematics, rows: int) -> Array:
    """Jacobian of a plain pose or position in the world."""
    return state.jacobian(ik.frame, ik.offset)[:rows]


def _of_error(state: State, ik: InverseKinematics, rows: int) -> Array:
    """Jacobian of the module's error method; ``rows`` is for the other function's sake."""
    return ik.error_method.aimed_at().measure(state)[1]
