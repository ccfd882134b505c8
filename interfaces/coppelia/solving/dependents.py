"""Joints that follow others through a callback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .chains import dependency_chain
from .kernels import layout
from .step_tree import rate

if TYPE_CHECKING:
    from ..joint import Joint
    from .flat_groups import FlatGroups

#: Step of the central differences that tell how fast a callback changes; its own third derivative limits them to
#: about 1e-10 there.
_STEP = 1e-5


def follow(flat: FlatGroups) -> None:
    """Works out the positions of the joints that follow through callbacks, and the rates of their entries.

    A callback is a black box: what it gives is differentiated numerically, everything around it exactly.
    """
    tree, x = flat.tree, flat.arrays[layout.X]
    derivatives: dict[Joint, float] = {}
    for joint in tree.followers:
        master = dependency_chain(joint)[-1]
        position = float(x[tree.slots[master]])
        x[tree.slots[joint]] = position_for(joint, position)
        ahead, behind = position_for(joint, position + _STEP), position_for(joint, position - _STEP)
        derivatives[joint] = (ahead - behind) / (2.0 * _STEP)
    rates = flat.arrays[layout.RATES]
    for entry, joint in enumerate(tree.entry_joints):
        if joint in derivatives:
            rates[entry] = rate(joint, derivatives[joint])


def position_for(joint: Joint, position: float) -> float:
    """Position of a joint when the one that it ultimately depends on has a position, which nothing is moved for.

    Raises:
        CallbackError: A callback raised something, or gave something that is not a finite number.
    """
    for each in reversed(dependency_chain(joint)[:-1]):
        position = each._follow(position)
    return position
