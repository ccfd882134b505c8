"""Arms of seven turning joints with a spherical shoulder and a spherical wrist: KUKA iiwa, Barrett WAM, Motoman SIA."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .family import Family, Fit
from .kernels import redundancy_layout as at
from .redundancy_numbers import (
    NEARLY,
    begin_numbers,
    by_how_much,
    elbow_numbers,
    gap,
    sine_between,
    triple_numbers,
)


def fit(geometry: ChainGeometry, direction: Array | None = None) -> Fit | str:
    """The numbers of an arm whose axes 1, 2, 3 meet in one point and 5, 6, 7 in another, or why it is none of these.

    Axes may be at any angle that is not zero, and the elbow may be offset. Groups of axes that miss their common point
    by up to 0.2 % of the arm's size are taken as meeting.
    """
    if len(geometry) != at.JOINTS or geometry.slides.any():
        return "it needs seven turning joints"
    for i in range(6):
        if i in (0, 1, 4, 5) and sine_between(geometry, i, i + 1) < 1e-3:
            return f"axes {i + 1} and {i + 2} are parallel"
    shoulder, wrist = gap(geometry, (0, 1, 2)), gap(geometry, (4, 5, 6))
    if shoulder > NEARLY:
        return "axes 1, 2 and 3 do not meet in one point"
    if wrist > NEARLY:
        return "axes 5, 6 and 7 do not meet in one point"
    s, w = geometry.meeting_point((0, 1, 2)), geometry.meeting_point((4, 5, 6))
    elbow = geometry.origins[3]
    elbow_part = elbow_numbers(geometry.axes[3], elbow - s, w - elbow)
    if elbow_part[at.ELBOW_SWING] < 1e-9 * geometry.size**2:
        return "axis 4 does not change how far the wrist is from the shoulder"
    numbers = begin_numbers(geometry, at.SHOULDER_WRIST_SIZE)
    numbers[at.SHOULDER_POINT : at.SHOULDER_POINT + 3] = s
    numbers[at.WRIST_TO_TIP : at.WRIST_TO_TIP + 3] = geometry.offsets.sum(axis=0) - w
    numbers[at.TIP_ROTATION : at.TIP_ROTATION + 9] = geometry.tip_rotation.ravel()
    numbers[at.ELBOW : at.ELBOW + at.ELBOW_SIZE] = elbow_part
    numbers[at.SHOULDER : at.SHOULDER + at.TRIPLE_SIZE] = triple_numbers(geometry.axes[:3])
    numbers[at.WRIST : at.WRIST + at.TRIPLE_SIZE] = triple_numbers(geometry.axes[4:])
    why = (
        f"axes 1, 2 and 3 meet in one point{by_how_much(shoulder, geometry)}, "
        f"and so do 5, 6 and 7{by_how_much(wrist, geometry)}"
    )
    return Fit(np.ascontiguousarray(numbers), why)


def _kernel() -> Any:
    from .kernels.spherical_shoulder_wrist import candidates

    return candidates


SPHERICAL_SHOULDER_WRIST = Family(
    name="7R with a spherical shoulder and a spherical wrist",
    joints="RRRRRRR",
    target="transform_6d",
    most=8,
    fit=fit,
    kernel=_kernel,
    paper="Shimizu, Kakuya, Yoon, Kitagaki and Kosuge, IEEE Transactions on Robotics 24(5), 2008",
)
