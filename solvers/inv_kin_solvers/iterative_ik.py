"""`IterativeIK`: an `InvKinSolver` that iterates from a start."""

from __future__ import annotations

from ...kinematics import Frame, NodeSet, Skeleton
from .. import defaults
from ..option_checks import as_max_error, at_least
from .inv_kin_solver import InvKinSolver


class IterativeIK(InvKinSolver):
    """A solver that goes from the given state towards the pose, step by step.

    A subclass writes `solve` and `chain`; `IKMetaSolver` does the restarts.

    Attributes: see `max_error` and `max_iterations`.
    """

    _max_error: float = defaults.POSITION_TOLERANCE
    _max_iterations: int = defaults.SINGLE_ITERATIONS

    @staticmethod
    def make_default(device: NodeSet | Frame | Skeleton) -> IterativeIK:
        """The solver to take when there is no reason for another: a `JacobianIKSolver` with its defaults.

        Args:
            device: A chain, a frame (then its chain), or a skeleton (then the chain of its natural tip).
        """
        from .jacobian_ik_solver import JacobianIKSolver

        return JacobianIKSolver(device)

    @property
    def max_error(self) -> float:
        """What counts as there: distance (m) and true rotation angle (rad) at most this.

        Positive. Zero, which RobWork accepts, is refused: with rounding no search would ever end in it.
        """
        return self._max_error

    @max_error.setter
    def max_error(self, value: float) -> None:
        self._max_error = as_max_error("max_error", value)

    @property
    def max_iterations(self) -> int:
        """Iterations of a solve, at most. With 0 only a state that is a solution already is one."""
        return self._max_iterations

    @max_iterations.setter
    def max_iterations(self, value: int) -> None:
        self._max_iterations = at_least(0)("max_iterations", value)
