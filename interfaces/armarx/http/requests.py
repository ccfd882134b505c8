"""Requests, one for each kind of question; see `messages` for what they are made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ..robot_ik_interface import SAMPLES, STEP_ROTATION
from .limits import MAX_NAMES, MAX_TASKS
from .messages import (
    BoundsMessage,
    CoMMessage,
    CoordinateSystem,
    FramedPoseMessage,
    Message,
    Name,
    Number,
    PoseMessage,
    Positive,
    Selection,
    TaskMessage,
)

NodeSetName = Annotated[Name, Field(description="Name of a node set.")]


class FramedPoseRequest(Message):
    """Of `compute_ik_framed_pose`."""

    node_set: NodeSetName
    pose: FramedPoseMessage
    selection: Selection = "all"


class GlobalPoseRequest(Message):
    """Of `compute_ik_global_pose` and `compute_extended_ik_global_pose`."""

    node_set: NodeSetName
    pose: PoseMessage
    selection: Selection = "all"


class CoMRequest(Message):
    """Of `compute_com_ik`."""

    node_set: NodeSetName
    descriptor: CoMMessage


class HierarchicalRequest(Message):
    """Of `compute_hierarchical_delta_ik`."""

    node_set: NodeSetName
    tasks: Annotated[list[TaskMessage], Field(max_length=MAX_TASKS)]
    com: Annotated[CoMMessage | None, Field(description="Needed when enable_center_of_mass is true.")] = None
    step_size: Annotated[
        float, Field(gt=0.0, le=1.0, description="What part of the step that would meet the tasks is taken.")
    ] = 1.0
    avoid_joint_limits: bool = False
    enable_center_of_mass: bool = False


class NodeSetRequest(Message):
    """Of `define_robot_node_set`."""

    name: Annotated[NodeSetName, Field(min_length=1)]
    nodes: Annotated[
        list[Name], Field(min_length=1, max_length=MAX_NAMES, description="Names of joints or links, each once.")
    ]
    tcp: Annotated[Name, Field(description="Name of the frame at the tip.")]
    root: Annotated[Name, Field(description="Name of the frame that the set begins at; empty for the world.")]


class CreateSpaceRequest(Message):
    """Of `create_reachability_space`."""

    node_set: NodeSetName
    coordinate_system: CoordinateSystem = ""
    step_translation: Annotated[
        Positive | None, Field(description="Edge of a cell, units of the service; 5 cm when left out or null.")
    ] = None
    step_rotation: Annotated[Positive, Field(description="The same in the angles, in radians.")] = STEP_ROTATION
    min_bounds: Annotated[BoundsMessage | None, Field(description="Both corners, or none.")] = None
    max_bounds: BoundsMessage | None = None
    samples: Annotated[int, Field(ge=1, le=10**12)] = SAMPLES


class NodeSetQuestion(Message):
    """Of `has_reachability_space`."""

    node_set: NodeSetName


class LoadRequest(Message):
    """Of `load_reachability_space`."""

    filename: Annotated[Name, Field(description="A plain name that ends in .h5, in the folder of the server.")]


class SaveRequest(LoadRequest):
    """Of `save_reachability_space`."""

    node_set: NodeSetName


class FramedPoseQuestion(Message):
    """Of `is_framed_pose_reachable`."""

    node_set: NodeSetName
    pose: FramedPoseMessage


class PoseQuestion(Message):
    """Of `is_pose_reachable`."""

    node_set: NodeSetName
    pose: PoseMessage


class JointValuesRequest(Message):
    """New values of joints."""

    joint_values: Annotated[
        dict[Name, Number],
        Field(max_length=MAX_NAMES, description="By name: radians, or the units of the service. Others stay."),
    ]


class RobotPoseRequest(Message):
    """Where the root of the robot is in the world."""

    pose: PoseMessage
