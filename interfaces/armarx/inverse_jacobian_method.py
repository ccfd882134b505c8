"""`InverseJacobianMethod`: how a task's error becomes a step."""

from __future__ import annotations

from enum import Enum


class InverseJacobianMethod(Enum):
    """The names of Simox."""

    #: Pseudo-inverse by singular values: the exact step, large near singularities.
    SVD = "svd"
    #: Transpose of the Jacobian: small steps, no inverse at all.
    TRANSPOSE = "transpose"
    #: Damped least squares: near singularities it gives up exactness for small steps.
    SVD_DAMPED = "svd_damped"
