"""The damped least-squares step in plain NumPy."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array


def damped_solve_reference(jacobian: Array, error: Array, mu: float) -> Array:
    """The step J^T (J J^T + mu I)^-1 e for mu > 0; J (m, n), e (m,), result (n,)."""
    result: Array = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + mu * np.eye(len(error)), error)
    return result
