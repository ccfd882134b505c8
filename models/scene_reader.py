"""`load_scene`: reads scene files."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..kinematics import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Geometry,
    InvalidValueError,
    KinetreeError,
    Mesh,
    OcTree,
    Plane,
    Shape,
    Sphere,
)
from .errors import SceneFileError
from .mesh_paths import MeshPaths
from .moveit_scene import read_moveit_scene
from .scene import Scene, SceneAttachment, SceneObstacle
from .scene_table import SceneTable


def load_scene(path: str | Path) -> Scene:
    """Reads a scene file; the page on scenes describes it.

    Names of meshes, point files and the SRDF file are relative to the scene file; ``package://`` is understood.

    Args:
        path: A TOML file, or one of MoveIt's that ends in ``.scene``.

    Raises:
        SceneFileError: It cannot be read, is damaged (with the line), or has a key that is unknown, of a wrong type or
            a name twice; the message has the table and the key.
        InvalidValueError: A path that is none.
    """
    if not isinstance(path, str | Path):
        raise InvalidValueError(f"a scene file must be given by its path, not by {path!r}")
    file = Path(path).expanduser()
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SceneFileError(f"scene file {str(path)!r} is no text in UTF-8") from None
    except (OSError, ValueError) as error:  # the latter for characters that no path has
        why = getattr(error, "strerror", None) or error
        raise SceneFileError(f"scene file {str(path)!r} cannot be read: {why}") from None
    if file.suffix == ".scene":
        return read_moveit_scene(text, str(path))
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SceneFileError(f"{path} is no TOML: {error}") from None
    return _Reader(file).scene(values)


class _Reader:
    """Reads one file."""

    def __init__(self, file: Path) -> None:
        self._file = str(file)
        self._paths = MeshPaths(file)
        self._geometries: dict[str, Callable[[SceneTable], Geometry]] = {
            "box": lambda table: Box(*table.numbers("size", 3)),
            "sphere": lambda table: Sphere(table.needed("radius")),
            "cylinder": lambda table: Cylinder(table.needed("radius"), table.needed("length")),
            "capsule": lambda table: Capsule(table.needed("radius"), table.needed("length")),
            "ellipsoid": lambda table: Ellipsoid(*table.numbers("half_axes", 3)),
            "plane": lambda table: Plane(),
            "mesh": self._mesh,
            "octree": self._octree,
        }

    def scene(self, values: Mapping[str, Any]) -> Scene:
        top = SceneTable(values, self._file, "top level")
        obstacles = [self._named("obstacle", each, self._obstacle) for each in top.tables("obstacle")]
        attached = [self._named("attached", each, self._attachment) for each in top.tables("attached")]
        scene = Scene(
            tuple(obstacles),
            tuple(attached),
            self._margin(top, "margin"),
            self._margin(top, "self_margin"),
            self._path(top, "srdf") if top.get("srdf") is not None else None,
            top.pairs("exclude"),
            top.pairs("include"),
            self._file,
        )
        top.finish()
        seen: set[str] = set()
        for thing in (*obstacles, *attached):
            if thing.name in seen:
                raise top.error(None, f"the name {thing.name!r} is there twice; names must be different")
            seen.add(thing.name)
        return scene

    def _named(self, kind: str, values: Mapping[str, Any], read: Callable[[SceneTable], Any]) -> Any:
        name = SceneTable(values, self._file, f"a table [[{kind}]]").text("name")
        table = SceneTable(values, self._file, f"{kind} {name!r}")
        table.get("name")
        result = read(table)
        table.finish()
        return result

    def _obstacle(self, table: SceneTable) -> SceneObstacle:
        return SceneObstacle(table.text("name"), self._shapes(table), table.pose())

    def _attachment(self, table: SceneTable) -> SceneAttachment:
        shapes, placement = self._shapes(table), table.pose()
        return SceneAttachment(table.text("name"), shapes, table.text("frame"), placement, table.names("touches"))

    def _shapes(self, table: SceneTable) -> tuple[Shape, ...]:
        """The one shape of a table with a ``kind``, or those of its ``shape`` tables, each with a pose in it."""
        several = table.tables("shape")
        if several and table.has("kind"):
            raise table.error("kind", "is there together with [[shape]] tables; give one of them")
        if not several:
            return (Shape(self._geometry(table)),)
        shapes = []
        for number, values in enumerate(several, start=1):
            inner = SceneTable(values, self._file, f"{table.where}, shape {number}")
            shapes.append(Shape(self._geometry(inner), inner.pose()))
            inner.finish()
        return tuple(shapes)

    def _geometry(self, table: SceneTable) -> Geometry:
        kind = table.get("kind")
        if not isinstance(kind, str) or kind not in self._geometries:
            said = "is missing; it" if kind is None else f"is {kind!r}; it"
            raise table.error("kind", f"{said} must be one of {', '.join(self._geometries)}")
        try:
            return self._geometries[kind](table)
        except SceneFileError:
            raise
        except KinetreeError as error:
            raise table.error(None, str(error)) from None

    def _mesh(self, table: SceneTable) -> Mesh:
        path = self._path(table, "file")
        value = table.get("scale")
        scale = (table.needed("scale"),) * 3 if isinstance(value, int | float) else None
        x, y, z = scale or table.numbers("scale", 3, (1.0, 1.0, 1.0))
        return Mesh(path, (x, y, z))

    def _octree(self, table: SceneTable) -> OcTree:
        resolution = table.needed("resolution")
        if table.has("file") == table.has("points"):
            raise table.error("points", "give either the points themselves or a 'file' with them")
        if table.has("points"):
            return OcTree(table.get("points"), resolution)
        path = self._path(table, "file")
        try:
            points = np.load(path, allow_pickle=False) if path.endswith(".npy") else np.loadtxt(path, ndmin=2)
        except (OSError, ValueError) as error:
            raise table.error("file", f"{path!r} has no points: {error}") from None
        return OcTree(points, resolution)

    def _path(self, table: SceneTable, key: str) -> str:
        name = table.text(key)
        path = self._paths.find(name)
        if path is None:
            raise table.error(key, f"there is no file {name!r} (names are relative to the scene file)")
        return path

    def _margin(self, table: SceneTable, key: str) -> float | None:
        value = table.number(key)
        if value is not None and value < 0.0:
            raise table.error(key, f"must be a distance of zero or more (m), not {value}")
        return value
