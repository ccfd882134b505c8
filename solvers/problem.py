"""`Problem`: the options of a search."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..kinematics.known_attributes import unknown_option
from . import defaults
from .objective import ObjectiveLike
from .option_checks import (
    as_engine,
    as_positive,
    as_random_seed,
    as_timeout,
    as_tolerance,
    at_least,
    or_none,
)
from .pace import Pace

if TYPE_CHECKING:
    from .gradient_method import GradientMethod


class Problem:
    """How long and how hard to search, and what else is wanted. Options of a call go before these.

    Args:
        tolerance: What counts as reached: one number for both, or a pair (m, rad).
        iterations: Iterations of an attempt, at most; None for 25, or more when the gradient method asks for
            it.
        attempts: Attempts, at most: the seed, then `seeds`, then random configurations.
        improvement: An iteration that leaves more than this part of the squared error makes little progress;
            None for 0.9, or what the method asks for.
        strikes: Iterations with little progress after which an attempt is given up; None for 3, or what the
            method asks for.
        max_step: Largest change of a coordinate in one iteration (rad or m).
        timeout: Seconds for the whole call; None for no bound.
        seeds: Configurations to start from after the first one.
        objective: What to make small among the solutions, see `Objective`. The search goes on after it has
            reached the target, until this stops falling.
        null_space_objective: The same, and it already bends the way to the target, within the null space.
        respect_limits: Keep the joint limits.
        random_seed: Seed of the random configurations, or a generator.
        engine: ``"auto"`` for the fastest that can do it, ``"object"`` for Python on Pinocchio, ``"compiled"`` to be
            told by an error when the compiled one cannot.
    """

    def __init__(
        self,
        *,
        tolerance: float | tuple[float, float] = (
            defaults.POSITION_TOLERANCE,
            defaults.ORIENTATION_TOLERANCE,
        ),
        iterations: int | None = None,
        attempts: int = defaults.ATTEMPTS,
        improvement: float | None = None,
        strikes: int | None = None,
        max_step: float = defaults.MAX_STEP,
        timeout: float | None = None,
        seeds: Any = (),
        objective: ObjectiveLike | None = None,
        null_space_objective: ObjectiveLike | None = None,
        respect_limits: bool = True,
        random_seed: int | np.random.Generator = defaults.RANDOM_SEED,
        engine: str = "auto",
    ) -> None:
        self.tolerance = tolerance  # type: ignore[assignment]  # the property turns it into a pair
        self.iterations = iterations
        self.attempts = attempts
        self.improvement = improvement
        self.strikes = strikes
        self.max_step = max_step
        self.timeout = timeout
        self.seeds = list(seeds)
        self.objective = objective
        self.null_space_objective = null_space_objective
        self.respect_limits = bool(respect_limits)
        self.random_seed = random_seed
        self.engine = engine

    @classmethod
    def dart_defaults(cls) -> Self:
        """DART's solver: tolerance 1e-9, 500 iterations, one attempt, never giving up, steps of any size."""
        return cls(tolerance=1e-9, iterations=500, attempts=1, improvement=math.inf, max_step=math.inf)

    def replaced(self, **options: Any) -> Problem:
        """A copy in which every option that is not None is replaced."""
        twin = copy.copy(self)
        for name, value in options.items():
            if value is not None:
                setattr(twin, name, value)
        return twin

    def clone(self) -> Problem:
        """A copy with a list of seeds of its own; objectives are shared."""
        twin = copy.copy(self)
        twin.seeds = list(self.seeds)
        return twin

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _OPTIONS:
            raise unknown_option("Problem", name, _OPTIONS)
        check = _CHECKS.get(name)
        object.__setattr__(self, name, value if check is None else check(name, value))
        # So that whoever has prepared for these options sees that they are others now.
        object.__setattr__(self, "_revision", self._revision + 1)

    _revision = 0

    def pace_for(self, method: GradientMethod) -> Pace:
        """How long an attempt goes on: what was set here, else what the method asks for."""
        pace = method.pace
        if self.iterations is not None:
            pace = pace._replace(iterations=self.iterations, total=None)
        if self.improvement is not None:
            pace = pace._replace(improvement=self.improvement)
        if self.strikes is not None:
            pace = pace._replace(strikes=self.strikes)
        return pace

    tolerance: tuple[float, float]
    iterations: int | None
    attempts: int
    improvement: float | None
    strikes: int | None
    max_step: float
    timeout: float | None
    random_seed: int | np.random.Generator

    def __repr__(self) -> str:
        return f"Problem({', '.join(f'{name}={value!r}' for name, value in vars(self).items() if name != '_revision')})"


_OPTIONS = (
    "tolerance", "iterations", "attempts", "improvement", "strikes", "max_step", "timeout", "seeds", "objective",
    "null_space_objective", "respect_limits", "random_seed", "engine",
)  # fmt: skip
_CHECKS = {
    "engine": as_engine,
    "tolerance": as_tolerance,
    "iterations": or_none(at_least(0)),
    "attempts": at_least(1),
    "improvement": or_none(as_positive),
    "strikes": or_none(at_least(1)),
    "max_step": as_positive,
    "timeout": as_timeout,
    "random_seed": as_random_seed,
}
