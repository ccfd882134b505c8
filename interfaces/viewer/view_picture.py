"""`ViewPicture`: what there is to be drawn at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pinocchio as pin

from ...kinematics import Contact
from ...kinematics.transforms import Array
from ...solvers import Solution
from .branches import Branch
from .link_marks import LimitNote, LinkMark
from .manipulability_ellipsoid import ManipulabilityEllipsoid


@dataclass(frozen=True, eq=False)
class ViewPicture:
    """A `ViewSession` at one moment; nothing in it changes afterwards.

    Attributes:
        q: Configuration that is shown (n,).
        poses: Pose of each link in the world, by name.
        marks: What is wrong with each link, obstacle or attached object, by name.
        limits: The joints that are at a limit.
        contacts: What touches.
        frame: Name of the frame that is moved.
        frame_pose: Where it is in the world.
        target: Where it should be.
        solution: How the last solve ended; None when joints were set by hand since.
        ellipsoid: How fast the frame can move in each direction.
        branches: The branches of the closed form for the target, where they were asked for.
        branch: Which of them is shown; None when it is none of them.
        method: Name of the method.
        moved: Indices in q of the degrees of freedom that solving may move.
    """

    q: Array
    poses: Mapping[str, pin.SE3]
    marks: Mapping[str, LinkMark]
    limits: tuple[LimitNote, ...]
    contacts: tuple[Contact, ...]
    frame: str
    frame_pose: pin.SE3
    target: pin.SE3
    solution: Solution | None
    ellipsoid: ManipulabilityEllipsoid
    branches: tuple[Branch, ...]
    branch: int | None
    method: str
    moved: tuple[int, ...]
