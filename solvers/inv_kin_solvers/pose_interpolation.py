"""Poses between two poses."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin


def pieces_between(start: pin.SE3, end: pin.SE3, step: float) -> int:
    """How many pieces of at most ``step`` (m along the line, and rad) the way from one pose to another takes."""
    away = float(np.linalg.norm(end.translation - start.translation))
    turned = float(np.linalg.norm(pin.log3(start.rotation.T @ end.rotation)))
    return max(1, math.ceil(max(away, turned) / step))


def pose_between(start: pin.SE3, end: pin.SE3, part: float) -> pin.SE3:
    """The pose after a part (0 to 1) of the way: along the line, and about the one axis that leads to the end."""
    turn = pin.log3(start.rotation.T @ end.rotation)
    position = start.translation + part * (end.translation - start.translation)
    return pin.SE3(start.rotation @ pin.exp3(part * turn), position)
