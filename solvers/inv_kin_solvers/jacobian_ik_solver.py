"""`JacobianIKSolver`: one descent from the given state."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, NodeSet, PoseLike, Skeleton
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..engine import solve_request
from ..far_targets import goal_pose
from ..gradient_method import GradientMethod
from ..gradient_methods.jacobian_dls import JacobianDLS
from ..gradient_methods.jacobian_pseudo_inverse import JacobianPseudoInverse
from ..gradient_methods.jacobian_transpose import JacobianTranspose
from ..inverse_kinematics import InverseKinematics
from ..option_checks import as_positive
from ..problem import Problem
from ..request import Request, make_request
from ..solution import Solution
from .device import as_chain, as_frame, with_tip
from .iterative_ik import IterativeIK
from .joint_weights import as_joint_weights, weighted
from .pose_interpolation import pieces_between, pose_between
from .solutions import Solutions, SolutionsReport
from .tool_frame import tool_frame

#: RobWork's kinds of steps, by its names. Its damped least squares adds 0.4 to the diagonal whatever the error, which
#: creeps near the goal; ours is taken.
_ROBWORK_STEPS: Mapping[str, Any] = MappingProxyType(
    {
        "transpose": JacobianTranspose,
        "svd": lambda: JacobianPseudoInverse(cutoff=1e-6),
        "dls": JacobianDLS,
        "weighted": lambda: JacobianPseudoInverse(cutoff=1e-6),
    }
)


class JacobianIKSolver(IterativeIK):
    """Iterates a `GradientMethod` from the given state; at most one solution. For use inside `IKMetaSolver`.

    RobWork's kinds of steps are methods: `JacobianTranspose`, `JacobianPseudoInverse` (its SVD), `JacobianDLS`, and
    any of them with `weights`.

    Args:
        chain: A chain or node set, a frame (then its chain), or a skeleton (then the chain of its natural
            tip).
        method: The step; `LevenbergMarquardt` when None.
        tip: Another frame of interest that the chain moves, or its name, in the place of the chain's own tip.
        max_error: What counts as there (m and rad).
        max_iterations: At most.
        clamp_to_bounds: Keep the joint limits in the iterations.
        weights: See `weights`.
        interpolation_step: See `interpolation_step`.
        joint_limit_tolerance: See `joint_limit_tolerance`.

    Attributes:
        clamp_to_bounds: Keep the joint limits in the iterations.
        max_step: Largest change of a coordinate in one iteration (rad or m).
        gives_up: Whether a descent ends when its error hardly falls any more, before the iterations are used up.
    """

    clamp_to_bounds: bool
    max_step: float
    gives_up: bool

    def __init__(
        self,
        chain: NodeSet | Frame | Skeleton,
        method: GradientMethod | None = None,
        *,
        tip: Frame | str | None = None,
        max_error: float = defaults.POSITION_TOLERANCE,
        max_iterations: int = defaults.SINGLE_ITERATIONS,
        clamp_to_bounds: bool = True,
        weights: Sequence[float] | Mapping[str, float] | None = None,
        interpolation_step: float | None = None,
        joint_limit_tolerance: float = 0.0,
    ) -> None:
        chain = as_chain(chain, "chain")
        self._chain = chain if tip is None else with_tip(chain, as_frame(tip, chain.skeleton, "tip"))
        self.max_error = max_error
        self.max_iterations = max_iterations
        self.clamp_to_bounds = clamp_to_bounds
        self.weights = weights
        self.interpolation_step = interpolation_step
        self.joint_limit_tolerance = joint_limit_tolerance
        self.max_step = defaults.MAX_STEP
        self.gives_up = True
        self._module = InverseKinematics(self._chain)
        self._tool: Frame | None = None
        self._weighted: tuple[ActiveDofs, Array, ActiveDofs] | None = None
        if method is not None:
            self._module.gradient_method = method

    @classmethod
    def robwork_defaults(cls, chain: NodeSet | Frame | Skeleton, kind: str = "svd") -> Self:
        """RobWork's solver: 15 iterations, never given up, 1e-6, limits neither kept nor checked, steps of 0.8 at most.

        What RobWork gets wrong is right here: the error is the true rotation angle, and the last iteration counts.

        Args:
            chain: See the class.
            kind: ``"svd"`` (singular values below 1e-6 of the largest dropped), ``"transpose"``, ``"dls"`` (with the
                damping of `JacobianDLS`; RobWork's 0.4, which is not squared there, would be 0.63 here), or
                ``"weighted"``, for `weights` to be set.

        Raises:
            InvalidValueError: Another kind.
        """
        make = _ROBWORK_STEPS.get(str(kind).lower())
        if make is None:
            raise InvalidValueError(f"kind must be one of {', '.join(map(repr, _ROBWORK_STEPS))}, not {kind!r}")
        solver = cls(chain, make(), max_iterations=15, clamp_to_bounds=False)
        solver.check_joint_limits = False
        solver.max_step = 0.8
        solver.gives_up = False
        return solver

    @property
    def chain(self) -> NodeSet:
        """The joints that are moved, with base and tip."""
        return self._chain

    @property
    def tcp(self) -> Frame:
        """The tip of the chain; when the module has an offset, a frame at the tool point."""
        self._tool = tool_frame(self._module, self._tool)
        return self._tool

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

    @property
    def weights(self) -> Array | None:
        """(n,) how unwillingly joints move: steps are those that are shortest in the sense of dq^T W dq.

        Assign n positive numbers, a mapping from names (those left out weigh 1), or None for none.
        """
        return self._weights

    @weights.setter
    def weights(self, weights: Sequence[float] | Mapping[str, float] | None) -> None:
        self._weights = as_joint_weights(self._chain, weights)

    @property
    def interpolation_step(self) -> float | None:
        """The way to the pose is followed in pieces of at most this (m and rad); None goes there at once.

        RobWork's is 0.21. Steps being bounded anyway, it finds no more solutions than going there at once; of arms with
        a joint to spare, the solutions for far poses are nearer to the state.
        """
        return self._interpolation_step

    @interpolation_step.setter
    def interpolation_step(self, step: float | None) -> None:
        self._interpolation_step = None if step is None else as_positive("interpolation_step", step)

    @property
    def joint_limit_tolerance(self) -> float:
        """By how much (rad or m) a solution may leave the limits and still be given, where they are not kept."""
        return self._joint_limit_tolerance

    @joint_limit_tolerance.setter
    def joint_limit_tolerance(self, tolerance: float) -> None:
        if not (0.0 <= tolerance < math.inf):
            raise InvalidValueError(f"joint_limit_tolerance must be zero or more, and finite, not {tolerance!r}")
        self._joint_limit_tolerance = float(tolerance)

    # Solving.

    def request_for(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Request | None:
        """The descent as a request; None when it is not all of `solve`.

        That is so when it goes in pieces, when its solution is still to be tested for limits, and in a subclass with a
        `solve` or `attempt` of its own.
        """
        own = type(self)
        is_all = own.solve is JacobianIKSolver.solve and own.attempt is JacobianIKSolver.attempt
        if not is_all or self._interpolation_step is not None:
            return None
        if self.check_joint_limits and not self.clamp_to_bounds:
            return None
        return self._request(*self._target(base_T_end, state))

    def attempt(self, base_T_end: PoseLike, q: ArrayLike | Mapping[str, Any] | None = None) -> Solution:
        """One descent towards a pose relative to the base of the chain; see `InverseKinematics.solve`.

        Joint limits are looked at only where `clamp_to_bounds` keeps them.
        """
        target, state = self._target(base_T_end, q)
        if self._interpolation_step is None:
            return solve_request(self._request(target, state))
        return self._in_pieces(target, state, self._interpolation_step)

    def solve(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """The solution that the descent ends in, if it does.

        With `check_joint_limits` one outside the limits, which only a solver that does not clamp finds, is
        left out, unless whole turns bring its angles inside.
        """
        solution = self.attempt(base_T_end, state)
        refused = {"not solved": 0, "limits": 0}
        found: list[Array] = []
        if not solution:
            refused["not solved"] = 1
        elif not self.check_joint_limits:
            found = [solution.q]
        else:
            q = self._inside(solution.q)
            refused["limits"] = int(q is None)
            found = [] if q is None else [q]
        report = SolutionsReport(1, len(found), MappingProxyType(refused), solution.elapsed)
        return Solutions(found, report)

    def _target(self, base_T_end: PoseLike, q: ArrayLike | Mapping[str, Any] | None) -> tuple[pin.SE3, Array]:
        """The pose in the world, and the state (n,)."""
        state = self._chain.skeleton.as_configuration(q, name="state")
        base = self._module.pose_at(self._chain.base, state)
        return base * goal_pose(base_T_end, "base_T_end"), state

    def _request(self, target: pin.SE3, state: Array, **options: Any) -> Request:
        pace = self.method.pace
        problem = Problem(
            tolerance=self.max_error,
            iterations=self.max_iterations,
            improvement=pace.improvement if self.gives_up else math.inf,
            strikes=max(defaults.SINGLE_STRIKES, pace.strikes),
            max_step=self.max_step,
            attempts=1,
            respect_limits=self.clamp_to_bounds,
        ).replaced(**options)
        request = make_request(self._module, target, problem, state, explains=False)
        if self._weights is not None:
            request.active = self._weighted_dofs(request.active, self._weights)
        return request

    def _weighted_dofs(self, active: ActiveDofs, weights: Array) -> ActiveDofs:
        known = self._weighted
        if known is None or known[0] is not active or known[1] is not weights:
            self._weighted = known = (active, weights, weighted(active, weights))
        return known[2]

    def _in_pieces(self, target: pin.SE3, state: Array, step: float) -> Solution:
        """The descent through poses on the way, which need not be met well."""
        begin = self._module.pose_at(self.tcp, state)
        pieces, q, iterations, elapsed = pieces_between(begin, target, step), state, 0, 0.0
        for k in range(1, pieces):
            near = max(self.max_error, defaults.INTERPOLATION_TOLERANCE * step)
            request = self._request(
                pose_between(begin, target, k / pieces), q, tolerance=near, iterations=defaults.INTERPOLATION_ITERATIONS
            )
            passed = solve_request(request)
            q, iterations, elapsed = passed.q, iterations + passed.iterations, elapsed + passed.elapsed
        solution = solve_request(self._request(target, q))
        if solution:
            solution = self._near(solution, target, state)
        return solution._replace(iterations=iterations + solution.iterations, elapsed=elapsed + solution.elapsed)

    def _near(self, solution: Solution, target: pin.SE3, state: Array) -> Solution:
        """The solution with its angles nearest to the state, not to the last piece; measured again."""
        active = self._module.active_dofs()
        q = solution.q.copy()
        q[active.indices] = active.nearest(q[active.indices], state[active.indices], self.clamp_to_bounds)
        turned = solve_request(self._request(target, q, iterations=0))
        return turned._replace(iterations=solution.iterations, elapsed=solution.elapsed) if turned else solution

    def _inside(self, q: Array) -> Array | None:
        """A solution (n,) if it is inside the limits, with whole turns taken off where that makes it so; else None."""
        active, slack = self._module.active_dofs(), self._joint_limit_tolerance
        x = q[active.indices]
        if ((x >= active.lower - slack) & (x <= active.upper + slack)).all():
            return q
        x = active.nearest(x, x)
        if ((x < active.lower - slack) | (x > active.upper + slack)).any():
            return None
        inside = q.copy()
        inside[active.indices] = x
        return inside
