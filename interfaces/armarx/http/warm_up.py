"""`warm_up`: compiles what the operations need, so that no request waits for it."""

from __future__ import annotations

import logging

from ....kinematics import Skeleton
from ...armarx import CoMIKDescriptor, IKTask, RobotIK

_logger = logging.getLogger(__name__)

_SET = "warm-up"


def warm_up(skeleton: Skeleton) -> None:
    """Asks a service of its own each kind of question once.

    Args:
        skeleton: The robot that is going to be served; it stays as it is.
    """
    service = RobotIK(skeleton, timeout=60.0)
    tip = skeleton.tip
    joints = [joint.name for joint in tip.chain().joints]
    explained = service.explained
    if not explained.define_robot_node_set(_SET, joints, tip.name, tip.chain().base.name):
        _logger.warning("nothing was compiled ahead: the chain to %r makes no node set", tip.name)
        return
    place = tip.transform()
    outcomes = [
        explained.compute_extended_ik_global_pose(_SET, place),
        *(explained.compute_ik_global_pose(_SET, place, part) for part in ("position", "orientation", "x|orientation")),
        explained.compute_hierarchical_delta_ik(_SET, [IKTask(tip.name, place)]),
        explained.compute_hierarchical_delta_ik(_SET, [IKTask(tip.name, place)], avoid_joint_limits=True),
        explained.create_reachability_space(_SET, tip.chain().base.name, step_translation=1.0, samples=1000),
        explained.is_pose_reachable(_SET, place),
    ]
    if skeleton.mass > 0.0:
        x, y, _ = skeleton.com
        outcomes.append(explained.compute_com_ik(_SET, CoMIKDescriptor(x, y)))
    for outcome in outcomes:
        _logger.debug("warm-up: %s", outcome)
