"""Joints of URDF files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np
import pinocchio as pin

from ..kinematics import FixedJoint, FreeJoint, Joint, PlanarJoint, PrismaticJoint, RevoluteJoint
from .errors import ModelFileError
from .urdf_shapes import origin
from .urdf_xml import child, number, required, vector


@dataclass
class JointEntry:
    """A joint element, read but not yet part of a tree."""

    joint: Joint
    parent: str
    child: str
    placement: pin.SE3
    #: Name of the master, multiplier and offset of a mimic joint.
    mimic: tuple[str, float, float] | None


def read_joint(element: Element, where: str, notes: list[str]) -> JointEntry:
    """Reads a ``<joint>`` of the robot.

    Args:
        element: The element.
        where: The file, for errors.
        notes: Takes a sentence about everything that was repaired or left out.
    """
    name = required(element, "name", f"{where}: a joint")
    here = f"{where}: joint {name!r}"
    ends = []
    for tag in ("parent", "child"):
        found = child(element, tag)
        if found is None:
            raise ModelFileError(f"{here} has no <{tag}>")
        ends.append(required(found, "link", here))
    joint = _joint(element, name, here, notes)
    return JointEntry(joint, ends[0], ends[1], origin(element, here), _mimic(element, here))


def _joint(element: Element, name: str, here: str, notes: list[str]) -> Joint:
    kind = required(element, "type", here).lower()
    limit = child(element, "limit")
    if kind == "fixed":
        return FixedJoint(name)
    if kind in ("floating", "planar", "spherical", "ball"):
        if limit is not None and (limit.get("lower") is not None or limit.get("upper") is not None):
            notes.append(f"limits of {kind} joint {name!r} were ignored")
        if kind == "floating":
            return FreeJoint(name)
        if kind == "planar":
            # Without an axis the plane is x and y, which is what such files mean, not the format's default axis x.
            given = child(element, "axis")
            return PlanarJoint(name, "z" if given is None else _axis(element, here))
        raise ModelFileError(f"{here} is of type {kind!r}, which URDF does not have")
    if kind not in ("revolute", "continuous", "prismatic"):
        raise ModelFileError(
            f"{here} has the unknown type {kind!r}; there are fixed, revolute, continuous, prismatic, planar, floating"
        )
    limits = _limits(limit, kind, name, here, notes)
    maker = PrismaticJoint if kind == "prismatic" else RevoluteJoint
    return maker(
        name,
        _axis(element, here),
        limits,
        velocity_limit=_bound(limit, "velocity", here),
        effort_limit=_bound(limit, "effort", here),
    )


def _axis(element: Element, here: str) -> np.ndarray:  # type: ignore[type-arg]
    given = child(element, "axis")
    axis = np.array([1.0, 0.0, 0.0]) if given is None else vector(given, "xyz", here, (1.0, 0.0, 0.0))
    if not np.any(axis):
        raise ModelFileError(f"{here} has a zero axis")
    return axis


def _limits(limit: Element | None, kind: str, name: str, here: str, notes: list[str]) -> tuple[float, float] | None:
    given = limit is not None and (limit.get("lower") is not None or limit.get("upper") is not None)
    lower = 0.0 if limit is None else number(limit, "lower", here, 0.0)
    upper = 0.0 if limit is None else number(limit, "upper", here, 0.0)
    if kind == "continuous":
        if given and (lower, upper) != (0.0, 0.0) and not (upper - lower >= 2.0 * math.pi):
            notes.append(f"limits of continuous joint {name!r} were ignored; make it revolute to keep them")
        return None
    if not given:
        notes.append(f"{kind} joint {name!r} has no limits; it is unlimited")
        return None
    if lower > upper:
        raise ModelFileError(f"{here} has a lower limit {lower} above its upper limit {upper}")
    if lower == upper:
        notes.append(f"{kind} joint {name!r} has equal limits ({lower:g}) and cannot move")
    return lower, upper


def _bound(limit: Element | None, attribute: str, here: str) -> float:
    """A velocity or effort limit; zero and missing ones mean that nobody said."""
    value = math.inf if limit is None else abs(number(limit, attribute, here, math.inf))
    return value if value > 0.0 else math.inf


def _mimic(element: Element, here: str) -> tuple[str, float, float] | None:
    found = child(element, "mimic")
    if found is None:
        return None
    master = required(found, "joint", here)
    multiplier, offset = number(found, "multiplier", here, 1.0), number(found, "offset", here, 0.0)
    if not (math.isfinite(multiplier) and math.isfinite(offset)):
        raise ModelFileError(f"{here} has a mimic that is not finite")
    return master, multiplier, offset
