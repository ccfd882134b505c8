"""`DrawnThings`: the links of a robot, obstacles and attached objects as nodes of a viser scene."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import CollisionDetector, Geometry, GeometryError, Shape, Skeleton
from ...kinematics.transforms import Array
from .link_marks import LinkMark
from .triangles import Triangles, triangles_of

_log = logging.getLogger(__name__)

#: Red, green, blue of 0 to 255.
Color = tuple[int, int, int]
#: Colours of marks; a link that nothing is wrong with has its own.
MARK_COLORS: dict[LinkMark, Color] = {
    LinkMark.AT_LIMIT: (245, 166, 35),
    LinkMark.BEYOND_LIMIT: (208, 84, 214),
    LinkMark.IN_COLLISION: (224, 45, 45),
}
#: Of links without a colour of their own, and of what is around the robot.
LINK_COLOR: Color = (176, 184, 194)
OBSTACLE_COLOR: Color = (140, 150, 130)


@dataclass
class _DrawnThing:
    node: Any
    parts: list[tuple[Any, Color]]
    mark: LinkMark = LinkMark.NORMAL
    pose: pin.SE3 | None = None


class DrawnThings:
    """Draws what has shapes, moves it and colours it; only what has changed is sent to the browser.

    Args:
        server: The viser server.
        robot: Whose links.
        detector: Whose obstacles and attached objects; None without any.
        collisions: Draw the collision shapes of links instead of the visual ones.
    """

    def __init__(
        self, server: Any, robot: Skeleton, detector: CollisionDetector | None, collisions: bool = False
    ) -> None:
        self._scene = server.scene
        self._things: dict[str, _DrawnThing] = {}
        self._carried: dict[str, tuple[str, pin.SE3]] = {}
        #: Corners (k, 3) of boxes around the shapes of each, in its own frame.
        self._corners: dict[str, Array] = {}
        self._detector = detector
        self._meshes: dict[Geometry, Triangles | None] = {}
        self._root = self._scene.add_frame("/things", show_axes=False)
        for link in robot.links:
            shapes = link.collisions if collisions else link.visuals or link.collisions
            self._add(link.name, shapes, LINK_COLOR)
        if detector is None:
            return
        for name, obstacle in detector.obstacles.items():
            self._add(name, obstacle.shapes, OBSTACLE_COLOR)
        for name, thing in detector.attached.items():
            self._add(name, thing.shapes, OBSTACLE_COLOR)
            carrier = thing.frame.link
            if carrier is not None:
                self._carried[name] = (carrier.name, thing.frame.transform(carrier) * thing.placement)

    def remove(self) -> None:
        """Takes everything out of the scene."""
        self._root.remove()

    def hide(self, hidden: bool = True) -> None:
        """Leaves everything where it is without drawing it, or draws it again."""
        self._root.visible = not hidden

    def update(self, poses: Mapping[str, pin.SE3], marks: Mapping[str, LinkMark]) -> None:
        """Moves and colours everything.

        Args:
            poses: Of the links in the world.
            marks: What is wrong with what.
        """
        placed = self._placed(poses)
        for name, thing in self._things.items():
            pose, mark = placed.get(name), marks.get(name, LinkMark.NORMAL)
            if pose is not None and (thing.pose is None or not pose.isApprox(thing.pose, 1e-9)):
                thing.node.position, thing.node.wxyz = pose.translation, wxyz_of(pose)
                thing.pose = pose
            if mark is not thing.mark:
                for part, color in thing.parts:
                    part.color = MARK_COLORS.get(mark, color)
                thing.mark = mark

    def bounds(self, poses: Mapping[str, pin.SE3]) -> tuple[Array, Array]:
        """The least and greatest corners (3,) of the links in the world (m); of their origins where none has shapes."""
        corners = self._corners_at(poses)
        return corners.min(axis=0), corners.max(axis=0)

    def lowest(self, poses: Mapping[str, pin.SE3]) -> float:
        """How far down (m) the links and all that is around them go."""
        return float(self._corners_at(self._placed(poses))[:, 2].min())

    def _corners_at(self, poses: Mapping[str, pin.SE3]) -> Array:
        corners = [np.array([pose.translation for pose in poses.values()])]
        for name, pose in poses.items():
            if name in self._corners:
                corners.append(self._corners[name] @ pose.rotation.T + pose.translation)
        return np.vstack(corners)

    def _placed(self, poses: Mapping[str, pin.SE3]) -> dict[str, pin.SE3]:
        """Where everything is, for the poses of the links."""
        placed = dict(poses)
        for name, (link, placement) in self._carried.items():
            placed[name] = poses[link] * placement
        if self._detector is not None:
            placed |= {name: obstacle.transform() for name, obstacle in self._detector.obstacles.items()}
        return placed

    def _add(self, name: str, shapes: Iterable[Shape], default: Color) -> None:
        # Names of links may be paths in a scene: numbers are none.
        path = f"/things/{len(self._things)}"
        node = self._scene.add_frame(path, show_axes=False)
        thing = self._things[name] = _DrawnThing(node, [])
        for number, shape in enumerate(shapes):
            triangles = self._triangles(name, shape.geometry)
            if triangles is None:
                continue
            color, opacity = _color_of(shape, default)
            part = self._scene.add_mesh_simple(
                f"{path}/{number}",
                vertices=triangles.vertices.astype(np.float32),
                faces=triangles.faces.astype(np.uint32),
                color=color,
                opacity=None if opacity >= 1.0 else opacity,
                side="double",
                position=shape.placement.translation,
                wxyz=wxyz_of(shape.placement),
            )
            thing.parts.append((part, color))
            corners = triangles.vertices @ shape.placement.rotation.T + shape.placement.translation
            box = np.array(np.meshgrid(*np.stack([corners.min(axis=0), corners.max(axis=0)], axis=1))).reshape(3, -1).T
            self._corners[name] = np.vstack([self._corners[name], box]) if name in self._corners else box

    def _triangles(self, name: str, geometry: Geometry) -> Triangles | None:
        if geometry not in self._meshes:
            try:
                self._meshes[geometry] = triangles_of(geometry)
            except GeometryError as error:
                _log.warning("%s is not drawn: %s", name, error)
                self._meshes[geometry] = None
        return self._meshes[geometry]


def wxyz_of(pose: pin.SE3) -> Array:
    """The rotation of a pose as viser wants it: w, x, y, z."""
    x, y, z, w = pin.Quaternion(pose.rotation).coeffs()
    return np.array([w, x, y, z])


def pose_of(position: Any, wxyz: Any) -> pin.SE3:
    """The pose of a node of a viser scene."""
    w, x, y, z = (float(each) for each in wxyz)
    rotation = pin.Quaternion(w, x, y, z).normalized().toRotationMatrix()
    return pin.SE3(rotation, np.array(position, dtype=float))


def _color_of(shape: Shape, default: Color) -> tuple[Color, float]:
    if shape.color is None:
        return default, 1.0
    red, green, blue, opacity = (min(max(float(each), 0.0), 1.0) for each in shape.color)
    return (round(255 * red), round(255 * green), round(255 * blue)), opacity or 1.0
