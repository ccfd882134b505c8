"""`JacobianIKSolver`: one descent from the given state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from numpy.typing import ArrayLike

from ..kinematics import Frame, NodeSet, PoseLike, Skeleton, as_pose
from . import defaults
from .engine import solve_request
from .gradient_method import GradientMethod
from .inverse_kinematics import InverseKinematics
from .iterative_ik import IterativeIK
from .problem import Problem
from .request import Request, make_request
from .solution import Solution
from .solutions import Solutions, SolutionsReport


class JacobianIKSolver(IterativeIK):
    """Iterates a `GradientMethod` from the given state; at most one solution. For use inside `IKMetaSolver`.

    Args:
        chain: A chain or node set, a frame (then its chain), or a skeleton (then the chain of its natural
            tip).
        method: The step; `LevenbergMarquardt` when None.
        max_error: What counts as there (m and rad).
        max_iterations: At most.
        clamp_to_bounds: Keep the joint limits in the iterations.
    """

    def __init__(
        self,
        chain: NodeSet | Frame | Skeleton,
        method: GradientMethod | None = None,
        *,
        max_error: float = defaults.POSITION_TOLERANCE,
        max_iterations: int = defaults.SINGLE_ITERATIONS,
        clamp_to_bounds: bool = True,
    ) -> None:
        if isinstance(chain, Skeleton):
            chain = chain.tip
        self._chain = chain if isinstance(chain, NodeSet) else chain.chain()
        self.max_error = max_error
        self.max_iterations = max_iterations
        self.clamp_to_bounds = clamp_to_bounds
        self._module = InverseKinematics(self._chain)
        if method is not None:
            self._module.gradient_method = method

    @property
    def chain(self) -> NodeSet:
        """The joints that are moved, with base and tip."""
        return self._chain

    @property
    def module(self) -> InverseKinematics:
        """The module that does the work."""
        return self._module

    @property
    def method(self) -> GradientMethod:
        """The step."""
        return self._module.gradient_method

    @method.setter
    def method(self, method: GradientMethod) -> None:
        self._module.gradient_method = method

    def attempt(self, base_T_end: PoseLike, q: ArrayLike | Mapping[str, Any] | None = None) -> Solution:
        """One descent towards a pose relative to the base of the chain; see `InverseKinematics.solve`."""
        return solve_request(self.request_for(base_T_end, q))

    def request_for(self, base_T_end: PoseLike, q: ArrayLike | Mapping[str, Any] | None = None) -> Request:
        """The request of one descent, for solvers that make many at once."""
        module = self._module
        pace = self.method.pace
        problem = Problem(
            tolerance=self.max_error,
            iterations=self.max_iterations,
            improvement=pace.improvement,
            strikes=max(defaults.SINGLE_STRIKES, pace.strikes),
            attempts=1,
            respect_limits=self.clamp_to_bounds,
        )
        start = self._chain.skeleton.as_configuration(q, name="state")
        base = module.pose_at(self._chain.base, start)
        target = base * as_pose(base_T_end, "base_T_end")
        return make_request(module, target, problem, start, explains=False)

    def solve(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """The solution that the descent ends in, if it does.

        With `check_joint_limits` one outside the limits, which only a solver that does not clamp finds, is
        left out.
        """
        solution = self.attempt(base_T_end, state)
        refused = {"not solved": 0, "limits": 0}
        if not solution:
            refused["not solved"] = 1
        elif self.check_joint_limits and not self._is_inside(solution):
            refused["limits"] = 1
        found = [] if any(refused.values()) else [solution.q]
        report = SolutionsReport(1, len(found), MappingProxyType(refused), solution.elapsed)
        return Solutions(found, report)

    def _is_inside(self, solution: Solution) -> bool:
        return all(
            dof.lower <= solution.q[index] <= dof.upper
            for dof, index in zip(self._chain.dofs, self._chain.dof_indices, strict=True)
        )
