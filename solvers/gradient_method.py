"""`GradientMethod`: the step that an iteration takes; the class to subclass for a solver of one's own."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..kinematics import InvalidValueError, ShapeError, State
from ..kinematics.known_attributes import KnownAttributes
from ..kinematics.transforms import Array, read_only
from .errors import GradientMethodError
from .kernel import Kernel, parameter_array, parameters_of
from .pace import SLOW, Pace

if TYPE_CHECKING:
    from .inverse_kinematics import InverseKinematics
    from .tasks.error_method import ErrorMethod


class GradientMethod(KnownAttributes):
    """How a Jacobian and an error become a step of the joints.

    Write one method, `gradient`, or a `kernel` named ``step``, which runs inside the compiled loop. It gives an uphill
    direction, as a velocity of the joints: the solver subtracts it. Joint limits, step sizes, restarts and the
    decision what counts as solved are the solver's.

    Example:
        The transpose with the best step length along it::

            class NormalisedTranspose(GradientMethod):
                def gradient(self, jacobian, error):
                    g = jacobian.T @ error
                    along = jacobian @ g
                    return g * (error @ along) / max(1e-12, along @ along)

    Override `compute_gradient` instead when more is needed than the two arrays: `state`, `jacobian` and `ik`
    say where the search is. A method object may serve several modules, one after another.

    Attributes:
        state: The snapshot that is being worked on.
        jacobian: The Jacobian (m, n) there.
        ik: The module that is being solved.
        error_method: What is to become zero, aimed for this call.
    """

    #: How long an attempt goes on unless the problem says so. Unknown methods get the patience that methods
    #: of first order need; one that converges quadratically can say ``pace = FAST``.
    pace: ClassVar[Pace] = SLOW
    #: Whether its steps are taken whole, however long: they lead to a solution and are no linear guess.
    takes_whole_steps: ClassVar[bool] = False

    #: Our own methods leave their arguments alone and give proper gradients; a subclass of theirs is not
    #: ours.
    _is_trusted: ClassVar[bool] = False

    state: State | None = None
    jacobian: Array | None = None
    ik: InverseKinematics | None = None
    error_method: ErrorMethod | None = None

    # Class attributes, so that a subclass need not call our __init__.
    _component_clamp: float = math.inf
    _component_weights: Array | None = None
    _is_plain: bool = True
    _revision: int = 0
    _cache: tuple[Any, Array] | None = None
    _given_parameters: tuple[Any, Array] | None = None

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        cls._is_trusted = "_is_trusted" in cls.__dict__

    @property
    def parameters(self) -> tuple[float, ...]:
        """What a kernel is given as ``parameters``: at most eight finite numbers."""
        return ()

    def gradient(self, jacobian: Array, error: Array) -> Array:
        """The step for a Jacobian and an error.

        Args:
            jacobian: (m, n), rows as the error, columns the joint velocities that may be used.
            error: (m,), current minus desired.

        Returns:
            (n,), uphill: subtracting it should make the error smaller.
        """
        # Not `kernel_of`: a subclass that has a gradient of its own may build on this one.
        own = getattr(type(self), "step", None)
        if not isinstance(own, Kernel):
            raise NotImplementedError(
                f"{type(self).__name__} defines neither gradient nor compute_gradient nor a kernel named step"
            )
        parameters = parameters_of(self)
        if self._given_parameters is None or self._given_parameters[0] != parameters:
            self._given_parameters = parameters, parameter_array(type(self).__name__, parameters)
        return own.scalar_step(jacobian, error, self._given_parameters[1])

    def compute_gradient(self, error: Array) -> Array:
        """The step for an error (m,) at `state`; calls `gradient` unless overridden. Returns (n,), uphill."""
        assert self.jacobian is not None
        return self.gradient(self.jacobian, error)

    def checked_gradient(
        self,
        jacobian: Array,
        error: Array,
        state: State | None = None,
        ik: InverseKinematics | None = None,
        iteration: int = 0,
        error_method: ErrorMethod | None = None,
    ) -> Array:
        """The checked, weighted and clamped gradient; this is what the solvers call.

        Args:
            jacobian: Of the task (m, n).
            error: Of the task (m,).
            state: Where the robot is, for methods that look at it.
            ik: The module that is solved for.
            iteration: Counted from 0 in each attempt.
            error_method: What the error was measured by.

        Returns:
            The step (n,), which solvers subtract.

        Raises:
            GradientMethodError: The method raised, or gave a wrong shape or values that are not finite.
        """
        if self._is_trusted and self._is_plain:
            return self.gradient(jacobian, error)
        jacobian, error = jacobian.copy(), error.copy()
        self.jacobian, self.state, self.ik, self.error_method = jacobian, state, ik, error_method
        try:
            gradient = self.compute_gradient(error)
        except Exception as problem:
            raise GradientMethodError(
                f"{type(self).__name__} raised {type(problem).__name__} in iteration {iteration}: {problem}"
            ) from problem
        columns = jacobian.shape[1]
        if type(gradient) is not np.ndarray or gradient.shape != (columns,) or gradient.dtype != np.float64:
            gradient = self._as_gradient(gradient, columns, iteration)
        if not np.isfinite(gradient).all():
            raise GradientMethodError(
                f"{type(self).__name__} gave a gradient that is not finite in iteration {iteration}: {gradient}"
            )
        return gradient if self._is_plain else self.clamp(self.apply_weights(gradient))

    def _as_gradient(self, gradient: Any, columns: int, iteration: int) -> Array:
        where = f"{type(self).__name__} in iteration {iteration}"
        try:
            array = np.asarray(gradient, dtype=float)
        except (TypeError, ValueError):
            raise GradientMethodError(f"{where} gave {gradient!r} where {columns} numbers are needed") from None
        if array.shape != (columns,):
            raise GradientMethodError(f"{where} gave a gradient of shape {array.shape}; needed is ({columns},)")
        return array

    # Clamp and weights of the components.

    @property
    def component_clamp(self) -> float:
        """Largest absolute value of a component of the step (rad or m); inf for none."""
        return self._component_clamp

    @component_clamp.setter
    def component_clamp(self, clamp: float) -> None:
        if not abs(clamp) > 0.0:
            raise InvalidValueError(f"component_clamp of {type(self).__name__} must be positive, not {clamp}")
        self._component_clamp = abs(float(clamp))
        self._options_changed()

    @property
    def component_weights(self) -> Array:
        """(k,) factors of the first k components of the step, 1 where missing. Empty by default; assign to change."""
        return read_only(np.zeros(0) if self._component_weights is None else self._component_weights.copy())

    @component_weights.setter
    def component_weights(self, weights: ArrayLike) -> None:
        values = np.array(weights, dtype=float)
        if values.ndim != 1:
            raise ShapeError(f"component_weights must be a list of numbers; it has shape {values.shape}")
        if not np.isfinite(values).all():
            raise InvalidValueError(f"component_weights must be finite, not {values}")
        self._component_weights = values if len(values) else None
        self._options_changed()

    def _options_changed(self) -> None:
        self._is_plain = self._component_clamp == math.inf and self._component_weights is None
        self._revision += 1
        self._cache = None

    def apply_weights(self, gradient: Array) -> Array:
        """A copy of a gradient (n,) times the component weights."""
        result = gradient.copy()
        if self._component_weights is not None:
            count = min(len(result), len(self._component_weights))
            result[:count] *= self._component_weights[:count]
        return result

    def clamp(self, gradient: Array) -> Array:
        """A copy of a gradient (n,) with each component clamped on its own."""
        result: Array = np.clip(gradient, -self._component_clamp, self._component_clamp)
        return result

    # On its own, outside a solve.

    def bind(self, ik: InverseKinematics) -> None:
        """Says whose errors `evaluate` looks at; `InverseKinematics.gradient_method` calls it."""
        self.ik = ik
        self._cache = None

    def evaluate(self, q: ArrayLike | None = None) -> Array:
        """The step of the module at a configuration, uphill.

        The last answer is kept, and given again while neither the configuration, the robot, the target nor
        the options have changed.

        Args:
            q: Configuration (n,) or mapping; the present positions when None.

        Returns:
            (len(ik.dofs),), a copy.

        Raises:
            InvalidValueError: The method belongs to no module.
        """
        ik = self.ik
        if ik is None:
            raise InvalidValueError(
                f"{type(self).__name__} belongs to no module; assign it to InverseKinematics.gradient_method"
            )
        skeleton = ik.skeleton
        full = skeleton.as_configuration(q)
        method = ik.error_method
        target, offset = ik.target.transform().homogeneous.tobytes(), ik.offset
        key = (full.tobytes(), skeleton.version, ik.dof_indices.tobytes(), target, method, method._revision,
               None if offset is None else offset.tobytes())  # fmt: skip
        if self._cache is None or self._cache[0] != key:
            state = skeleton.state(full, ik.dof_indices)
            aimed = method.aimed_at()
            error, jacobian, _, _ = aimed.measure(state)
            self._cache = (key, self.checked_gradient(jacobian, error, state, ik, error_method=aimed))
        return self._cache[1].copy()

    def clear_cache(self) -> None:
        """Forgets the last answer of `evaluate`; needed only after a change that we cannot see."""
        self._cache = None

    def clone(self) -> Self:
        """A copy that belongs to no module."""
        twin = copy.copy(self)
        twin.ik = twin.state = twin.jacobian = twin.error_method = None
        twin._cache = None
        return twin

    @property
    def name(self) -> str:
        """The class's name."""
        return type(self).__name__

    def __repr__(self) -> str:
        options = {name.strip("_"): value for name, value in vars(self).items() if isinstance(value, int | float | str)}
        own = [f"{name}={value!r}" for name, value in options.items() if name not in ("is_plain", "revision")]
        return f"{type(self).__name__}({', '.join(own)})"
