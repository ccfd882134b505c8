"""`SeparationProof`: shows that two bodies of a robot stay apart wherever its joints are inside their limits."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass

import coal
import numpy as np
import pinocchio as pin

from ..joints import Joint, PrismaticJoint, RevoluteJoint, ScrewJoint
from ..transforms import Array
from .link_geometries import LinkGeometries

#: What must be left between two bodies (m); far above the tolerance of the distance computation.
_CLEARANCE = 1e-3
#: Distances computed for a pair before it is given up; more prove little and take time.
_BUDGET = 400
#: Half spaces have bounding boxes of about the largest number there is; nothing real is as large as this (m).
_ENDLESS = 1e9
#: More joints between two bodies than this are not tried.
_MOST_JOINTS = 3


@dataclass(frozen=True)
class Span:
    """One joint between two bodies.

    Attributes:
        body: Its index in the Pinocchio model.
        coordinate: Its place in a Pinocchio configuration.
        lower: The least value (rad or m) that counts.
        upper: The largest one.
        axis: Unit vector (3,) in the joint's frame, through its origin.
        slides: True when it does not turn.
        lead: How far (m) it slides with each radian, without sign.
    """

    body: int
    coordinate: int
    lower: float
    upper: float
    axis: Array
    slides: bool
    lead: float

    @property
    def extension(self) -> float:
        """How far (m) the child's origin can be from where it is at zero."""
        most = max(abs(self.lower), abs(self.upper))
        return most if self.slides else most * self.lead

    def off_axis(self, points: Array) -> Array:
        """Distances of points (k, 3) in the joint's frame from its axis."""
        distances: Array = np.linalg.norm(np.cross(points, self.axis), axis=1)
        return distances


class SeparationProof:
    """Branch and bound over the joints between two bodies.

    No point of one body moves faster, seen from the other, than a joint's rate times the largest distance of the
    body from that joint's axis. So a distance computed in the middle of a box of joint values bounds the
    distance in the whole box; boxes for which the bound says nothing are halved. A success is a proof, up to the
    precision of the distance computation; a failure means nothing. Joints that depend on others are treated
    as free ones that take all values that their masters can give them.

    Args:
        links: The robot's collision shapes.
    """

    def __init__(self, links: LinkGeometries) -> None:
        self._model = links.source.model
        self._data = self._model.createData()
        self._neutral = links.source.neutral
        self._geometry = links.geometry.copy()
        self._hulls: set[int] = set()
        self._joints = {index: joint for joint, index in links.source._joint_ids.items()}
        self._spans: dict[int, Span | None] = {}

    def holds(self, first: int, first_shapes: list[int], second: int, second_shapes: list[int]) -> bool:
        """True when two bodies are proven to stay apart.

        Args:
            first: Joint index of one body in the Pinocchio model.
            first_shapes: Indices of its geometry objects.
            second: Joint index of the other body.
            second_shapes: Indices of its geometry objects.
        """
        found = self.rates(first, first_shapes, second, second_shapes)
        if found is None:
            return False
        self._replace_meshes({*first_shapes, *second_shapes} - self._hulls)
        set_pairs(self._geometry, [(first_shapes, second_shapes)])
        return self._apart(*found)

    def rates(
        self, first: int, first_shapes: list[int], second: int, second_shapes: list[int]
    ) -> tuple[list[Span], Array] | None:
        """The joints between two bodies, and how fast (m per rad or m) each can change their distance at most.

        None when there is no bound, or when too many joints are between them. See `holds`.
        """
        path = self._path(first, second)
        if not 0 < len(path) <= _MOST_JOINTS:
            return None
        spans = [span for span in (self._span(body) for body, _ in path) if span is not None]
        if len(spans) < len(path):
            return None
        upward = [is_up for _, is_up in path]
        from_first = self._rates(spans, upward, self._corners(second_shapes))
        downward = [not each for each in reversed(upward)]
        from_second = self._rates(spans[::-1], downward, self._corners(first_shapes))[::-1]
        rates = np.minimum(from_first, from_second)
        return (spans, rates) if np.isfinite(rates).all() else None

    def _replace_meshes(self, shapes: set[int]) -> None:
        """Meshes by their convex hulls: what stays clear of these stays clear of them, and is found out sooner."""
        for index in shapes:
            thing = self._geometry.geometryObjects[index]
            if isinstance(thing.geometry, coal.BVHModelBase):
                hull = thing.geometry.clone()  # the detector's own must not change
                try:
                    hull.buildConvexHull(True, "Qt")
                except RuntimeError:  # a flat mesh has none
                    continue
                thing.geometry = hull.convex
        self._hulls |= shapes

    def _path(self, first: int, second: int) -> list[tuple[int, bool]]:
        """The joints from one body to another, by the body that each moves; True for those that go up the tree."""
        parents = self._model.parents
        up, down = [first], [second]
        while up[-1] != down[-1]:  # parents have lower indices
            side = up if up[-1] > down[-1] else down
            side.append(parents[side[-1]])
        return [(body, True) for body in up[:-1]] + [(body, False) for body in reversed(down[:-1])]

    def _span(self, body: int) -> Span | None:
        if body not in self._spans:
            self._spans[body] = self._new_span(body)
        return self._spans[body]

    def _new_span(self, body: int) -> Span | None:
        joint = self._joints[body]
        values = _values(joint)
        if values is None or not isinstance(joint, RevoluteJoint | PrismaticJoint | ScrewJoint):
            return None
        model = self._model.joints[body]
        joint_data = model.createData()
        model.calc(joint_data, self._neutral)
        motion = np.asarray(joint_data.S).reshape(6)
        slides = isinstance(joint, PrismaticJoint)
        axis = motion[:3] if slides else motion[3:]
        lead = abs(joint.lead) / (2.0 * math.pi) if isinstance(joint, ScrewJoint) else 0.0
        return Span(body, self._model.idx_qs[body], *values, axis, slides, lead)

    def _corners(self, shapes: Iterable[int]) -> Array:
        """Corners (k, 3) of the bounding boxes of geometry objects, in the frame of their joint; none if endless."""
        points = []
        for index in shapes:
            thing = self._geometry.geometryObjects[index]
            thing.geometry.computeLocalAABB()
            box = thing.geometry.aabb_local
            bounds = np.array([box.min_, box.max_])
            if np.abs(bounds).max() > _ENDLESS:
                return np.zeros((0, 3))
            corners = np.array(
                [[bounds[i, 0], bounds[j, 1], bounds[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
            )
            points.append(corners @ thing.placement.rotation.T + thing.placement.translation)
        return np.concatenate(points)

    def _rates(self, path: list[Span], upward: list[bool], points: Array) -> Array:
        """How fast (m per unit of each joint) points of the last body can move, seen from the first.

        Args:
            path: The joints, from the first body to the last.
            upward: For each, whether it goes from a body to its parent.
            points: (k, 3) in the frame of the last body, all within their convex hull.
        """
        rates = np.full(len(path), np.inf)
        if not len(points):
            return rates
        reach = 0.0  # all of the last body is this near (m) to one of the points
        for index in reversed(range(len(path))):
            span = path[index]
            # Into the frame of the joint, on the side that faces the last body.
            if upward[index]:
                placement = self._model.jointPlacements[span.body]
                points = (points - placement.translation) @ placement.rotation
            rates[index] = 1.0 if span.slides else span.off_axis(points).max() + reach + span.lead
            # The next joint sees a ball around the origin of this one, which it has in the body between them.
            reach += float(np.linalg.norm(points, axis=1).max()) + span.extension
            points = np.zeros((1, 3)) if upward[index] else self._model.jointPlacements[span.body].translation[None, :]
        return rates

    def _apart(self, path: list[Span], rates: Array) -> bool:
        """Branch and bound, most doubtful boxes first."""
        lower = np.array([span.lower for span in path])
        upper = np.array([span.upper for span in path])
        results = self._geometry.createData()
        q = self._neutral.copy()
        coordinates = [span.coordinate for span in path]
        count = 0

        def doubt(middle: Array, half: Array) -> float:
            """The least distance (m) that the box may have; below what is asked for when the middle itself is."""
            q[coordinates] = middle
            nearest = pin.computeDistances(self._model, self._data, self._geometry, results, q)
            distance = float(results.distanceResults[nearest].min_distance)
            return distance - float(rates @ half) if distance > _CLEARANCE else -math.inf

        middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
        boxes = [(doubt(middle, half), count, middle, half)]
        while boxes[0][0] <= _CLEARANCE:
            bound, _, middle, half = heapq.heappop(boxes)
            if count >= _BUDGET or bound == -math.inf:
                return False
            widest = int(np.argmax(rates * half))
            half = half.copy()
            half[widest] *= 0.5
            for side in (-1.0, 1.0):
                count += 1
                centre = middle.copy()
                centre[widest] += side * half[widest]
                heapq.heappush(boxes, (doubt(centre, half), count, centre, half))
        return True


def _values(joint: Joint) -> tuple[float, float] | None:
    """The least and the largest value that counts (rad or m); None when a joint has no end."""
    lower, upper = _limits(joint)
    if isinstance(joint, RevoluteJoint) and not upper - lower < 2.0 * math.pi:
        return -math.pi, math.pi  # a whole turn is all there is
    return (lower, upper) if math.isfinite(lower) and math.isfinite(upper) else None


def _limits(joint: Joint) -> tuple[float, float]:
    """The least and the largest value that a joint may be given, by its own limits or its master's."""
    rule = joint.dependence
    if rule is not None:
        ends = [rule.position(value) if rule.is_linear else math.nan for value in _limits(rule.master)]
        return min(ends), max(ends)
    if len(joint.dofs) != 1:
        return -math.inf, math.inf
    return joint.dofs[0].limits


def set_pairs(geometry: pin.GeometryModel, things: Iterable[tuple[list[int], list[int]]]) -> None:
    """Makes the pairs of a geometry model those of each two things, given by their geometry objects."""
    wanted = np.zeros((geometry.ngeoms, geometry.ngeoms), dtype=bool)
    for first, second in things:
        wanted[np.ix_(first, second)] = wanted[np.ix_(second, first)] = True
    geometry.setCollisionPairs(np.triu(wanted))
