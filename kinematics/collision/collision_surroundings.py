"""`CollisionSurroundings`: what is around a robot and what it carries, with the choices of pairs and margins."""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

import numpy as np

from ..errors import DuplicateNameError, InvalidValueError, UnknownNameError, unknown_name
from ..frame import Frame
from ..known_attributes import KnownAttributes
from ..shapes import Geometry, Shape, as_shapes
from ..skeleton import Skeleton
from ..transforms import PoseLike, as_pose
from ..world import World
from .attached_object import AttachedObject
from .coal_geometry import CoalGeometries
from .collision_scene import CollisionScene
from .link_geometries import LinkGeometries
from .obstacle import Obstacle
from .pair_rules import check_supported

#: One geometry, one placed shape, or several of these.
GeometryLike: TypeAlias = Geometry | Shape | Iterable[Geometry | Shape]

_Thing = TypeVar("_Thing")


class CollisionSurroundings(KnownAttributes, ABC):
    """The part of a `CollisionDetector` that is edited.

    Every edit checks everything first, so that a refused one changes nothing, and replaces the scene as a whole,
    so that questions on other threads see it before or after the edit.

    Args:
        skeleton: The robot.
        margin: Least distance (m) to obstacles.
        self_margin: Least distance (m) among the links and what they carry.
    """

    def __init__(self, skeleton: Skeleton, margin: float, self_margin: float) -> None:
        self._skeleton = skeleton
        self._lock = threading.RLock()
        self._geometries = CoalGeometries()
        self._scene = CollisionScene(margin=_margin(margin, "margin"), self_margin=_margin(self_margin, "self_margin"))

    @property
    def skeleton(self) -> Skeleton:
        """The robot; of another one a detector is made anew."""
        return self._skeleton

    @abstractmethod
    def _current_links(self) -> LinkGeometries:
        """The shapes of the robot's links."""

    # The surroundings.

    def add(
        self, name: str, geometry: GeometryLike, pose: PoseLike | None = None, *, parent: Frame | None = None
    ) -> Obstacle:
        """Adds an obstacle.

        Args:
            name: Unique among links, obstacles and attached objects.
            geometry: One or several geometries or shapes.
            pose: Where it is in ``parent``, in any form of a pose; the identity when None: in the world that is the
                origin, where most robots have their base, so that the obstacle and the links next to it overlap.
            parent: The frame (the object, not its name) that it moves with, which is not the robot's; the world when
                None. What goes with the robot is attached, see `attach`.

        Returns:
            The obstacle, as `obstacles` has it.

        Raises:
            DuplicateNameError: The name is taken.
            GeometryError: A mesh file that cannot be read, a shape larger than 10 km (coal errs from 100 km on), or one
                that cannot be compared with the robot's.
            StructureError: The parent belongs to the robot.
        """
        if parent is not None and not isinstance(parent, Frame):
            raise self._no_parent(name, parent)
        at = as_pose(np.eye(4) if pose is None else pose, f"pose of obstacle {name!r}")
        obstacle = Obstacle(name, _shapes(name, geometry), at, None if isinstance(parent, World) else parent)
        obstacle.check_parent(self.skeleton)
        with self._lock:
            self._check_new(name, obstacle.shapes, self._scene.attached.values())
            self._scene = self._scene.with_obstacle(obstacle)
        return obstacle

    def _no_parent(self, name: str, parent: object) -> InvalidValueError:
        """What to say about a parent that is no frame."""
        text = f"parent of obstacle {name!r} must be a Frame, not {parent!r}"
        if isinstance(parent, str) and parent in {frame.name for frame in self.skeleton.frames}:
            text += f"; what the robot carries is attached, with attach({name!r}, geometry, {parent!r}, placement)"
        return InvalidValueError(text)

    def move(self, name: str, pose: PoseLike) -> None:
        """Moves an obstacle to another pose in its parent frame.

        Args:
            name: Of the obstacle.
            pose: In any form of a pose.

        Raises:
            UnknownNameError: There is no such obstacle.
        """
        at = as_pose(pose, f"pose of obstacle {name!r}")
        with self._lock:
            old = self._find("obstacle", name, self._scene.obstacles)
            self._scene = self._scene.with_moved(Obstacle(name, old.shapes, at, old.parent))

    def remove(self, name: str) -> None:
        """Removes an obstacle.

        Raises:
            UnknownNameError: There is no such obstacle.
        """
        with self._lock:
            self._find("obstacle", name, self._scene.obstacles)
            self._scene = self._scene.without(name)

    @property
    def obstacles(self) -> Mapping[str, Obstacle]:
        """The obstacles by name, as they are now."""
        return self._scene.obstacles

    # What the robot carries.

    def attach(
        self,
        name: str,
        geometry: GeometryLike,
        frame: Frame | str,
        placement: PoseLike | None = None,
        *,
        touches: Iterable[str] = (),
    ) -> AttachedObject:
        """Attaches an object, such as a tool or a grasped part, to a frame of the robot; it goes with it.

        It is checked against obstacles, other attached objects and links; not against links that no joint moves
        against it.

        Args:
            name: Unique among links, obstacles and attached objects.
            geometry: One or several geometries or shapes.
            frame: A link or another frame of the robot, or its name.
            placement: Where it is in the frame; the identity when None.
            touches: Names of links, obstacles and attached objects that it may touch, such as the fingers.

        Raises:
            DuplicateNameError: The name is taken.
            UnknownNameError: No such frame, or a name in ``touches`` that there is not.
            GeometryError: See `add`.
            InvalidValueError: Something that is no frame and no name.
        """
        on = self.skeleton.frame(frame) if isinstance(frame, str) else frame
        if not isinstance(on, Frame):
            raise InvalidValueError(f"attached object {name!r} needs a frame or its name, not {frame!r}")
        at = as_pose(np.eye(4) if placement is None else placement, f"placement of attached object {name!r}")
        allowed = _names(touches, f"touches of attached object {name!r}")
        thing = AttachedObject(name, _shapes(name, geometry), on, at, allowed)
        thing.link_of(self.skeleton)
        with self._lock:
            for other in sorted(allowed):
                self._check_known(other)
            self._check_new(name, thing.shapes, [*self._scene.obstacles.values(), *self._scene.attached.values()])
            self._scene = self._scene.with_attached(thing)
        return thing

    def detach(self, name: str) -> None:
        """Removes an attached object.

        Raises:
            UnknownNameError: There is no such attached object.
        """
        with self._lock:
            self._find("attached object", name, self._scene.attached)
            self._scene = self._scene.without(name)

    @property
    def attached(self) -> Mapping[str, AttachedObject]:
        """The attached objects by name."""
        return self._scene.attached

    # Pairs and margins.

    def exclude(self, first: str, second: str) -> None:
        """Never checks two things (links, obstacles, attached objects) against each other.

        Args:
            first: Name of the one.
            second: Name of the other.

        Raises:
            UnknownNameError: There is no such thing.
        """
        self._choose(first, second, False)

    def include(self, first: str, second: str) -> None:
        """Checks two things against each other whatever the rules say; undoes `exclude` too.

        Args:
            first: Name of the one.
            second: Name of the other.

        Raises:
            UnknownNameError: There is no such thing.
        """
        self._choose(first, second, True)

    @property
    def margin(self) -> float:
        """Nearer to an obstacle than this (m) counts as a collision; may be set."""
        return self._scene.margin

    @margin.setter
    def margin(self, value: float) -> None:
        checked = _margin(value, "margin")
        with self._lock:
            self._scene = self._scene.with_margins(checked, self._scene.self_margin)

    @property
    def self_margin(self) -> float:
        """Nearer to each other than this (m) counts as a collision of links and what they carry; may be set."""
        return self._scene.self_margin

    @self_margin.setter
    def self_margin(self, value: float) -> None:
        checked = _margin(value, "self_margin")
        with self._lock:
            self._scene = self._scene.with_margins(self._scene.margin, checked)

    def _choose(self, first: str, second: str, checked: bool) -> None:
        with self._lock:
            for name in (first, second):
                self._check_known(name)
            if first == second:
                raise InvalidValueError(f"{first!r} and itself are no pair")
            self._scene = self._scene.with_choice(frozenset({first, second}), checked)

    def _check_known(self, name: str) -> None:
        scene = self._scene
        names = [*(link.name for link in self.skeleton.links), *scene.attached, *scene.obstacles]
        if name not in names:
            raise unknown_name("link, obstacle or attached object", name, names, repr(self))

    def _check_new(self, name: str, shapes: tuple[Shape, ...], others: Iterable[Obstacle | AttachedObject]) -> None:
        scene = self._scene
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"the name of an obstacle or attached object must be a text, not {name!r}")
        for kind, names in (
            ("a link", self.skeleton._links),
            ("an obstacle", scene.obstacles),
            ("an attached object", scene.attached),
        ):
            if name in names:
                raise DuplicateNameError(f"{self!r} has {kind} {name!r} already; names must be different")
        for shape in shapes:
            self._geometries.get(shape.geometry, repr(name))
        for link, own in self._current_links().shapes.items():
            check_supported(name, shapes, link, own)
        for other in others:
            check_supported(name, shapes, other.name, other.shapes)

    def _find(self, kind: str, name: str, things: Mapping[str, _Thing]) -> _Thing:
        try:
            return things[name]
        except (KeyError, TypeError):
            raise self._unknown(kind, name, things) from None

    def _unknown(self, kind: str, name: str, things: Mapping[str, object]) -> UnknownNameError:
        return unknown_name(kind, name, things, repr(self))


def _margin(value: float, name: str) -> float:
    if isinstance(value, int | float | np.number) and 0.0 <= value < math.inf:
        return float(value)
    raise InvalidValueError(f"{name} must be a finite distance of zero or more (m), not {value!r}")


def _names(names: object, what: str) -> frozenset[str]:
    given = (names,) if isinstance(names, str) else names
    if not isinstance(given, Iterable):
        raise InvalidValueError(f"{what} must be names, not {names!r}")
    listed = list(given)
    for each in listed:
        if not isinstance(each, str):
            raise InvalidValueError(f"{what} must be names; {each!r} is none")
    return frozenset(listed)


def _shapes(name: str, geometry: GeometryLike) -> tuple[Shape, ...]:
    given: object = (geometry,) if isinstance(geometry, Shape | Geometry) else geometry
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidValueError(f"{name!r} needs a geometry, a Shape or several of these, not {geometry!r}")
    shapes = as_shapes(given, repr(name))
    if not shapes:
        raise InvalidValueError(f"{name!r} needs one shape or more")
    return tuple(shapes)
