"""Which joints an element moves, and whether it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..constants import JointKind, JointMode
from ..joint import Joint

if TYPE_CHECKING:
    from ..ik_element import IkElement
    from ..scene_object import SceneObject


class Column(NamedTuple):
    """A column of a Jacobian.

    Attributes:
        joint: What it moves.
        stage: Which degree of freedom of it: 0, or 0 to 2 for the axes of a spherical joint.
    """

    joint: Joint
    stage: int


def ancestors(scene_object: SceneObject | None) -> list[SceneObject]:
    """An object and everything that it hangs on, upwards."""
    found = []
    while scene_object is not None:
        found.append(scene_object)
        scene_object = scene_object.parent
    return found


def dependency_chain(joint: Joint) -> list[Joint]:
    """A joint, what it depends on, what that depends on, and so on up to one that is independent."""
    chain = [joint]
    while chain[-1].dependency is not None:
        chain.append(chain[-1].dependency.master)
    return chain


def follows_callback(joint: Joint) -> bool:
    """Whether the position of a joint comes through a callback, its own or one of those it depends on."""
    return any(each.dependency is not None and each.dependency.callback for each in dependency_chain(joint))


def joints_between(tip: SceneObject, base: SceneObject | None) -> list[Joint] | None:
    """Joints strictly between a base and a tip, from the base on; None when the tip does not hang on the base."""
    way = ancestors(tip)[1:]
    if base is not None:
        if base not in way:
            return None
        way = way[: way.index(base)]
    return [each for each in reversed(way) if isinstance(each, Joint)]


def columns_between(tip: SceneObject, base: SceneObject | None) -> list[Column]:
    """Columns of a chain, from the base to the tip.

    Each joint in inverse kinematics mode is one column, or three when it is spherical; a joint that depends on another
    stands for the one that it ultimately depends on, once, when all on the way to that are in the mode.
    """
    found: dict[Column, None] = {}
    for joint in joints_between(tip, base) or ():
        chain = dependency_chain(joint)
        if all(each.mode is JointMode.IK for each in chain):
            master = chain[-1]
            for stage in range(3 if master.kind is JointKind.SPHERICAL else 1):
                found[Column(master, stage)] = None
    return list(found)


def columns_of(element: IkElement) -> list[Column]:
    """Columns of an element, see `columns_between`."""
    return columns_between(element.tip, element.base)


def is_valid(element: IkElement) -> bool:
    """Whether an element counts: enabled, its tip hangs on its base, and something between them may move."""
    return bool(element.enabled and columns_of(element))
