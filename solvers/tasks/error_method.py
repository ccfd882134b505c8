"""`ErrorMethod`: what is to become zero."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ...kinematics import InvalidValueError, KinetreeError, State
from ...kinematics.transforms import Array
from ..errors import ErrorMethodError

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics


class ErrorMethod(ABC):
    """An error with its Jacobian: ``current - desired``, zero at the goal.

    Write `rows` and `evaluate`; `residual` too when the rows are not all distances. Methods that look at a
    frame and its target are bound to an `InverseKinematics` module, which happens by assigning them to it.

    Example:
        A height for a frame, leaving everything else free::

            class Height(ErrorMethod):
                rows = 1

                def __init__(self, height):
                    self.height = height

                def evaluate(self, state):
                    frame = self.module.frame
                    error = state.transform(frame).translation[2:] - self.height
                    return error, state.jacobian(frame)[2:3]
    """

    #: Whether a hierarchy counts as solved only when this task is. Wishes such as a posture are not required.
    is_required: ClassVar[bool] = True

    _module: InverseKinematics | None = None
    _revision: int = 0

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        # A class that comes with a faster `measure` is not asked to keep it in step with a subclass.
        own = cls.__dict__
        if ("evaluate" in own or "residual" in own) and "measure" not in own:
            cls.measure = ErrorMethod.measure  # type: ignore[method-assign]

    @property
    @abstractmethod
    def rows(self) -> int:
        """Length of the error."""

    @abstractmethod
    def evaluate(self, state: State) -> tuple[Array, Array]:
        """The error and its derivative.

        Args:
            state: A snapshot of the skeleton; computing with it moves nothing.

        Returns:
            Error (rows,), current minus desired, and Jacobian (rows, len(state.dofs)) with respect to the
            joint velocities of ``state.dofs``.
        """

    def residual(self, state: State) -> tuple[float, float]:
        """How far the goal is missed: (m, rad), without weights and clamps. By default all rows are m."""
        error, _ = self.evaluate(state)
        return math.sqrt(float(error.dot(error))), 0.0

    def measure(self, state: State) -> tuple[Array, Array, float, float]:
        """`evaluate` and `residual` in one, checked; this is what the solvers call.

        Raises:
            ErrorMethodError: It raised, or shapes or values are wrong.
        """
        try:
            error, jacobian = self.evaluate(state)
            position_error, orientation_error = self.residual(state)
        except KinetreeError:
            raise
        except Exception as problem:
            raise ErrorMethodError(f"{type(self).__name__} raised {type(problem).__name__}: {problem}") from problem
        error, jacobian = np.asarray(error, dtype=float), np.asarray(jacobian, dtype=float)
        rows, columns = self.rows, len(state.dofs)
        if error.shape != (rows,) or jacobian.shape != (rows, columns):
            raise ErrorMethodError(
                f"{type(self).__name__}.evaluate gave an error of shape {error.shape} and a Jacobian of "
                f"shape {jacobian.shape}; needed are ({rows},) and ({rows}, {columns})"
            )
        if not (np.isfinite(error).all() and np.isfinite(jacobian).all()):
            raise ErrorMethodError(f"{type(self).__name__}.evaluate gave values that are not finite")
        if not (math.isfinite(position_error) and math.isfinite(orientation_error)):
            raise ErrorMethodError(f"{type(self).__name__}.residual is not finite")
        return error, jacobian, float(position_error), float(orientation_error)

    @property
    def module(self) -> InverseKinematics:
        """The module that this method belongs to.

        Raises:
            ErrorMethodError: It belongs to none.
        """
        if self._module is None:
            raise ErrorMethodError(
                f"{type(self).__name__} is not bound; assign it to InverseKinematics.error_method first"
            )
        return self._module

    @property
    def is_bound(self) -> bool:
        """True when the method belongs to a module."""
        return self._module is not None

    def bind(self, module: InverseKinematics | None) -> None:
        """Makes this the method of a module (None sets it free). `InverseKinematics.error_method` calls it.

        Raises:
            InvalidValueError: It belongs to another module already.
        """
        if module is not None and self._module is not None and self._module is not module:
            raise InvalidValueError(
                f"this {type(self).__name__} belongs to the module of frame {self._module.frame.name!r}; "
                "give the other module a clone()"
            )
        self._module = module
        self._revision += 1

    def aimed_at(self, target: Any = None) -> Self:
        """A copy for one call, aimed at another target (the module's own when None).

        The copy may keep what cannot change during the call. Methods without a target refuse one.

        Args:
            target: What the method takes for one, a pose for most.

        Returns:
            The copy.

        Raises:
            InvalidValueError: A target for a method that has none.
        """
        if target is not None:
            raise InvalidValueError(f"{type(self).__name__} has no target to aim at; set its own options instead")
        return copy.copy(self)

    def clone(self) -> Self:
        """A copy that belongs to no module."""
        twin = copy.copy(self)
        twin._module = None
        return twin

    @property
    def name(self) -> str:
        """What reports call it."""
        return type(self).__name__ if self._module is None else self._module.frame.name
