"""Forward kinematics from what makers publish, in plain numpy: Denavit-Hartenberg tables and axes of drawings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def standard_dh(rows: Sequence[tuple[float, float, float]], q: np.ndarray) -> np.ndarray:
    """Product of Rz(q) Tz(d) Tx(a) Rx(alpha), rows (d, a, alpha)."""
    pose = np.eye(4)
    for (d, a, alpha), angle in zip(rows, q, strict=True):
        pose = pose @ rotation("z", angle) @ shift(a, 0, d) @ rotation("x", alpha)
    return pose


def modified_dh(rows: Sequence[tuple[float, float, float]], q: np.ndarray) -> np.ndarray:
    """Product of Rx(alpha) Tx(a) Rz(q) Tz(d), rows (a, alpha, d)."""
    pose = np.eye(4)
    for (a, alpha, d), angle in zip(rows, q, strict=True):
        pose = pose @ rotation("x", alpha) @ shift(a, 0, 0) @ rotation("z", angle) @ shift(0, 0, d)
    return pose


def exponentials(axes: Sequence[tuple[str, tuple[float, float, float]]], home: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Turns about lines (direction and a point, in the base), or slides ("s" first), then the home pose."""
    pose = np.eye(4)
    for (axis, point), value in zip(axes, q, strict=True):
        sign = -1.0 if axis.startswith("-") else 1.0
        letter = axis[-1]
        if "s" in axis:
            pose = pose @ shift(*(sign * value * np.eye(3)["xyz".index(letter)]))
        else:
            pose = pose @ shift(*point) @ rotation(letter, sign * value) @ shift(*(-np.array(point)))
    return pose @ home


def rotation(axis: str, angle: float) -> np.ndarray:
    """Turn about a coordinate axis, 4x4."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    result = np.eye(4)
    result[i, i] = result[j, j] = c
    result[i, j], result[j, i] = -s, s
    return result


def shift(x: float, y: float, z: float) -> np.ndarray:
    """Translation, 4x4."""
    result = np.eye(4)
    result[:3, 3] = x, y, z
    return result
