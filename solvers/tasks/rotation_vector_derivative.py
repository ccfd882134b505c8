"""How a rotation vector changes when its rotation turns."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin

from ...kinematics.transforms import Array


def rotation_vector_derivative(vector: Array) -> Array:
    """The matrix (3, 3) that takes an angular velocity to the rate of the rotation vector.

    For R = exp(r) that turns with angular velocity w in the fixed axes, r changes with D(r) w. D is the
    inverse of the left Jacobian of SO(3), I - [r]/2 + c [r]^2 with c = (1 - (a/2) cot(a/2)) / a^2 and a the
    angle.

    Args:
        vector: Rotation vector (3,) with an angle up to pi.
    """
    angle = math.sqrt(float(vector.dot(vector)))
    if angle < 1e-4:
        factor = 1.0 / 12.0 + angle * angle / 720.0  # the formula loses digits here; the series is exact to 1e-18
    else:
        half = 0.5 * angle
        factor = (1.0 - half / math.tan(half)) / (angle * angle)
    cross = pin.skew(vector)
    result: Array = np.eye(3) - 0.5 * cross + factor * cross.dot(cross)
    return result
