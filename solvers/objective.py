"""`Objective`: what should be small among the configurations that reach the target."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ..kinematics.transforms import Array
from .active_dofs import ActiveDofs
from .errors import ObjectiveError

#: An `Objective`, any object with such methods, or a function from a configuration (n,) to a number.
ObjectiveLike: TypeAlias = "Objective | Callable[[Array], float] | Any"

#: Half the width of the central difference (rad or m): the cube root of the rounding error.
_STEP = 6e-6


class Objective(ABC):
    """A function of the configuration. Deriving from this class is not needed; the methods are.

    `gradient` may be left out: it is then taken by central differences.
    """

    @abstractmethod
    def evaluate(self, q: Array) -> float:
        """A number, of whatever unit: the value at a configuration of the whole skeleton (n,)."""


class BoundObjective:
    """An objective over the active degrees of freedom, checked.

    Args:
        objective: See `ObjectiveLike`.
        active: What may move.
    """

    def __init__(self, objective: ObjectiveLike, active: ActiveDofs) -> None:
        evaluate = getattr(objective, "evaluate", None)
        if not callable(evaluate):
            if not callable(objective):
                raise ObjectiveError(
                    f"an objective must be a function of q or have a method evaluate(q); {objective!r} is neither"
                )
            evaluate = objective
        self._evaluate: Callable[[Array], Any] = evaluate
        self._gradient: Callable[[Array], Any] | None = getattr(objective, "gradient", None)
        self._active = active
        self.name = getattr(objective, "__name__", type(objective).__name__)

    def value(self, q: Array) -> float:
        """The value at q (n,).

        Raises:
            ObjectiveError: It raised, or is no finite number.
        """
        answer = self._call(self._evaluate, q)
        try:
            value = float(answer)
        except (TypeError, ValueError):
            raise ObjectiveError(f"objective {self.name} gave {answer!r}, which is no number") from None
        if not math.isfinite(value):
            raise ObjectiveError(f"objective {self.name} gave {value} at q = {q}")
        return value

    def gradient(self, q: Array) -> Array:
        """Derivatives (k,) with respect to the velocities of the active degrees of freedom.

        Raises:
            ObjectiveError: It raised, has the wrong shape or is not finite.
        """
        active = self._active
        if self._gradient is None:
            return self._difference(q)
        answer = np.asarray(self._call(self._gradient, q), dtype=float)
        if answer.shape != q.shape:
            raise ObjectiveError(f"gradient of objective {self.name} has shape {answer.shape}; needed is {q.shape}")
        if not np.isfinite(answer).all():
            raise ObjectiveError(f"gradient of objective {self.name} is not finite: {answer}")
        result: Array = answer[active.indices]
        return result

    def _difference(self, q: Array) -> Array:
        active = self._active
        result = np.zeros(len(active))
        for column, index in enumerate(active.indices):
            step = np.zeros(len(q))
            step[index] = _STEP
            if active.is_curved_column[column]:
                ahead, behind = active.skeleton.integrate(q, step), active.skeleton.integrate(q, -step)
            else:
                ahead, behind = q + step, q - step
            result[column] = (self.value(ahead) - self.value(behind)) / (2.0 * _STEP)
        return result

    def _call(self, function: Callable[[Array], Any], q: Array) -> Any:
        try:
            return function(q.copy())
        except Exception as problem:
            raise ObjectiveError(f"objective {self.name} raised {type(problem).__name__}: {problem}") from problem
