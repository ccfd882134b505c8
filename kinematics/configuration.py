"""Configurations of a skeleton: positions, names, limits, random draws, steps, wrapping and clamping."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .core.whole_turns import nearest_equivalent
from .degree_of_freedom import DegreeOfFreedom
from .errors import InvalidValueError, ShapeError, unknown_name
from .joints.joint import Joint
from .order import Order, moved
from .state import State
from .transforms import Array, as_vector, read_only


class ConfigurationSpace(ABC):
    """The part of a `Skeleton` that deals in configurations.

    A configuration has one number per independent degree of freedom (rad or m), in the order of `dofs`.
    """

    name: str
    _positions: Array
    _joints: dict[str, Joint]
    _pose_stamp: int

    @abstractmethod
    def _refresh_order(self) -> Order: ...

    @property
    def dofs(self) -> tuple[DegreeOfFreedom, ...]:
        """The independent degrees of freedom; ``q[i]`` belongs to ``dofs[i]``."""
        return self._refresh_order().dofs

    @property
    def num_dofs(self) -> int:
        """Length of a configuration."""
        return len(self.dofs)

    @property
    def positions(self) -> Array:
        """The present configuration (n,), a copy that cannot be written to: ``robot.positions.copy()`` can.

        Assign n numbers, or a mapping from joint or dof names; with a mapping the others stay.

        Raises:
            ShapeError: A wrong number of entries.
            InvalidValueError: nan or infinity.
            UnknownNameError: A name in the mapping that is not there.
        """
        self._refresh_order()
        return read_only(self._positions.copy())

    @positions.setter
    def positions(self, q: ArrayLike | Mapping[str, Any]) -> None:
        if q is None:
            raise InvalidValueError(f"positions of skeleton {self.name!r} must be numbers or a mapping, not None")
        values = self.as_configuration(q, name="positions")
        own = self.__dict__  # loops do this: past `Skeleton.__setattr__`
        own["_positions"] = values
        own["_pose_stamp"] += 1

    def as_configuration(
        self, q: ArrayLike | Mapping[str, Any] | State | None, base: ArrayLike | None = None, name: str = "q"
    ) -> Array:
        """A new array (n,) from numbers, or from a mapping of joint or dof names to values.

        Args:
            q: n numbers, a mapping, a `State` of this skeleton, or None for the base itself.
            base: What a mapping leaves out; the present positions when None.
            name: What to call the argument in an error.

        Raises:
            ShapeError: A wrong number of entries; the message names the degrees of freedom.
            InvalidValueError: nan, infinity, no number, a name whose joint has no value of its own, or the state of
                another skeleton.
            UnknownNameError: A name that is not there.
        """
        order = self._refresh_order()
        if q is not None and not isinstance(q, Mapping):
            if isinstance(q, State):
                q = self._configuration_of(q, name)
            try:
                return as_vector(q, len(order.dofs), name)
            except ShapeError as error:
                raise ShapeError(f"{error}; skeleton {self.name!r} has {_dof_names(order)}") from None
        result = self._positions.copy() if base is None else as_vector(base, len(order.dofs), f"base of {name}")
        for key, value in (q or {}).items():
            target = self._slice_of(order, key)
            result[target] = as_vector(np.atleast_1d(value), target.stop - target.start, f"{name}[{key!r}]")
        return result

    def _configuration_of(self, state: State, name: str) -> Array:
        if state.skeleton is not self:
            other = state.skeleton.name
            which = "another skeleton of that name" if other == self.name else f"skeleton {other!r}"
            raise InvalidValueError(f"{name} must be a state of skeleton {self.name!r}; it is one of {which}")
        return state.q

    @property
    def lower_limits(self) -> Array:
        """Lower limits (n,), to be read; -inf where there are none. Set them by `DegreeOfFreedom.limits`."""
        return read_only(np.array([dof.lower for dof in self.dofs]))

    @property
    def upper_limits(self) -> Array:
        """Upper limits (n,), to be read; inf where there are none. Set them by `DegreeOfFreedom.limits`."""
        return read_only(np.array([dof.upper for dof in self.dofs]))

    @property
    def velocity_limits(self) -> Array:
        """Velocity limits (n,), to be read; inf where none. Set them by `DegreeOfFreedom.velocity_limit`."""
        return read_only(np.array([dof.velocity_limit for dof in self.dofs]))

    @property
    def rest_positions(self) -> Array:
        """Rest positions (n,), to be read. Set them by `DegreeOfFreedom.rest`."""
        return read_only(np.array([dof.rest for dof in self.dofs]))

    def random_positions(
        self,
        rng: np.random.Generator | int = 0,
        dofs: Iterable[int] | None = None,
        base: ArrayLike | None = None,
    ) -> Array:
        """A uniformly random configuration (n,) inside the limits.

        Unlimited angles are drawn from [-pi, pi], unlimited distances from one metre each way, unlimited
        rotations uniformly.

        Args:
            rng: A generator, or a seed; the same seed gives the same configuration.
            dofs: Indices to draw; the others keep their value in ``base``. All when None.
            base: Values of the rest; the present positions when None.

        Raises:
            InvalidValueError: Indices that are of no degree of freedom.
        """
        generator = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
        result = self.as_configuration(base, name="base")
        wanted = None if dofs is None else {int(index) for index in dofs}
        if wanted and not (min(wanted) >= 0 and max(wanted) < self.num_dofs):
            raise InvalidValueError(f"dofs must be between 0 and {self.num_dofs - 1}, not {sorted(wanted)}")
        for joint, where in self._refresh_order().slices:
            if wanted is None:
                result[where] = joint._random(generator)
                continue
            chosen = sorted(wanted.intersection(range(where.start, where.stop)))
            if chosen:
                drawn = joint._random(generator)
                result[chosen] = drawn[[index - where.start for index in chosen]]
        return result

    def integrate(self, q: ArrayLike, velocity: ArrayLike) -> Array:
        """The configuration (n,) after moving from q with joint velocities (n,) for one unit of time.

        Args:
            q: Where it begins (n,).
            velocity: Joint velocities (n,) in rad/s and m/s.
        """
        start = as_vector(q, self.num_dofs, "q")
        return moved(self._refresh_order(), start, as_vector(velocity, self.num_dofs, "velocity"))

    def difference(self, start: ArrayLike, end: ArrayLike) -> Array:
        """Joint velocities (n,) that lead from one configuration to another in one unit of time.

        Args:
            start: Where it begins (n,).
            end: Where it ends (n,).
        """
        first = as_vector(start, self.num_dofs, "start")
        last = as_vector(end, self.num_dofs, "end")
        result: Array = last - first
        for joint, where in self._refresh_order().curved:
            result[where] = joint._difference(first[where], last[where])
        return result

    def wrap(self, q: ArrayLike, near: ArrayLike | None = None) -> Array:
        """The same pose with every periodic angle moved by whole turns to the value nearest to ``near``.

        Only values inside the limits are chosen from; an angle without any such value is left as it is.

        Args:
            q: Configuration (n,).
            near: Configuration (n,) to be near to; the present positions when None.
        """
        result = as_vector(q, self.num_dofs, "q")
        reference = self.as_configuration(near, name="near")
        dofs = self.dofs
        for index in self._refresh_order().wraps:
            result[index] = nearest_equivalent(result[index], reference[index], *dofs[index].limits)
        return result

    def clamp(self, q: ArrayLike) -> Array:
        """The configuration (n,) with every value moved inside its limits; periodic angles wrap first."""
        result = as_vector(q, self.num_dofs, "q")
        dofs = self.dofs
        for index in self._refresh_order().wraps:
            lower, upper = dofs[index].limits
            if not lower <= result[index] <= upper:
                result[index] = nearest_equivalent(result[index], result[index], lower, upper)
        clamped: Array = np.minimum(np.maximum(result, self.lower_limits), self.upper_limits)
        return clamped

    def _slice_of(self, order: Order, key: str) -> slice:
        for joint, where in order.slices:
            if joint.name == key:
                return where
        for index, dof in enumerate(order.dofs):
            if dof.name == key:
                return slice(index, index + 1)
        named = self._joints.get(key)
        if named is None:
            names = [joint.name for joint, _ in order.slices] + [dof.name for dof in order.dofs]
            raise unknown_name("joint or degree of freedom", key, dict.fromkeys(names), f"skeleton {self.name!r}")
        if named.dependence is not None:
            raise InvalidValueError(
                f"joint {key!r} depends on joint {named.dependence.master.name!r}; give that one's value"
            )
        raise InvalidValueError(f"joint {key!r} is fixed and has no value")

    def _dof_position(self, dof: DegreeOfFreedom) -> float:
        """The present value of a degree of freedom; follows dependences."""
        self._refresh_order()
        if dof._slot is not None:
            return float(self._positions[dof._slot])
        dependence = dof.joint.dependence
        assert dependence is not None
        return dependence.position(self._dof_position(dependence.master.dofs[0]))

    def _set_dof_position(self, dof: DegreeOfFreedom, value: float) -> None:
        self._refresh_order()
        assert dof._slot is not None
        self._positions[dof._slot] = value
        self.__dict__["_pose_stamp"] += 1  # loops do this, see `positions`


def _dof_names(order: Order) -> str:
    names = [dof.name for dof in order.dofs]
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"{len(names)} degrees of freedom: {shown}"
