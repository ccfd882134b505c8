"""Rotation vectors as coordinates: conversions that stay exact up to half a turn, where matrices lose digits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pinocchio as pin

from .errors import InvalidValueError

if TYPE_CHECKING:
    from .transforms import Array  # which needs this module


def quaternion_from_vector(vector: Array) -> Array:
    """Unit quaternion x, y, z, w of a rotation vector (3,).

    Raises:
        InvalidValueError: The angle is too large to be a number.
    """
    x, y, z = (float(each) for each in vector)
    angle = math.hypot(x, y, z)  # whose squares do not overflow
    if not math.isfinite(angle):
        raise InvalidValueError(f"rotation coordinates ({x:g}, {y:g}, {z:g}) are no angle: they must be finite numbers")
    # sin(a / 2) / a, by its series where the quotient loses digits.
    scale = math.sin(0.5 * angle) / angle if angle > 1e-4 else 0.5 - angle * angle / 48.0
    return np.array([x * scale, y * scale, z * scale, math.cos(0.5 * angle)])


def vector_from_quaternion(quaternion: Array) -> Array:
    """Rotation vector (3,), angle in [0, pi], of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = (float(each) for each in quaternion)
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    sine = math.hypot(x, y, z)
    angle = 2.0 * math.atan2(sine, w)
    scale = angle / sine if sine > 1e-12 * w else 2.0 / w
    return np.array([x * scale, y * scale, z * scale])


def turned(vector: Array, by: Array) -> Array:
    """Rotation vector of the rotation ``vector`` followed by ``by`` in the turned axes."""
    product = pin.Quaternion(quaternion_from_vector(vector)) * pin.Quaternion(quaternion_from_vector(by))
    return vector_from_quaternion(product.coeffs())


def turn_between(start: Array, end: Array) -> Array:
    """Rotation vector, in the axes of ``start``, that leads from one rotation vector to another."""
    first = pin.Quaternion(quaternion_from_vector(start)).inverse()
    return vector_from_quaternion((first * pin.Quaternion(quaternion_from_vector(end))).coeffs())


def random_rotation_vector(rng: np.random.Generator) -> Array:
    """Rotation vector (3,) of a uniformly random rotation."""
    return vector_from_quaternion(rng.normal(size=4))
