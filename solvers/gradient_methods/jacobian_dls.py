"""`JacobianDLS`: damped least squares with a constant damping."""

from __future__ import annotations

from ...kinematics.transforms import Array
from .. import defaults
from ..gradient_method import GradientMethod
from ..kernel import BuiltInKernel
from ..option_checks import as_positive_finite
from ..pace import STEADY
from .damped_solve_reference import damped_solve_reference


class JacobianDLS(GradientMethod):
    """g = J^T (J J^T + lambda^2 I)^-1 e: the pseudo-inverse, tamed near singularities (Wampler 1986, DART).

    Args:
        damping: lambda, as in DART. It is squared when used.
    """

    pace = STEADY
    step = BuiltInKernel("damped_least_squares_rule")
    _is_trusted = True

    def __init__(self, damping: float = defaults.DLS_DAMPING) -> None:
        self.damping = damping

    @property
    def damping(self) -> float:
        """The lambda, before it is squared."""
        return self._damping

    @damping.setter
    def damping(self, damping: float) -> None:
        hint = "; without any there is JacobianPseudoInverse"
        self._damping = as_positive_finite("damping", damping, hint)
        self._options_changed()

    @property
    def parameters(self) -> tuple[float, ...]:
        """(lambda,)."""
        return (self._damping,)

    def reference(self, jacobian: Array, error: Array) -> Array:
        """The step in plain NumPy.

        Args:
            jacobian: Of the task (m, n).
            error: Of the task (m,).

        Returns:
            The step (n,), which solvers subtract.
        """
        return damped_solve_reference(jacobian, error, self._damping**2)
