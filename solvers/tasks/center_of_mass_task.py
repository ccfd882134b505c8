"""`CenterOfMassTask`: the centre of mass over a point, or at one."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, Link, NodeSet, Skeleton, State, World, as_vector
from ...kinematics.partial_center_of_mass import PartialCenterOfMass
from ...kinematics.transforms import Array, read_only
from ..far_targets import check_reach
from .error_method import ErrorMethod

_AXES = "xyz"


class CenterOfMassTask(ErrorMethod):
    """Brings the centre of mass over a point of a plane, or to a point in space.

    Of the whole skeleton, over a point of the world's floor or at a point of the world it is compiled; what else there
    is runs on the object path.

    Args:
        over: The wanted coordinates along ``axes`` (m), (x, y) unless told otherwise; the others are free.
        point: All three. Give exactly one of the two.
        frame: Whose coordinates they are; the world when None. It may move with the skeleton: then the centre of mass
            and the frame come together, whichever moves.
        axes: Which coordinates ``over`` has: ``"xy"``, ``"xz"``, ``"z"``, ...
        bodies: The links that count, or their names; for a `NodeSet` those that its joints move. All when None.
        weight: Factor of the error; it shapes steps, not what counts as reached.

    Raises:
        InvalidValueError: An option that makes no sense.
        ShapeError: Not as many numbers as axes.
    """

    def __init__(
        self,
        over: ArrayLike | None = None,
        *,
        point: ArrayLike | None = None,
        frame: Frame | None = None,
        axes: str = "xy",
        bodies: Iterable[Link | str] | NodeSet | None = None,
        weight: float = 1.0,
    ) -> None:
        if (over is None) == (point is None):
            raise InvalidValueError("CenterOfMassTask needs over=(x, y) or point=(x, y, z), and not both")
        if not (weight > 0.0 and math.isfinite(weight)):
            raise InvalidValueError(f"weight must be positive and finite, not {weight}")
        if frame is not None and not isinstance(frame, Frame):
            raise InvalidValueError(f"frame must be a Frame, not {frame!r}")
        self._axes = _checked_axes(axes) if over is not None else _AXES
        name, goal = ("point", point) if over is None else ("over", over)
        self._goal = as_vector(goal, len(self._axes), name)  # type: ignore[arg-type]  # one of the two is given
        check_reach(self._goal, name)
        self._frame = None if isinstance(frame, World) else frame
        self._bodies = _checked_bodies(bodies)
        self._weight = float(weight)
        self._places = [_AXES.index(each) for each in self._axes]
        #: What was looked up last, at most one; shared with the copies that `aimed_at` makes.
        self._resolved: list[tuple[Skeleton, int, PartialCenterOfMass]] = []

    @property
    def goal(self) -> Array:
        """Where the centre of mass should be, a copy with a number for each axis; assign as many to change it."""
        return read_only(self._goal.copy())

    @goal.setter
    def goal(self, goal: ArrayLike) -> None:
        given = as_vector(goal, self.rows, "goal")
        check_reach(given, "goal")
        self._goal = given
        self._revision += 1

    @property
    def weight(self) -> float:
        """Factor of the error."""
        return self._weight

    @property
    def frame(self) -> Frame | None:
        """Whose coordinates the goal has; None for the world."""
        return self._frame

    @property
    def axes(self) -> str:
        """Which coordinates are wanted."""
        return self._axes

    @property
    def bodies(self) -> tuple[Link | str, ...] | None:
        """The links that count; None for all."""
        return self._bodies

    @property
    def is_plain(self) -> bool:
        """True for the whole skeleton over a point of the world's floor, or at a point of the world."""
        return self._frame is None and self._bodies is None and self._axes in ("xy", "xyz")

    @property
    def rows(self) -> int:
        """As many as there are axes: 2 over a point of the floor, 3 at a point in space."""
        return len(self._goal)

    def evaluate(self, state: State) -> tuple[Array, Array]:
        """Displacement of the centre of mass along the axes (m), and its Jacobian."""
        if self.is_plain:
            rows = len(self._goal)
            error: Array = self._weight * (state.com()[:rows] - self._goal)
            return error, self._weight * state.com_jacobian()[:rows]
        part = None if self._bodies is None else self._part(state.skeleton)
        jacobian = state.com_jacobian() if part is None else part.com_jacobian(state)
        centre = state.com() if part is None else part.com(state)
        if self._frame is not None:
            pose = state.transform(self._frame)
            centre = pose.actInv(centre)
            # The frame sees its distance to the point, less what the point would move if it hung on the frame.
            jacobian = pose.rotation.T @ (jacobian - state.jacobian(self._frame, centre)[:3])
        return self._weight * (centre[self._places] - self._goal), self._weight * jacobian[self._places]

    def residual(self, state: State) -> tuple[float, float]:
        """Distance (m), and no angle."""
        away = self.center(state)[self._places] - self._goal
        return math.sqrt(away.dot(away)), 0.0

    def center(self, state: State) -> Array:
        """The centre of mass (3,) of what counts, in the task's frame.

        Raises:
            StructureError: What counts has no mass; the message names it.
            UnknownNameError: A body that the skeleton does not have.
        """
        centre = state.com() if self._bodies is None else self._part(state.skeleton).com(state)
        return centre if self._frame is None else np.asarray(state.transform(self._frame).actInv(centre))

    def _part(self, skeleton: Skeleton) -> PartialCenterOfMass:
        for known, version, part in self._resolved:
            if known is skeleton and version == skeleton.version:
                return part
        assert self._bodies is not None
        part = PartialCenterOfMass(skeleton, self._bodies)
        self._resolved[:] = [(skeleton, part.version, part)]
        return part

    def aimed_at(self, target: Any = None) -> Self:
        """A copy for one call, with another goal."""
        twin = copy.copy(self)
        if target is not None:
            twin._goal = as_vector(target, self.rows, "target")
            check_reach(twin._goal, "target")
        return twin

    @property
    def name(self) -> str:
        """What reports call it."""
        return "centre of mass"


def _checked_axes(axes: str) -> str:
    """One to three different letters of x, y and z; `InvalidValueError` for anything else."""
    if not isinstance(axes, str) or not axes or len(set(axes)) != len(axes) or not set(axes) <= set(_AXES):
        raise InvalidValueError(f"axes must be different letters of 'xyz', such as 'xy', not {axes!r}")
    return axes


def _checked_bodies(bodies: Iterable[Link | str] | NodeSet | None) -> tuple[Link | str, ...] | None:
    if bodies is None:
        return None
    if isinstance(bodies, NodeSet):
        return tuple(joint.child_link for joint in bodies.joints if joint.child_link is not None)
    if isinstance(bodies, str | Link):
        bodies = (bodies,)
    try:
        chosen = tuple(bodies)
    except TypeError:
        raise InvalidValueError(f"bodies must be links, names of links or a NodeSet, not {bodies!r}") from None
    for each in chosen:
        if not isinstance(each, Link | str):
            raise InvalidValueError(f"bodies must be links or names of links, not {each!r}")
    if not chosen:
        raise InvalidValueError("bodies must name at least one link; None counts all")
    return chosen
