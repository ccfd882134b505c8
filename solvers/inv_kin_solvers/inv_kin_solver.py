"""`InvKinSolver`: RobWork's contract of a solver for one chain."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

from numpy.typing import ArrayLike

from ...kinematics import Frame, NodeSet, PoseLike
from ...kinematics.known_attributes import KnownAttributes
from ..request import Request
from .solutions import Solutions


class InvKinSolver(KnownAttributes, ABC):
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

    def request_for(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Request | None:
        """What a `solve` would look for, when nothing but one search decides its result; else None (the default).

        `IKMetaSolver` then makes the attempts of a solve together, in the compiled engine when that can do it.

        Args:
            base_T_end: See `solve`.
            state: See `solve`; it is the seed of the request.
        """
        return None

    def without_limit_check(self) -> Self:
        """A shallow copy that gives configurations outside the limits as well; itself when it does so already."""
        if not self.check_joint_limits:
            return self
        twin = copy.copy(self)
        twin.check_joint_limits = False
        return twin

    @property
    @abstractmethod
    def chain(self) -> NodeSet:
        """The joints that are moved, with base and tip."""

    @property
    def tcp(self) -> Frame:
        """The frame that is put at the pose."""
        return self.chain.tip

    def __repr__(self) -> str:
        chain = self.chain
        return f"<{type(self).__name__}: {len(chain)} joints, {chain.base.name!r} to {self.tcp.name!r}>"
