"""The node set of a robot that comes without any."""

from __future__ import annotations

from typing import Final

from ...kinematics import Skeleton, StructureError

#: Name of the node set that robots without node sets have in a service: the chain to their natural tip.
DEFAULT_NODE_SET: Final = "default"


def add_default_node_set(skeleton: Skeleton) -> None:
    """Gives a robot without node sets one of the chain from its root to `Skeleton.tip`.

    A robot that has node sets stays as it is, and so does one whose chain has nothing that moves by itself.

    Args:
        skeleton: The robot.
    """
    if skeleton.node_sets:
        return
    try:
        tip = skeleton.tip
        chain = tip.chain()
    except StructureError:
        return
    # Without its fixed joints, which nobody would name who defines it again.
    moving = [joint for joint in chain.joints if joint.is_moving]
    if len(chain.dofs):
        skeleton.define_node_set(DEFAULT_NODE_SET, moving, tip, chain.base)
