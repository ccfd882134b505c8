"""`CollisionScene`: what is around a robot and what it carries, at one moment."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from ..picklable_record import PicklableRecord
from .attached_object import AttachedObject
from .obstacle import Obstacle

_Thing = TypeVar("_Thing")


@dataclass(frozen=True)
class CollisionScene(PicklableRecord):
    """Obstacles, attached objects, margins and choices of pairs; never changed, only replaced.

    A query works on one scene from beginning to end, whatever other threads do to the detector meanwhile.

    Attributes:
        obstacles: By name.
        attached: By name.
        choices: Pairs that the user excluded (False) or included (True).
        margin: Least distance (m) between the robot and obstacles.
        self_margin: Least distance (m) among the links and what they carry.
        edits: Grows with everything that changes which shapes and pairs there are.
        moves: Grows when an obstacle is moved.
    """

    obstacles: Mapping[str, Obstacle] = field(default_factory=lambda: MappingProxyType({}))
    attached: Mapping[str, AttachedObject] = field(default_factory=lambda: MappingProxyType({}))
    choices: Mapping[frozenset[str], bool] = field(default_factory=lambda: MappingProxyType({}))
    margin: float = 0.0
    self_margin: float = 0.0
    edits: int = 0
    moves: int = 0

    def with_obstacle(self, obstacle: Obstacle) -> CollisionScene:
        """One more obstacle."""
        return self._edited(obstacles=_with(self.obstacles, obstacle.name, obstacle))

    def with_moved(self, obstacle: Obstacle) -> CollisionScene:
        """The obstacle of that name is where this one is."""
        obstacles = _with(self.obstacles, obstacle.name, obstacle)
        return dataclasses.replace(self, obstacles=obstacles, moves=self.moves + 1)

    def with_attached(self, thing: AttachedObject) -> CollisionScene:
        """One more attached object."""
        return self._edited(attached=_with(self.attached, thing.name, thing))

    def without(self, name: str) -> CollisionScene:
        """Without the obstacle or attached object of that name, and without the choices of its pairs."""
        return self._edited(
            obstacles=_without(self.obstacles, name),
            attached=_without(self.attached, name),
            choices=MappingProxyType({pair: kept for pair, kept in self.choices.items() if name not in pair}),
        )

    def with_choice(self, pair: frozenset[str], checked: bool) -> CollisionScene:
        """A pair that is, or is not, to be checked whatever the rules say."""
        return self._edited(choices=MappingProxyType({**self.choices, pair: checked}))

    def with_margins(self, margin: float, self_margin: float) -> CollisionScene:
        """With other margins."""
        return dataclasses.replace(self, margin=margin, self_margin=self_margin)

    def _edited(self, **changes: object) -> CollisionScene:
        return dataclasses.replace(self, **changes, edits=self.edits + 1)  # type: ignore[arg-type]


def count_of(things: Sized, what: str) -> str:
    """How many, in words: "1 obstacle", "2 obstacles"."""
    return f"{len(things)} {what}{'' if len(things) == 1 else 's'}"


def _with(things: Mapping[str, _Thing], name: str, thing: _Thing) -> Mapping[str, _Thing]:
    return MappingProxyType({**things, name: thing})


def _without(things: Mapping[str, _Thing], name: str) -> Mapping[str, _Thing]:
    return MappingProxyType({other: thing for other, thing in things.items() if other != name})
