"""`Joint`: what connects a link to its parent; base class of all kinds."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pinocchio as pin

from ..degree_of_freedom import DegreeOfFreedom
from ..dependence import Dependence
from ..errors import DependencyCycleError, InvalidValueError, StructureError
from ..known_attributes import KnownAttributes
from ..transforms import Array, PoseLike, as_pose, as_vector, read_only

if TYPE_CHECKING:
    from ..link import Link
    from ..skeleton import Skeleton


class Joint(KnownAttributes, ABC):
    """Moves a child link relative to its parent link.

    The pose of the child in the parent is ``placement * transform(q) * child_placement^-1``: the joint frame
    sits at `placement` in the parent link and at `child_placement` in the child link.

    Args:
        name: Unique in the skeleton.

    Raises:
        InvalidValueError: A name that is none.
    """

    #: Name of the kind, for tables.
    kind: ClassVar[str] = "joint"
    #: True when a full turn of the coordinate changes nothing.
    _is_periodic: ClassVar[bool] = False

    dofs: tuple[DegreeOfFreedom, ...]

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"a joint's name must be a non-empty string, not {name!r}")
        self._name = name
        self._placement = pin.SE3.Identity()
        self._child_placement = pin.SE3.Identity()
        self._parent_link: Link | None = None
        self._child_link: Link | None = None
        self._dependence: Dependence | None = None
        self._dependents: list[Joint] = []
        self.dofs = ()

    # What a kind of joint has to say about itself.

    @abstractmethod
    def transform(self, q: Array) -> pin.SE3:
        """Motion of the joint frame for coordinates (num_dofs,), as a new pose."""

    @abstractmethod
    def _pinocchio_joint(self) -> pin.JointModel | None:
        """The joint of Pinocchio that moves the same way; None for a fixed joint."""

    def _alignment(self) -> pin.SE3 | None:
        """Rotation A with ``transform(q) = A * pinocchio_transform(q) * A^-1``; None for the identity."""
        return None

    def _to_pinocchio(self, q: Array) -> Array:
        return q

    def _from_pinocchio(self, q: Array) -> Array:
        return q

    #: True when moving by a velocity for one unit of time is adding it to the coordinates.
    _is_additive: ClassVar[bool] = True

    def _integrate(self, q: Array, velocity: Array) -> Array:
        """Coordinates after moving from q with a constant joint velocity for one unit of time."""
        return q + velocity

    def _difference(self, start: Array, end: Array) -> Array:
        """The joint velocity that leads from one configuration to the other in one unit of time."""
        return end - start

    def _random(self, rng: np.random.Generator) -> Array:
        """A uniformly random configuration (num_dofs,) inside the limits."""
        return np.array([_uniform(dof, rng) for dof in self.dofs])

    # The same for all.

    @property
    def name(self) -> str:
        """The joint's name."""
        return self._name

    @property
    def num_dofs(self) -> int:
        """Number of coordinates."""
        return len(self.dofs)

    @property
    def is_moving(self) -> bool:
        """False for a fixed joint."""
        return bool(self.dofs)

    @property
    def placement(self) -> pin.SE3:
        """Pose of the joint frame in the parent link (a copy; assign to change)."""
        return pin.SE3(self._placement)

    @placement.setter
    def placement(self, value: PoseLike) -> None:
        self._placement = as_pose(value, f"placement of joint {self._name!r}")
        self._structure_changed()

    @property
    def child_placement(self) -> pin.SE3:
        """Pose of the joint frame in the child link (a copy; assign to change)."""
        return pin.SE3(self._child_placement)

    @child_placement.setter
    def child_placement(self, value: PoseLike) -> None:
        self._child_placement = as_pose(value, f"child placement of joint {self._name!r}")
        self._structure_changed()

    @property
    def parent_link(self) -> Link | None:
        """The link that the joint hangs on; None for the root's joint and outside a skeleton."""
        return self._parent_link

    @property
    def child_link(self) -> Link | None:
        """The link that the joint moves; None outside a skeleton."""
        return self._child_link

    @property
    def skeleton(self) -> Skeleton | None:
        """The skeleton that the joint is part of."""
        return None if self._child_link is None else self._child_link.skeleton

    @property
    def positions(self) -> Array:
        """The present coordinates (num_dofs,), to be read; assign to those of its `dofs` or of the skeleton."""
        return read_only(np.array([dof.position for dof in self.dofs]))

    def relative_transform(self, q: Array | None = None) -> pin.SE3:
        """Pose of the child link in the parent link, at the present positions or at q (num_dofs,)."""
        motion = self.transform(self.positions if q is None else q)
        return self._placement * motion * self._child_placement.inverse()

    @property
    def dependence(self) -> Dependence | None:
        """How this joint follows another one; None for an independent joint."""
        return self._dependence

    @property
    def is_dependent(self) -> bool:
        """True when another joint decides this one's position."""
        return self._dependence is not None

    @property
    def dependents(self) -> tuple[Joint, ...]:
        """The joints that depend directly on this one."""
        return tuple(self._dependents)

    def depend_on(
        self,
        master: Joint,
        multiplier: float = 1.0,
        offset: float = 0.0,
        function: Callable[[float], float] | None = None,
        derivative: Callable[[float], float] | None = None,
    ) -> None:
        """Makes this joint follow another: ``multiplier * master + offset``, or ``function(master)``.

        Both joints need exactly one degree of freedom. The master may depend on a third joint in turn.

        Args:
            master: The joint that decides.
            multiplier: Slope of the linear form.
            offset: Constant of the linear form (rad or m).
            function: Replaces the linear form; takes and gives a position.
            derivative: Of ``function``; central differences when None.

        Raises:
            DependencyCycleError: The master depends on this joint already.
            StructureError: A joint of other than one degree of freedom, or of another skeleton.
            InvalidValueError: A master that is no joint, a multiplier or offset that is not finite, a
                function that is not callable.
        """
        if not isinstance(master, Joint):
            raise InvalidValueError(f"the master of joint {self._name!r} must be a Joint, not {master!r}")
        for joint in (self, master):
            if joint.num_dofs != 1:
                raise StructureError(
                    f"joint {self._name!r} cannot depend on {master._name!r}: {joint._name!r} has "
                    f"{joint.num_dofs} degrees of freedom, and both need exactly one"
                )
        if self.skeleton is not master.skeleton:
            raise StructureError(f"joint {self._name!r} and its master {master._name!r} must be of one skeleton")
        factor, constant = as_vector((multiplier, offset), 2, f"(multiplier, offset) of joint {self._name!r}")
        for what, each in (("function", function), ("derivative", derivative)):
            if each is not None and not callable(each):
                raise InvalidValueError(f"the {what} of joint {self._name!r} must be callable, not {each!r}")
        path = [self._name]
        upward: Joint | None = master
        while upward is not None:
            path.append(upward._name)
            if upward is self:
                raise DependencyCycleError("joints would depend on each other in a circle: " + " -> ".join(path))
            upward = None if upward._dependence is None else upward._dependence.master
        dependence = Dependence(master, float(factor), float(constant), function, derivative)
        self._drop_dependence()
        self._dependence = dependence
        master._dependents.append(self)
        self._structure_changed()

    def make_independent(self) -> None:
        """Gives the joint degrees of freedom of its own again, at its present position."""
        if self._dependence is None:
            return
        value = self.dofs[0].position
        self._drop_dependence()
        self._structure_changed()
        self.dofs[0].position = value

    def _drop_dependence(self) -> None:
        if self._dependence is not None:
            self._dependence.master._dependents.remove(self)
            self._dependence = None

    def _structure_changed(self) -> None:
        if self.skeleton is not None:
            self.skeleton._structure_changed()

    def _copy_detached(self) -> Joint:
        """A joint of the same kind, limits and placements, outside any skeleton and independent."""
        twin = copy.copy(self)
        twin._parent_link = twin._child_link = None
        twin._dependence = None
        twin._dependents = []
        twin.dofs = tuple(copy.copy(dof) for dof in self.dofs)
        for dof, original in zip(twin.dofs, self.dofs, strict=True):
            dof._value = original.position
            dof._joint = twin
            dof._slot = None
        return twin

    def __repr__(self) -> str:
        ends = ""
        if self._child_link is not None:
            parent = "world" if self._parent_link is None else self._parent_link.name
            ends = f" {parent!r} -> {self._child_link.name!r}"
        return f"<{type(self).__name__} {self._name!r}{ends}>"


def _uniform(dof: DegreeOfFreedom, rng: np.random.Generator) -> float:
    """Uniform inside the limits; a missing one is replaced so that the range is a turn, or one metre each way."""
    lower, upper = dof.limits
    half = np.pi if dof.is_angular else 1.0
    if np.isinf(lower) and np.isinf(upper):
        lower, upper = -half, half
    elif np.isinf(lower):
        lower = upper - 2.0 * half
    elif np.isinf(upper):
        upper = lower + 2.0 * half
    return float(rng.uniform(lower, upper))
