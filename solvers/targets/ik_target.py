"""`IkTarget`: the base of the targets that leave something open, one class for each type of IKFast."""

from __future__ import annotations

import copy
import math
from typing import Any, Self

import numpy as np
import pinocchio as pin

from ...kinematics import (
    Frame,
    InvalidValueError,
    Link,
    State,
    World,
    as_axis,
    as_pose,
    as_vector,
)
from ...kinematics.transforms import Array, read_only
from ..compiled.target_layout import (
    ANY_TURN,
    AT_POINT,
    PLACE_ROWS,
    POSE_ROTATION,
    TURN_ROWS,
)
from ..tasks.relative_pose import Mount, RelativePose
from .packed_target import Direction as Direction
from .packed_target import PackedTarget
from .packed_values import Place
from .place_rows import place_rows
from .tool_motion import ToolMotion
from .turn_rows import turn_rows
from .value_text import value_text


class IkTarget(PackedTarget):
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

    _relative: RelativePose | None = None

    # What it is.

    @property
    def tool_direction(self) -> Array:
        """The tool's direction, of unit length (3,), in the tool."""
        return read_only(self._tool_direction.copy())

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
