"""`RefusedSolutions`: which configurations of a search the constraint refused, and why."""

from __future__ import annotations

import sys
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..kinematics.core.whole_turns import TURN
from ..kinematics.q_constraint import QConstraint
from ..kinematics.transforms import Array
from . import defaults
from .active_dofs import ActiveDofs
from .constraint_check import explanation
from .reason import Reason

_COLLISION_FREE = f"{QConstraint.__module__.rpartition('.')[0]}.collision.collision_free"
#: Pairs of bodies that a report names.
_NAMED_PAIRS = 3


class RefusedSolutions:
    """What was refused, and counts by the names of what refused it.

    Args:
        active: What may move; configurations that agree in it are the same.

    Attributes:
        counts: How often each constraint refused, by name.
    """

    #: Refused configurations whose collision is looked at once more for a report; a sample, because that takes time.
    LOOKED_AT: ClassVar[int] = 16

    def __init__(self, active: ActiveDofs) -> None:
        self.counts: dict[str, int] = {}
        self._indices = active.indices
        self._turning = np.array([column for column, _, _ in active.wraps], dtype=np.intp)
        #: Each configuration (n,) once, what refused it, and how often.
        self._refused: list[Array] = []
        self._by: list[QConstraint] = []
        self._times: list[int] = []
        self._known = np.empty((8, len(active)))
        self._reasons: set[Reason] = set()

    def __len__(self) -> int:
        """How many configurations were refused, the same one again counted again."""
        return sum(self.counts.values())

    @property
    def reason(self) -> Reason:
        """`Reason.COLLISION` when nothing but collisions was in the way."""
        return Reason.COLLISION if self._reasons == {Reason.COLLISION} else Reason.CONSTRAINT

    def add(self, q: Array, refusing: QConstraint) -> None:
        """Notes a configuration (n,) that was refused."""
        count = len(self._by)
        if count == len(self._known):
            self._known = np.concatenate([self._known, np.empty_like(self._known)])
        self._known[count] = q[self._indices]
        self._refused.append(q)
        self._by.append(refusing)
        self._times.append(1)
        self._reasons.add(reason_of(refusing))
        self.counts[refusing.name] = self.counts.get(refusing.name, 0) + 1

    def knows(self, q: Array, counts: bool = True) -> bool:
        """Whether a configuration (n,) was refused before; if so it is counted again when ``counts``."""
        if not self._by:
            return False
        away = np.abs(self._known[: len(self._by)] - q[self._indices])
        if len(self._turning) and self.reason is Reason.COLLISION:
            # Bodies are in the same place a whole turn further. Constraints of the caller's may see a difference.
            turned = away[:, self._turning]
            away[:, self._turning] = np.abs(turned - TURN * np.round(turned / TURN))
        same: NDArray[np.bool_] = np.asarray((away <= defaults.PROXIMITY_LIMIT).all(axis=1))
        first = int(same.argmax())
        if not same[first]:
            return False
        if counts:
            name = self._by[first].name
            self.counts[name] += 1
            self._times[first] += 1
        return True

    def text(self, looks: int = LOOKED_AT) -> str:
        """What refused how often, as in "9 collision ('hand' touches 'table' 7 times), 3 'elbow up'".

        Args:
            looks: At how many configurations collisions are named.
        """
        parts: list[str] = []
        for name, count in sorted(self.counts.items(), key=lambda item: -item[1]):
            by = next(each for each in self._by if each.name == name)
            if reason_of(by) is Reason.COLLISION:
                pairs = self._pairs(name, looks)
                parts.append(f"{count} {name}{f' ({pairs})' if pairs else ''}")
            else:
                parts.append(f"{count} {name!r}")
        return ", ".join(parts)

    def _pairs(self, name: str, looks: int) -> str:
        """Which collisions there were how often, the most frequent one first."""
        places = [place for place, each in enumerate(self._by) if each.name == name]
        found: dict[str, int] = {}
        for place in places[:looks]:
            said = explanation(self._by[place], self._refused[place])
            found[said] = found.get(said, 0) + self._times[place]
        named = sorted(found.items(), key=lambda item: -item[1])
        parts = [f"{said} {times} times" if times > 1 else said for said, times in named[:_NAMED_PAIRS]]
        if len(named) > _NAMED_PAIRS:
            parts.append("...")
        sampled = f"of {looks} looked at " if 0 < looks < len(places) else ""
        return sampled + ", ".join(parts)


def reason_of(refusing: QConstraint) -> Reason:
    """What a solution that this refuses fails for."""
    # Whoever has such a constraint has loaded its module; for all others it is not worth loading.
    loaded = sys.modules.get(_COLLISION_FREE)
    is_collision = loaded is not None and isinstance(refusing, loaded.CollisionFree)
    return Reason.COLLISION if is_collision else Reason.CONSTRAINT
