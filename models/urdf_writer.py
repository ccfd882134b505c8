"""Writes skeletons as URDF files."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

import numpy as np
import pinocchio as pin

from ..kinematics import SimpleFrame, Skeleton
from ..kinematics.whole_file import whole_file
from .errors import UnsupportedFeatureError
from .urdf_joint_elements import JointElements
from .urdf_link_elements import LinkElements


def save_urdf(skeleton: Skeleton, path: str | Path, *, shapes: bool = True) -> None:
    """Writes a skeleton so that loading the file gives the same kinematics, to rounding.

    Links, joints and their names, limits, dependence, inertias and shapes are kept. What URDF has no word for
    is written with extra massless links: named frames; a root that is not at the world's origin or that moves
    (on a link ``world``); joints that are not at the origin of their child; universal joints (two revolute
    ones); screw joints (a revolute one and a slide that mimics it). Capsules are written as the widespread
    extension, missing limits of slides and rates as 1e9, which `load` reads as none. Not kept: present and
    rest positions, weights, steps, limits of planar and free joints, colours of collision shapes, and the
    choice of the tip.

    Args:
        skeleton: The robot.
        path: The file; replaced as a whole or not at all. Meshes below its folder are written relative to it.
        shapes: Write the shapes of links.

    Raises:
        UnsupportedFeatureError: No links, spherical joints, dependence through a callable, ellipsoids, named
            frames that were moved off the skeleton. The message names the joint, link or frame, and nothing is
            written.
        NotAFileError: A folder, a device or the like has that name; it is left alone.
    """
    target = Path(path)
    robot = _robot(skeleton, LinkElements(target.resolve().parent) if shapes else None)
    indent(robot)
    with whole_file(target) as partial:
        ElementTree(robot).write(partial, encoding="utf-8", xml_declaration=True)


def _robot(skeleton: Skeleton, shapes: LinkElements | None) -> Element:
    root = skeleton.root
    if root is None:
        raise UnsupportedFeatureError(f"skeleton {skeleton.name!r} has no links; URDF needs at least one")
    robot = Element("robot", name=skeleton.name)
    joints = JointElements(robot, skeleton)
    world = ""
    if root.joint.is_moving or not np.array_equal(root.joint.relative_transform().homogeneous, np.eye(4)):
        world = joints.add_link("world")
    for link in skeleton.links:
        element = SubElement(robot, "link", name=link.name)
        LinkElements.add_inertia(element, link)
        if shapes is not None:
            shapes.add_shapes(element, link)
        parent = world if link.parent_link is None else link.parent_link.name
        if parent:
            joints.add(link.joint, parent, link.name)
    for frame in skeleton.frames:
        if isinstance(frame, SimpleFrame):
            parent, place = _on_link(frame, skeleton)
            SubElement(robot, "link", name=frame.name)
            joints.add_fixed(f"{frame.name}_joint", parent, frame.name, place)
    return robot


def _on_link(frame: SimpleFrame, skeleton: Skeleton) -> tuple[str, pin.SE3]:
    """The link that carries a frame, and the frame's pose in it."""
    link = frame.link
    if link is None or link.skeleton is not skeleton:
        raise UnsupportedFeatureError(
            f"frame {frame.name!r} does not hang on skeleton {skeleton.name!r}; "
            "hang it on a link or remove it with remove_frame"
        )
    place = pin.SE3.Identity()
    for each in frame.ancestors():
        if not isinstance(each, SimpleFrame):
            break
        place = each.relative_transform * place
    return link.name, place
