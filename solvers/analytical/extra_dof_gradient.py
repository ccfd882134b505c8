"""Steps of the joints that a closed form does not solve for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...kinematics import State
from ...kinematics.transforms import Array

if TYPE_CHECKING:
    from ..tasks.error_method import ErrorMethod
    from .analytical import Analytical


def extra_dof_gradient(method: Analytical, task: ErrorMethod, state: State, extra: NDArray[np.intp]) -> Array:
    """The step of the extra joints along the transpose of their Jacobian, uphill.

    Its length is the best along that direction, e.JJ^T e / |JJ^T e|^2; weights and clamp of the method's components
    apply, and no step overshoots however far the error.

    Args:
        method: Whose options count.
        task: What is to become zero, aimed.
        state: Where the module is.
        extra: Columns of the module that may move.

    Returns:
        (n,) over the module's columns.
    """
    error, jacobian, _, _ = task.measure(state)
    gradient = np.zeros(jacobian.shape[1])
    length = math.sqrt(error.dot(error))
    if not len(extra) or length == 0.0:
        return gradient
    error = error * min(1.0, method.extra_error_length_clamp / length)
    own: Any = jacobian[:, extra]
    direction = own.T @ error
    along = own @ direction
    square = float(along.dot(along))
    if square > 1e-24:
        gradient[extra] = direction * (float(error.dot(along)) / square)
    return method.clamp(method.apply_weights(gradient))
