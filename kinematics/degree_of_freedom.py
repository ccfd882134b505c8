"""`DegreeOfFreedom`: one number of a configuration, with its limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .errors import InvalidValueError, StructureError

if TYPE_CHECKING:
    from .joints.joint import Joint


class DegreeOfFreedom:
    """One coordinate of a joint.

    Radians for angular coordinates, metres for linear ones. Changing a limit, a velocity limit or a rest
    position is seen at once by everything that uses the skeleton.

    Args:
        name: Unique in the skeleton.
        joint: What it is a coordinate of.
        is_angular: In radians, not in metres.
        limits: Lower and upper limit (rad or m); none when None.
        velocity_limit: In rad/s or m/s.
        effort_limit: In Nm or N.
        rest: Where it rests (rad or m); zero, or the nearest value inside the limits, when None.
        weight: See `weight`.
        max_step: See `max_step` (rad or m).
    """

    __slots__ = ("_effort_limit", "_joint", "_lower", "_max_step", "_name", "_rest", "_slot", "_upper", "_value",
                 "_velocity_limit", "_weight", "is_angular")  # fmt: skip

    def __init__(
        self,
        name: str,
        joint: Joint,
        *,
        is_angular: bool,
        limits: tuple[float, float] | None = None,
        velocity_limit: float = math.inf,
        effort_limit: float = math.inf,
        rest: float | None = None,
        weight: float = 1.0,
        max_step: float | None = None,
    ) -> None:
        self._name = name
        self._joint = joint
        self.is_angular = is_angular
        self._slot: int | None = None
        self._lower, self._upper = _checked_limits(name, limits)
        self._velocity_limit = _non_negative(name, "velocity limit", velocity_limit)
        self._effort_limit = _non_negative(name, "effort limit", effort_limit)
        self._weight = _non_negative(name, "weight", weight)
        self._max_step = None if max_step is None else _non_negative(name, "maximum step", max_step)
        self._rest = None if rest is None else _finite(name, "rest position", rest)
        self._value = self.rest

    @property
    def name(self) -> str:
        """Unique in the skeleton: the joint's name, with a suffix for joints of several coordinates."""
        return self._name

    @property
    def joint(self) -> Joint:
        """The joint that this coordinate belongs to."""
        return self._joint

    @property
    def index(self) -> int | None:
        """Place in the skeleton's configuration; None for a dependent joint or one outside a skeleton."""
        skeleton = self._joint.skeleton
        if skeleton is None:
            return None
        skeleton._refresh_order()
        return self._slot

    @property
    def position(self) -> float:
        """The present value (rad or m). Assigning moves the skeleton; limits are not enforced here.

        Raises:
            StructureError: Assigned to a dependent joint, whose master decides.
        """
        skeleton = self._joint.skeleton
        if skeleton is None:
            return self._value
        return skeleton._dof_position(self)

    @position.setter
    def position(self, value: float) -> None:
        value = _finite(self._name, "position", value)
        if self._joint.dependence is not None:
            master = self._joint.dependence.master.name
            raise StructureError(f"{self._name!r} depends on joint {master!r}; set that one's position instead")
        skeleton = self._joint.skeleton
        if skeleton is None:
            self._value = value
        else:
            skeleton._set_dof_position(self, value)

    @property
    def lower(self) -> float:
        """Lower limit (rad or m); -inf when there is none."""
        return self._lower

    @property
    def upper(self) -> float:
        """Upper limit (rad or m); inf when there is none."""
        return self._upper

    @property
    def limits(self) -> tuple[float, float]:
        """(lower, upper). Assign a pair to change both, None for no limits."""
        return self._lower, self._upper

    @limits.setter
    def limits(self, limits: tuple[float, float] | None) -> None:
        self._lower, self._upper = _checked_limits(self._name, limits)
        self._changed()

    @property
    def is_limited(self) -> bool:
        """True when at least one limit is finite."""
        return math.isfinite(self._lower) or math.isfinite(self._upper)

    @property
    def velocity_limit(self) -> float:
        """Largest speed (rad/s or m/s); inf when there is none."""
        return self._velocity_limit

    @velocity_limit.setter
    def velocity_limit(self, value: float) -> None:
        self._velocity_limit = _non_negative(self._name, "velocity limit", value)
        self._changed()

    @property
    def effort_limit(self) -> float:
        """Largest torque or force (N m or N); inf when there is none."""
        return self._effort_limit

    @effort_limit.setter
    def effort_limit(self, value: float) -> None:
        self._effort_limit = _non_negative(self._name, "effort limit", value)
        self._changed()

    @property
    def rest(self) -> float:
        """Rest position (rad or m): what was given, else zero or the nearest value inside the limits."""
        if self._rest is not None:
            return self._rest
        return min(max(0.0, self._lower), self._upper)

    @rest.setter
    def rest(self, value: float | None) -> None:
        self._rest = None if value is None else _finite(self._name, "rest position", value)
        self._changed()

    @property
    def weight(self) -> float:
        """A factor: how readily solvers that weigh joints use this one (1 is normal, 0 never)."""
        return self._weight

    @weight.setter
    def weight(self, value: float) -> None:
        self._weight = _non_negative(self._name, "weight", value)
        self._changed()

    @property
    def max_step(self) -> float | None:
        """Largest change (rad or m) in one iteration of a solver that honours it; None for no bound of its own."""
        return self._max_step

    @max_step.setter
    def max_step(self, value: float | None) -> None:
        self._max_step = None if value is None else _non_negative(self._name, "maximum step", value)
        self._changed()

    @property
    def wraps(self) -> bool:
        """True when adding a full turn changes no pose: a revolute joint that no other joint depends on."""
        return self._joint._is_periodic and self._joint.dependence is None and not self._joint.dependents

    def _changed(self) -> None:
        if self._joint.skeleton is not None:
            self._joint.skeleton._properties_changed()

    def __repr__(self) -> str:
        unit = "rad" if self.is_angular else "m"
        bounds = f"[{self._lower:.4g}, {self._upper:.4g}] {unit}" if self.is_limited else f"unlimited, {unit}"
        return f"<DegreeOfFreedom {self._name!r} = {self.position:.4g}, {bounds}>"


def _checked_limits(name: str, limits: tuple[float, float] | None) -> tuple[float, float]:
    if limits is None:
        return -math.inf, math.inf
    try:
        lower, upper = (float(each) for each in limits)
    except (TypeError, ValueError, OverflowError):
        raise InvalidValueError(f"limits of {name!r} must be a pair (lower, upper), not {limits!r}") from None
    if math.isnan(lower) or math.isnan(upper) or lower > upper or lower == math.inf or upper == -math.inf:
        raise InvalidValueError(f"limits of {name!r} must satisfy lower <= upper, not ({lower}, {upper})")
    return lower, upper


def _non_negative(name: str, what: str, value: float) -> float:
    number = _number(name, what, value)
    if not number >= 0.0:
        raise InvalidValueError(f"{what} of {name!r} must be zero or more, not {value}")
    return number


def _finite(name: str, what: str, value: float) -> float:
    number = _number(name, what, value)
    if not math.isfinite(number):
        raise InvalidValueError(f"{what} of {name!r} must be finite, not {value}")
    return number


def _number(name: str, what: str, value: Any) -> float:
    try:
        if isinstance(value, str):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidValueError(f"{what} of {name!r} must be a number, not {value!r}") from None
