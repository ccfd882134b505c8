"""`LinkGeometries`: the collision shapes of a skeleton's links as a ``pinocchio.GeometryModel``."""

from __future__ import annotations

import logging

import pinocchio as pin

from ..errors import GeometryError
from ..link import Link
from ..shapes import Shape, as_shapes
from ..skeleton import Skeleton
from .coal_geometry import CoalGeometries

_log = logging.getLogger(__name__)

#: The shapes of every link at one time; compared to notice edits.
ShapeLists = list[list[Shape]]


class LinkGeometries:
    """What of the robot may collide, at one version of it.

    Args:
        skeleton: The robot.
        use_visuals: Take the shapes that are drawn for links that have no collision shapes.
        known: Shapes that were made before, to be used again.

    Attributes:
        skeleton: The robot.
        source: The Pinocchio model that the shapes hang on, with the map from configurations of the skeleton.
        geometry: One geometry object per shape, and no pairs.
        names: For each geometry object, the name of its link.
        links: The links that have shapes, in the order of the skeleton.
        shapes: Their shapes, by name of the link.

    Raises:
        GeometryError: No link has a shape, or a mesh file cannot be read.
    """

    def __init__(self, skeleton: Skeleton, use_visuals: bool, known: CoalGeometries) -> None:
        self.skeleton = skeleton
        self.use_visuals = use_visuals
        self.source = skeleton._pinocchio_model()
        self._lists = shapes_of(skeleton, use_visuals)
        self.geometry = pin.GeometryModel()
        self.names: list[str] = []
        self.links: list[Link] = []
        self.shapes: dict[str, tuple[Shape, ...]] = {}
        for link, shapes in zip(skeleton.links, self._lists, strict=True):
            placed = as_shapes(shapes, f"link {link.name!r} of {skeleton.name!r}")
            if placed:
                self.links.append(link)
                self.shapes[link.name] = tuple(placed)
            for index, shape in enumerate(placed):
                joint_id, placement, frame_id = self.source._bodies[link]
                solid = known.get(shape.geometry, f"link {link.name!r} of {skeleton.name!r}")
                self.geometry.addGeometryObject(
                    pin.GeometryObject(f"{link.name}/{index}", joint_id, frame_id, placement * shape.placement, solid)
                )
                self.names.append(link.name)
        _warn_of_lost_shapes(skeleton)
        if not self.links:
            raise GeometryError(_nothing_to_collide(skeleton, use_visuals))

    def holds(self) -> bool:
        """True while neither the skeleton's structure nor a link's shapes were changed."""
        return (
            self.source.version == self.skeleton.version and shapes_of(self.skeleton, self.use_visuals) == self._lists
        )


def _warn_of_lost_shapes(skeleton: Skeleton) -> None:
    """Shapes that the file named and the reader could not take would be missed without notice."""
    for note in skeleton.warnings:
        if "mesh" in note and "left out" in note:
            _log.warning("collisions of %r: %s; these shapes cannot collide", skeleton.name, note)


def shapes_of(skeleton: Skeleton, use_visuals: bool) -> ShapeLists:
    """The shapes of each link that count, as new lists.

    Raises:
        InvalidValueError: A link whose shapes were replaced by something that is no list.
    """
    try:
        if use_visuals:
            return [list(link.collisions or link.visuals) for link in skeleton.links]
        return [list(link.collisions) for link in skeleton.links]
    except TypeError:
        for link in skeleton.links:
            as_shapes(link.collisions, f"collisions of link {link.name!r} of {skeleton.name!r}")
            as_shapes(link.visuals, f"visuals of link {link.name!r} of {skeleton.name!r}")
        raise


def _nothing_to_collide(skeleton: Skeleton, use_visuals: bool) -> str:
    if not use_visuals and any(link.visuals for link in skeleton.links):
        return (
            f"no link of {skeleton.name!r} has a collision shape; its visual shapes can serve with use_visuals=True, "
            "or give shapes to the links' collisions"
        )
    return f"no link of {skeleton.name!r} has a shape; give some to the links' collisions before asking for collisions"
