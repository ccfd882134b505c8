"""Joints of URDF files."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from ..kinematics import FixedJoint, FreeJoint, Joint, PlanarJoint, PrismaticJoint, RevoluteJoint
from ..kinematics.transforms import Array
from .notes import Notes
from .robot_xml import XmlElement
from .urdf_shapes import origin

#: Position limits from here on mean that there are none; exporters write 1e16 and the like for joints that
#: turn freely, and a random angle of that size would have no digits left for the place in the circle.
BOUNDLESS = 1e6
#: The same for velocity and effort limits.
BOUNDLESS_RATE = 1e9

_KINDS = "fixed, revolute, continuous, prismatic, planar and floating"


@dataclass(frozen=True)
class Mimic:
    """``multiplier * master + offset``, as an element says it."""

    master: str
    multiplier: float
    offset: float


@dataclass
class JointEntry:
    """A joint element, read but not yet part of a tree."""

    element: XmlElement
    joint: Joint
    parent: str
    child: str
    placement: pin.SE3
    mimic: Mimic | None

    @property
    def name(self) -> str:
        """The joint's name."""
        return self.joint.name


def read_joint(element: XmlElement, notes: Notes) -> JointEntry:
    """Reads a ``<joint>``.

    Limits: a continuous joint has none, whatever the file says. A revolute or prismatic joint whose limits
        are
    missing has none either, with a note; if only one is written the other is zero, as the format says. Limits
    of 1e6 and more mean none. A velocity or effort limit of zero means that nobody cared to write one.

    Args:
        element: The element.
        notes: Takes everything that was repaired or left out.

    Raises:
        ModelFileError: Something that cannot be repaired; the message has the joint, the attribute and the
            line.
    """
    name = element.text("name")
    ends = []
    for tag in ("parent", "child"):
        found = element.first(tag)
        if found is None:
            raise element.error(f"has no <{tag}>")
        ends.append(found.text("link"))
    mimic = _mimic(element)
    joint = _joint(element, name, mimic is not None, notes)
    if mimic is not None and joint.num_dofs != 1:
        notes.add(f"mimic was ignored on joints that are {joint.kind}", name)
        mimic = None
    return JointEntry(element, joint, ends[0], ends[1], origin(element), mimic)


def _joint(element: XmlElement, name: str, mimics: bool, notes: Notes) -> Joint:
    kind = element.text("type").lower()
    if kind == "fixed":
        return FixedJoint(name)
    limit = element.first("limit")
    if kind in ("floating", "planar"):
        if limit is not None and ("lower" in limit.attributes or "upper" in limit.attributes):
            notes.add(f"limits of {kind} joints were ignored", name)
        if kind == "floating":
            return FreeJoint(name)
        # Files without an axis mean the plane of x and y, not the format's default axis, x.
        return PlanarJoint(name, "z" if element.first("axis") is None else _axis(element))
    if kind not in ("revolute", "continuous", "prismatic"):
        raise element.error(f"has the unknown type {kind!r}; there are {_KINDS}")
    limits = _limits(limit, kind, name, mimics, notes)
    speed, effort = (_bound(limit, attribute, name, notes) for attribute in ("velocity", "effort"))
    maker = PrismaticJoint if kind == "prismatic" else RevoluteJoint
    return maker(name, _axis(element), limits, velocity_limit=speed, effort_limit=effort)


def _axis(element: XmlElement) -> Array:
    given = element.first("axis")
    if given is None:
        return np.array([1.0, 0.0, 0.0])
    axis = given.vector("xyz", (1.0, 0.0, 0.0))
    if not np.any(axis):
        raise given.error(f"is zero (xyz={given.attributes['xyz']!r}); an axis needs a direction")
    return axis


def _limits(limit: XmlElement | None, kind: str, name: str, mimics: bool, notes: Notes) -> tuple[float, float] | None:
    given = limit is not None and ("lower" in limit.attributes or "upper" in limit.attributes)
    if limit is None or not given:
        if kind != "continuous" and not mimics:
            notes.add(f"{kind} joints without limits are unlimited", name)
        return None
    lower, upper = (limit.number(attribute, 0.0, infinite=True) for attribute in ("lower", "upper"))
    if lower > upper and kind != "continuous":
        raise limit.error(f"has a lower limit {lower:g} above its upper limit {upper:g}; swap them")
    lower = lower if lower > -BOUNDLESS else -math.inf
    upper = upper if upper < BOUNDLESS else math.inf
    if kind == "continuous":
        if (lower, upper) not in ((0.0, 0.0), (-math.inf, math.inf)):
            notes.add("limits of continuous joints were ignored (make them revolute to keep them)", name)
        return None
    if lower == math.inf or upper == -math.inf:
        raise limit.error(f"has limits {limit.attributes.get('lower')!r} to {limit.attributes.get('upper')!r}")
    if lower == upper and not mimics:
        notes.add(f"{kind} joints with equal limits cannot move", name)
    return lower, upper


def _bound(limit: XmlElement | None, attribute: str, name: str, notes: Notes) -> float:
    if limit is None or attribute not in limit.attributes:
        return math.inf
    value = limit.number(attribute, math.inf, infinite=True)
    if value == 0.0:
        notes.add(f"a {attribute} limit of zero means none for joints", name)
        return math.inf
    if value < 0.0:
        notes.add(f"the sign of a {attribute} limit was ignored for joints", name)
    return abs(value) if abs(value) < BOUNDLESS_RATE else math.inf


def _mimic(element: XmlElement) -> Mimic | None:
    found = element.first("mimic")
    if found is None:
        return None
    return Mimic(found.text("joint"), found.number("multiplier", 1.0), found.number("offset", 0.0))
