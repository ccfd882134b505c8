"""`kernel`: a step rule in plain arithmetic that runs inside the compiled loop."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kinematics import InvalidValueError
from ..kinematics.transforms import Array
from .compiled.layout import MOST_PARAMETERS
from .errors import GradientMethodError

if TYPE_CHECKING:
    from .compiled.rule import StepKernel
    from .gradient_method import GradientMethod

_ARGUMENTS = ("jacobian", "error", "rows", "n", "parameters", "gradient")


class Kernel:
    """A step rule that is compiled when it is first used; called directly it is the Python function that it was.

    Attributes:
        function: The Python function.
        is_second_order: See `StepKernel`.
    """

    is_second_order = False

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def __call__(self, *arguments: Any) -> None:
        """Runs the Python function."""
        self.function(*arguments)

    @functools.cached_property
    def compiled(self) -> StepKernel:
        """The rule for the compiled loop. Imports Numba."""
        from numba import njit

        from ..kinematics.core.lanes import JIT
        from .compiled.rule import StepKernel

        return StepKernel(self.name, njit(**JIT)(self.function), self.is_second_order)

    @functools.cached_property
    def scalar_step(self) -> Callable[[Array, Array, Array], Array]:
        """The rule for one problem: Jacobian (m, n), error (m,), parameters (8,) to the gradient (n,)."""
        from .compiled.scalar_step import scalar_step_for

        return scalar_step_for(self.compiled)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"


class BuiltInKernel(Kernel):
    """One of kinetree's own rules, imported when it is first used, since that takes Numba along.

    Args:
        module: The module of `solvers.compiled` that holds a compiled function of the same name.
        is_second_order: See `StepKernel`.
    """

    def __init__(self, module: str, *, is_second_order: bool = False) -> None:
        self._module = module
        self.is_second_order = is_second_order

    @property
    def name(self) -> str:
        """What reports call it."""
        return self._module

    @functools.cached_property
    def function(self) -> Any:  # type: ignore[override]
        """The Python function."""
        function = self._imported
        return getattr(function, "py_func", function)

    @functools.cached_property
    def _imported(self) -> Any:
        return getattr(importlib.import_module(f".compiled.{self._module}", __package__), self._module)

    @functools.cached_property
    def compiled(self) -> StepKernel:
        """The rule for the compiled loop. Imports Numba."""
        from .compiled.rule import StepKernel

        return StepKernel(self._module, self._imported, self.is_second_order)


def kernel(function: Callable[..., None]) -> Kernel:
    """Makes a step rule that the compiled loop can run; to be assigned to ``step`` of a `GradientMethod`.

    The function is ``step(jacobian, error, rows, n, parameters, gradient)``, without self. It writes the first n
    entries of ``gradient``, uphill; behind them it finds room of its own, ``(rows + 1) * n + 2 * rows * rows`` numbers
    and some. ``jacobian[i, k]`` (rows, n), ``error[i]`` (rows,) and what is computed from them are numbers, or
    SIMD registers of numbers: plain arithmetic and the functions of `kinetree.kinematics.core.lanes` (``sqrt``,
    ``where``, ``minimum``, ...) work on both, ``if`` only on sizes and parameters. ``parameters`` are the numbers of
    `GradientMethod.parameters`.

    Example:
        ::

            class Transpose(GradientMethod):
                parameters = (0.5,)

                @kernel
                def step(jacobian, error, rows, n, parameters, gradient):
                    for k in range(n):
                        along = 0.0
                        for i in range(rows):
                            along += jacobian[i, k] * error[i]
                        gradient[k] = parameters[0] * along

    Raises:
        InvalidValueError: Not a function of these six arguments.
    """
    try:
        names = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = ()
    if len(names) != len(_ARGUMENTS) or (names and names[0] == "self"):
        raise InvalidValueError(
            f"a kernel is a function step({', '.join(_ARGUMENTS)}), without self; "
            f"{getattr(function, '__qualname__', function)!r} takes ({', '.join(names)})"
        )
    if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
        raise InvalidValueError(f"kernel {function.__qualname__!r} must neither yield nor await")
    return Kernel(function)


#: Methods that change what a step is; a class that defines one of them, and no kernel, is not compiled.
_OTHER_STEPS = ("gradient", "compute_gradient", "checked_gradient", "clamp", "apply_weights")


def kernel_of(method: type) -> Kernel | None:
    """The kernel of a class of gradient methods; None when the step is written in Python."""
    for each in method.__mro__:
        found = vars(each).get("step")
        if isinstance(found, Kernel):
            return found
        if any(name in vars(each) for name in _OTHER_STEPS):
            return None
    return None


def parameters_of(method: GradientMethod) -> tuple[Any, ...]:
    """The method's parameters as a tuple of their own.

    Raises:
        GradientMethodError: They are no sequence.
    """
    given = method.parameters
    try:
        return tuple(given)
    except TypeError:
        raise GradientMethodError(
            f"parameters of {type(method).__name__} must be at most {MOST_PARAMETERS} finite numbers, not {given!r}"
        ) from None


def parameter_array(name: str, parameters: Any) -> Array:
    """The numbers of `GradientMethod.parameters` as the kernels want them (8,).

    Raises:
        GradientMethodError: Too many, or not finite numbers.
    """
    result = np.zeros(MOST_PARAMETERS)
    try:
        values = np.array(parameters, dtype=float)
    except (TypeError, ValueError):
        values = np.full(1, np.nan)
    if values.ndim != 1 or len(values) > MOST_PARAMETERS or not np.isfinite(values).all():
        raise GradientMethodError(
            f"parameters of {name} must be at most {MOST_PARAMETERS} finite numbers, not {parameters!r}"
        )
    result[: len(values)] = values
    return result
