"""What requests are made of, as pydantic models: strict, finite, of limited size, without unknown keys."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ....kinematics import PoseLike
from ....solvers import CartesianSelection
from ..com_ik_descriptor import CoMIKDescriptor
from ..framed_pose import GLOBAL_FRAME, FramedPose
from ..ik_task import IKTask
from ..inverse_jacobian_method import InverseJacobianMethod
from ..workspace_bounds import WorkspaceBounds
from .limits import MAX_NAME, MAX_NAMES

Name = Annotated[str, Field(max_length=MAX_NAME)]
#: Far beyond any robot, in millimetres too, and far from where sums and products lose their meaning.
Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
Positive = Annotated[float, Field(allow_inf_nan=False, ge=1e-9, le=1e9)]
Whole = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Priority = Annotated[Whole, Field(description="The task with the highest number comes first.")]
CoordinateSystem = Annotated[Name, Field(description="Name of a frame; empty or 'Global' for the world.")]
_COORDINATE = "(x|y|z|position|orientation|all)"
Selection = Annotated[
    str,
    Field(
        pattern=rf"^{_COORDINATE}(\|{_COORDINATE}){{0,5}}$",
        max_length=80,
        description="Which part of a pose: names joined by '|', such as 'position' or 'x|y|orientation'.",
    ),
]


class Message(BaseModel):
    """Base class of all that is sent: no conversions, no unknown keys."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class PoseMessage(Message):
    """A pose: position in the units of the service, rotation as a quaternion."""

    position: Annotated[list[Number], Field(min_length=3, max_length=3, description="x, y, z.")]
    quaternion: Annotated[
        list[Number], Field(min_length=4, max_length=4, description="x, y, z, w, of any length but 0.")
    ] = [0.0, 0.0, 0.0, 1.0]

    def pose(self) -> PoseLike:
        """As the service takes it."""
        return self.position, self.quaternion


class FramedPoseMessage(PoseMessage):
    """A pose in a frame that is given by name."""

    frame: CoordinateSystem = GLOBAL_FRAME
    agent: Annotated[Name, Field(description="Name of the robot; empty for the one of the service.")] = ""

    def framed_pose(self) -> FramedPose:
        """As the service takes it."""
        return FramedPose(self.pose(), self.frame, self.agent)


class CoMMessage(Message):
    """The centre of mass over a point of the ground plane."""

    gx: Annotated[Number, Field(description="In the units of the service.")]
    gy: Annotated[Number, Field(description="In the units of the service.")]
    priority: Priority = 0
    node_set_bodies: Annotated[Name, Field(description="Node set whose bodies count; empty for all.")] = ""
    tolerance: Annotated[
        Positive | None, Field(description="In the units of the service; 1e-6 m when left out or null.")
    ] = None
    coordinate_system: CoordinateSystem = ""
    holding: Annotated[
        list[Name], Field(max_length=MAX_NAMES, description="Frames that stay where they are, such as feet.")
    ] = []
    check_support: Annotated[
        bool, Field(description="A point that is not over the shapes of what is held is unreachable.")
    ] = False

    def descriptor(self) -> CoMIKDescriptor:
        """As the service takes it."""
        return CoMIKDescriptor(
            self.gx, self.gy, self.priority, self.node_set_bodies, self.tolerance, self.coordinate_system,
            tuple(self.holding), self.check_support,
        )  # fmt: skip


class TaskMessage(Message):
    """A frame that should come to a pose, with a priority."""

    tcp: Annotated[Name, Field(description="Name of the frame that is moved.")]
    pose: PoseMessage
    priority: Priority = 0
    selection: Selection = "all"
    method: Annotated[
        Literal["svd", "transpose", "svd_damped"], Field(description="The same for all tasks of one priority.")
    ] = "svd_damped"
    coordinate_system: CoordinateSystem = ""

    def task(self) -> IKTask:
        """As the service takes it."""
        return IKTask(
            self.tcp,
            self.pose.pose(),
            self.priority,
            CartesianSelection.of(self.selection),
            InverseJacobianMethod(self.method),
            self.coordinate_system,
        )


class BoundsMessage(Message):
    """One corner of the box that a reachability space fills: units of the service, and radians."""

    x: Number
    y: Number
    z: Number
    ro: Number
    pi: Number
    ya: Number

    def bounds(self) -> WorkspaceBounds:
        """As the service takes it."""
        return WorkspaceBounds(self.x, self.y, self.z, self.ro, self.pi, self.ya)
