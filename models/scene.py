"""`Scene`: what is around a robot and what it carries, as a scene file has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pinocchio as pin

from ..kinematics import CollisionDetector, KinetreeError, Shape, Skeleton, Srdf


@dataclass(frozen=True)
class SceneObstacle:
    """Something in the robot's surroundings.

    Attributes:
        name: Unique in the scene.
        shapes: What it is made of.
        pose: Where it is in the world.
    """

    name: str
    shapes: tuple[Shape, ...]
    pose: pin.SE3 = field(default_factory=pin.SE3.Identity)


@dataclass(frozen=True)
class SceneAttachment:
    """Something that the robot carries.

    Attributes:
        name: Unique in the scene.
        shapes: What it is made of.
        frame: Name of the robot's frame that carries it.
        placement: Where it is in that frame.
        touches: Names of links and other things that it may touch.
    """

    name: str
    shapes: tuple[Shape, ...]
    frame: str
    placement: pin.SE3 = field(default_factory=pin.SE3.Identity)
    touches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Obstacles, attached objects, margins and pairs, independent of any robot; `load_scene` reads one.

    Attributes:
        obstacles: What is around the robot.
        attached: What it carries.
        margin: Nearer to an obstacle than this (m) counts as a collision; None leaves it to the detector.
        self_margin: The same among the links and what they carry.
        srdf: Path of an SRDF file with pairs of links that are not checked; None without one.
        excluded: Pairs of names (links, obstacles, attached objects) that are never checked.
        included: Pairs that are checked whatever else is said.
        file: The file that it was read from; empty when it was made by hand.
    """

    obstacles: tuple[SceneObstacle, ...] = ()
    attached: tuple[SceneAttachment, ...] = ()
    margin: float | None = None
    self_margin: float | None = None
    srdf: str | None = None
    excluded: tuple[tuple[str, str], ...] = ()
    included: tuple[tuple[str, str], ...] = ()
    file: str = field(default="", compare=False)

    def detector(self, skeleton: Skeleton, **options: Any) -> CollisionDetector:
        """A detector for a robot in this scene.

        Args:
            skeleton: The robot.
            **options: Of `CollisionDetector`; they go before what the scene says.

        Raises:
            KinetreeError: See `CollisionDetector` and `add_to`.
        """
        said = {"srdf": self.srdf, "margin": self.margin, "self_margin": self.self_margin}
        options = {**{name: value for name, value in said.items() if value is not None}, **options}
        detector = CollisionDetector(skeleton, **options)
        self._fill(detector)
        return detector

    def add_to(self, detector: CollisionDetector) -> None:
        """Adds everything to a detector, which keeps what it has; the margins, where given, replace its own.

        Either all of it is added, or, when something is refused, nothing.

        Raises:
            DuplicateNameError: A name is that of a link, an obstacle or an attached object already.
            UnknownNameError: A frame, or a name in a pair or in ``touches``, that is not there.
            GeometryError: A mesh that cannot be read, or shapes that cannot be compared with the robot's.
            SrdfError: The SRDF file is damaged.
        """
        disabled = () if self.srdf is None else Srdf.read(self.srdf).excluded_pairs(detector.skeleton)
        for target in (detector.clone(), detector):  # first on trial
            for first, second, _ in disabled:
                target.exclude(first, second)
            if self.margin is not None:
                target.margin = self.margin
            if self.self_margin is not None:
                target.self_margin = self.self_margin
            self._fill(target)

    def _fill(self, detector: CollisionDetector) -> None:
        for obstacle in self.obstacles:
            with self._saying_where(f"obstacle {obstacle.name!r}"):
                detector.add(obstacle.name, obstacle.shapes, obstacle.pose)
        carried = {thing.name for thing in self.attached}
        for thing in self.attached:
            touches = [name for name in thing.touches if name not in carried]
            with self._saying_where(f"attached {thing.name!r}"):
                detector.attach(thing.name, thing.shapes, thing.frame, thing.placement, touches=touches)
        for thing in self.attached:  # now that all of them are there
            for other in carried.intersection(thing.touches):
                detector.exclude(thing.name, other)
        with self._saying_where("top level, key 'exclude'"):
            for first, second in self.excluded:
                detector.exclude(first, second)
        with self._saying_where("top level, key 'include'"):
            for first, second in self.included:
                detector.include(first, second)

    @contextmanager
    def _saying_where(self, where: str) -> Iterator[None]:
        """Puts the file and the table in front of what is wrong with a part of the scene."""
        try:
            yield
        except KinetreeError as error:
            place = f"{self.file}, {where}" if self.file else where
            raise type(error)(f"{place}: {error}") from error

    def __repr__(self) -> str:
        where = f" of {self.file!r}" if self.file else ""
        obstacles, attached = len(self.obstacles), len(self.attached)
        return (
            f"<Scene{where}: {obstacles} obstacle{'' if obstacles == 1 else 's'}, "
            f"{attached} attached object{'' if attached == 1 else 's'}>"
        )
