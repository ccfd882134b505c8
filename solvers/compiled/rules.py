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


def compiled_rule(method: GradientMethod) -> tuple[Any, tuple[float, ...]] | None:
    """The compiled step of a method and its parameters; None when it has none.

    A subclass may compute anything, so only the very classes count, and only without clamps and weights.
    """
    if not method._is_plain:
        return None
    if type(method) is LevenbergMarquardt:
        return levenberg_marquardt_rule, (method.damping, method.floor)
    if type(method) is JacobianDLS:
        return damped_least_squares_rule, (method.damping,)
    if type(method) is JacobianTranspose:
        scaling = method.scaling
        return transpose_rule, (0.0 if isinstance(scaling, str) else float(scaling),)
    return None
