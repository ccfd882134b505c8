"""`KnownArm`: what kind of arm a closed form is for, found out when it is asked and anew after a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...kinematics import StructureError
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..analytical.analytical import Analytical
from ..analytical.solved_dofs import base_of
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion
from .find import Found
from .lookup import Lookup, key_of, standing_dofs
from .redundancy import Redundancy

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics

#: Kinds of goals, and places of what stands still, that a closed form remembers.
_MOST_LOOKUPS = 32


class KnownArm(Analytical):
    """The part of a `ClosedForm` that knows the arm; nothing is kept that a change of robot or module makes untrue."""

    #: For the module's own kind of goal; the error method that it was looked up for; the sum of all revisions then, or
    #: -1 where the quick way is closed.
    _own: Lookup | None = None
    _seen: Any = None
    _stamp: int = -1

    def __init__(self) -> None:
        self._lookups: dict[Any, Lookup] = {}

    def bind(self, ik: InverseKinematics) -> None:
        """Looks up what kind of arm the module has.

        Raises:
            StructureError: One without a known closed form; the message says what was tried.
        """
        if ik is not self.ik:
            self._lookups, self._own, self._seen, self._stamp = {}, None, None, -1
        super().bind(ik)
        found = self.found
        if found.family is None:
            raise StructureError(f"{ik.name!r} of {ik.skeleton.name!r}: {found.why}")

    @property
    def found(self) -> Found:
        """What was found out about the arm, for the goals of the module's error method."""
        return self._own_lookup(self.module.skeleton.positions).found

    @property
    def why(self) -> str:
        """The kind of arm and what makes it one, in words."""
        return self.found.why

    @property
    def redundancy(self) -> Redundancy | None:
        """The one number that a pose leaves free in an arm of seven joints; None where there is none that is known.

        Its poses are relative to the frame that goals are given in, as a rule the world.
        """
        geometry = self._own_lookup(self.module.skeleton.positions).geometry
        if geometry is None or len(geometry) != 7 or geometry.slides.any():
            return None
        found = Redundancy.of(geometry)
        return None if isinstance(found, str) else found

    def solved_dofs(self) -> ActiveDofs:
        """The module's degrees of freedom in the order of the chain."""
        own = self._own
        if own is None or own.order.version != self.module.skeleton.version or self._stamp != self._sum_of_revisions():
            own = self._own_lookup(self.module.skeleton.positions)
        return own.order

    # What depends on the robot.

    def _sum_of_revisions(self) -> int:
        """Each of these only grows, so the sum is the same only while none has changed."""
        module = self.module
        return self._revision + module._revision + module.skeleton.version + module.error_method._revision

    def _quick_lookup(self) -> Lookup | None:
        """What was found out for the module's error method, while it holds for certain."""
        is_same = self._seen is self.module.error_method and self._stamp == self._sum_of_revisions()
        return self._own if is_same else None

    def _own_lookup(self, q: Array) -> Lookup:
        """What was found out for the module's error method; opens the quick way where there is one."""
        module = self.module
        own = self._lookup(module.error_method.aimed_at(), q)
        self._own, self._seen = own, module.error_method
        is_quick = (
            own.form is not None
            and self._quality is None
            and isinstance(self._seen, TaskSpaceRegion)
            and module.frame is module.frame.link
            and not len(standing_dofs(module))
            and self._is_at_world(own.order, q)
        )
        self._stamp = self._sum_of_revisions() if is_quick else -1
        return own

    def _is_at_world(self, order: ActiveDofs, q: Array) -> bool:
        """Whether poses relative to the base are poses in the world."""
        base = self.module.skeleton.state(q).transform(base_of(order))
        return bool((base.homogeneous == np.eye(4)).all())

    def _lookup(self, method: ErrorMethod, q: Array) -> Lookup:
        """What was found out about the arm for an aimed task, found out anew after a change."""
        key = (key_of(self.module, method, q), self._tolerance)
        lookup = self._lookups.get(key)
        if lookup is None:
            lookup = Lookup.of(self.module, method, q)
            if len(self._lookups) >= _MOST_LOOKUPS:
                self._lookups = {}
            self._lookups[key] = lookup
        return lookup

    def __getstate__(self) -> dict[str, Any]:
        """A copy finds out about its arm anew: kernels and their arrays belong to this one."""
        return {**vars(self), "_lookups": {}, "_own": None, "_seen": None, "_stamp": -1}

    def clone(self) -> Self:
        """A copy that belongs to no module."""
        twin = super().clone()
        twin._lookups, twin._own, twin._seen, twin._stamp = {}, None, None, -1
        return twin
