"""What the fits of redundant arms hand to their kernels: limits, three axes of a joint, an elbow."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import InvalidValueError
from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .kernels import redundancy_layout as at

#: Axes that miss each other by less than this part of the arm's size count as meeting; polishing closes the gap.
NEARLY = 2e-3
#: Axes that miss each other by less than this part of the size meet exactly.
EXACTLY = 1e-9


def begin_numbers(geometry: ChainGeometry, size: int, reversed_order: bool = False) -> Array:
    """The beginning of the numbers: how distance is measured, weights of 1, limits in the order of a geometry."""
    numbers = np.zeros(size)
    numbers[at.WEIGHTS : at.WEIGHTS + at.JOINTS] = 1.0
    numbers[at.LOWER : at.LOWER + at.JOINTS] = np.maximum(geometry.lower, -at.UNLIMITED)
    numbers[at.UPPER : at.UPPER + at.JOINTS] = np.minimum(geometry.upper, at.UNLIMITED)
    numbers[at.REVERSED] = float(reversed_order)
    return numbers


def measured_by_squares(numbers: Array, weights: ArrayLike | None = None) -> Array:
    """The same arm, with the weighted sum of squared joint differences as its distance from the seed.

    Args:
        numbers: `Fit.numbers` of a redundant arm.
        weights: (7,) not negative, in the order of the chain; 1 when None.

    Raises:
        InvalidValueError: Weights that are not seven finite numbers of which none is negative.
    """
    given = np.ones(at.JOINTS) if weights is None else np.asarray(weights, dtype=float)
    if given.shape != (at.JOINTS,) or not np.isfinite(given).all() or (given < 0.0).any():
        raise InvalidValueError(f"weights {weights!r}: needed are {at.JOINTS} finite numbers that are not negative")
    changed = np.array(numbers)
    changed[at.MEASURE] = 1.0
    changed[at.WEIGHTS : at.WEIGHTS + at.JOINTS] = given[::-1] if numbers[at.REVERSED] else given
    return changed


def across(axes: Array) -> tuple[Array, Array, Array, Array]:
    """Two directions across the first of three axes, and two across the last one, that suit `triple_numbers`."""
    a, b, c = axes
    first, last = np.cross(b, a), np.cross(c, b)
    first, last = first / np.linalg.norm(first), last / np.linalg.norm(last)
    return first, np.cross(a, first), last, np.cross(c, last)


def triple_numbers(axes: Array) -> Array:
    """The numbers of three axes (3, 3) of which each carries the next one; neighbours must not be parallel."""
    a, b, c = axes
    e1, e2, f1, f2 = across(axes)
    c_across, normal = c - b * b.dot(c), np.cross(b, c)
    a_across, a_normal = a - b * b.dot(a), np.cross(b, a)
    cosine, sine = float(a.dot(c_across)), float(a.dot(normal))
    radius, shift, phase = math.hypot(cosine, sine), float(a.dot(b) * b.dot(c)), math.atan2(sine, cosine)
    square = abs(a.dot(b)) < 1e-12 and abs(b.dot(c)) < 1e-12
    from_axis = [x.dot(e) for x in (b * b.dot(c), c_across, normal) for e in (e1, e2)]
    to_axis = [x.dot(f) for x in (b * b.dot(a), a_across, -a_normal) for f in (f1, f2)]
    angle = [shift, radius, phase, math.cos(phase), math.sin(phase), float(square)]
    return np.array([*a, *e1, *e2, *c, *f1, *f2, *b, *angle, *from_axis, *to_axis])


def elbow_numbers(axis: Array, upper: Array, fore: Array) -> Array:
    """The numbers of an elbow: ``upper`` to a point of its axis, and ``fore`` from there, which it turns."""
    along = axis * axis.dot(fore)
    part, normal = fore - along, np.cross(axis, fore)
    cosine, sine = 2.0 * float(upper.dot(part)), 2.0 * float(upper.dot(normal))
    mean = float(upper.dot(upper) + fore.dot(fore) + 2.0 * upper.dot(along))
    phase = math.atan2(sine, cosine)
    swing = [mean, math.hypot(cosine, sine), phase, math.cos(phase), math.sin(phase)]
    return np.array([*axis, *upper, *along, *part, *normal, *swing])


def gap(geometry: ChainGeometry, joints: Sequence[int]) -> float:
    """By which part of the arm's size some turning axes miss their common point."""
    point = geometry.meeting_point(joints)
    away = [np.linalg.norm(np.cross(geometry.axes[k], point - geometry.origins[k])) for k in joints]
    return float(max(away)) / geometry.size


def sine_between(geometry: ChainGeometry, i: int, j: int) -> float:
    """Sine of the angle between two axes."""
    return float(np.linalg.norm(np.cross(geometry.axes[i], geometry.axes[j])))


def by_how_much(part: float, geometry: ChainGeometry) -> str:
    """For people: empty where axes meet exactly, else how far they miss."""
    return "" if part <= EXACTLY else f" (nearly: they miss by {part * geometry.size * 1e3:.2g} mm)"
