"""`SolverPool`: what a module keeps from call to call, as long as it fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kinematics import Link
from .kernel import parameters_of
from .option_checks import as_tolerance

if TYPE_CHECKING:
    from .inverse_kinematics import InverseKinematics

#: Options of calls that solvers are kept for, at most: callers who take turns between a few do not wait for them to be
#: made anew, and those who never give the same ones twice do not fill the memory.
_MOST_OPTIONS = 8


class SolverPool:
    """Idle solvers of a module by the options of the calls; none that was made for another state of the module.

    Take one off a list with ``pop`` and put it back with ``append``: both are atomic, so two threads never have the
    same one.

    Args:
        module: Whose they are.
    """

    def __init__(self, module: InverseKinematics) -> None:
        self._module = module
        self._state: tuple[Any, ...] = ()
        self._idle: dict[tuple[Any, ...], list[Any]] = {}

    def idle(self, *options: Any) -> list[Any]:
        """The idle solvers for some options, a list of their own."""
        state = self._state_of_module()
        if state != self._state:
            self._state, self._idle = state, {}
        try:
            return self._idle[options]
        except KeyError:
            if len(self._idle) >= _MOST_OPTIONS:
                self._idle = {}
            return self._idle.setdefault(options, [])
        except TypeError:
            return []  # no option that makes sense; whoever makes the solver says so

    def _state_of_module(self) -> tuple[Any, ...]:
        """Differs whenever a solver that was made for the module would not do any more."""
        module = self._module
        problem, method, error, frame = module.problem, module.gradient_method, module.error_method, module.frame
        return (
            module.skeleton.version,
            module._revision,
            problem,
            problem._revision,
            bool(problem.seeds),
            method,
            method._revision,
            parameters_of(method),
            error,
            error._revision,
            None if isinstance(frame, Link) else (frame.link, frame.transform(frame.link).homogeneous.tobytes()),
        )

    def __reduce__(self) -> Any:
        """A copy is empty: solvers belong to the arrays of their module."""
        return SolverPool, (self._module,)


def as_option(tolerance: Any) -> Any:
    """A tolerance that can be compared, and that nobody can change afterwards."""
    if tolerance is None or isinstance(tolerance, float | int):
        return tolerance
    return as_tolerance("tolerance", tolerance)
