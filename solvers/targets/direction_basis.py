"""Two directions at right angles to a given one."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array


def direction_basis(direction: Array) -> Array:
    """A rotation matrix (3, 3) whose last row is a unit vector (3,).

    Duff et al., Building an Orthonormal Basis, Revisited, Journal of Computer Graphics Techniques 6(1), 2017: no
    division by anything small, whatever the direction.
    """
    x, y, z = direction.tolist()
    sign = 1.0 if z >= 0.0 else -1.0
    a = -1.0 / (sign + z)
    b = x * y * a
    return np.array([[1.0 + sign * x * x * a, sign * b, -sign * x], [b, sign + y * y * a, -y], [x, y, z]])
