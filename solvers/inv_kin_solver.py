"""`InvKinSolver`: RobWork's contract of a solver for one chain."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from ..kinematics import Frame, NodeSet, PoseLike
from .solutions import Solutions


class InvKinSolver(ABC):
    """Finds configurations that put the tip of a chain at a pose relative to its base.

    Not finding any is an empty result, never an exception.
    """

    #: Whether configurations outside the joint limits are left out.
    check_joint_limits: bool = True

    @abstractmethod
    def solve(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """Configurations for a pose.

        Args:
            base_T_end: Pose of the tip relative to the base of the chain; not in the world.
            state: Configuration (n,) or mapping that the search starts from; the present positions when None.
                It is not changed.
        """

    @property
    @abstractmethod
    def chain(self) -> NodeSet:
        """The joints that are moved, with base and tip."""

    @property
    def tcp(self) -> Frame:
        """The frame that is put at the pose."""
        return self.chain.tip
