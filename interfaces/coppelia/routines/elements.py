"""Routines for elements.

``ikElementHandle`` may be the handle of an element, or that of its tip with ``ik_handleflag_tipdummy``.
"""

from __future__ import annotations

from typing import NamedTuple

from ....kinematics.errors import InvalidValueError
from ..setting import number
from .groups import Flags
from .lookup import as_integer, dummy_of, element_of, group_of, object_or_world
from .routine import failed, routine


class ElementHandle(NamedTuple):
    """Handle of a new element."""

    success: bool
    ikElementHandle: int | None


class Bases(NamedTuple):
    """Where the chain begins, -1 for the world; what positions are seen from, -1 for that base."""

    success: bool
    baseHandle: int | None
    constraintsBaseHandle: int | None


class Constraints(NamedTuple):
    """Bits of what has to agree with the target."""

    success: bool
    constraints: int | None


class Precision(NamedTuple):
    """Distance (m) and angle (rad) that count as there."""

    success: bool
    linearPrecision: float | None
    angularPrecision: float | None


class Weights(NamedTuple):
    """Factors of the linear error, of the angular error, and of both."""

    success: bool
    linearWeight: float | None
    angularWeight: float | None
    elementWeight: float | None


@routine(failed(ElementHandle))
def ikAddElement(ikGroupHandle: int, tipHandle: int) -> ElementHandle:
    """Adds an element for a tip to a group.

    Args:
        ikGroupHandle: Of the group.
        tipHandle: Of the dummy that is to get to its target.
    """
    return ElementHandle(True, group_of(ikGroupHandle).add_element(dummy_of(tipHandle, "tipHandle")).handle)


@routine(False)
def ikEraseElement(ikGroupHandle: int, ikElementHandle: int) -> bool:
    """Takes an element out of a group.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
    """
    element_of(ikGroupHandle, ikElementHandle).erase()
    return True


@routine(failed(Flags))
def ikGetElementFlags(ikGroupHandle: int, ikElementHandle: int) -> Flags:
    """Bit 0: whether an element is enabled.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
    """
    return Flags(True, int(element_of(ikGroupHandle, ikElementHandle).enabled))


@routine(False)
def ikSetElementFlags(ikGroupHandle: int, ikElementHandle: int, flags: int) -> bool:
    """Bit 0: whether an element is enabled.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
        flags: The bits.
    """
    element = element_of(ikGroupHandle, ikElementHandle)
    bits = as_integer(flags, "flags")
    if bits not in (0, 1):
        raise InvalidValueError(f"flags of {element} must be 0 or 1, not {bits}")
    element.enabled = bool(bits)
    return True


@routine(failed(Constraints))
def ikGetElementConstraints(ikGroupHandle: int, ikElementHandle: int) -> Constraints:
    """What has to agree with the target.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
    """
    return Constraints(True, int(element_of(ikGroupHandle, ikElementHandle).constraints))


@routine(False)
def ikSetElementConstraints(ikGroupHandle: int, ikElementHandle: int, constraints: int) -> bool:
    """Sets what has to agree with the target.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
        constraints: Bits ``ik_constraint_...``.
    """
    element_of(ikGroupHandle, ikElementHandle).constraints = as_integer(constraints, "constraints")
    return True


@routine(failed(Bases))
def ikGetElementBase(ikGroupHandle: int, ikElementHandle: int) -> Bases:
    """The bases of an element.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
    """
    element = element_of(ikGroupHandle, ikElementHandle)
    handles = [-1 if each is None else each.handle for each in (element.base, element.constraints_base)]
    return Bases(True, *handles)


@routine(False)
def ikSetElementBase(
    ikGroupHandle: int, ikElementHandle: int, baseHandle: int, constraintsBaseHandle: int = -1
) -> bool:
    """Sets the bases of an element.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
        baseHandle: Of what the chain begins at; -1 for the world.
        constraintsBaseHandle: Of what positions are seen from; -1 for the base.
    """
    base = object_or_world(baseHandle, "baseHandle")
    view = object_or_world(constraintsBaseHandle, "constraintsBaseHandle")
    element_of(ikGroupHandle, ikElementHandle).set_bases(base, view)
    return True


@routine(failed(Precision))
def ikGetElementPrecision(ikGroupHandle: int, ikElementHandle: int) -> Precision:
    """What counts as there.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
    """
    element = element_of(ikGroupHandle, ikElementHandle)
    return Precision(True, element.linear_precision, element.angular_precision)


@routine(False)
def ikSetElementPrecision(
    ikGroupHandle: int, ikElementHandle: int, linearPrecision: float, angularPrecision: float
) -> bool:
    """Sets what counts as there (m, rad).

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
        linearPrecision: Distance (m).
        angularPrecision: Angle (rad).
    """
    element = element_of(ikGroupHandle, ikElementHandle)
    check = number(0.0, infinite=True)
    linear, angular = check("linearPrecision", linearPrecision), check("angularPrecision", angularPrecision)
    element.linear_precision, element.angular_precision = linear, angular
    return True


@routine(failed(Weights))
def ikGetElementWeights(ikGroupHandle: int, ikElementHandle: int) -> Weights:
    """The weights of an element.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
    """
    return Weights(True, *element_of(ikGroupHandle, ikElementHandle).weights)


@routine(False)
def ikSetElementWeights(
    ikGroupHandle: int, ikElementHandle: int, linearWeight: float, angularWeight: float, elementWeight: float = 1.0
) -> bool:
    """Sets the weights of an element.

    Args:
        ikGroupHandle: Of the group.
        ikElementHandle: Of the element, or of its tip with ``ik_handleflag_tipdummy``.
        linearWeight: Factor of the linear error.
        angularWeight: Factor of the angular error.
        elementWeight: Factor of both.
    """
    element_of(ikGroupHandle, ikElementHandle).weights = (linearWeight, angularWeight, elementWeight)
    return True
