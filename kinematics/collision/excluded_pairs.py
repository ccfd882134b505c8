"""`find_excluded`: the pairs of links of a robot that are not worth checking, found from its geometry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pinocchio as pin

from ..errors import GeometryError
from ..joints import RevoluteJoint, SphericalJoint
from .excluded_pair import ExcludedPair
from .link_geometries import LinkGeometries
from .pair_rules import check_supported
from .separation_proof import SeparationProof, set_pairs

WELDED = "no joint moves one against the other"
ADJACENT = "adjacent"
ALWAYS = "touch wherever the robot stands"
NEVER = "can never touch within the joint limits"

#: Joints nearer to each other than this (m) are at one point; files round their numbers.
_SAME_POINT = 1e-6


def find_excluded(links: LinkGeometries, samples: int = 500, seed: int = 0) -> tuple[ExcludedPair, ...]:
    """Finds the pairs of links whose contact says nothing, or cannot be.

    In this order, so that a pair gets the first reason that fits:

    * Links of one rigid body: no joint moves one against the other.
    * Links of neighbouring bodies: one joint is between them, or several at one point with nothing in between that
      could collide, as in a shoulder of three joints.
    * Links that touch in every one of ``samples`` random configurations inside the limits (unlimited angles
      from [-pi, pi]).
    * Links that provably cannot touch while the joints are inside their limits; see `SeparationProof`. What is
      not proven is checked.

    Args:
        links: The robot's collision shapes.
        samples: Number of random configurations; zero skips that search.
        seed: For drawing them; the same seed finds the same pairs.

    Returns:
        In the order of the links, each pair once, the earlier link first.
    """
    search = _Search(links)
    search.structure()
    search.always(samples, np.random.default_rng(seed))
    search.never()
    return search.result()


class _Search:
    """Sorts the pairs of one robot."""

    def __init__(self, links: LinkGeometries) -> None:
        self._links = links
        self._names = [link.name for link in links.links]
        self._bodies = [links.source._bodies[link][0] for link in links.links]
        place = {name: number for number, name in enumerate(self._names)}
        self._owner = [place[name] for name in links.names]
        self._parts: list[list[int]] = [[] for _ in self._names]
        for index, owner in enumerate(self._owner):
            self._parts[owner].append(index)
        self._reasons: dict[tuple[int, int], str] = {}

    def _open(self) -> Iterator[tuple[int, int]]:
        """The pairs that no reason was found for yet."""
        count = len(self._names)
        for first in range(count):
            for second in range(first + 1, count):
                if (first, second) not in self._reasons:
                    yield first, second

    def structure(self) -> None:
        """Pairs of one body and of neighbours."""
        neighbours = _neighbouring_bodies(self._links)
        for first, second in list(self._open()):
            bodies = frozenset({self._bodies[first], self._bodies[second]})
            if len(bodies) == 1:
                self._reasons[first, second] = WELDED
            elif bodies in neighbours:
                self._reasons[first, second] = ADJACENT

    def always(self, samples: int, rng: np.random.Generator) -> None:
        """Pairs that touch in every sample; those that once do not are dropped at once."""
        skeleton = self._links.skeleton
        if samples < 1 or not skeleton.num_dofs:
            return
        source = self._links.source
        geometry, data = self._links.geometry.copy(), source.model.createData()
        touching = [pair for pair in self._open() if self._can_compare(*pair)]
        for _ in range(samples):
            if not touching:
                return
            set_pairs(geometry, ((self._parts[first], self._parts[second]) for first, second in touching))
            results = geometry.createData()
            q = source.to_pinocchio(skeleton.random_positions(rng))
            pin.computeCollisions(source.model, data, geometry, results, q, False)
            hits = {
                (self._owner[pair.first], self._owner[pair.second])
                for pair, result in zip(geometry.collisionPairs, results.collisionResults, strict=True)
                if result.isCollision()
            }
            touching = [pair for pair in touching if pair in hits]
        self._reasons.update(dict.fromkeys(touching, ALWAYS))

    def never(self) -> None:
        """Pairs that are proven to stay apart."""
        proof = SeparationProof(self._links)
        for pair in list(self._open()):
            first, second = pair
            if self._can_compare(first, second) and proof.holds(
                self._bodies[first], self._parts[first], self._bodies[second], self._parts[second]
            ):
                self._reasons[pair] = NEVER

    def _can_compare(self, first: int, second: int) -> bool:
        one, other = self._names[first], self._names[second]
        try:
            check_supported(one, self._links.shapes[one], other, self._links.shapes[other])
        except GeometryError:
            return False  # the detector refuses it, unless the user excludes the pair
        return True

    def result(self) -> tuple[ExcludedPair, ...]:
        """What was found, in the order of the links."""
        return tuple(
            ExcludedPair(self._names[first], self._names[second], reason)
            for (first, second), reason in sorted(self._reasons.items())
        )


def _neighbouring_bodies(links: LinkGeometries) -> set[frozenset[int]]:
    """Bodies with one joint between them, or with several that turn about one point and nothing solid in between."""
    source = links.source
    model = source.model
    solid = {source._bodies[link][0] for link in links.links}
    turning = {index for joint, index in source._joint_ids.items() if isinstance(joint, RevoluteJoint | SphericalJoint)}
    found = set()
    for body in range(1, model.njoints):
        below, above = body, model.parents[body]
        while (
            above not in solid
            and {below, above} <= turning
            and np.linalg.norm(model.jointPlacements[below].translation) < _SAME_POINT
        ):
            below, above = above, model.parents[above]
        found.add(frozenset({body, above}))
    return found
