"""Which gradient methods have a compiled step, and with what parameters."""

from __future__ import annotations

from typing import Any

from ..gradient_method import GradientMethod
from ..jacobian_dls import JacobianDLS
from ..jacobian_transpose import JacobianTranspose
from ..levenberg_marquardt import LevenbergMarquardt
from .damped_least_squares_rule import damped_least_squares_rule
from .levenberg_marquardt_rule import levenberg_marquardt_rule
from .transpose_rule import transpose_rule


def compiled_rule(method: GradientMethod) -> tuple[Any, tuple[float, ...]]:
    """The compiled step of a method and its parameters, for the methods that `engine_for` lets through."""
    if isinstance(method, LevenbergMarquardt):
        return levenberg_marquardt_rule, (method.damping, method.floor)
    if isinstance(method, JacobianDLS):
        return damped_least_squares_rule, (method.damping,)
    assert isinstance(method, JacobianTranspose)
    scaling = method.scaling
    return transpose_rule, (0.0 if isinstance(scaling, str) else float(scaling),)
