"""The frames of a robot that a target may be for."""

from __future__ import annotations

from collections.abc import Mapping

from ...kinematics import Frame, Skeleton, StructureError, unknown_name


def moved_frames(robot: Skeleton) -> dict[str, Frame]:
    """The frames that a joint moves, by name.

    Raises:
        StructureError: There is none.
    """
    frames = {frame.name: frame for frame in robot.frames if frame.chain().dofs}
    if not frames:
        raise StructureError(f"no joint of {robot.name!r} moves anything")
    return frames


def find_moved(robot: Skeleton, frames: Mapping[str, Frame], name: str | None) -> Frame:
    """One of these frames; the natural tip, or else the last one, when there is no name.

    Raises:
        UnknownNameError: No such frame, or one that no joint moves.
    """
    if name is None:
        return frames.get(robot.tip.name, next(reversed(list(frames.values()))))
    if name not in frames:
        raise unknown_name("moved frame", name, frames, f"skeleton {robot.name!r}")
    return frames[name]
