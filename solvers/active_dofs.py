"""`ActiveDofs`: the degrees of freedom that a search may move, with what it needs to know about them."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kinematics import DegreeOfFreedom, Joint, Skeleton, State, UnknownNameError, unknown_name
from ..kinematics.core.whole_turns import MOST_TURNED, nearest_equivalent
from ..kinematics.transforms import Array

#: Sliding joints (m) do not go further than this.
_FAR = 1e6
#: Angles (rad) that are larger, outside the limits, may be in degrees.
_TURN = 2.0 * math.pi

_log = logging.getLogger(__name__)


class ActiveDofs:
    """Some degrees of freedom of a skeleton, in a chosen order, as flat arrays.

    It holds for one version of the skeleton.

    Args:
        skeleton: The robot.
        indices: Places in its configuration.

    Attributes:
        indices: (k,) places in the configuration.
        lower: (k,) lower limits, -inf where there are none.
        upper: (k,) upper limits.
        wraps: (column, lower, upper) of each angle to which whole turns may be added.
        is_angular: (k,) which are angles.
        is_curved: Some belong to joints whose coordinates cannot simply be added.
        max_step: (k,) largest changes in one iteration that single joints ask for, or None.
        root_weights: (k,) square roots of the joints' weights, or None when all are 1.
    """

    def __init__(self, skeleton: Skeleton, indices: Iterable[int]) -> None:
        self.skeleton = skeleton
        self.version = skeleton.version
        self.indices = np.array(list(indices), dtype=np.intp)
        self.dofs: tuple[DegreeOfFreedom, ...] = tuple(skeleton.dofs[index] for index in self.indices)
        self.lower = np.array([dof.lower for dof in self.dofs])
        self.upper = np.array([dof.upper for dof in self.dofs])
        self.wraps = tuple((k, *dof.limits) for k, dof in enumerate(self.dofs) if dof.wraps)
        self.is_angular = np.array([dof.is_angular for dof in self.dofs], dtype=bool)
        #: Places in the configuration of those angles.
        self.turning: NDArray[np.intp] = self.indices[np.array([column for column, _, _ in self.wraps], dtype=np.intp)]
        self.is_curved = any(not dof.joint._is_additive for dof in self.dofs)
        self.is_curved_column = np.array([not dof.joint._is_additive for dof in self.dofs], dtype=bool)
        steps = np.array([math.inf if dof.max_step is None else dof.max_step for dof in self.dofs])
        self.max_step: Array | None = steps if np.isfinite(steps).any() else None
        weights = np.array([dof.weight for dof in self.dofs])
        self.root_weights: Array | None = np.sqrt(weights) if (weights != 1.0).any() else None
        self._draw_from, self._draw_span = self._drawing_range()
        self._states: list[State] = []
        self._obstacle: str | None = None
        #: What engines keep from call to call; it holds as long as this does.
        self.kept: dict[Any, list[Any]] = {}

    def __len__(self) -> int:
        return len(self.dofs)

    def _drawing_range(self) -> tuple[Array, Array]:
        """Lower ends and widths (k,) of what is drawn from: the limits, or a turn or 2 m where there are none.

        Limits so far away that they can only stand for none, as the largest number does, count as that.
        """
        half = np.where(self.is_angular, math.pi, 1.0)
        far = np.where(self.is_angular, MOST_TURNED, _FAR)
        has_lower, has_upper = np.abs(self.lower) <= far, np.abs(self.upper) <= far
        low = np.where(has_lower, self.lower, np.where(has_upper, self.upper - 2 * half, -half))
        high = np.where(has_upper, self.upper, low + 2 * half)
        return low, high - low

    def random(self, rng: np.random.Generator, q: Array) -> Array:
        """A uniformly random configuration (n,) inside the limits; what is not active is as in q (n,)."""
        if self.is_curved:
            return self.skeleton.random_positions(rng, self.indices, q)
        result = q.copy()
        result[self.indices] = self._draw_from + rng.random(len(self.dofs)) * self._draw_span
        return result

    def randomise(self, rng: np.random.Generator, rows: Array) -> None:
        """Makes of each row (n,) what `random` would make of it, one after another."""
        if self.is_curved:
            for row in rows:
                row[:] = self.random(rng, row)
        else:
            rows[:, self.indices] = self._draw_from + rng.random((len(rows), len(self.dofs))) * self._draw_span

    def inside(self, x: Array) -> Array:
        """Values (k,) moved inside the limits; angles by whole turns when that is enough."""
        result = x.copy()
        for column, lower, upper in self.wraps:
            if not lower <= result[column] <= upper:
                result[column] = nearest_equivalent(result[column], result[column], lower, upper)
        clamped: Array = np.minimum(np.maximum(result, self.lower), self.upper)
        return clamped

    def is_outside(self, q: Array) -> bool:
        """True when a value of q (n,) is outside its limits."""
        x = q[self.indices]
        return not ((x >= self.lower) & (x <= self.upper)).all()

    def warn_if_outside(self, q: Array, what: str) -> None:
        """Logs which values of q (n,) are outside the limits and will be moved inside."""
        if not self.is_outside(q):
            return
        x = q[self.indices]
        changed = [
            f"{dof.name!r} from {old:.4g} to {new:.4g}"
            for dof, old, new in zip(self.dofs, x, self.inside(x), strict=True)
            if old != new
        ]
        beyond = (x < self.lower) | (x > self.upper)
        odd = np.abs(x[self.is_angular & beyond]).max(initial=0.0) > _TURN
        hint = "; are these degrees? Angles are in radians" if odd else ""
        text = "%s of %r: outside the limits, moved inside: %s%s"
        _log.warning(text, what, self.skeleton.name, ", ".join(changed), hint)

    def nearest(self, x: Array, near: Array, respect_limits: bool = True) -> Array:
        """Values (k,) with angles moved by whole turns to where they are nearest to ``near`` (k,)."""
        result = x.copy()
        for column, lower, upper in self.wraps:
            if not respect_limits:
                lower, upper = -math.inf, math.inf
            turned = nearest_equivalent(result[column], near[column], lower, upper)
            if abs(turned) <= MOST_TURNED:
                result[column] = turned
        return result

    def obstacle_to_compiling(self) -> str:
        """What keeps kernels from moving these: a joint used in part, or one that follows a callable; else empty."""
        if self._obstacle is None:
            self._obstacle = self._find_obstacle()
        return self._obstacle

    def _find_obstacle(self) -> str:
        indices = self.indices.tolist()
        for joint in {dof.joint for dof in self.dofs}:
            own = [dof.index for dof in joint.dofs]
            first = indices.index(own[0]) if own[0] in indices else 0
            if indices[first : first + len(own)] != own:
                return f"joint {joint.name!r} is used in part"
        for dof in self.dofs:
            if dof.is_angular and (dof.lower > MOST_TURNED or dof.upper < -MOST_TURNED):
                return f"joint {dof.joint.name!r} turns by more than {MOST_TURNED:g} rad, where sines are not exact"
            if dof.is_angular and not dof.wraps and max(map(_size, dof.limits)) > MOST_TURNED:
                return f"joint {dof.joint.name!r} may turn by more than {MOST_TURNED:g} rad, where sines are not exact"
        if any(not joint.dependence.is_linear for joint in self.skeleton.joints if joint.dependence is not None):
            return "a joint depends on another through a callable"
        return ""

    def __getstate__(self) -> dict[str, Any]:
        """What is kept for the next call is not copied: it belongs to the arrays of this one."""
        return {**vars(self), "_states": [], "kept": {}}

    def borrow_state(self, q: Array) -> State:
        """A snapshot at q (n,) with these columns; give it back with `return_state`.

        Making one costs as much as several iterations. A list's pop and append are atomic, so two threads
        never get the same one.
        """
        try:
            state = self._states.pop()
        except IndexError:
            return self.skeleton.state(q, self.indices)
        state.set(q)
        return state

    def return_state(self, state: State) -> None:
        """Keeps a snapshot for the next time."""
        self._states.append(state)


def _size(limit: float) -> float:
    return abs(limit) if math.isfinite(limit) else 0.0


def dof_indices(skeleton: Skeleton, chosen: Iterable[str | int | DegreeOfFreedom | Joint]) -> list[int]:
    """Places in the configuration of degrees of freedom given by name, index or object.

    A joint means all of its own.

    Raises:
        UnknownNameError: Not in this skeleton.
    """
    result: list[int] = []
    for each in chosen:
        for index in _indices(skeleton, each):
            if index not in result:
                result.append(index)
    return result


def _indices(skeleton: Skeleton, each: str | int | DegreeOfFreedom | Joint) -> list[int]:
    if isinstance(each, str):
        for joint in skeleton.joints:
            if joint.name == each and joint.is_moving and not joint.is_dependent:
                return _indices(skeleton, joint)
        return _indices(skeleton, skeleton.dof(each))
    if isinstance(each, Joint):
        if each.skeleton is not skeleton:
            raise unknown_name(
                "joint", each.name, [joint.name for joint in skeleton.joints], f"skeleton {skeleton.name!r}"
            )
        return [index for dof in each.dofs for index in _indices(skeleton, dof)]
    if isinstance(each, DegreeOfFreedom):
        if each.joint.skeleton is not skeleton or each.index is None:
            raise unknown_name(
                "independent degree of freedom",
                each.name,
                [dof.name for dof in skeleton.dofs],
                f"skeleton {skeleton.name!r}",
            )
        return [each.index]
    if isinstance(each, (int, np.integer)) and 0 <= each < skeleton.num_dofs:
        return [int(each)]
    raise UnknownNameError(
        f"skeleton {skeleton.name!r} has degrees of freedom 0 to {skeleton.num_dofs - 1}, no {each!r}; names work too"
    )
