"""The damped least-squares step, by the smaller of its two forms."""

from __future__ import annotations

import eigenpy
import numpy as np

from ..kinematics.transforms import Array


def damped_solve(jacobian: Array, error: Array, mu: float) -> Array:
    """The step J^T (J J^T + mu I)^-1 e = (J^T J + mu I)^-1 J^T e for mu > 0; J (m, n), e (m,), result (n,).

    The first form is used for wide and the second for tall Jacobians. Eigen's LDL^T through eigenpy takes 2
    us where ``numpy.linalg.solve`` takes 6 (6 by 6), and LAPACK's Cholesky would need SciPy.
    """
    rows, columns = jacobian.shape
    if rows == 1 or columns == 1:
        # Both forms are a division here, and eigenpy takes one number for a matrix.
        entries = jacobian.ravel()
        result: Array = error.dot(jacobian) / (entries.dot(entries) + mu)
        return result
    if rows <= columns:
        matrix = jacobian.dot(jacobian.T)
        matrix.ravel()[:: rows + 1] += mu
        result = eigenpy.LDLT(matrix).solve(error).dot(jacobian)
        return result
    matrix = jacobian.T.dot(jacobian)
    matrix.ravel()[:: columns + 1] += mu
    result = eigenpy.LDLT(matrix).solve(error.dot(jacobian))
    return result


def damped_solve_reference(jacobian: Array, error: Array, mu: float) -> Array:
    """The same in plain NumPy, always by the wide form."""
    result: Array = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + mu * np.eye(len(error)), error)
    return result
