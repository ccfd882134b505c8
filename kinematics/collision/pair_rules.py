"""Which pairs of a robot, what it carries and its obstacles are checked, and which are not, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from ..errors import GeometryError
from ..shapes import Ellipsoid, OcTree, Plane, Shape
from .collision_scene import CollisionScene
from .excluded_pair import ExcludedPair
from .link_geometries import LinkGeometries

#: Kinds that coal cannot compare, or (two octrees) gets wrong.
_NOT_SUPPORTED = (frozenset({Plane}), frozenset({OcTree}), frozenset({OcTree, Ellipsoid}))


class PairRules:
    """Sorts all pairs of one scene.

    Args:
        links: The robot's own shapes.
        scene: What is around it and what it carries.
        between_links: Why pairs of links are excluded; of several reasons for a pair the first counts.
        group: Names of the links of which a pair must have one at least; None for all.

    Attributes:
        checked: Pairs of names that are checked; links first, then attached objects, then obstacles.
        excluded: The pairs that are not, with the reason; without those that no group asks for.
    """

    def __init__(
        self,
        links: LinkGeometries,
        scene: CollisionScene,
        between_links: Iterable[ExcludedPair],
        group: Set[str] | None,
    ) -> None:
        self._links = links
        self._scene = scene
        self._group = group
        self._link_reasons: dict[frozenset[str], str] = {}
        for each in between_links:
            self._link_reasons.setdefault(frozenset({each.first, each.second}), each.reason)
        self._joint_ids = {link.name: links.source._bodies[link][0] for link in links.skeleton.links}
        self._carriers = {name: thing.link_of(links.skeleton).name for name, thing in scene.attached.items()}
        self.checked: list[tuple[str, str]] = []
        self.excluded: list[ExcludedPair] = []
        for first, second in self._all():
            self._sort(first, second)

    def _all(self) -> Iterator[tuple[str, str]]:
        carried = list(self._scene.attached)
        robot = [link.name for link in self._links.links] + carried
        for index, first in enumerate(robot):
            for second in robot[index + 1 :]:
                yield first, second
            for second in self._scene.obstacles:
                yield first, second

    def _sort(self, first: str, second: str) -> None:
        pair = frozenset({first, second})
        choice = self._scene.choices.get(pair)
        reason = "excluded by hand" if choice is False else self._reason(first, second)
        if reason is not None and choice is not True:
            self.excluded.append(ExcludedPair(first, second, reason))
        elif self._group is None or not self._group.isdisjoint(self._link_names(first, second)):
            check_supported(first, self._shapes(first), second, self._shapes(second))
            self.checked.append((first, second))

    def _shapes(self, name: str) -> tuple[Shape, ...]:
        thing = self._scene.obstacles.get(name) or self._scene.attached.get(name)
        return self._links.shapes[name] if thing is None else thing.shapes

    def _link_names(self, *names: str) -> set[str]:
        """The links that things are, or hang on."""
        return {self._carriers.get(name, name) for name in names}

    def _reason(self, first: str, second: str) -> str | None:
        scene = self._scene
        obstacle = scene.obstacles.get(second)
        if obstacle is None and first not in scene.attached and second not in scene.attached:
            return self._link_reasons.get(frozenset({first, second}))
        if self._may_touch(first, second) or self._may_touch(second, first):
            return "allowed to touch when it was attached"
        first_joint = self._joint_ids[self._carriers.get(first, first)]
        if obstacle is not None:
            return None if first_joint or obstacle.parent is not None else "neither is moved by a joint"
        if first_joint == self._joint_ids[self._carriers.get(second, second)]:
            return "no joint moves one against the other"
        return None

    def _may_touch(self, carried: str, other: str) -> bool:
        thing = self._scene.attached.get(carried)
        return thing is not None and other in thing.touches


def check_supported(first: str, first_shapes: Iterable[Shape], second: str, second_shapes: Iterable[Shape]) -> None:
    """Refuses two things whose shapes cannot be compared.

    Raises:
        GeometryError: A pair of shapes of such kinds; the message names both.
    """
    second_kinds = {type(shape.geometry) for shape in second_shapes}
    for kind in {type(shape.geometry) for shape in first_shapes}:
        for other in second_kinds:
            if frozenset({kind, other}) in _NOT_SUPPORTED:
                raise GeometryError(
                    f"{first!r} has the shape {kind.__name__} and {second!r} the shape {other.__name__}, which cannot "
                    "be compared; replace one of them, for example by boxes"
                )
