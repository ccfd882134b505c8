"""Names by which robot files call the place of the tool."""

from __future__ import annotations

from ..kinematics import Skeleton
from ..kinematics.natural_tip import set_tip

#: In the order in which they are looked for; the first that exists is the natural tip.
KNOWN_TIPS = (
    "tool0",
    "tcp",
    "tool_center_point",
    "tool_frame",
    "tool",
    "panda_hand",
    "fr3_hand",
    "fer_hand",
    "end_effector_link",
    "end_effector",
    "ee_link",
    "ee",
    "iiwa_link_ee",
    "lbr_iiwa_link_7",
    "gripper_base",
    "gripper_link",
    "tip",
)


def name_tip(skeleton: Skeleton) -> None:
    """Sets the natural tip if a link or frame has one of the names; otherwise leaves the default."""
    for name in KNOWN_TIPS:
        if skeleton.has_frame(name):
            set_tip(skeleton, name, f"{name!r} is a usual name for the tool")
            return
