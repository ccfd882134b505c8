"""`NodeSet`: a named selection of joints with a base and a tip."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .degree_of_freedom import DegreeOfFreedom
from .errors import InvalidValueError, StructureError, unknown_name
from .frame import Frame
from .joints import Joint
from .skeleton import Skeleton
from .transforms import Array


class NodeSet:
    """Some joints of a skeleton, in its order, between a base and a tip.

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
        """The joints, in the skeleton's order."""
        return tuple(joint for joint in self.skeleton.joints if joint in self._joints)

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
        """Present values of `dofs`."""
        return self.skeleton.positions[self.dof_indices]

    def __len__(self) -> int:
        return len(self.dofs)

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.name!r}: {len(self)} degrees of freedom, "
            f"{self.base.name!r} to {self.tip.name!r}>"
        )
