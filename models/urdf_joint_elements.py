"""The ``<joint>`` elements of a written URDF file."""

from __future__ import annotations

import logging
import math
from xml.etree.ElementTree import Element, SubElement

import numpy as np
import pinocchio as pin

from ..kinematics import (
    DegreeOfFreedom,
    FixedJoint,
    FreeJoint,
    Joint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Skeleton,
    UniversalJoint,
)
from ..kinematics.transforms import Array
from .errors import UnsupportedFeatureError
from .urdf_joints import BOUNDLESS_RATE
from .urdf_link_elements import add_origin, numbers
from .urdf_reader import free_name

logger = logging.getLogger(__name__)

_HERE = pin.SE3.Identity()


class JointElements:
    """Adds joints, and the massless links that some of them need, to a ``<robot>``.

    Args:
        robot: The element to add to.
        skeleton: Where the joints come from; its names are not used for anything else.
    """

    def __init__(self, robot: Element, skeleton: Skeleton) -> None:
        self._robot = robot
        self._links = {frame.name for frame in skeleton.frames}
        self._joints = {joint.name for joint in skeleton.joints}
        self._joints |= {dof.name for joint in skeleton.joints for dof in joint.dofs}

    def add_link(self, wanted: str) -> str:
        """Adds a massless link; returns the name that it got."""
        name = free_name(wanted, self._links)
        self._links.add(name)
        SubElement(self._robot, "link", name=name)
        return name

    def add_fixed(self, wanted: str, parent: str, child: str, placement: pin.SE3) -> None:
        """Adds a fixed joint that the skeleton does not have."""
        name = free_name(wanted, self._joints)
        self._joints.add(name)
        self._element(name, "fixed", parent, child, placement)

    def add(self, joint: Joint, parent: str, child: str) -> None:
        """Adds a joint of the skeleton.

        Raises:
            UnsupportedFeatureError: A kind of joint or dependence that cannot be written.
        """
        rule = joint.dependence
        if rule is not None and not rule.is_linear:
            raise UnsupportedFeatureError(
                f"joint {joint.name!r} depends on {rule.master.name!r} through a callable, which URDF cannot "
                "express; use a multiplier and an offset, or make it independent"
            )
        after = joint.child_placement.inverse()
        if isinstance(joint, FixedJoint):
            self._element(joint.name, "fixed", parent, child, joint.placement * after)
            return
        end = child
        if not np.array_equal(after.homogeneous, np.eye(4)):
            # In URDF a child's origin is at its joint; so the joint gets a link of its own there.
            end = self.add_link(f"{child}_at_joint")
            self.add_fixed(f"{joint.name}_to_link", end, child, after)
        if isinstance(joint, PlanarJoint | FreeJoint) and any(dof.is_limited for dof in joint.dofs):
            logger.warning("limits of %s joint %r are not written: URDF has none for it", joint.kind, joint.name)
        if isinstance(joint, UniversalJoint):
            self._universal(joint, parent, end)
        elif isinstance(joint, ScrewJoint):
            self._screw(joint, parent, end)
        elif isinstance(joint, RevoluteJoint | PrismaticJoint):
            element = self._axial(joint.name, joint.kind, joint.axis, joint.dofs[0], parent, end, joint.placement)
            if rule is not None:
                self._mimic(element, rule.master.name, rule.multiplier, rule.offset)
        elif isinstance(joint, PlanarJoint):
            element = self._element(joint.name, "planar", parent, end, joint.placement)
            SubElement(element, "axis", xyz=numbers(joint.normal))
        elif isinstance(joint, FreeJoint):
            self._element(joint.name, "floating", parent, end, joint.placement)
        else:
            raise UnsupportedFeatureError(
                f"joint {joint.name!r} is {joint.kind}, which URDF cannot express; three revolute joints come near it"
            )

    def _universal(self, joint: UniversalJoint, parent: str, child: str) -> None:
        middle = self.add_link(f"{joint.name}_middle")
        for dof, axis, ends, at in zip(
            joint.dofs, joint.axes, ((parent, middle), (middle, child)), (joint.placement, _HERE), strict=True
        ):
            self._axial(dof.name, "revolute", axis, dof, *ends, at)

    def _screw(self, joint: ScrewJoint, parent: str, child: str) -> None:
        middle = self.add_link(f"{joint.name}_turned")
        element = self._axial(joint.name, "revolute", joint.axis, joint.dofs[0], parent, middle, joint.placement)
        # Both follow the same master, not one the other: some readers know no chains.
        rule, advance = joint.dependence, joint.lead / (2.0 * math.pi)
        master, slope, offset = (joint.name, 1.0, 0.0)
        if rule is not None:
            master, slope, offset = rule.master.name, rule.multiplier, rule.offset
            self._mimic(element, master, slope, offset)
        name = free_name(f"{joint.name}_advance", self._joints)
        self._joints.add(name)
        slide = self._element(name, "prismatic", middle, child, _HERE)
        SubElement(slide, "axis", xyz=numbers(joint.axis))
        self._limit(slide, -math.inf, math.inf, math.inf, math.inf)
        self._mimic(slide, master, slope * advance, offset * advance)

    def _axial(
        self,
        name: str,
        kind: str,
        axis: Array,
        dof: DegreeOfFreedom,
        parent: str,
        child: str,
        placement: pin.SE3,
    ) -> Element:
        if kind == "revolute" and not dof.is_limited:
            kind = "continuous"
        element = self._element(name, kind, parent, child, placement)
        SubElement(element, "axis", xyz=numbers(axis))
        if kind != "continuous":
            self._limit(element, dof.lower, dof.upper, dof.velocity_limit, dof.effort_limit)
        elif math.isfinite(dof.velocity_limit) or math.isfinite(dof.effort_limit):
            rates = {"velocity": _bounded(dof.velocity_limit), "effort": _bounded(dof.effort_limit)}
            SubElement(element, "limit", rates)
        return element

    def _limit(self, element: Element, lower: float, upper: float, velocity: float, effort: float) -> None:
        # Other readers insist on all four.
        names = ("lower", "upper", "velocity", "effort")
        values = (lower, upper, velocity, effort)
        SubElement(element, "limit", {name: _bounded(value) for name, value in zip(names, values, strict=True)})

    def _mimic(self, element: Element, master: str, multiplier: float, offset: float) -> None:
        SubElement(element, "mimic", joint=master, multiplier=repr(float(multiplier)), offset=repr(float(offset)))

    def _element(self, name: str, kind: str, parent: str, child: str, placement: pin.SE3) -> Element:
        element = SubElement(self._robot, "joint", name=name, type=kind)
        add_origin(element, placement)
        SubElement(element, "parent", link=parent)
        SubElement(element, "child", link=child)
        return element


def _bounded(value: float) -> str:
    """A number that other readers take: few know infinity."""
    return repr(float(min(max(value, -BOUNDLESS_RATE), BOUNDLESS_RATE)))
