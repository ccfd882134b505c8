"""`RobotState`: how the robot of a service stands, and the node sets that it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pinocchio as pin

from ...kinematics import NodeSet
from ...kinematics.transforms import Array


class NodeSetRecord(NamedTuple):
    """A node set by names.

    Attributes:
        name: Of the set.
        joints: The joints, in the order of the robot; fixed ones included.
        tcp: The frame that the set moves.
        root: Its kinematic root; ``"Global"`` for the world.
    """

    name: str
    joints: tuple[str, ...]
    tcp: str
    root: str

    @classmethod
    def of(cls, node_set: NodeSet) -> NodeSetRecord:
        """The names of a set."""
        root = "Global" if node_set.base.skeleton is None else node_set.base.name
        return cls(node_set.name, tuple(joint.name for joint in node_set.joints), node_set.tip.name, root)


class RobotState(NamedTuple):
    """All that a call depends on; never changed, only replaced.

    Attributes:
        positions: Configuration (n,) in rad and m, read-only.
        placement: Where the joint of the root link is in the world.
        node_sets: By name.
    """

    positions: Array
    placement: pin.SE3
    node_sets: Mapping[str, NodeSetRecord]
