"""`NodeSet`: a named selection of joints with a base and a tip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .degree_of_freedom import DegreeOfFreedom
from .errors import InvalidValueError, StructureError, unknown_name
from .frame import Frame
from .joints import Joint
from .transforms import Array, read_only

if TYPE_CHECKING:
    from .skeleton import Skeleton


class NodeSet:
    """Some joints of a skeleton, in its order, between a base and a tip.

    It follows edits of the skeleton. Once one of its joints or frames was removed, `lost` tells which, and whatever
    asks for its joints is a `StructureError`.

    Args:
        name: Any text.
        joints: Joints of one skeleton, or their names; dependent and fixed ones add no degree of freedom.
        base: The frame that poses of the set are relative to.
        tip: The frame that the set moves.

    Raises:
        StructureError: The tip hangs on no skeleton.
        InvalidValueError: Something that is neither a joint nor a name.
        UnknownNameError: A joint that is not of that skeleton.
    """

    def __init__(self, name: str, joints: Iterable[Joint | str], base: Frame, tip: Frame) -> None:
        skeleton = tip.skeleton
        if skeleton is None:
            raise StructureError(f"tip {tip.name!r} of {name!r} hangs on no skeleton")
        chosen = []
        for each in joints:
            joint = skeleton.joint(each) if isinstance(each, str) else each
            if not isinstance(joint, Joint):
                raise InvalidValueError(f"{name!r} needs joints or their names, not {joint!r}")
            if joint.skeleton is not skeleton:
                known = [other.name for other in skeleton.joints]
                raise unknown_name("joint", joint.name, known, f"skeleton {skeleton.name!r}")
            chosen.append(joint)
        self.name = name
        self.skeleton: Skeleton = skeleton
        self.base = base
        self.tip = tip
        self._joints = frozenset(chosen)

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints, in the skeleton's order; `StructureError` when one was removed."""
        found = tuple(joint for joint in self.skeleton.joints if joint in self._joints)
        if len(found) < len(self._joints):
            self._check()
        return found

    @property
    def lost(self) -> tuple[str, ...]:
        """What was removed from the skeleton: ``"joint 'x'"``, ``"frame 'y'"``; empty while the set is whole."""
        joints = sorted(joint.name for joint in self._joints if joint.skeleton is not self.skeleton)
        frames = [self.tip] if self.tip.skeleton is not self.skeleton else []
        # A base that hung on this skeleton ends in a link that nothing carries any more.
        if self.base.link is not None and self.base.skeleton is None:
            frames.append(self.base)
        return (*(f"joint {each!r}" for each in joints), *(f"frame {each.name!r}" for each in frames))

    def _check(self) -> None:
        """Raises `StructureError` when a joint or a frame of the set was removed from the skeleton."""
        if self.lost:
            raise StructureError(
                f"node set {self.name!r} is no longer whole: skeleton {self.skeleton.name!r} has lost "
                f"{', '.join(self.lost)}; define the set anew"
            )

    def _replace(self, old: Joint, new: Joint) -> None:
        """Has one joint in the place of another."""
        if old in self._joints:
            self._joints = self._joints - {old} | {new}

    @property
    def dofs(self) -> tuple[DegreeOfFreedom, ...]:
        """Their independent degrees of freedom."""
        return tuple(dof for joint in self.joints if not joint.is_dependent for dof in joint.dofs)

    @property
    def dof_indices(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Places of `dofs` in the skeleton's configuration."""
        return np.array([dof.index for dof in self.dofs], dtype=np.intp)

    @property
    def positions(self) -> Array:
        """(k,) present values of `dofs`, to be read."""
        return read_only(self.skeleton.positions[self.dof_indices])

    def __len__(self) -> int:
        return len(self.dofs)

    def __repr__(self) -> str:
        if self.lost:
            return f"<{type(self).__name__} {self.name!r}: without {', '.join(self.lost)}>"
        return (
            f"<{type(self).__name__} {self.name!r}: {len(self)} degrees of freedom, "
            f"{self.base.name!r} to {self.tip.name!r}>"
        )
