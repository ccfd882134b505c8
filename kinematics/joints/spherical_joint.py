"""`SphericalJoint`: any rotation."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from ..degree_of_freedom import DegreeOfFreedom
from ..rotation_coordinates import (
    quaternion_from_vector,
    random_rotation_vector,
    turn_between,
    turned,
    vector_from_quaternion,
)
from ..transforms import Array
from .joint import Joint


class SphericalJoint(Joint):
    """A ball joint; the coordinates are the rotation vector (axis times angle, rad).

    Its velocity is the angular velocity in the child's axes. Without limits a random configuration is a
    uniformly random rotation.
    """

    kind = "spherical"
    _is_additive = False

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.dofs = tuple(DegreeOfFreedom(f"{name}.r{axis}", self, is_angular=True) for axis in "xyz")

    def transform(self, q: Array) -> pin.SE3:
        """Rotation by the rotation vector q (3,)."""
        return pin.SE3(pin.exp3(np.asarray(q, dtype=float)), np.zeros(3))

    def _pinocchio_joint(self) -> pin.JointModel:
        return pin.JointModelSpherical()

    def _to_pinocchio(self, q: Array) -> Array:
        return quaternion_from_vector(q)

    def _from_pinocchio(self, q: Array) -> Array:
        return vector_from_quaternion(q)

    def _integrate(self, q: Array, velocity: Array) -> Array:
        return turned(q, velocity)

    def _difference(self, start: Array, end: Array) -> Array:
        return turn_between(start, end)

    def _random(self, rng: np.random.Generator) -> Array:
        if any(dof.is_limited for dof in self.dofs):
            return super()._random(rng)
        return random_rotation_vector(rng)
