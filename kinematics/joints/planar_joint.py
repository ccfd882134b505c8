"""`PlanarJoint`: two translations in a plane and a rotation about its normal."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ..degree_of_freedom import DegreeOfFreedom
from ..transforms import Array, as_axis, read_only
from .joint import Joint


class PlanarJoint(Joint):
    """Moves in the plane with the given normal; coordinates x, y (m) and the angle theta (rad).

    The in-plane axes are those of the joint frame, turned by the shortest rotation that takes z to the normal.
    The translation comes first, so x and y stay the origin's whatever theta is. Its velocity is (x, y, angle)
    in the child's axes.

    Args:
        name: Unique in the skeleton; the degrees of freedom are ``name.x``, ``name.y``, ``name.theta``.
        normal: Normal of the plane in the joint frame.
    """

    kind = "planar"
    _is_additive = False

    def __init__(self, name: str, normal: str | ArrayLike = "z") -> None:
        super().__init__(name)
        self._normal = as_axis(normal, f"normal of joint {name!r}")
        self._turn = _shortest_rotation_from_z(self._normal)
        self.dofs = (
            DegreeOfFreedom(f"{name}.x", self, is_angular=False),
            DegreeOfFreedom(f"{name}.y", self, is_angular=False),
            DegreeOfFreedom(f"{name}.theta", self, is_angular=True),
        )

    @property
    def normal(self) -> Array:
        """Unit normal (3,) in the joint frame (a copy to be read)."""
        return read_only(self._normal.copy())

    def transform(self, q: Array) -> pin.SE3:
        """Translation by (q[0], q[1]) in the plane, then rotation by q[2] about the normal."""
        return pin.SE3(pin.exp3(self._normal * q[2]), self._turn @ np.array([q[0], q[1], 0.0]))

    def _pinocchio_joint(self) -> pin.JointModel:
        return pin.JointModelPlanar()

    def _alignment(self) -> pin.SE3:
        return pin.SE3(self._turn, np.zeros(3))

    def _to_pinocchio(self, q: Array) -> Array:
        return np.array([q[0], q[1], math.cos(q[2]), math.sin(q[2])])

    def _from_pinocchio(self, q: Array) -> Array:
        return np.array([q[0], q[1], math.atan2(q[3], q[2])])

    def _integrate(self, q: Array, velocity: Array) -> Array:
        twist = np.array([velocity[0], velocity[1], 0.0, 0.0, 0.0, velocity[2]])
        moved = _flat_pose(q) * pin.exp6(twist)
        # The angle is added, not read off the pose, so that whole turns are kept.
        return np.array([*moved.translation[:2], q[2] + velocity[2]])

    def _difference(self, start: Array, end: Array) -> Array:
        # The shorter way round in the angle, as for every configuration on a circle.
        twist = pin.log6(_flat_pose(start).actInv(_flat_pose(end))).vector
        return np.array([twist[0], twist[1], twist[5]])


def _flat_pose(q: Array) -> pin.SE3:
    return pin.SE3(pin.exp3(np.array([0.0, 0.0, q[2]])), np.array([q[0], q[1], 0.0]))


def _shortest_rotation_from_z(normal: Array) -> Array:
    x, y, z = (float(each) for each in normal)
    # Half a turn about z, then half a turn about the bisector of z and the normal. Its last component is
    # 1 + z, written so that it keeps its digits near the opposite of z; there any bisector in the plane will do.
    bisector = np.array([x, y, 1.0 + z if z > 0.0 else (x * x + y * y) / (1.0 - z)])
    length = math.hypot(*bisector)
    bisector = bisector / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
    turn: Array = (2.0 * np.outer(bisector, bisector) - np.eye(3)) * (-1.0, -1.0, 1.0)
    return turn
