"""`Chain`: a serial run of joints from a base to a tip."""

from __future__ import annotations

import math

import numpy as np

from .errors import StructureError
from .frame import Frame, check_frame
from .joints import FreeJoint, Joint, PlanarJoint, PrismaticJoint, ScrewJoint
from .link import Link
from .node_set import NodeSet
from .world import World


class Chain(NodeSet):
    """The joints on the way from a base frame to a tip, nothing in between branching off the limb.

    Without a given base the chain goes from the tip towards the root until the limb ends. Links that are
    welded together count as one body, and the tip's own body is never looked at. The walk stops, without
    taking the joint, at a body that more than one independent joint hangs on (the torso of a humanoid), and
    it stops after a free joint, which it takes. So the arm of a humanoid is a chain, a gripper on an arm does
    not end it, and a floating arm includes its base.
    """

    @classmethod
    def to(cls, tip: Frame, base: Frame | None = None) -> Chain:
        """The chain that ends in ``tip``; see `Frame.chain`.

        Args:
            tip: Its last frame.
            base: Where it begins; see there.

        Raises:
            StructureError: The base is not on the way from the tip to the root.
        """
        link = tip.link
        if link is None:
            raise StructureError(f"frame {tip.name!r} hangs on no skeleton, so no chain ends in it")
        if base is None:
            joints, start = _limb(link)
        else:
            check_frame(base, "base")
            joints, start = _down_to(link, base), base
        joints.reverse()
        return cls(f"{start.name} to {tip.name}", joints, start, tip)

    @property
    def reach(self) -> float:
        """An upper bound (m) on the distance from the first moving joint to the tip; inf for free sliding.

        The sum of the distances between consecutive joints, plus how far sliding joints can extend.
        """
        moving = [joint for joint in self.joints if joint.is_moving]
        if not moving:
            return 0.0
        total = 0.0
        path = _links_between(moving[0].child_link, self.tip.link)
        for joint in (moving[0], *(link.joint for link in path)):
            if joint is not moving[0]:
                total += float(np.linalg.norm(joint.placement.translation))
            total += _extension(joint) + float(np.linalg.norm(joint.child_placement.translation))
        tip_link = self.tip.link
        assert tip_link is not None
        return total + float(np.linalg.norm(self.tip.transform(tip_link).translation))


def _limb(link: Link) -> tuple[list[Joint], Frame]:
    """Joints from the tip's link upwards, and the frame where the limb begins."""
    taken: list[Joint] = []
    pending: list[Joint] = []  # fixed joints of the body that is being looked at
    current: Link | None = link
    while current is not None:
        joint = current.joint
        parent = current.parent_link
        pending.append(joint)
        if joint.is_moving and not (taken and _branches(current)):
            taken.extend(pending)
            pending = []
            if isinstance(joint, FreeJoint):
                break
        elif joint.is_moving:
            return taken, current
        current = parent
    first = taken[-1] if taken else link.joint
    return taken, first.parent_link or World()


def _branches(link: Link) -> bool:
    """True when more than one independent joint hangs on the rigid body of this link."""
    count = 0
    stack = [link]
    while stack:
        for child in stack.pop().children:
            if not child.joint.is_moving:
                stack.append(child)
            elif not child.joint.is_dependent:
                count += 1
    return count > 1


def _down_to(link: Link, base: Frame) -> list[Joint]:
    stop = base.link
    found: list[Joint] = []
    current: Link | None = link
    while current is not stop:
        if current is None:
            raise StructureError(f"base {base.name!r} is not on the way from {link.name!r} to the root")
        found.append(current.joint)
        current = current.parent_link
    return found


def _links_between(top: Link | None, bottom: Link | None) -> list[Link]:
    """Links from below ``top`` to ``bottom``, in that order."""
    path: list[Link] = []
    while bottom is not None and bottom is not top:
        path.append(bottom)
        bottom = bottom.parent_link
    return path[::-1]


def _extension(joint: Joint) -> float:
    """How far a joint can move the origin of its child, at most."""
    if isinstance(joint, PrismaticJoint | ScrewJoint):
        dof = joint.dofs[0]
        factor = 1.0 if isinstance(joint, PrismaticJoint) else abs(joint.lead) / (2.0 * math.pi)
        if joint.dependence is not None:
            return math.inf if factor else 0.0
        return factor * max(abs(dof.lower), abs(dof.upper)) if factor else 0.0
    if isinstance(joint, FreeJoint | PlanarJoint):
        return math.inf
    return 0.0
