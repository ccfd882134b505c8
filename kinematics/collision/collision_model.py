"""`CollisionModel`: a robot, what it carries and its surroundings as one ``pinocchio.GeometryModel``."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pinocchio as pin

from ..errors import DuplicateNameError
from ..link import Link
from ..shapes import Shape
from ..transforms import Array
from .attached_object import AttachedObject
from .coal_geometry import CoalGeometries
from .collision_query import CollisionQuery
from .collision_scene import CollisionScene
from .link_geometries import LinkGeometries
from .pair_rules import PairRules

#: Geometry objects of one thing: (index, placement in the thing) of each shape.
Parts = tuple[tuple[int, pin.SE3], ...]


class CollisionModel:
    """Built for one scene and one version of the robot; made anew when pairs or shapes change.

    Args:
        links: The robot's own shapes.
        scene: What is around it and what it carries.
        rules: Which pairs are checked.
        known: Shapes that were made before.

    Attributes:
        links: The robot's own shapes.
        edits: Which edit of the scene it was built for.
        rules: Which pairs are checked.
        geometry: The geometry objects (links, attached objects, obstacles) and the pairs of them.
        names: The name of the thing that each geometry object belongs to.
        standing: The parts of each obstacle.
        carried: The parts of each attached object whose frame may be moved on its link.

    Raises:
        DuplicateNameError: A link was given the name of an obstacle or an attached object.
    """

    def __init__(self, links: LinkGeometries, scene: CollisionScene, rules: PairRules, known: CoalGeometries) -> None:
        taken = links.skeleton._links.keys() & (scene.obstacles.keys() | scene.attached.keys())
        if taken:
            raise DuplicateNameError(
                f"{links.skeleton.name!r} has a link {min(taken)!r} now, which is also the name of an obstacle or an "
                "attached object; rename one"
            )
        self.links = links
        self.edits = scene.edits
        self.rules = rules
        self._known = known
        self.geometry = links.geometry.copy()
        self.names = list(links.names)
        self._carriers: list[tuple[AttachedObject, Link]] = []
        self.carried: dict[str, Parts] = {}
        for name, thing in scene.attached.items():
            self._add_attached(name, thing)
        self._robot = len(self.names)
        self.standing: dict[str, Parts] = {
            name: self._add(name, obstacle.shapes, 0, 0, obstacle.placement)
            for name, obstacle in scene.obstacles.items()
        }
        self._set_pairs()
        self._idle: list[CollisionQuery] = []

    def _add_attached(self, name: str, thing: AttachedObject) -> None:
        link = thing.link_of(self.links.skeleton)
        joint_id, in_joint, frame_id = self.links.source._bodies[link]
        parts = self._add(name, thing.shapes, joint_id, frame_id, in_joint * thing.pose_in(link))
        if thing.frame is not link:
            self._carriers.append((thing, link))
            self.carried[name] = parts

    def _add(self, name: str, shapes: Iterable[Shape], joint_id: int, frame_id: int, place: pin.SE3) -> Parts:
        parts = []
        for number, shape in enumerate(shapes):
            solid = self._known.get(shape.geometry, repr(name))
            at = place * shape.placement
            index = self.geometry.addGeometryObject(
                pin.GeometryObject(f"{name}/{number}", joint_id, frame_id, at, solid)
            )
            self.names.append(name)
            parts.append((int(index), shape.placement))
        return tuple(parts)

    def _set_pairs(self) -> None:
        owned: dict[str, list[int]] = {}
        for index, name in enumerate(self.names):
            owned.setdefault(name, []).append(index)
        wanted = np.zeros((len(self.names), len(self.names)), dtype=bool)
        for first, second in self.rules.checked:
            wanted[np.ix_(owned[first], owned[second])] = True
        self.geometry.setCollisionPairs(wanted)

    def pose_in_joint(self, thing: AttachedObject) -> pin.SE3:
        """The present pose of an attached object in the joint that moves it."""
        link = thing.link_of(self.links.skeleton)
        return self.links.source._bodies[link][1] * thing.pose_in(link)

    def margins(self, scene: CollisionScene) -> Array:
        """The least distance (m) for each two geometry objects (k, k)."""
        result = np.full((len(self.names), len(self.names)), scene.self_margin)
        result[:, self._robot :] = scene.margin
        return result

    def holds(self) -> bool:
        """True while it is still what the skeleton's structure, shapes and frames give."""
        return self.links.holds() and all(thing.frame.link is link for thing, link in self._carriers)

    def borrow(self) -> CollisionQuery:
        """Memory to compute in, for one thread; to be given back.

        A list's pop and append are atomic, so two threads never get the same one.
        """
        try:
            return self._idle.pop()
        except IndexError:
            return CollisionQuery(self)

    def give_back(self, query: CollisionQuery) -> None:
        """Keeps the memory for the next time."""
        self._idle.append(query)
