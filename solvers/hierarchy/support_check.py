"""`SupportCheck`: whether goals of a centre of mass are over what a robot stands on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, SupportArea
from ..tasks.center_of_mass_task import CenterOfMassTask

#: How far from vertical the third axis of a frame may be (its z component below 1) for its plane to be the floor.
_LEVEL = 1e-9


class SupportCheck:
    """A support area as `CenterOfMassIK` takes one, and goals against it.

    Args:
        support: A `SupportArea`, points (k, 2), ``"shapes"`` for that of the shapes of what is held, or None.
        held: What is held, with the poses that were given.
        task: Whose goals are checked.

    Raises:
        InvalidValueError: No such support, or a task whose goal says nothing about a place on the floor.
        GeometryError: Something that is held has no shapes.
    """

    def __init__(
        self,
        support: SupportArea | ArrayLike | str | None,
        held: Mapping[Frame, pin.SE3 | None],
        task: CenterOfMassTask,
    ) -> None:
        self._held = held
        self._given: SupportArea | None = None
        self._by_shapes = False
        if support is None:
            return
        if isinstance(support, str):
            if support != "shapes":
                raise InvalidValueError(f"support must be points, a SupportArea or 'shapes', not {support!r}")
            if any(pose is not None for pose in held.values()):
                raise InvalidValueError("support='shapes' needs frames that are held where they are; give its points")
            self._by_shapes = True
            SupportArea.of(held)  # tells now what has no shapes
        else:
            self._given = support if isinstance(support, SupportArea) else SupportArea(support)
        self._check_plane(task)

    def _check_plane(self, task: CenterOfMassTask) -> None:
        """The goal must say where on the floor it is, whatever the robot does."""
        frame, axes = task.frame, task.axes
        if axes not in ("xy", "xyz"):
            raise InvalidValueError(f"a support area needs a goal along x and y, not along {axes!r}")
        if frame is None:
            return
        carriers = {held.link for held, pose in self._held.items() if pose is None}
        if frame.skeleton is not None and frame.link not in carriers:
            raise InvalidValueError(f"a support area needs a goal that stands still; {frame.name!r} is not held")
        if axes == "xy" and frame.transform().rotation[2, 2] < 1.0 - _LEVEL:
            raise InvalidValueError(f"a support area needs a goal on the floor; the z axis of {frame.name!r} is not up")

    @property
    def area(self) -> SupportArea | None:
        """The area: as given, or that of what is held at the present positions; None when there is none."""
        return SupportArea.of(self._held) if self._by_shapes else self._given

    def inside(self, task: CenterOfMassTask) -> tuple[CenterOfMassTask, float]:
        """The task aimed at the nearest point of the area, and how far (m) its own goal is outside."""
        area = self.area
        if area is None:
            return task, 0.0
        pose = pin.SE3.Identity() if task.frame is None else task.frame.transform()
        goal = np.zeros(3)
        goal[: task.rows] = task.goal
        world = pose.act(goal)
        excess = area.excess(world[:2])
        if excess == 0.0:
            return task, 0.0
        world[:2] = area.nearest(world[:2])
        return task.aimed_at(pose.actInv(world)[: task.rows]), excess
