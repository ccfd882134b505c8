"""`ModuleParts`: what a module counts as there, the step that it takes, and its options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from ..kinematics import DegreeOfFreedom, Frame, InvalidValueError, Joint, NodeSet, Skeleton, StructureError
from .closed_form.closed_form import ClosedForm
from .gradient_method import GradientMethod
from .gradient_methods.levenberg_marquardt import LevenbergMarquardt
from .moved_frame import MovedFrame
from .objective import ObjectiveLike
from .problem import Problem
from .tasks.error_method import ErrorMethod
from .tasks.task_space_region import TaskSpaceRegion

if TYPE_CHECKING:
    from .inverse_kinematics import InverseKinematics


class ModuleParts(MovedFrame):
    """The part of an `InverseKinematics` module that says how it gets to its target; each may be replaced.

    Args:
        frame: See `InverseKinematics`.
        dofs: See there.

    Raises:
        StructureError: The frame hangs on no skeleton.
    """

    problem: Problem

    def __init__(
        self,
        frame: Frame | Skeleton | NodeSet,
        dofs: Iterable[str | int | DegreeOfFreedom | Joint] | None = None,
    ) -> None:
        super().__init__(frame, dofs)
        self._error_method: ErrorMethod
        self.error_method = TaskSpaceRegion()
        self._gradient_method: GradientMethod
        self.gradient_method = LevenbergMarquardt()
        self.problem = Problem()

    def _as_module(self) -> InverseKinematics:
        """This, as what methods are bound to; modules alone are made of these parts."""
        return cast("InverseKinematics", self)

    @property
    def error_method(self) -> ErrorMethod:
        """What is to be zero; a `TaskSpaceRegion` unless replaced."""
        return self._error_method

    @error_method.setter
    def error_method(self, method: ErrorMethod) -> None:
        if not isinstance(method, ErrorMethod):
            raise InvalidValueError(f"error_method must be an ErrorMethod, not {method!r}")
        method.bind(self._as_module())
        previous = getattr(self, "_error_method", None)
        if previous is not None and previous is not method:
            previous.bind(None)
        self._error_method = method

    @property
    def gradient_method(self) -> GradientMethod:
        """The step of an iteration; `LevenbergMarquardt` unless replaced."""
        return self._gradient_method

    @gradient_method.setter
    def gradient_method(self, method: GradientMethod) -> None:
        if isinstance(method, type) or not isinstance(method, GradientMethod):
            raise InvalidValueError(f"gradient_method must be a GradientMethod object, not {method!r}")
        method.bind(self._as_module())
        self._gradient_method = method

    @property
    def objective(self) -> ObjectiveLike | None:
        """What to make small among the solutions; an option of `problem`."""
        return self.problem.objective

    @objective.setter
    def objective(self, objective: ObjectiveLike | None) -> None:
        self.problem.objective = objective

    @property
    def null_space_objective(self) -> ObjectiveLike | None:
        """The same, and it bends the way to the target already; an option of `problem`."""
        return self.problem.null_space_objective

    @null_space_objective.setter
    def null_space_objective(self, objective: ObjectiveLike | None) -> None:
        self.problem.null_space_objective = objective

    def use_dart_defaults(self) -> None:
        """DART's error method, damped least squares with its clamp of 0.2, and its solver's options."""
        from .gradient_methods.jacobian_dls import JacobianDLS

        self.error_method = TaskSpaceRegion.dart_defaults()
        method = JacobianDLS()
        method.component_clamp = 0.2
        self.gradient_method = method
        self.problem = Problem.dart_defaults()

    def analytical(self) -> ClosedForm | None:
        """The closed form of the arm, found from its geometry; None when none is known: see `analytical_report`.

        It belongs to the module: poses are of its frame and offset, and it solves for its `dofs`. Assign it to
        `gradient_method` to solve with it.
        """
        closed = ClosedForm()
        try:
            closed.bind(self._as_module())
        except StructureError:
            return None
        return closed

    @property
    def analytical_report(self) -> str:
        """The kind of arm and what makes it one; or why no closed form is known."""
        closed = ClosedForm()
        try:
            closed.bind(self._as_module())
        except StructureError as error:
            return str(error)
        return closed.why

    def _copy_parts_to(self, twin: ModuleParts) -> None:
        """Gives a module of this or another frame what this one has: methods as copies, the target as it is."""
        twin._selection = self._selection.moved_to(twin._frame)
        twin._target, twin._unasked = self._target, self._unasked
        twin._offset = None if self._offset is None else self._offset.copy()
        twin.error_method = self._error_method.clone()
        twin.gradient_method = self._gradient_method.clone()
        twin.problem = self.problem.clone()

    def _problem_with(self, attempts: Any, iterations: Any, tolerance: Any, timeout: Any, random_seed: Any) -> Problem:
        """The problem with the options of a call."""
        return self.problem.replaced(
            attempts=attempts, iterations=iterations, tolerance=tolerance, timeout=timeout, random_seed=random_seed
        )
