"""How far joints may go from the seed: `as_joint_change` reads it, `NearbyDofs` are limits narrowed by it."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kinematics import InvalidValueError, ShapeError, Skeleton
from ..kinematics.core.whole_turns import MOST_TURNED
from ..kinematics.transforms import Array
from .active_dofs import ActiveDofs, dof_indices
from .request import Request

#: One number (rad or m) for all, numbers (n,), or a mapping from names of joints or dofs.
JointChange = float | ArrayLike | Mapping[str, Any]

_NAME = "max_joint_change"
#: Joints that a report names.
_NAMED = 3


def as_joint_change(value: JointChange | None, skeleton: Skeleton) -> Array | None:
    """How far each coordinate may be from the seed (n,), infinite where it does not matter; None for None.

    Args:
        value: See `JointChange`. A mapping limits what it names; a number for a joint holds for all its coordinates.
        skeleton: The robot.

    Raises:
        InvalidValueError: A negative number, nan, or something that is no number.
        ShapeError: A wrong number of entries.
        UnknownNameError: A name that is not there.
    """
    if value is None:
        return None
    size = skeleton.num_dofs
    if not isinstance(value, Mapping):
        given = _numbers(_NAME, value)
        if given.ndim and given.shape != (size,):
            raise ShapeError(
                f"{_NAME} has shape {given.shape}; give one number, ({size},) for the degrees of freedom of "
                f"{skeleton.name!r}, or a mapping from names"
            )
        return given + np.zeros(size)
    change = np.full(size, math.inf)
    for name, each in value.items():
        places, given = dof_indices(skeleton, [name]), _numbers(f"{_NAME}[{name!r}]", each)
        if given.ndim and given.shape != (len(places),):
            raise ShapeError(f"{_NAME}[{name!r}] has shape {given.shape}; give one number or ({len(places)},)")
        change[places] = given
    return change


def _numbers(name: str, value: Any) -> Array:
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "fiu" or isinstance(value, np.ma.MaskedArray):
            raise TypeError
        numbers = given.astype(float)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{name} must be numbers (rad or m), not {value!r}") from None
    if not (numbers >= 0.0).all():
        raise InvalidValueError(f"{name} must be zero or more (rad or m), and not nan; it is {value!r}")
    return numbers


class NearbyDofs(ActiveDofs):
    """`ActiveDofs` whose limits are narrowed to what is near a configuration.

    Where an angle may take whole turns this still counts the way that the joint really goes: a turn further is not
    near.

    Args:
        whole: What is narrowed.
        near: Configuration (n,).
        change: (n,) how far each may be from it; infinite for not narrowed.
        respect_limits: Whether the limits of ``whole`` count as well.

    Attributes:
        whole: What was narrowed.
        near: (k,) values that these are near.
        change: (k,) how far they may be.
        is_empty: No value is both near and inside the limits.
    """

    def __init__(self, whole: ActiveDofs, near: Array, change: Array, respect_limits: bool = True) -> None:
        # All else is the same, the snapshots that are kept for the next call included.
        self.__dict__.update(whole.__dict__)
        self.whole = whole
        self.near, self.change = near[whole.indices], change[whole.indices]
        self.lower, self.upper = self.near - self.change, self.near + self.change
        if respect_limits:
            self.lower, self.upper = np.maximum(self.lower, whole.lower), np.minimum(self.upper, whole.upper)
        self.is_empty = bool((self.lower > self.upper).any())
        self.wraps = tuple((k, float(self.lower[k]), float(self.upper[k])) for k, _, _ in whole.wraps)
        self._narrowed = self.change < math.inf
        self._draw_from = np.where(self._narrowed, self.lower, whole._draw_from)
        self._draw_span = np.where(self._narrowed, self.upper - self._draw_from, whole._draw_span)

    def random(self, rng: np.random.Generator, q: Array) -> Array:
        """See `ActiveDofs`. A rotation of several coordinates is drawn coordinate by coordinate."""
        if not self.is_curved:
            return super().random(rng, q)
        result = self.whole.random(rng, q)
        drawn = self._draw_from + rng.random(len(self.dofs)) * self._draw_span
        result[self.indices[self._narrowed]] = drawn[self._narrowed]
        return result

    def too_far(self, x: Array) -> str:
        """The joints whose values (k,) are too far from the seed, the worst one first, in words."""
        away = np.abs(x - self.near)
        beyond = away - self.change
        parts: list[str] = []
        for column in np.argsort(-beyond)[:_NAMED]:
            if beyond[column] > 0.0:
                dof = self.dofs[column]
                unit = "rad" if dof.is_angular else "m"
                limit = self.change[column]
                parts.append(f"{dof.name!r} {away[column]:.3g} {unit} from the seed, limit {limit:.3g}")
        return ", ".join(parts)

    def beyond_reach(self) -> str:
        """The joints of which no value is both near and inside the limits, in words."""
        inside = np.minimum(np.maximum(self.near, self.whole.lower), self.whole.upper)
        return self.too_far(inside)

    @property
    def turns_far(self) -> NDArray[np.bool_]:
        """(k,) which angles are so many turns away that kernels are not exact there."""
        far: NDArray[np.bool_] = self._narrowed & self.is_angular & (np.maximum(-self.lower, self.upper) > MOST_TURNED)
        return far

    def obstacle_to_compiling(self) -> str:
        """See `ActiveDofs`."""
        for column in np.flatnonzero(self.turns_far):
            name = self.dofs[column].joint.name
            return f"joint {name!r} is turned by more than {MOST_TURNED:g} rad, where sines are not exact"
        return super().obstacle_to_compiling()


def change_in_the_way(request: Request, q: Array) -> str:
    """Which joints are further from the seed than they may be at what reaches the target; empty when none is.

    Args:
        request: A confined one.
        q: (n,) configuration that reaches the target.
    """
    active, wide = request.active, request.wide
    if wide is None or not isinstance(active, NearbyDofs):
        return ""
    x = wide.active.nearest(q[active.indices], active.near, wide.problem.respect_limits)
    said = active.too_far(x)
    return f"reached only with {said}" if said else ""


def confined(request: Request, change: Array | None, near: Array | None = None) -> Request:
    """The request with its limits narrowed to what is within a change of a configuration.

    Args:
        request: What is narrowed; given back as it is when there is no change.
        change: (n,) rad or m.
        near: (n,); the seed of the request when None.
    """
    if change is None:
        return request
    problem = request.problem
    narrowed = copy.copy(request)
    narrowed.active = NearbyDofs(request.active, request.seed if near is None else near, change, problem.respect_limits)
    if not problem.respect_limits:
        narrowed.problem = problem.replaced(respect_limits=True)
    narrowed.wide = request
    return narrowed
