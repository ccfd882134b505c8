"""`FreeJoint`: any motion; what carries a floating base."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from ..degree_of_freedom import DegreeOfFreedom
from ..rotation_coordinates import (
    quaternion_from_vector,
    random_rotation_vector,
    turned,
    vector_from_quaternion,
)
from ..transforms import Array, rotation_vector
from .joint import Joint


class FreeJoint(Joint):
    """Six degrees of freedom; coordinates are the position (m) and the rotation vector (rad) of the child.

    Its velocity is the child's twist in the child's own axes, linear first. A random configuration has a
    uniformly random rotation and a position inside the limits, where there are none within one metre of zero.

    Args:
        name: Unique in the skeleton; the degrees of freedom are ``name.x`` ... ``name.rz``.
    """

    kind = "free"
    _is_additive = False

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.dofs = (
            *(DegreeOfFreedom(f"{name}.{axis}", self, is_angular=False) for axis in "xyz"),
            *(DegreeOfFreedom(f"{name}.r{axis}", self, is_angular=True) for axis in "xyz"),
        )

    def transform(self, q: Array) -> pin.SE3:
        """Translation by q[:3] and rotation by the rotation vector q[3:]."""
        return pin.SE3(pin.exp3(np.ascontiguousarray(q[3:], dtype=float)), np.array(q[:3], dtype=float))

    def coordinates(self, transform: pin.SE3) -> Array:
        """The coordinates (6,) that give this motion: the inverse of `transform`."""
        return np.concatenate([transform.translation, rotation_vector(transform.rotation)])

    def _pinocchio_joint(self) -> pin.JointModel:
        return pin.JointModelFreeFlyer()

    def _to_pinocchio(self, q: Array) -> Array:
        return np.concatenate([q[:3], quaternion_from_vector(q[3:])])

    def _from_pinocchio(self, q: Array) -> Array:
        return np.concatenate([q[:3], vector_from_quaternion(q[3:])])

    def _integrate(self, q: Array, velocity: Array) -> Array:
        step = pin.exp6(np.ascontiguousarray(velocity))
        return np.concatenate([self.transform(q).act(step.translation), turned(q[3:], velocity[3:])])

    def _difference(self, start: Array, end: Array) -> Array:
        twist: Array = pin.log6(self.transform(start).actInv(self.transform(end))).vector
        return twist

    def _random(self, rng: np.random.Generator) -> Array:
        q = super()._random(rng)
        if not any(dof.is_limited for dof in self.dofs[3:]):
            q[3:] = random_rotation_vector(rng)
        return q
