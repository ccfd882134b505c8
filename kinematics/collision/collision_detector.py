"""`CollisionDetector`: tells whether a robot collides with itself, with what it carries or with its surroundings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidValueError, ShapeError
from ..node_set import NodeSet
from ..q_constraint import QConstraint
from ..skeleton import Skeleton
from ..transforms import _NOT_NUMBERS, Array, _floats
from .collision import Collision
from .collision_free import CollisionFree
from .collision_model import CollisionModel
from .collision_query import CollisionQuery
from .collision_scene import count_of
from .collision_surroundings import CollisionSurroundings
from .contact import Contact
from .distance import Distance
from .excluded_pair import ExcludedPair
from .link_geometries import LinkGeometries
from .link_pairs import LinkPairs
from .pair_rules import PairRules
from .srdf import Srdf

#: Random configurations in which links must touch to be found to do so always.
_SAMPLES = 500

#: Coordinates (rad, m) up to which poses are rounded by less than 1e-6 m.
_FARTHEST = 1e9


class CollisionDetector(CollisionSurroundings):
    """Checks the links of a robot against each other, against what it carries and against obstacles.

    Every question is answered for the world as it is when asked: obstacles where they stand or where their
    frames are, links where the skeleton has them and with the shapes that they have. Questions may be asked from
    several threads at once.

    Pairs of links that say nothing are found when the detector is made, and again when the robot is edited, and
    are listed in `excluded`: links that are adjacent or welded together, that touch wherever the robot stands, that
    the SRDF file disables.

    Args:
        skeleton: The robot.
        srdf: An SRDF file or what was read from one: pairs that it disables, groups that it names.
        groups: Names of groups of the SRDF file, or node sets: only pairs with a link that one of them moves are
            checked. All pairs when None.
        margin: Nearer to an obstacle than this (m) counts as a collision.
        self_margin: The same among the links and what they carry. Zero by default, whatever ``margin`` is: most
            arms have links that cannot collide and yet are nearer to each other than a useful margin.
        use_visuals: Take the visual shapes of links without collision shapes.
        samples: Random configurations in which links must touch to be found to do so always.
        seed: For drawing these.

    Raises:
        GeometryError: The robot has no shapes, or a mesh file is missing or unreadable.
        UnknownNameError: No such group.
        InvalidValueError: A margin that is negative or not finite, a group without an SRDF file, or an argument of
            another kind than its own.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        *,
        srdf: Srdf | str | Path | None = None,
        groups: Iterable[str | NodeSet] | None = None,
        margin: float = 0.0,
        self_margin: float = 0.0,
        use_visuals: bool = False,
        samples: int = _SAMPLES,
        seed: int = 0,
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise InvalidValueError(f"a CollisionDetector needs a Skeleton, not {type(skeleton).__name__}")
        if not isinstance(use_visuals, bool | np.bool_):
            raise InvalidValueError(f"use_visuals must be True or False, not {use_visuals!r}")
        super().__init__(skeleton, margin, self_margin)
        self._link_pairs = LinkPairs(skeleton, srdf, groups, samples, seed)
        self._use_visuals = use_visuals
        self._constraint = CollisionFree(self)
        self._links: LinkGeometries | None = None
        self._between_links: tuple[ExcludedPair, ...] = ()
        self._model: CollisionModel | None = None
        self._current()

    # Questions.

    def in_collision(self, q: ArrayLike | Mapping[str, Any] | None = None) -> bool:
        """True when anything that is checked collides.

        Args:
            q: Configuration (n,) of the whole skeleton, or a mapping of names; the present positions when None.

        Raises:
            InvalidValueError: nan or infinity in q, or more than 1e9 (rad or m), where rounding hides collisions.
            ShapeError: A wrong number of entries.
            StructureError: An attached object's frame is no longer part of the robot.
        """
        values = self._configuration(q)
        query = self._borrowed()
        hit = query.first_hit(values)
        query.give_back()
        return hit

    def check(self, q: ArrayLike | Mapping[str, Any] | None = None) -> Collision:
        """The first pair found to collide; false when none does. See `in_collision`."""
        values = self._configuration(q)
        query = self._borrowed()
        collision = query.first_collision(values)
        query.give_back()
        return collision

    def contacts(self, q: ArrayLike | Mapping[str, Any] | None = None) -> tuple[Contact, ...]:
        """All pairs that collide, each with its deepest contact. See `in_collision`."""
        values = self._configuration(q)
        query = self._borrowed()
        contacts = query.contacts(values)
        query.give_back()
        return contacts

    def distance(self, q: ArrayLike | Mapping[str, Any] | None = None, *, obstacles_only: bool = False) -> Distance:
        """The smallest distance of all pairs that are checked, whatever the margins.

        Args:
            q: See `in_collision`, as for what is raised.
            obstacles_only: Only of pairs with an obstacle; links that are always next to each other, which most arms
                have, are not counted then.
        """
        values = self._configuration(q)
        query = self._borrowed()
        distance = query.distance(values, obstacles_only)
        query.give_back()
        return distance

    def clearance(self, q: ArrayLike | Mapping[str, Any] | None = None) -> float:
        """How far (m) the nearest obstacle is; infinite without any. Short for ``distance`` of obstacles only.

        Args:
            q: Configuration (n,) or mapping; the present positions when None.
        """
        return self.distance(q, obstacles_only=True).value

    def in_collision_many(self, q: ArrayLike) -> NDArray[np.bool_]:
        """`in_collision` of each row of q (m, n), as an array (m,).

        Raises:
            ShapeError: Another shape.
            InvalidValueError: No real numbers, nan or infinity; the message tells the row. See `in_collision`.
        """
        try:
            rows = _floats(q)
        except _NOT_NUMBERS:
            raise InvalidValueError("q must be an array (m, n) of numbers") from None
        count = self.skeleton.num_dofs
        if rows.ndim != 2 or rows.shape[1] != count:
            raise ShapeError(f"q must have shape (m, {count}); it has {rows.shape}")
        wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(wrong):
            raise InvalidValueError(f"q has entries that are not finite in row {wrong[0]}: {rows[wrong[0]]}")
        for row in rows:
            self._check_reach(row)
        query = self._borrowed()
        hits = np.fromiter((query.first_hit(row) for row in rows), dtype=bool, count=len(rows))
        query.give_back()
        return hits

    def _configuration(self, q: ArrayLike | Mapping[str, Any] | None) -> Array:
        values = self._skeleton.as_configuration(q)
        self._check_reach(values)
        return values

    def _check_reach(self, q: Array) -> None:
        if math.hypot(*q.tolist()) > _FARTHEST:  # many times faster than numpy's way, which then finds the entry
            worst = int(np.abs(q).argmax())
            if abs(q[worst]) > _FARTHEST:
                name = self._skeleton.dofs[worst].name
                raise InvalidValueError(f"q has {q[worst]:g} for {name!r}; at most {_FARTHEST:g} (rad or m) make sense")

    @property
    def constraint(self) -> QConstraint:
        """Accepts the configurations without collision; it asks this detector as it is when asked."""
        return self._constraint

    def __and__(self, other: Any) -> QConstraint:
        return self._constraint.__and__(other)

    def __rand__(self, other: Any) -> QConstraint:
        return self._constraint.__rand__(other)

    def __or__(self, other: Any) -> QConstraint:
        return self._constraint.__or__(other)

    def __ror__(self, other: Any) -> QConstraint:
        return self._constraint.__ror__(other)

    def __invert__(self) -> QConstraint:
        return ~self._constraint

    # Pairs.

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of names that are checked: links, then attached objects, then obstacles."""
        return tuple(self._current().rules.checked)

    @property
    def excluded(self) -> tuple[ExcludedPair, ...]:
        """The pairs that are not checked, with the reason; without those that no chosen group takes part in."""
        return tuple(self._current().rules.excluded)

    def clone(self) -> CollisionDetector:
        """An independent detector of the same robot, with the same obstacles, attached objects, pairs and margins."""
        twin: CollisionDetector = object.__new__(type(self))
        CollisionSurroundings.__init__(twin, self.skeleton, 0.0, 0.0)
        twin._scene = self._scene
        twin._link_pairs = self._link_pairs
        twin._use_visuals = self._use_visuals
        twin._constraint = CollisionFree(twin)
        twin._links, twin._between_links = self._links, self._between_links
        twin._model = None
        return twin

    def __copy__(self) -> CollisionDetector:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but locks, coal's objects and what is found again from the rest."""
        made = ("_lock", "_geometries", "_links", "_between_links", "_model")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    def __setstate__(self, state: dict[str, Any]) -> None:
        CollisionSurroundings.__init__(self, state["_skeleton"], 0.0, 0.0)
        self._links, self._between_links, self._model = None, (), None
        self.__dict__.update(state)

    # Keeping in step.

    def _borrowed(self) -> CollisionQuery:
        """Memory for one question about the present scene; to be given back."""
        while True:
            model, scene = self._current(), self._scene
            if model.edits == scene.edits:  # else another thread edited the scene in between
                query = model.borrow()
                query.prepare(scene)
                return query

    def _current(self) -> CollisionModel:
        """The model for the scene and the robot as they are; made anew when either was edited."""
        model = self._model
        if model is None or model.edits != self._scene.edits or not model.holds():
            with self._lock:
                model = self._model = self._rebuilt()
        return model

    def _rebuilt(self) -> CollisionModel:
        links = self._current_links()
        rules = PairRules(links, self._scene, self._between_links, self._link_pairs.group())
        model = CollisionModel(links, self._scene, rules, self._geometries)
        shapes = [*links.shapes.values(), *(each.shapes for each in self._scene.obstacles.values())]
        shapes += [each.shapes for each in self._scene.attached.values()]
        self._geometries.keep_only(shape.geometry for shape in itertools.chain.from_iterable(shapes))
        return model

    def _current_links(self) -> LinkGeometries:
        """The shapes of the links; when these or the tree were edited, the pairs that say nothing are found anew."""
        with self._lock:
            links = self._links
            if links is None or not links.holds():
                links = LinkGeometries(self.skeleton, self._use_visuals, self._geometries)
                self._between_links = self._link_pairs.excluded(links)
                self._links = links
            return links

    def __repr__(self) -> str:
        scene = self._scene
        return (
            f"<CollisionDetector of {self.skeleton.name!r}: {count_of(scene.obstacles, 'obstacle')}, "
            f"{count_of(scene.attached, 'attached object')}>"
        )
