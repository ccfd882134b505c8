"""`save_scene`: writes scene files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pinocchio as pin

from ..kinematics import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Geometry,
    Mesh,
    OcTree,
    Plane,
    Shape,
    Sphere,
)
from ..kinematics.whole_file import whole_file
from .scene import Scene


def save_scene(scene: Scene, path: str | Path) -> None:
    """Writes a scene so that `load_scene` gives the same one, to rounding.

    Names and colours of shapes are not kept.

    Args:
        scene: What is written.
        path: The file; replaced as a whole or not at all. Meshes and the SRDF file are written relative to its folder
            where they are below it.

    Raises:
        NotAFileError: A folder, a device or the like has that name; it is left alone.
    """
    target = Path(path).expanduser()
    text = "\n".join(_Writer(target.resolve().parent).lines(scene)) + "\n"
    with whole_file(target) as partial:
        partial.write_text(text, encoding="utf-8")


class _Writer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def lines(self, scene: Scene) -> Iterator[str]:
        for key, margin in (("margin", scene.margin), ("self_margin", scene.self_margin)):
            if margin is not None:
                yield f"{key} = {float(margin)!r}"
        if scene.srdf is not None:
            yield f"srdf = {self._path(scene.srdf)}"
        for key, pairs in (("exclude", scene.excluded), ("include", scene.included)):
            if pairs:
                yield f"{key} = [{', '.join(_names(pair) for pair in pairs)}]"
        for obstacle in scene.obstacles:
            yield from ("", "[[obstacle]]", f"name = {_text(obstacle.name)}", *_pose(obstacle.pose))
            yield from self._shapes("obstacle", obstacle.shapes)
        for thing in scene.attached:
            yield from ("", "[[attached]]", f"name = {_text(thing.name)}", f"frame = {_text(thing.frame)}")
            yield from _pose(thing.placement)
            if thing.touches:
                yield f"touches = {_names(thing.touches)}"
            yield from self._shapes("attached", thing.shapes)

    def _shapes(self, owner: str, shapes: tuple[Shape, ...]) -> Iterator[str]:
        if len(shapes) == 1 and shapes[0].placement == pin.SE3.Identity():
            yield from self._geometry(shapes[0].geometry)
            return
        for shape in shapes:
            yield f"[[{owner}.shape]]"
            yield from _pose(shape.placement)
            yield from self._geometry(shape.geometry)

    def _geometry(self, geometry: Geometry) -> Iterator[str]:
        yield f'kind = "{type(geometry).__name__.lower()}"'
        match geometry:
            case Box(x, y, z):
                yield f"size = {_numbers((x, y, z))}"
            case Sphere(radius):
                yield f"radius = {float(radius)!r}"
            case Cylinder(radius, length) | Capsule(radius, length):
                yield f"radius = {float(radius)!r}"
                yield f"length = {float(length)!r}"
            case Ellipsoid(x, y, z):
                yield f"half_axes = {_numbers((x, y, z))}"
            case Mesh(path, scale):
                yield f"file = {self._path(path)}"
                yield f"scale = {_numbers(scale)}"
            case OcTree():
                yield f"resolution = {geometry.resolution!r}"
                yield f"points = [{', '.join(_numbers(point) for point in geometry.points)}]"
            case Plane():
                pass

    def _path(self, name: str) -> str:
        path = Path(name).resolve()
        return _text(path.relative_to(self._folder).as_posix() if path.is_relative_to(self._folder) else str(path))


def _pose(pose: pin.SE3) -> Iterator[str]:
    if np.any(pose.translation):
        yield f"position = {_numbers(pose.translation)}"
    if not np.array_equal(pose.rotation, np.eye(3)):
        yield f"quaternion = {_numbers(pin.Quaternion(pose.rotation).coeffs())}"


def _numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(repr(float(value)) for value in values)}]"


def _names(names: Iterable[str]) -> str:
    return f"[{', '.join(_text(name) for name in names)}]"


def _text(text: str) -> str:
    """A TOML string: JSON's escapes are TOML's but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
