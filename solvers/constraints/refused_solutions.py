"""`RefusedSolutions`: which configurations of a search the constraint refused, and why."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ...kinematics.core.whole_turns import TURN
from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..reason import Reason
from .constraint_check import collisions

if TYPE_CHECKING:
    from ...kinematics import CollisionFree
    from .held_by_target import HeldByTarget

_COLLISION_FREE = f"{QConstraint.__module__.rpartition('.')[0]}.collision.collision_free"
#: Pairs of bodies that a report names.
_NAMED_PAIRS = 3


class RefusedSolutions:
    """What was refused, and counts by the names of what refused it.

    Args:
        active: What may move; configurations that agree in it are the same.
        held: Tells which collisions the target alone is to blame for; None does not.

    Attributes:
        counts: How often each constraint refused, by name.
    """

    #: Refused configurations whose collision is looked at once more for a report; a sample, because that takes time.
    LOOKED_AT: ClassVar[int] = 16

    def __init__(self, active: ActiveDofs, held: HeldByTarget | None = None) -> None:
        self.counts: dict[str, int] = {}
        self._held = held
        self._indices = active.indices
        self._turning = np.array([column for column, _, _ in active.wraps], dtype=np.intp)
        #: Each configuration (n,) once, and what refused it.
        self._refused: list[Array] = []
        self._by: list[QConstraint] = []
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
            self.counts[self._by[first].name] += 1
        return True

    def text(self, looks: int = LOOKED_AT) -> str:
        """What refused how often, as in "9 collision (in all of 9 'hand' touches 'table'), 3 'elbow up'".

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

    def at_the_start(self, start: Array) -> str:
        """Says so when a detector that refused something refuses the start (n,) too; else empty."""
        for by in self._by:
            if reason_of(by) is Reason.COLLISION:
                found = collisions(cast("CollisionFree", by), start)
                return f"the start itself is in collision: {_listed(map(str, found))}" if found else ""
        return ""

    def _pairs(self, name: str, looks: int) -> str:
        """Which collisions there are: those in every configuration first, then the most frequent ones."""
        places = [place for place, each in enumerate(self._by) if each.name == name]
        total, looked = len(places), min(len(places), looks)
        found: dict[str, int] = {}
        held: dict[str, bool] = {}  # and whether it is about the link that is solved for itself
        for place in places[:looked]:
            by = cast("CollisionFree", self._by[place])
            for each in collisions(by, self._refused[place]):
                said = str(each)
                found[said] = found.get(said, 0) + 1
                pair = each.pair
                if self._held is not None and pair is not None and self._held.holds(by.detector, pair):
                    held[said] = self._held.is_foremost(pair)
        if not found:
            return ""
        named = sorted(found, key=lambda said: -found[said])  # stable: of equals those that overlap most come first
        always = [said for said in named if found[said] == looked]
        inevitable = sorted((said for said in always if said in held), key=lambda said: (not held[said], said))
        if inevitable:
            more = ", ..." if len(inevitable) > 1 else ""
            return f"{_in_all(looked, total)}{inevitable[0]}{more}: the target itself is in collision"
        if always:
            return _in_all(looked, total) + _listed(always)
        sampled = f"of {looked} looked at " if looked < total else ""
        return f"{sampled}most often {_listed(_times(said, found[said]) for said in named)}"


def _in_all(looked: int, total: int) -> str:
    """Of how many configurations something is said that holds for all of them."""
    if looked < total:
        return "in the one looked at " if looked == 1 else f"in all of {looked} looked at "
    return "" if total == 1 else f"in all of {total} "


def _times(said: str, times: int) -> str:
    return f"{said} {times} times" if times > 1 else f"{said} once"


def _listed(texts: Iterable[str]) -> str:
    """The first few, in words."""
    parts = list(texts)
    return ", ".join(parts[:_NAMED_PAIRS]) + (", ..." if len(parts) > _NAMED_PAIRS else "")


def reason_of(refusing: QConstraint) -> Reason:
    """What a solution that this refuses fails for."""
    # Whoever has such a constraint has loaded its module; for all others it is not worth loading.
    loaded = sys.modules.get(_COLLISION_FREE)
    is_collision = loaded is not None and isinstance(refusing, loaded.CollisionFree)
    return Reason.COLLISION if is_collision else Reason.CONSTRAINT
