"""`IKTask`: a frame that should come to a pose, with a priority."""

from __future__ import annotations

from dataclasses import dataclass

from ...kinematics import InvalidValueError, PoseLike, as_pose
from ...solvers import CartesianSelection
from .checks import as_text, as_whole, shown
from .inverse_jacobian_method import InverseJacobianMethod


@dataclass(frozen=True)
class IKTask:
    """A task of `RobotIKInterface.compute_hierarchical_delta_ik`.

    Attributes:
        tcp: Name of the frame that is moved.
        pose: Where it should be, a ``pinocchio.SE3``; any form of a pose may be given. Its position is in the units of
            the service.
        priority: The task with the highest number comes first; tasks with the same one are met together.
        selection: Which part of the pose; coordinates are along the axes of the world.
        method: How the error becomes a step; the same for all tasks of one priority.
        coordinate_system: Name of the frame that the pose is in, where it is now; empty or ``"Global"`` for the world.

    Raises:
        InvalidPoseError: What is no pose.
        InvalidValueError: Another kind of thing.
    """

    tcp: str
    pose: PoseLike
    priority: int = 0
    selection: CartesianSelection = CartesianSelection.ALL
    method: InverseJacobianMethod = InverseJacobianMethod.SVD_DAMPED
    coordinate_system: str = ""

    def __post_init__(self) -> None:
        as_text("tcp", self.tcp)
        object.__setattr__(self, "pose", as_pose(self.pose, f"pose of {self.tcp!r}"))
        as_whole("priority", self.priority)
        object.__setattr__(self, "selection", CartesianSelection.of(self.selection))
        if not isinstance(self.method, InverseJacobianMethod):
            raise InvalidValueError(f"method must be an InverseJacobianMethod, not {shown(self.method)}")
        as_text("coordinate_system", self.coordinate_system)
