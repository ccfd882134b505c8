"""`JacobianTranspose`: the direction of steepest descent."""

from __future__ import annotations

from ...kinematics.transforms import Array
from ..gradient_method import GradientMethod
from ..kernel import BuiltInKernel
from ..option_checks import as_positive_finite


class JacobianTranspose(GradientMethod):
    """g = alpha J^T e: the cheapest step, safe everywhere, slow near the goal.

    Args:
        scaling: alpha, or ``"optimal"``: the one that makes the linearised error smallest,
            e.(J J^T e) / |J J^T e|^2 (Buss, "Introduction to inverse kinematics with Jacobian transpose,
            pseudoinverse and damped least squares methods", 2004).
    """

    step = BuiltInKernel("transpose_rule")
    _is_trusted = True

    def __init__(self, scaling: float | str = "optimal") -> None:
        self.scaling = scaling

    @property
    def scaling(self) -> float | str:
        """alpha, or ``"optimal"``."""
        return "optimal" if self._alpha is None else self._alpha

    @scaling.setter
    def scaling(self, scaling: float | str) -> None:
        if scaling == "optimal":
            self._alpha: float | None = None
        else:
            self._alpha = as_positive_finite("scaling", scaling, "; or 'optimal'")
        self._options_changed()

    @property
    def parameters(self) -> tuple[float, ...]:
        """(alpha,), 0 for the optimal one."""
        return (0.0 if self._alpha is None else self._alpha,)

    def reference(self, jacobian: Array, error: Array) -> Array:
        """The step, written as in the paper.

        Args:
            jacobian: Of the task (m, n).
            error: Of the task (m,).

        Returns:
            The step (n,), which solvers subtract.
        """
        jjte = jacobian @ jacobian.T @ error
        alpha = self._alpha
        if alpha is None:
            alpha = float(error @ jjte) / float(jjte @ jjte) if jjte.any() else 0.0
        return alpha * jacobian.T @ error
