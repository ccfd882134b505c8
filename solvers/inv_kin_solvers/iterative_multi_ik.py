"""`IterativeMultiIK`: RobWork's contract of a solver that brings several frames to their poses at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, PoseLike, ShapeError
from ...kinematics.known_attributes import KnownAttributes
from .. import defaults
from ..option_checks import as_max_error, at_least
from .solutions import Solutions


class IterativeMultiIK(KnownAttributes, ABC):
    """Finds configurations that put n frames of a tree at n poses, all relative to one base.

    Not finding any is an empty result, never an exception.

    Args:
        count: n, the number of frames and so of targets.
    """

    #: Whether configurations outside the joint limits are left out.
    check_joint_limits: bool = True

    def __init__(self, count: int) -> None:
        self._count = at_least(1)("the number of frames", count)
        self._max_error = (defaults.POSITION_TOLERANCE,) * self._count
        self._max_iterations = defaults.SINGLE_ITERATIONS

    @abstractmethod
    def solve(self, base_T_ends: Sequence[PoseLike], state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """Configurations for poses.

        Args:
            base_T_ends: A pose for each of `tcps`, in their order, relative to `base`; not in the world.
            state: Configuration (n,) or mapping that the search starts from; the present positions when None.
                It is not changed.

        Raises:
            ShapeError: Not as many poses as there are frames.
        """

    @property
    @abstractmethod
    def base(self) -> Frame:
        """What the targets are relative to."""

    @property
    @abstractmethod
    def tcps(self) -> tuple[Frame, ...]:
        """The frames that are put at the poses."""

    @property
    def max_error(self) -> tuple[float, ...]:
        """For each target what counts as there: distance (m) and true rotation angle (rad) at most this.

        Assign one number for all, or one for each; they are positive, as for `IterativeIK.max_error`.
        """
        return self._max_error

    @max_error.setter
    def max_error(self, value: float | Sequence[float]) -> None:
        if np.ndim(value) == 0:
            self._max_error = (as_max_error("max_error", value),) * self._count
            return
        try:
            values = list(value)  # type: ignore[arg-type]  # no number, as was just seen
        except TypeError:
            raise InvalidValueError(f"max_error must be a number or one for each target, not {value!r}") from None
        if len(values) != self._count:
            raise ShapeError(f"max_error of {self._count} targets was given {len(values)} numbers")
        self._max_error = tuple(as_max_error(f"max_error[{k}]", each) for k, each in enumerate(values))

    @property
    def max_iterations(self) -> int:
        """Iterations of a solve, at most."""
        return self._max_iterations

    @max_iterations.setter
    def max_iterations(self, value: int) -> None:
        self._max_iterations = at_least(0)("max_iterations", value)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        names = ", ".join(repr(frame.name) for frame in self.tcps)
        return f"<{type(self).__name__}: {names} relative to {self.base.name!r}>"
