"""ArmarX's inverse kinematics as a service: node sets, poses, balance, hierarchies and reachability spaces by name."""

from ...solvers import CartesianSelection
from .com_ik_descriptor import CoMIKDescriptor
from .default_node_set import DEFAULT_NODE_SET
from .explained_robot_ik import ExplainedRobotIK
from .extended_ik_result import ExtendedIKResult
from .framed_pose import GLOBAL_FRAME, FramedPose
from .ik_task import IKTask
from .inverse_jacobian_method import InverseJacobianMethod
from .outcome import FailureReason, Outcome
from .plain_robot_ik import PlainRobotIK
from .robot_ik import RobotIK
from .robot_ik_interface import RobotIKInterface
from .workspace_bounds import WorkspaceBounds

__all__ = [
    "DEFAULT_NODE_SET",
    "GLOBAL_FRAME",
    "CartesianSelection",
    "CoMIKDescriptor",
    "ExplainedRobotIK",
    "ExtendedIKResult",
    "FailureReason",
    "FramedPose",
    "IKTask",
    "InverseJacobianMethod",
    "Outcome",
    "PlainRobotIK",
    "RobotIK",
    "RobotIKInterface",
    "WorkspaceBounds",
]
