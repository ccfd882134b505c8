"""`AmbiguityResolver`: all angles that are the same pose."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, NodeSet, PoseLike, Skeleton
from ...kinematics.core.whole_turns import MOST_TURNED, TURN, nearest_equivalent
from ...kinematics.core.working_clock import working_time
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..errors import TooManySolutionsError
from ..inv_kin_solvers.device import as_chain, as_device
from ..inv_kin_solvers.inv_kin_solver import InvKinSolver
from ..inv_kin_solvers.module_solver import as_inv_kin_solver
from ..inv_kin_solvers.solutions import Solutions
from ..option_checks import as_positive, at_least

#: A limit counts as met within this (rad): an angle that misses it only by rounding is put on it.
_SLACK = 1e-12


class AmbiguityResolver(InvKinSolver):
    """Gives every configuration inside the limits that differs from a solution of another solver by whole turns.

    Each revolute joint takes all the angles ``q + 2 pi k`` that are inside its limits, both limits included, up to 1000
    rad. Of a joint that is limited on one side or not at all there are infinitely many: the one nearest to the state is
    taken, and with `window` those around it. The configurations nearest to the state, by the largest difference of a
    joint, come first.

    Use it around an `IKMetaSolver`. One around it would take such configurations for duplicates, and is refused.

    Args:
        solver: An `InvKinSolver`, or anything that `as_inv_kin_solver` takes. It is asked without its check of limits:
            what is outside them may have equivalents that are inside.
        device: The chain whose joints are turned, its tip or the tip's name; the solver's own when None.
        window: See `window`.
        most: See `most`.
    """

    def __init__(
        self,
        solver: Any,
        device: NodeSet | Frame | Skeleton | str | None = None,
        *,
        window: float | None = None,
        most: int = defaults.AMBIGUITIES,
    ) -> None:
        self._solver = as_inv_kin_solver(solver, device)
        device = as_device(device, self._solver)
        self._device = None if device is None else as_chain(device, "device")
        self.window = window
        self.most = most

    @property
    def solver(self) -> InvKinSolver:
        """The solver inside."""
        return self._solver

    @property
    def chain(self) -> NodeSet:
        """The chain whose joints are turned."""
        return self._solver.chain if self._device is None else self._device

    @property
    def tcp(self) -> Frame:
        """The frame that is put at the pose."""
        return self._solver.tcp

    @property
    def check_joint_limits(self) -> bool:
        """Always true: limits are what makes the list finite."""
        return True

    @check_joint_limits.setter
    def check_joint_limits(self, value: bool) -> None:
        if not value:
            raise InvalidValueError("AmbiguityResolver lists what is inside the limits; it cannot do without them")

    def without_limit_check(self) -> Self:
        """Itself."""
        return self

    @property
    def window(self) -> float | None:
        """How far from the state (rad) angles of joints that turn without end are listed; None for the nearest only."""
        return self._window

    @window.setter
    def window(self, window: float | None) -> None:
        if window is not None and as_positive("window", window) == math.inf:
            raise InvalidValueError("window must be finite: there are infinitely many whole turns")
        self._window = None if window is None else float(window)

    @property
    def most(self) -> int:
        """Configurations that are listed at most; more are an error, before they fill the memory."""
        return self._most

    @most.setter
    def most(self, most: int) -> None:
        self._most = at_least(1)("most", most)

    def solve(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """All equivalents of what the solver finds; see the class.

        Raises:
            TooManySolutionsError: There are more than `most`.
        """
        begun = working_time()
        chain = self.chain
        start = chain.skeleton.as_configuration(state, name="state")
        inner = self._solver.without_limit_check().solve(base_T_end, start)
        active = ActiveDofs(chain.skeleton, chain.dof_indices)
        near, angles, refused = start[active.indices], [], dict(inner.report.refused)
        for q in _different(inner, active):
            each = self._equivalents(active, q[active.indices], near)
            if all(each):
                angles.append((q, each))
            else:
                refused["limits"] = refused.get("limits", 0) + 1
        count = sum(math.prod(map(len, each)) for _, each in angles)
        if count > self._most:
            raise TooManySolutionsError(
                f"{count} configurations differ by whole turns only, and {self._most} are listed at most; "
                "raise `most`, or narrow the limits or the window"
            )
        found = [_with(q, active, values) for q, each in angles for values in product(*each)]
        found.sort(key=lambda q: float(np.abs(q - start).max()))
        elapsed = working_time() - begun
        report = inner.report._replace(found=len(found), refused=MappingProxyType(refused), elapsed=elapsed)
        return Solutions(found, report)

    def _equivalents(self, active: ActiveDofs, x: Array, near: Array) -> list[list[float]]:
        """For each degree of freedom the values inside the limits that are the same as that in x (k,)."""
        result = []
        turning = {column for column, _, _ in active.wraps}
        for k, (value, lower, upper) in enumerate(zip(x.tolist(), active.lower, active.upper, strict=True)):
            if k not in turning:
                result.append([value] if lower <= value <= upper else [])
            elif math.isfinite(lower) and math.isfinite(upper):
                result.append(list(_between(value, lower, upper)))
            else:
                result.append(self._of_endless(value, float(near[k]), float(lower), float(upper)))
        return result

    def _of_endless(self, value: float, near: float, lower: float, upper: float) -> list[float]:
        nearest = nearest_equivalent(value, near, lower, upper)
        if self._window is None:
            return [nearest]
        inside = _between(value, max(lower, near - self._window), min(upper, near + self._window))
        return sorted({nearest, *(each for each in inside if abs(each - nearest) > 1.0)})


def _between(angle: float, lower: float, upper: float) -> Iterator[float]:
    """All ``angle + 2 pi k`` in [lower, upper], as far as whole turns are exact."""
    low, high = max(lower, -MOST_TURNED) - _SLACK, min(upper, MOST_TURNED) + _SLACK
    for k in range(math.ceil((low - angle) / TURN), math.floor((high - angle) / TURN) + 1):
        yield min(max(angle + TURN * k, lower), upper)


def _different(found: Solutions, active: ActiveDofs) -> list[Array]:
    """Solutions that differ by more than whole turns and a hair."""
    turning = np.zeros(active.skeleton.num_dofs, dtype=bool)
    turning[[active.indices[column] for column, _, _ in active.wraps]] = True
    result: list[Array] = []
    for q in found:
        for other in result:
            away = q - other
            away[turning] -= TURN * np.round(away[turning] / TURN)
            if np.abs(away).max() <= defaults.PROXIMITY_LIMIT:
                break
        else:
            result.append(q)
    return result


def _with(q: Array, active: ActiveDofs, values: tuple[float, ...]) -> Array:
    result = q.copy()
    result[active.indices] = values
    return result
