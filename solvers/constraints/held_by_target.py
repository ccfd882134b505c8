"""`HeldByTarget`: what has one place only, whatever solution of a target is taken."""

from __future__ import annotations

from ...kinematics import CollisionDetector, Frame, Link
from ..active_dofs import ActiveDofs
from ..targets.transform_6d import Transform6D
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion


class HeldByTarget:
    """Tells which pairs of bodies are placed against each other by the target alone.

    These are the frame's link, and what is rigidly connected to it, against obstacles and against links that nothing
    moves; with a target that asks for a full pose, or when nothing moves the frame at all.

    Args:
        active: What may move.
        frame: The frame that is solved for.
        method: What is to be zero.
    """

    def __init__(self, active: ActiveDofs, frame: Frame, method: ErrorMethod) -> None:
        self._active = active
        self._frame = frame
        self._method = method

    def is_foremost(self, pair: tuple[str, str]) -> bool:
        """Whether a pair is about the frame's own link."""
        link = self._frame.link
        return link is not None and link.name in pair

    def holds(self, detector: CollisionDetector, pair: tuple[str, str]) -> bool:
        """Whether the two stand against each other as they do in every solution."""
        link = self._frame.link
        if link is None or detector.skeleton is not self._active.skeleton or not _asks_for_a_pose(self._method):
            return False
        first, second = (self._carrier(detector, name) for name in pair)
        held, still = self._moved_by(link), None
        return {first, second} == {held, still} and held is not None

    def _carrier(self, detector: CollisionDetector, name: str) -> Link | None:
        """The link that the first joint that may move, going up from a body, moves; None when nothing moves it."""
        if name in detector.obstacles:
            return None
        thing = detector.attached.get(name)
        skeleton = detector.skeleton
        return self._moved_by(skeleton.link(name) if thing is None else thing.link_of(skeleton))

    def _moved_by(self, link: Link) -> Link | None:
        moving = {id(dof.joint) for dof in self._active.dofs}
        above: Link | None = link
        while above is not None:
            joint = above.joint
            while joint.dependence is not None:
                joint = joint.dependence.master
            if id(joint) in moving:
                return above
            above = above.parent_link
        return None


def _asks_for_a_pose(method: ErrorMethod) -> bool:
    if isinstance(method, Transform6D):
        return bool(method.relative.stands_still)
    if not isinstance(method, TaskSpaceRegion):
        return False
    aim = method.aimed
    return bool(aim.relative.stands_still and aim.bounds.has_exact_position and aim.bounds.has_exact_rotation)
