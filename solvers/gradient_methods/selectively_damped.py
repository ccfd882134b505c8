"""`SelectivelyDamped`: least squares with a bound of its own for every singular vector."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from .. import defaults
from ..gradient_method import GradientMethod
from ..kernel import BuiltInKernel
from ..option_checks import as_positive_finite
from ..pace import STEADY


class SelectivelyDamped(GradientMethod):
    """Each singular vector's part of the step is bounded by how far the joints would carry the tool for it.

    After Buss and Kim, "Selectively damped least squares for inverse kinematics", Journal of Graphics Tools
    10(3), 2005. With J = sum of s_i u_i v_i^T the parts w_i = v_i (u_i . e) / s_i of the pseudo-inverse's step are
    shortened until no joint moves further than min(1, N_i / M_i) gamma_max, and their sum until none moves further
    than gamma_max. N_i is how far the tool is to go for a step of length one along u_i; M_i is how far the joints
    move it on the way, there and back, summed over joints without regard to direction. Near singularities they
    move it much for little, and the step stays short; elsewhere it is not damped at all.

    Both are sums of lengths over the end effectors. For a pose the three linear and the three angular rows count
    as two end effectors, lengths and angles being added as if a metre were a radian; other errors are taken in
    groups of three rows as well, the last of which may be shorter.

    The paper also shortens the distance to the target; that is the `error_length_clamp` of `TaskSpaceRegion`, and
    off by default.

    Args:
        gamma_max: Largest change of a joint in one step (rad or m).
    """

    pace = STEADY
    step = BuiltInKernel("selectively_damped_rule")
    _is_trusted = True

    def __init__(self, gamma_max: float = defaults.SELECTIVE_STEP) -> None:
        self.gamma_max = gamma_max

    @property
    def gamma_max(self) -> float:
        """Largest change of a joint in one step (rad or m)."""
        return self._gamma_max

    @gamma_max.setter
    def gamma_max(self, gamma_max: float) -> None:
        self._gamma_max = as_positive_finite("gamma_max", gamma_max)
        self._options_changed()

    @property
    def parameters(self) -> tuple[float, ...]:
        """(gamma_max,)."""
        return (self._gamma_max,)

    def reference(self, jacobian: Array, error: Array) -> Array:
        """The step in plain NumPy, written as in the paper.

        Args:
            jacobian: Of the task (m, n).
            error: Of the task (m,).

        Returns:
            The step (n,), which solvers subtract.
        """
        u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
        step = np.zeros(jacobian.shape[1])
        speeds = _summed_lengths(jacobian)
        kept = s > 1e-14 * s.max(initial=0.0)
        for direction, value, joints in zip(u.T[kept], s[kept], vt[kept], strict=True):
            n = float(_summed_lengths(direction[:, None])[0])
            m = float(np.abs(joints) @ speeds) / value
            bound = self._gamma_max * min(1.0, n / m)
            step += _shortened(joints * (direction @ error) / value, bound)
        return _shortened(step, self._gamma_max)


def _summed_lengths(matrix: Array) -> Array:
    """For each column of a matrix (m, n): the lengths of its groups of three rows, summed (n,)."""
    groups = [matrix[first : first + 3] for first in range(0, len(matrix), 3)]
    result: Array = np.sum([np.linalg.norm(group, axis=0) for group in groups], axis=0)
    return result


def _shortened(step: Array, bound: float) -> Array:
    """A step (n,), scaled down as a whole so that no component is larger than the bound."""
    largest = float(np.abs(step).max(initial=0.0))
    return step * (bound / largest) if largest > bound else step
