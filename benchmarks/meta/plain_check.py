"""`PlainCheck`: collisions of a cell by Pinocchio and coal alone, pair by pair, to judge what a detector says."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from kinetree.kinematics import Box, Capsule, Cylinder, Geometry, Sphere

from .cell import HOLDERS, TOOL, TOOL_PLACE, Cell

#: One geometry: what carries it (a frame of the model, or None), where it is on that, and its shape.
Part = tuple[int | None, pin.SE3, coal.CollisionGeometry]


class PlainCheck:
    """Every geometry of a cell against every other.

    Only the pairs of links that the detector lists as excluded are left out, as the robot's own file or its
    joints make them touch.

    Args:
        cell: What is looked at.
    """

    def __init__(self, cell: Cell) -> None:
        self._robot = cell.robot
        self._model = cell.robot.model
        self._data = self._model.createData()
        parts: dict[str, list[Part]] = {}
        for link in cell.robot.links:
            frame = self._model.getFrameId(link.name)
            if link.collisions:
                parts[link.name] = [(frame, each.placement, _made(each.geometry)) for each in link.collisions]
        links = list(parts)
        tip = cell.robot.tip
        assert tip.link is not None
        place = tip.transform(tip.link) * pin.SE3(np.eye(3), np.array(TOOL_PLACE))
        parts["tool"] = [(self._model.getFrameId(tip.link.name), place, _made(TOOL))]
        for name, geometry, position in cell.pieces:
            parts[name] = [(None, pin.SE3(np.eye(3), np.array(position)), _made(geometry))]
        left_out = {frozenset((each.first, each.second)) for each in cell.detector.excluded}
        left_out |= {frozenset(("tool", name)) for name in (*HOLDERS.get(cell.name, ()), tip.link.name)}
        pieces = [name for name, _, _ in cell.pieces]
        pairs = [(a, b) for k, a in enumerate(links) for b in links[k + 1 :]]
        pairs += [(a, b) for a in [*links, "tool"] for b in pieces] + [(a, "tool") for a in links]
        self.pairs = [(a, b) for a, b in pairs if frozenset((a, b)) not in left_out]
        self._parts = parts

    def touching(self, q: NDArray[np.float64]) -> tuple[str, str] | None:
        """The first pair that touches at a configuration (n,); None when all is free."""
        pin.framesForwardKinematics(self._model, self._data, self._robot.to_pinocchio(q))
        placed = {name: [self._placed(part) for part in parts] for name, parts in self._parts.items()}
        request = coal.CollisionRequest()
        for a, b in self.pairs:
            for one, at in placed[a]:
                for other, there in placed[b]:
                    result = coal.CollisionResult()
                    if coal.collide(one, at, other, there, request, result):
                        return a, b
        return None

    def _placed(self, part: Part) -> tuple[coal.CollisionGeometry, coal.Transform3s]:
        frame, place, shape = part
        pose = place if frame is None else self._data.oMf[frame] * place
        return shape, coal.Transform3s(pose.rotation, pose.translation)


def _made(geometry: Geometry) -> coal.CollisionGeometry:
    if isinstance(geometry, Box):
        return coal.Box(geometry.x, geometry.y, geometry.z)
    if isinstance(geometry, Sphere):
        return coal.Sphere(geometry.radius)
    if isinstance(geometry, Cylinder):
        return coal.Cylinder(geometry.radius, geometry.length)
    if isinstance(geometry, Capsule):
        return coal.Capsule(geometry.radius, geometry.length)
    raise TypeError(f"the cell has no {type(geometry).__name__}")
