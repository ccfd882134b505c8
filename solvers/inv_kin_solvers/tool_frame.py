"""The frame that a module puts at its target."""

from __future__ import annotations

from ...kinematics import Frame, SimpleFrame, pose
from ..inverse_kinematics import InverseKinematics


def tool_frame(module: InverseKinematics, known: Frame | None = None) -> Frame:
    """The module's own frame; with an offset a frame at the tool point, ``known`` if that is still the one."""
    offset, frame = module.offset, module.frame
    if offset is None:
        return frame
    if (
        isinstance(known, SimpleFrame)
        and known is not frame
        and known.parent is frame
        and (known.relative_transform.translation == offset).all()
    ):
        return known
    return SimpleFrame(f"{frame.name}_tool", frame, pose(offset))
