"""Names by which robot files call the place of the tool."""

from __future__ import annotations

from collections.abc import Iterable

from ..kinematics import Frame, Skeleton
from ..kinematics.natural_tip import set_tip

#: In the order in which they are looked for: first what means the very point of the tool, then flanges and
#: hands.
KNOWN_TIPS = (
    "tool0",
    "tcp",
    "tool_center_point",
    "tool_centre_point",
    "hand_tcp",
    "gripper_tcp",
    "tool_frame",
    "tool_link",
    "tool",
    "ee_link",
    "ee",
    "end_effector_link",
    "end_effector",
    "eef_link",
    "link_ee",
    "attachment_site",
    "panda_hand",
    "fr3_hand",
    "fer_hand",
    "panda_link8",
    "link_eef",
    "flange",
    "gripper_base_link",
    "gripper_base",
    "gripper_link",
    "j2n6s300_end_effector",
    "j2s7s300_end_effector",
    "tip",
)
#: These also count behind a prefix (``ur5e_tool0``, ``panda_hand_tcp``), when one frame alone has it.
_ENDINGS = (
    "tool0",
    "tcp",
    "tool_center_point",
    "ee_link",
    "end_effector_link",
    "end_effector",
    "link_ee",
    "ee",
)


def name_tip(skeleton: Skeleton) -> None:
    """Sets the natural tip if a frame that moves has one of the names; otherwise leaves the default."""
    for name in KNOWN_TIPS:
        if skeleton.has_frame(name) and _moves(skeleton.frame(name)):
            set_tip(skeleton, name, f"{name!r} is a usual name for the tool")
            return
    for ending in _ENDINGS:
        found = _only(frame for frame in skeleton.frames if frame.name.lower().endswith(f"_{ending}"))
        if found is not None:
            set_tip(skeleton, found, f"{found.name!r} ends in {ending!r}, a usual name for the tool")
            return


def _only(frames: Iterable[Frame]) -> Frame | None:
    found = [frame for frame in frames if _moves(frame)]
    return found[0] if len(found) == 1 else None


def _moves(frame: Frame) -> bool:
    """True when a joint other than a floating base moves the frame."""
    link = frame.link
    while link is not None:
        if link.joint.is_moving and link.joint.kind != "free":
            return True
        link = link.parent_link
    return False
