"""`Request`: one call of a solver, with everything that it needs, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from numpy.typing import ArrayLike

from ..kinematics.q_constraint import QConstraint
from ..kinematics.transforms import Array
from .active_dofs import ActiveDofs
from .constraints.same_robot import constraint_for
from .gradient_method import GradientMethod
from .problem import Problem
from .tasks.error_method import ErrorMethod

if TYPE_CHECKING:
    from ..kinematics.collision.collision_detector import CollisionDetector
    from .inverse_kinematics import InverseKinematics

#: Refuses configurations (n,) that reach the target but are not wanted: a function from q to bool, a `QConstraint`, or
#: a `CollisionDetector`.
Constraint: TypeAlias = "Callable[[Array], Any] | CollisionDetector"


class Request:
    """What is to be solved.

    Attributes:
        module: The module that was asked.
        error_method: What is to be zero, aimed for this call.
        gradient_method: The step.
        problem: The options, those of the call included.
        active: What may move.
        seed: The configuration (n,) that the caller gave, for which angles are returned nearest.
        constraint: Refuses solutions; None refuses none.
        explains: Whether a failure is looked into; callers with many attempts of their own do without.
        wide: The same without a limit on how far joints may go from the seed, by which ``active`` is narrowed; None
            when there is none.
    """

    __slots__ = (
        "active",
        "constraint",
        "error_method",
        "explains",
        "gradient_method",
        "module",
        "problem",
        "seed",
        "wide",
    )

    def __init__(
        self,
        module: InverseKinematics,
        error_method: ErrorMethod,
        gradient_method: GradientMethod,
        problem: Problem,
        active: ActiveDofs,
        seed: Array,
        constraint: QConstraint | None = None,
        explains: bool = True,
    ) -> None:
        self.module = module
        self.error_method = error_method
        self.gradient_method = gradient_method
        self.problem = problem
        self.active = active
        self.seed = seed
        self.constraint = constraint
        self.explains = explains
        self.wide: Request | None = None


def make_request(
    module: InverseKinematics,
    target: Any,
    problem: Problem,
    seed: ArrayLike | Mapping[str, Any] | None = None,
    constraint: Constraint | None = None,
    explains: bool = True,
    warns: bool = True,
) -> Request:
    """Checks what a caller asked of a module.

    Args:
        module: Who is asked.
        target: A pose in the world, a frame, an `ErrorMethod`, or None for the module's own target.
        problem: All options.
        seed: Configuration (n,) or mapping; the present positions when None.
        constraint: Refuses solutions.
        explains: See `Request`.
        warns: Log when the seed is outside the limits.
    """
    asked = constraint_for(module.skeleton, constraint)
    if isinstance(target, ErrorMethod):
        method = target.clone()
        method.bind(module)
        method = method.aimed_at()
    else:
        method = module.error_method.aimed_at(target)
    active = module.active_dofs()
    start = module.skeleton.as_configuration(seed, name="seed")
    if warns and problem.respect_limits:
        active.warn_if_outside(start, "the present positions" if seed is None else "the seed")
    return Request(module, method, module.gradient_method, problem, active, start, asked, explains)
