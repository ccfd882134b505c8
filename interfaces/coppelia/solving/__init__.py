"""Solving: handling groups, their Jacobians, and the search for configurations."""

from .find_config import find_config
from .found_configs import FoundConfigs, SearchReport
from .handle_groups import handle_groups
from .handle_or import handle_or
from .handle_result import HandleResult
from .jacobian_callback import JacobianCallback
from .jacobians import JacobianAndError, compute_group_jacobian, compute_jacobian, group_joints
from .snapshot import LimitHit, Miss

__all__ = [
    "FoundConfigs",
    "HandleResult",
    "JacobianAndError",
    "JacobianCallback",
    "LimitHit",
    "Miss",
    "SearchReport",
    "compute_group_jacobian",
    "compute_jacobian",
    "find_config",
    "group_joints",
    "handle_groups",
    "handle_or",
]
