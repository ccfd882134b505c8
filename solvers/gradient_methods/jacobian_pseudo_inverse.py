"""`JacobianPseudoInverse`: the shortest step that removes the linearised error."""

from __future__ import annotations

import numpy as np

from ...kinematics import InvalidValueError
from ...kinematics.transforms import Array
from .. import defaults
from ..gradient_method import GradientMethod
from ..kernel import BuiltInKernel
from ..option_checks import as_zero_or_more
from ..pace import FAST


class JacobianPseudoInverse(GradientMethod):
    """g = J^+ e by singular values, small ones dropped: fast near the goal, wild near singularities.

    Args:
        cutoff: Singular values below this part of the largest count as zero. The default leaves out
            directions in which a motion has less than a thousandth of the effect that it has in others.
    """

    pace = FAST
    step = BuiltInKernel("pseudo_inverse_rule")
    _is_trusted = True

    def __init__(self, cutoff: float = defaults.PSEUDO_INVERSE_CUTOFF) -> None:
        self.cutoff = cutoff

    @property
    def cutoff(self) -> float:
        """Part of the largest singular value below which one counts as zero."""
        return self._cutoff

    @cutoff.setter
    def cutoff(self, cutoff: float) -> None:
        number = as_zero_or_more("cutoff", cutoff)
        if number >= 1.0:
            raise InvalidValueError(f"cutoff must be in [0, 1), not {cutoff}")
        self._cutoff = number
        self._options_changed()

    @property
    def parameters(self) -> tuple[float, ...]:
        """(cutoff,)."""
        return (self._cutoff,)

    def reference(self, jacobian: Array, error: Array) -> Array:
        """The step by NumPy's pseudo-inverse.

        Args:
            jacobian: Of the task (m, n).
            error: Of the task (m,).

        Returns:
            The step (n,), which solvers subtract.
        """
        result: Array = np.linalg.pinv(jacobian, rcond=self._cutoff) @ error
        return result
