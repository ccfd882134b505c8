"""`IkTarget`: the base of the targets that leave something open, one class for each type of IKFast."""

from __future__ import annotations

import copy
import math
from typing import Any, ClassVar, Self

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import (
    Frame,
    InvalidPoseError,
    InvalidValueError,
    Link,
    PoseLike,
    State,
    World,
    as_axis,
    as_pose,
    as_vector,
)
from ...kinematics.transforms import Array
from ..compiled.target_layout import (
    ANY_TURN,
    ANYWHERE,
    AT_POINT,
    FIRST_WITH_DIRECTION,
    LOOK_AT,
    PLACE_ROWS,
    POSE_ROTATION,
    TURN_ROWS,
)
from ..far_targets import FURTHEST
from ..tasks.error_method import ErrorMethod
from ..tasks.relative_pose import Mount, RelativePose
from .ik_type import IkType
from .packed_values import PackedValue, Place
from .place_rows import place_rows
from .tool_motion import ToolMotion
from .turn_rows import turn_rows
from .value_text import value_text

#: A direction as it may be given: ``"x"``, ``"-z"`` ... or three numbers of any length but zero.
Direction = ArrayLike


class IkTarget(ErrorMethod):
    """What a frame is to reach, as little of it as a task needs. Immutable.

    Give one to `InverseKinematics.solve`, or make it the module's `error_method`; then poses may be given as
    targets too, and stand for what `from_pose` makes of them.

    Values are those of the world, or of a reference frame. The tool is the frame of the module, its point the
    frame's origin or the module's `offset`, its direction the frame's z unless another one is given. Errors are
    true distances and angles, the rows of places before those of turns.

    Attributes:
        ik_type: The type of IKFast.
        tool_axis: The tool's direction when none is given.
        values: What such a target is made of, in the constructor's order.
        place: What is asked of the tool's point, see `target_layout`.
        turn: What is asked of its axes.
        axis: The axis of the reference that an angle is counted from.
    """

    ik_type: ClassVar[IkType] = IkType.UNKNOWN
    tool_axis: ClassVar[str] = "z"
    values: ClassVar[tuple[PackedValue[Any], ...]] = ()
    place: ClassVar[int] = ANYWHERE
    turn: ClassVar[int] = ANY_TURN
    axis: ClassVar[int] = 0

    _goal: Array
    _tool_direction: Array
    _reference: Frame | None
    _relative: RelativePose | None = None

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        own = tuple(value for value in vars(cls).values() if isinstance(value, PackedValue))
        cls.values = own or cls.values

    def _set(self, tool_direction: Direction | None, reference: Frame | None, *values: Any) -> None:
        """Checks and keeps what the constructor of a kind of target was given."""
        if reference is not None and not isinstance(reference, Frame):
            raise InvalidValueError(f"reference must be a frame, or None for the world, not {reference!r}")
        axis: Any = self.tool_axis if tool_direction is None else tool_direction
        self._tool_direction = as_axis(axis, "tool_direction")
        self._reference = reference
        self._goal = self._packed(values)

    @classmethod
    def _packed(cls, values: Any) -> Array:
        # Kernels of poses take places as well, and look whether the rest is a rotation.
        goal = np.zeros((4, 4)) if cls._has_numbers() else np.eye(4)
        goal[3, 3] = 1.0
        for value, given in zip(cls.values, values, strict=True):
            value.write(goal, given)
        if np.abs(goal).max() > FURTHEST:
            raise InvalidPoseError(f"{cls.__name__} is further away than the {FURTHEST:g} m that distances go to")
        return goal

    # Made from something else.

    @classmethod
    def from_pose(
        cls, pose: PoseLike, direction: Direction | None = None, *, reference: Frame | None = None, **options: Any
    ) -> Self:
        """The target that a tool at a pose fulfils.

        Args:
            pose: Of the tool, in the reference.
            direction: The tool's direction, in the tool; the usual one when None.
            reference: What the pose is relative to; the world when None.
            options: What some kinds of targets take besides, see there.

        Raises:
            InvalidPoseError: No pose.
            InvalidValueError: The pose fulfils no target of this kind, see there.
        """
        axis = as_axis(cls.tool_axis if direction is None else direction, "direction")
        return cls(*cls._values_at(as_pose(pose), axis, **options), **cls._options(axis, reference))

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        """The values of the target that a pose fulfils, for a unit direction (3,) of the tool."""
        raise NotImplementedError(f"{cls.__name__} is no kind of target itself; use a subclass such as Ray4D")

    @classmethod
    def from_ikfast(
        cls,
        eetrans: ArrayLike | None,
        eerot: ArrayLike | None = None,
        *,
        reference: Frame | None = None,
        tool_direction: Direction | None = None,
    ) -> Self:
        """The target that IKFast packs into a translation and nine numbers; the inverse of `pack`.

        Args:
            eetrans: (3,); None where the kind has no place.
            eerot: (9,); None where the kind has no turn.
            reference: The link that generated code takes for the base; the world when None.
            tool_direction: The one that the code was generated for.

        Raises:
            ShapeError: Another number of values.
            InvalidValueError: Values that are not finite, or make no such target.
        """
        raw = np.eye(4)
        if eetrans is not None:
            raw[:3, 3] = as_vector(eetrans, 3, "eetrans")
        elif cls.has_place() or cls.turn == LOOK_AT:
            raise InvalidValueError(f"{cls.__name__} needs eetrans, which is None")
        if eerot is not None:
            raw[:3, :3] = as_vector(eerot, 9, "eerot").reshape(3, 3)
        elif cls._has_numbers():
            raise InvalidValueError(f"{cls.__name__} needs eerot, which is None")
        return cls(*(value.read(raw) for value in cls.values), **cls._options(tool_direction, reference))

    @classmethod
    def unpack(cls, eetrans: ArrayLike | None, eerot: ArrayLike | None = None, **options: Any) -> Self:
        """The same as `from_ikfast`.

        Args:
            eetrans: (3,), see there.
            eerot: (9,), see there.
            options: See there.
        """
        return cls.from_ikfast(eetrans, eerot, **options)

    @classmethod
    def _options(cls, tool_direction: Any, reference: Frame | None) -> dict[str, Any]:
        """Keywords of the constructor."""
        return {"reference": reference, **({"tool_direction": tool_direction} if cls.has_tool_direction() else {})}

    @classmethod
    def has_place(cls) -> bool:
        """Whether anything is asked of the tool's place."""
        return cls.place != ANYWHERE

    @classmethod
    def has_turn(cls) -> bool:
        """Whether anything is asked of the tool's axes."""
        return cls.turn != ANY_TURN

    @classmethod
    def has_tool_direction(cls) -> bool:
        """Whether the tool's direction means anything for this kind."""
        return cls.turn >= FIRST_WITH_DIRECTION

    def pack(self) -> tuple[Array, Array | None]:
        """Translation (3,) and nine numbers (9,) as IKFast's ``ComputeIk`` takes them; None for nine without use."""
        return self._goal[:3, 3].copy(), self._goal[:3, :3].ravel().copy() if self._has_numbers() else None

    @classmethod
    def _has_numbers(cls) -> bool:
        """Whether the nine numbers say anything."""
        return any(not isinstance(value, Place) for value in cls.values)

    # What it is.

    @property
    def tool_direction(self) -> Array:
        """The tool's direction, of unit length (3,), in the tool."""
        return self._tool_direction.copy()

    @property
    def reference(self) -> Frame | None:
        """The frame that the values are given in; None for the world."""
        return self._reference

    @property
    def goal(self) -> Array:
        """The values as they are packed, (4, 4), see `packed_values`; a copy."""
        return self._goal.copy()

    @property
    def rows(self) -> int:
        """Length of the error."""
        return PLACE_ROWS[self.place] + TURN_ROWS[self.turn]

    @property
    def num_coordinates(self) -> int:
        """How many numbers alone may stand for such a target; 0 for none."""
        own = self.values[0]
        return own.size if len(self.values) == 1 and isinstance(own, Place) else 0

    # Others of the same kind.

    def has_tool_of(self, other: IkTarget) -> bool:
        """Whether another target is of the same class, for the same direction of the tool and the same reference."""
        return (
            type(self) is type(other)
            and self._reference is other._reference
            and bool((self._tool_direction == other._tool_direction).all())
        )

    def with_goal(self, goal: Array) -> Self:
        """The same for other packed values (4, 4), which are not checked."""
        twin = self.clone()
        twin._goal = np.array(goal)
        return twin

    def goal_of(self, target: Any, name: str = "target") -> Array:
        """Packed values (4, 4) of another target of this kind.

        Args:
            target: One of the same class for the same tool and reference; where the values are a point alone, its
                coordinates; else a pose in the reference, or a frame as it stands now, for what `from_pose` makes of
                it.
            name: What to call it in an error.

        Raises:
            InvalidValueError: A target for another tool or reference.
        """
        if isinstance(target, IkTarget):
            if not self.has_tool_of(target):
                raise InvalidValueError(
                    f"{name} is {target!r}; all targets of a call have to be of one class, here {type(self).__name__}, "
                    "for one tool direction and one reference"
                )
            return target.goal
        if self.num_coordinates and np.shape(target) == (self.num_coordinates,) and not isinstance(target, pin.SE3):
            return self._packed([as_vector(target, self.num_coordinates, name)])
        at = target.transform(self._reference) if isinstance(target, Frame) else as_pose(target, name)
        return self._packed(self._values_at(at, self._tool_direction, **self._pose_options()))

    def _pose_options(self) -> dict[str, Any]:
        """What `from_pose` is to take besides for another target like this one."""
        return {}

    def between(self, first: Array, second: Array, fraction: float) -> Array:
        """Packed values (4, 4) on the way from one target to another.

        Args:
            first: Packed values (4, 4) of the one.
            second: The same of the other.
            fraction: 0 at the first, 1 at the second.
        """
        return self._packed([value.between(value.read(first), value.read(second), fraction) for value in self.values])

    def clone(self) -> Self:
        """A copy that belongs to no module."""
        twin = super().clone()
        twin._relative = None
        return twin

    # Computing.

    def aimed_at(self, target: Any = None) -> Self:
        """A copy for one call; the target as for `goal_of`, or None for this one."""
        twin = copy.copy(self)
        if target is not None:
            twin._goal = self.goal_of(target)
        twin._relative = self._looked_up()
        return twin

    def _looked_up(self) -> RelativePose:
        module, reference = self.module, self._reference or World()
        relative = RelativePose(module.skeleton, module.frame, module.offset, pin.SE3.Identity(), reference)
        if relative.reference.link is not None and not _is_moved(relative.reference.link):
            relative.reference = Mount(None, reference.transform())
        return relative

    @property
    def relative(self) -> RelativePose:
        """Tool and reference of this call, or as they are now."""
        return self._looked_up() if self._relative is None else self._relative

    @property
    def is_plain(self) -> bool:
        """True for a pose or a position in the world, which is what a plain `TaskSpaceRegion` asks for as well."""
        relative = self.relative
        return (
            self.place == AT_POINT
            and self.turn in (ANY_TURN, POSE_ROTATION)
            and relative.stands_still
            and bool((relative.reference.pose.homogeneous == np.eye(4)).all())
        )

    def fixed_position(self) -> Array | None:
        """Where the tool has to be (3,) in the world, when that is one point that stands still; else None."""
        relative = self.relative
        if self.place != AT_POINT or not relative.stands_still:
            return None
        position: Array = relative.reference.pose.act(self._goal[:3, 3])
        return position

    def measure(self, state: State) -> tuple[Array, Array, float, float]:
        """Error, Jacobian, distance (m) and angle (rad) that are missing."""
        return self._measured(state)

    def _measured(self, state: State) -> tuple[Array, Array, float, float]:
        relative = self.relative
        tool = ToolMotion.of(relative.tool, relative.reference, state)
        away, moved = place_rows(self.place, tool, self._goal)
        turned, turning = turn_rows(self.turn, self.axis, tool, self._tool_direction, self._goal)
        error, jacobian = np.concatenate([away, turned]), np.concatenate([moved, turning])
        return error, jacobian, math.sqrt(away.dot(away)), math.sqrt(turned.dot(turned))

    def evaluate(self, state: State) -> tuple[Array, Array]:
        """Error (rows,), first of the place (m), then of the turn (rad), and its Jacobian (rows, n)."""
        error, jacobian, _, _ = self._measured(state)
        return error, jacobian

    def residual(self, state: State) -> tuple[float, float]:
        """Distance (m) and angle (rad) that are missing; 0 for what is not asked for."""
        _, _, away, turned = self._measured(state)
        return away, turned

    def __repr__(self) -> str:
        parts = [f"{value.name}={value_text(value.read(self._goal))}" for value in self.values]
        if self.has_tool_direction() and (self._tool_direction != as_axis(self.tool_axis)).any():
            parts.append(f"tool_direction={value_text(self._tool_direction)}")
        if self._reference is not None:
            parts.append(f"reference={self._reference.name!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


def _is_moved(link: Link) -> bool:
    """Whether any joint moves a link; the base of a robot that stands on the floor is moved by none."""
    while True:
        if link.joint.dofs or link.joint.dependence is not None:
            return True
        if link.parent_link is None:
            return False
        link = link.parent_link
