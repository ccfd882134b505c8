"""Reads the text of MoveIt's ``.scene`` files, which its RViz plugin writes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from ..kinematics import Box, Cylinder, Geometry, KinetreeError, Plane, Shape, Sphere, as_pose
from .errors import SceneFileError
from .scene import Scene, SceneObstacle

#: Numbers that follow the name of each shape, and what they make.
_SHAPES: dict[str, tuple[int, Callable[..., Geometry]]] = {
    "box": (3, Box),
    "sphere": (1, Sphere),
    "cylinder": (2, Cylinder),
}


def read_moveit_scene(text: str, file: str) -> Scene:
    """Reads a document of either version: since MoveIt 1.1 objects have a pose of their own, and named subframes.

    Boxes, spheres, cylinders and planes are read, with their colours; of a plane the side that its normal points
    away from is solid. Subframes are left out.

    Args:
        text: The document.
        file: What to call it in an error.

    Raises:
        SceneFileError: It is damaged, or has meshes, cones or octrees, which such a file keeps as numbers; the
            message has the line.
    """
    return _Reader(text, file).scene()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self._lines = [line.strip() for line in text.splitlines()]
        self._file = file
        self._next = 0

    def scene(self) -> Scene:
        self._line("the name of the scene")
        obstacles: list[SceneObstacle] = []
        while True:
            line = self._line("an object, or the '.' at the end")
            if line == ".":
                break
            if not line.startswith("*") or not line[1:].strip():
                raise self._error(f"an object must begin with '* ' and its name, not with {line!r}")
            name = line[1:].strip()
            if any(each.name == name for each in obstacles):
                raise self._error(f"the name {name!r} is there twice; names must be different")
            obstacles.append(self._obstacle(name))
        return Scene(tuple(obstacles), file=self._file)

    def _obstacle(self, name: str) -> SceneObstacle:
        what = f"object {name!r}"
        has_pose = len(self._peek().split()) == 3
        pose = self._pose(what) if has_pose else pin.SE3.Identity()
        shapes = tuple(self._shape(what) for _ in range(self._count(f"the number of shapes of {what}")))
        if not shapes:
            raise self._error(f"{what} has no shape")
        if has_pose:
            for _ in range(self._count(f"the number of subframes of {what}")):
                self._line(f"the name of a subframe of {what}")
                self._pose(f"a subframe of {what}")
        return SceneObstacle(name, shapes, pose)

    def _shape(self, what: str) -> Shape:
        kind = self._line(f"a shape of {what}")
        geometry: Geometry = Plane()
        if kind == "plane":
            *normal, offset = self._numbers(4, f"the plane of {what}")
            at = self._plane(normal, offset, what)
        elif kind in _SHAPES:
            count, make = _SHAPES[kind]
            values = self._numbers(count, f"the {kind} of {what}")
            try:
                at, geometry = pin.SE3.Identity(), make(*values)
            except KinetreeError as error:
                raise self._error(f"{what}: {error}") from None
        else:
            raise self._error(
                f"{what} is a {kind!r}, which is not read from such files; those are: {', '.join(_SHAPES)}, plane. "
                "Meshes can be given as files in a TOML scene"
            )
        pose = self._pose(what)
        red, green, blue, opacity = self._numbers(4, f"the colour of {what}")
        color = (red, green, blue, opacity) if opacity > 0.0 else None
        return Shape(geometry, pose * at, color=color)

    def _plane(self, normal: list[float], offset: float, what: str) -> pin.SE3:
        """Where the plane a x + b y + c z + d = 0 has its normal along z."""
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            raise self._error(f"the plane of {what} has no normal")
        up = np.array(normal) / length
        rotation = pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), up).toRotationMatrix()
        return pin.SE3(rotation, -offset / length * up)

    def _pose(self, what: str) -> pin.SE3:
        position = self._numbers(3, f"the position of {what}")
        quaternion = self._numbers(4, f"the quaternion of {what}")
        try:
            return as_pose((position, quaternion))
        except KinetreeError as error:
            raise self._error(f"{what}: {error}") from None

    def _count(self, what: str) -> int:
        line = self._line(what)
        if not line.isdecimal():
            raise self._error(f"{what} must be here, not {line!r}")
        return int(line)

    def _numbers(self, count: int, what: str) -> list[float]:
        words = self._line(what).split()
        try:
            values = [float(word) for word in words]
        except ValueError:
            values = []
        if len(values) != count or not np.isfinite(values).all():
            raise self._error(f"{what} must be {count} finite numbers, not {' '.join(words)!r}")
        return values

    def _peek(self) -> str:
        return next((line for line in self._lines[self._next :] if line), "")

    def _line(self, what: str) -> str:
        """The next line that is not blank."""
        while self._next < len(self._lines):
            self._next += 1
            if self._lines[self._next - 1]:
                return self._lines[self._next - 1]
        raise self._error(f"the file ends where {what} should be")

    def _error(self, problem: str) -> SceneFileError:
        return SceneFileError(f"{self._file}, line {self._next}: {problem}")
