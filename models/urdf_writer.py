"""Writes skeletons as URDF files."""

from __future__ import annotations

import math
import os
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

import numpy as np
import pinocchio as pin

from ..kinematics import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    FixedJoint,
    FreeJoint,
    Joint,
    Link,
    Mesh,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    Shape,
    SimpleFrame,
    Skeleton,
    Sphere,
    UniversalJoint,
    rpy_from_rotation,
)
from ..kinematics.transforms import Array
from .errors import UnsupportedFeatureError

_IDENTITY = pin.SE3.Identity()


def save_urdf(skeleton: Skeleton, path: str | Path) -> None:
    """Writes a skeleton so that reading it gives the same kinematics, to rounding.

    What URDF has no word for is written with extra massless links: named frames, universal joints (two revolute
    ones), joints that are not at the origin of their child. Capsules are written as the widespread extension.

    Args:
        skeleton: The robot.
        path: The file; replaced as a whole or not at all.

    Raises:
        UnsupportedFeatureError: Screw and spherical joints, callable dependence, a root that does not stand
            still on the world; the message names the joint.
    """
    robot = _Writer(skeleton).robot()
    indent(robot)
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        ElementTree(robot).write(partial, encoding="utf-8", xml_declaration=True)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


class _Writer:
    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._names = {frame.name for frame in skeleton.frames} | {joint.name for joint in skeleton.joints}
        self._root = Element("robot", name=skeleton.name)

    def robot(self) -> Element:
        root = self._skeleton.root
        if root is None:
            raise UnsupportedFeatureError(f"skeleton {self._skeleton.name!r} has no links; URDF needs at least one")
        self._check()
        if root.joint.is_moving or not _is_identity(root.joint.relative_transform()):
            world = self._free_name("world")
            SubElement(self._root, "link", name=world)
        else:
            world = ""
        for link in self._skeleton.links:
            self._link(link)
            parent = world if link.parent_link is None else link.parent_link.name
            if parent:
                self._joint(link.joint, parent, link.name)
        for frame in self._skeleton.frames:
            if isinstance(frame, SimpleFrame):
                SubElement(self._root, "link", name=frame.name)
                self._fixed(
                    self._free_name(f"{frame.name}_joint"),
                    frame.parent.name,
                    frame.name,
                    frame.relative_transform,
                )
        return self._root

    def _check(self) -> None:
        for joint in self._skeleton.joints:
            known = FixedJoint | RevoluteJoint | PrismaticJoint | PlanarJoint | FreeJoint | UniversalJoint
            if not isinstance(joint, known):
                raise UnsupportedFeatureError(f"joint {joint.name!r} is {joint.kind}, which URDF cannot say")
            if joint.dependence is not None and not joint.dependence.is_linear:
                raise UnsupportedFeatureError(f"joint {joint.name!r} depends on another through a callable")

    def _free_name(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._names:
            name, number = f"{wanted}_{number}", number + 1
        self._names.add(name)
        return name

    def _link(self, link: Link) -> None:
        element = SubElement(self._root, "link", name=link.name)
        inertia = link.inertia
        if inertia.mass > 0.0:
            inertial = SubElement(element, "inertial")
            SubElement(inertial, "origin", xyz=_text(inertia.lever))
            SubElement(inertial, "mass", value=repr(float(inertia.mass)))
            tensor = inertia.inertia
            names = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
            SubElement(inertial, "inertia", {name: repr(float(tensor[place])) for name, place in names.items()})
        for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
            for shape in shapes:
                self._shape(element, tag, shape)

    def _shape(self, link: Element, tag: str, shape: Shape) -> None:
        element = SubElement(link, tag, {"name": shape.name} if shape.name else {})
        _origin(element, shape.placement)
        geometry, form = SubElement(element, "geometry"), shape.geometry
        if isinstance(form, Box):
            SubElement(geometry, "box", size=_text((form.x, form.y, form.z)))
        elif isinstance(form, Sphere):
            SubElement(geometry, "sphere", radius=repr(form.radius))
        elif isinstance(form, Cylinder | Capsule):
            tag_name = "cylinder" if isinstance(form, Cylinder) else "capsule"
            SubElement(geometry, tag_name, radius=repr(form.radius), length=repr(form.length))
        elif isinstance(form, Mesh):
            SubElement(geometry, "mesh", filename=form.path, scale=_text(form.scale))
        elif isinstance(form, Ellipsoid):
            raise UnsupportedFeatureError(f"link {link.get('name')!r} has an ellipsoid, which URDF cannot say")
        if shape.color is not None and tag == "visual":
            material = SubElement(element, "material", name=f"{link.get('name')}_{len(link)}")
            SubElement(material, "color", rgba=_text(shape.color))

    def _joint(self, joint: Joint, parent: str, child: str) -> None:
        """One joint, with a fixed one behind it where the child's origin is elsewhere."""
        after = joint.child_placement.inverse()
        if not joint.is_moving:
            self._fixed(joint.name, parent, child, joint.placement * after)
            return
        end = child
        if not _is_identity(after):
            end = self._free_name(f"{joint.name}_moved")
            SubElement(self._root, "link", name=end)
            self._fixed(self._free_name(f"{joint.name}_offset"), end, child, after)
        if isinstance(joint, UniversalJoint):
            middle = self._free_name(f"{joint.name}_middle")
            SubElement(self._root, "link", name=middle)
            self._moving(joint, 0, parent, middle, joint.placement)
            self._moving(joint, 1, middle, end, _IDENTITY)
        else:
            self._moving(joint, 0, parent, end, joint.placement)

    def _moving(self, joint: Joint, index: int, parent: str, child: str, placement: pin.SE3) -> None:
        dof = joint.dofs[index]
        limited = dof.is_limited
        if isinstance(joint, PlanarJoint):
            kind, axis = "planar", joint.normal
        elif isinstance(joint, FreeJoint):
            kind, axis = "floating", None
        elif isinstance(joint, UniversalJoint):
            kind, axis = "revolute" if limited else "continuous", joint.axes[index]
        else:
            assert isinstance(joint, RevoluteJoint | PrismaticJoint)
            kind, axis = joint.kind, joint.axis
            if kind == "revolute" and not limited:
                kind = "continuous"
        name = dof.name if isinstance(joint, UniversalJoint) else joint.name
        element = self._element(name, kind, parent, child, placement)
        if axis is not None:
            SubElement(element, "axis", xyz=_text(axis))
        if kind in ("revolute", "prismatic", "continuous"):
            limit = {"lower": repr(dof.lower), "upper": repr(dof.upper)} if limited else {}
            for attribute, value in (("velocity", dof.velocity_limit), ("effort", dof.effort_limit)):
                if math.isfinite(value):
                    limit[attribute] = repr(value)
            if limit:
                SubElement(element, "limit", limit)
        rule = joint.dependence
        if rule is not None:
            SubElement(
                element,
                "mimic",
                joint=rule.master.name,
                multiplier=repr(rule.multiplier),
                offset=repr(rule.offset),
            )

    def _fixed(self, name: str, parent: str, child: str, placement: pin.SE3) -> None:
        self._element(name, "fixed", parent, child, placement)

    def _element(self, name: str, kind: str, parent: str, child: str, placement: pin.SE3) -> Element:
        element = SubElement(self._root, "joint", name=name, type=kind)
        SubElement(element, "parent", link=parent)
        SubElement(element, "child", link=child)
        _origin(element, placement)
        return element


def _origin(element: Element, placement: pin.SE3) -> None:
    if _is_identity(placement):
        return
    angles = rpy_from_rotation(placement.rotation)
    SubElement(element, "origin", xyz=_text(placement.translation), rpy=_text(angles))


def _is_identity(placement: pin.SE3) -> bool:
    return bool(np.array_equal(placement.homogeneous, np.eye(4)))


def _text(values: Array | tuple[float, ...]) -> str:
    return " ".join(repr(float(value)) for value in values)
