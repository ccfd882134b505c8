"""`PackedTarget`: what a kind of target is made of, and how its values are packed."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidPoseError, InvalidValueError, PoseLike, as_axis, as_pose, as_vector
from ...kinematics.transforms import Array
from ..compiled.target_layout import ANY_TURN, ANYWHERE, FIRST_WITH_DIRECTION, LOOK_AT
from ..far_targets import FURTHEST
from ..tasks.error_method import ErrorMethod
from .ik_type import IkType
from .packed_values import PackedValue, Place

#: A direction as it may be given: ``"x"``, ``"-z"`` ... or three numbers of any length but zero.
Direction = ArrayLike


class PackedTarget(ErrorMethod):
    """The part of an `IkTarget` that is made of values: given one by one, by a pose, or as IKFast packs them.

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

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        own = tuple(value for value in vars(cls).values() if isinstance(value, PackedValue))
        if own:
            cls.values = own

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
