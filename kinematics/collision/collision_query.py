"""`CollisionQuery`: the memory in which one thread asks a `CollisionModel`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import coal
import numpy as np
import pinocchio as pin

from ..errors import GeometryError
from ..transforms import Array
from .collision import Collision
from .contact import Contact
from .distance import Distance

if TYPE_CHECKING:
    from .collision_model import CollisionModel
    from .collision_scene import CollisionScene

#: Up to so many geometry objects, comparing the bounding boxes of all of them is faster than a tree of boxes.
_MOST_FOR_ALL_PAIRS = 96

#: Of two meshes, from which the deepest is chosen.
_MOST_CONTACTS = 16

#: Of distances (m). Coal's own 1e-6 is no faster; from 1e-12 on its iterations fail.
_TOLERANCE = 1e-8

#: Distances (m) that coal only gives when its iterations failed.
_BEYOND = 1e150


class CollisionQuery:
    """Placements, requests and results of its own, so that queries can run on several threads.

    Args:
        model: What is asked.
    """

    def __init__(self, model: CollisionModel) -> None:
        self._model = model
        self._source = model.links.source
        self._geometry = model.geometry.copy()
        self._data = self._source.model.createData()
        self._geometry_data = self._geometry.createData()
        for request in self._geometry_data.collisionRequests:
            # Without it coal ends at a distance of some 1e-7 m, which it takes for free, when the point where its
            # iterations begin lies on the surface of the overlap: a capsule whose axis touches a cylinder's side.
            request.enable_contact = True
        self._objects = list(self._geometry.geometryObjects)
        self._pairs = len(self._geometry.collisionPairs)
        kind = (
            pin.BroadPhaseManager_NaiveCollisionManager
            if len(self._objects) <= _MOST_FOR_ALL_PAIRS
            else pin.BroadPhaseManager_DynamicAABBTreeCollisionManager
        )
        # Pinocchio keeps bare pointers to what these are made of; all live as long as this object.
        self._boxes = kind(self._source.model, self._geometry, self._geometry_data)
        self._first_hit = pin.CollisionCallBackDefault(self._geometry, self._geometry_data, True)
        self._every_hit = pin.CollisionCallBackDefault(self._geometry, self._geometry_data, False)
        self._margins = (0.0, 0.0)
        self._moves = -1
        self._measured = False
        self._with_obstacles: list[int] | None = None

    def prepare(self, scene: CollisionScene) -> None:
        """Takes over where obstacles and attached objects are, and the margins.

        Raises:
            StructureError: An obstacle hangs on the robot, or an attached object no longer does.
        """
        model = self._model
        moved = self._moves != scene.moves
        for name, parts in model.standing.items():
            obstacle = scene.obstacles[name]
            if obstacle.parent is not None:
                obstacle.check_parent(model.links.skeleton)
            elif not moved:
                continue
            self._place(parts, obstacle.transform())
        self._moves = scene.moves
        for name, parts in model.carried.items():
            self._place(parts, model.pose_in_joint(scene.attached[name]))
        if self._margins != (scene.margin, scene.self_margin):
            self._geometry_data.setSecurityMargins(self._geometry, model.margins(scene))
            self._margins = (scene.margin, scene.self_margin)

    def give_back(self) -> None:
        """Ends the use of this memory by one thread."""
        self._model.give_back(self)

    def _place(self, parts: tuple[tuple[int, pin.SE3], ...], pose: pin.SE3) -> None:
        for index, placement in parts:
            self._objects[index].placement = pose * placement

    def _names(self, pair_index: int) -> tuple[str, str]:
        pair = self._geometry.collisionPairs[pair_index]
        return self._model.names[pair.first], self._model.names[pair.second]

    def first_hit(self, q: Array) -> bool:
        """True when something collides at q (n,); the search stops at the first pair."""
        return self._pairs > 0 and self._ask(q, self._first_hit)

    def first_collision(self, q: Array) -> Collision:
        """The pair that `first_hit` finds."""
        if not self.first_hit(q):
            return Collision()
        index = self._first_hit.collisionPairIndex
        return Collision(self._names(index), self._geometry_data.collisionRequests[index].security_margin)

    def _ask(self, q: Array, hits: Any) -> bool:
        source = self._source
        if source.model.nq:
            theirs = source.to_pinocchio(q)
            return bool(pin.computeCollisions(source.model, self._data, self._boxes, hits, theirs))
        self._place_geometries(q)
        self._boxes.update(False)
        return bool(pin.computeCollisions(self._boxes, hits))

    def _place_geometries(self, q: Array) -> None:
        source = self._source
        if source.model.nq:
            theirs = source.to_pinocchio(q)
            pin.updateGeometryPlacements(source.model, self._data, self._geometry, self._geometry_data, theirs)
        else:  # Pinocchio crashes on configurations of models without joints
            pin.updateGeometryPlacements(source.model, self._data, self._geometry, self._geometry_data)

    def contacts(self, q: Array) -> tuple[Contact, ...]:
        """The deepest contact of each pair of things that collide at q (n,)."""
        deepest: dict[tuple[str, str], Contact] = {}
        for pair, found in self._touching(q):
            known = deepest.get(pair)
            depth = 0.0 - float(found.penetration_depth)  # not -0.0
            if known is None or depth > known.depth:
                points = np.array([found.getNearestPoint1(), found.getNearestPoint2()])
                deepest[pair] = Contact(pair, depth, points, np.array(found.normal))
        return tuple(deepest.values())

    def _touching(self, q: Array) -> Iterator[tuple[tuple[str, str], Any]]:
        """Each contact of the pairs that collide, with their names."""
        if not self.first_hit(q):
            return
        data = self._geometry_data
        for request, result in zip(data.collisionRequests, data.collisionResults, strict=True):
            request.num_max_contacts = _MOST_CONTACTS
            result.clear()  # pairs whose boxes are apart are never looked at
        try:
            self._ask(q, self._every_hit)
        finally:
            for request in data.collisionRequests:
                request.num_max_contacts = 1
        for index, result in enumerate(data.collisionResults):
            if result.isCollision():
                for number in range(result.numContacts()):
                    yield self._names(index), result.getContact(number)

    def distance(self, q: Array, obstacles_only: bool = False) -> Distance:
        """The smallest distance of all pairs at q (n,), or of those with an obstacle."""
        pairs = self._pairs_with_obstacles() if obstacles_only else range(self._pairs)
        if not len(pairs):
            return Distance(math.inf, None, None)
        if not self._measured:
            self._set_distance_requests()
        self._place_geometries(q)
        if obstacles_only:
            for pair in pairs:
                pin.computeDistance(self._geometry, self._geometry_data, pair)
            results = self._geometry_data.distanceResults
            index = min(pairs, key=lambda pair: results[pair].min_distance)
        else:
            index = pin.computeDistances(self._geometry, self._geometry_data)
        while not abs(self._geometry_data.distanceResults[index].min_distance) < _BEYOND:
            self._measure_again(index)
            results = self._geometry_data.distanceResults
            index = min(pairs, key=lambda pair: results[pair].min_distance)
        found = self._geometry_data.distanceResults[index]
        points = np.array([found.getNearestPoint1(), found.getNearestPoint2()])
        return Distance(float(found.min_distance), self._names(index), points)

    def _measure_again(self, pair: int) -> None:
        """Of one in some ten thousand overlaps coal finds no depth to the usual tolerance, but to a coarser one."""
        requests = self._geometry_data.distanceRequests
        try:
            for request in _COARSER_REQUESTS:
                requests[pair] = request
                pin.computeDistance(self._geometry, self._geometry_data, pair)
                if abs(self._geometry_data.distanceResults[pair].min_distance) < _BEYOND:
                    return
        finally:
            requests[pair] = _DISTANCE_REQUEST
        first, second = self._names(pair)
        raise GeometryError(
            f"the distance of {first!r} and {second!r} cannot be found; are their sizes and places sensible?"
        )

    def _pairs_with_obstacles(self) -> list[int]:
        if self._with_obstacles is None:
            obstacles = self._model.standing
            self._with_obstacles = [index for index in range(self._pairs) if self._names(index)[1] in obstacles]
        return self._with_obstacles

    def _set_distance_requests(self) -> None:
        requests = self._geometry_data.distanceRequests
        for index in range(len(requests)):
            requests[index] = _DISTANCE_REQUEST
        self._measured = True


def _distance_request(tolerance: float) -> Any:
    """Starts every iteration afresh, so that answers do not depend on what was asked before."""
    request = coal.DistanceRequest()
    request.gjk_tolerance = request.epa_tolerance = tolerance
    with warnings.catch_warnings():
        # Deprecated in favour of `gjk_initial_guess`, which does not switch it off.
        warnings.simplefilter("ignore", DeprecationWarning)
        request.enable_cached_gjk_guess = False
    return request


_DISTANCE_REQUEST = _distance_request(_TOLERANCE)
_COARSER_REQUESTS = tuple(_distance_request(factor * _TOLERANCE) for factor in (10.0, 100.0, 1000.0))
