"""The null space of a Jacobian: the motions that do not change its task."""

from __future__ import annotations

import numpy as np

from ..kinematics.transforms import Array
from . import defaults


def row_space(jacobian: Array, scale: float | None = None) -> Array:
    """An orthonormal basis (r, n) of the motions that the Jacobian (m, n) sees.

    Args:
        jacobian: (m, n).
        scale: What singular values are compared with; the largest one when None.
    """
    if not jacobian.size:
        return np.zeros((0, jacobian.shape[1]))
    _, s, vt = np.linalg.svd(jacobian, full_matrices=False)
    largest = s[0] if scale is None else scale
    basis: Array = vt[s > defaults.RANK_TOLERANCE * largest]
    return basis


def project_to_null_space(jacobian: Array, velocity: Array) -> Array:
    """The part of a joint velocity (n,) that does not move the task, exactly: v - J^+ J v."""
    basis = row_space(jacobian)
    result: Array = velocity - (basis.dot(velocity)).dot(basis)
    return result
