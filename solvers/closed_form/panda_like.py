"""Arms of seven turning joints, spherical at one end, a free joint at the other: Panda, FR3, xArm 7, Kinova gen3."""

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
    """The numbers of an arm with a spherical wrist whose axes 2 and 3 meet, or of one that is so seen from its tip.

    Joint 1, or seen from the tip joint 7, is the free one. Axes may be at any angle that is not zero, and offset
    everywhere else. Axes that miss each other by up to 0.2 % of the arm's size are taken as meeting. What meets are
    neighbouring axes, so it meets at every configuration.
    """
    if len(geometry) != at.JOINTS or geometry.slides.any():
        return "it needs seven turning joints"
    ahead = _fit_ahead(geometry, False)
    if not isinstance(ahead, str):
        return ahead
    behind = _fit_ahead(geometry.reversed(), True)
    return behind if not isinstance(behind, str) else f"{ahead}; seen from the tip, {behind}"


def _fit_ahead(geometry: ChainGeometry, reversed_order: bool) -> Fit | str:
    label = [7 - k if reversed_order else k + 1 for k in range(7)]
    for i, k in ((1, 2), (4, 5), (5, 6)):
        if sine_between(geometry, i, k) < 1e-3:
            return f"axes {label[i]} and {label[k]} are parallel"
    wrist, pair = gap(geometry, (4, 5, 6)), gap(geometry, (1, 2))
    if wrist > NEARLY:
        return f"axes {label[4]}, {label[5]} and {label[6]} do not meet in one point"
    if pair > NEARLY:
        return f"axes {label[1]} and {label[2]} do not meet"
    w, p = geometry.meeting_point((4, 5, 6)), geometry.meeting_point((1, 2))
    first, elbow = geometry.origins[0], geometry.origins[3]
    elbow_part = elbow_numbers(geometry.axes[3], elbow - p, w - elbow)
    if elbow_part[at.ELBOW_SWING] < 1e-9 * geometry.size**2:
        return f"axis {label[3]} does not change how far the wrist is from where axes {label[1]} and {label[2]} meet"
    numbers = begin_numbers(geometry, at.PANDA_LIKE_SIZE, reversed_order)
    numbers[at.SHOULDER_POINT : at.SHOULDER_POINT + 3] = first
    numbers[at.WRIST_TO_TIP : at.WRIST_TO_TIP + 3] = geometry.offsets.sum(axis=0) - w
    numbers[at.TIP_ROTATION : at.TIP_ROTATION + 9] = geometry.tip_rotation.ravel()
    numbers[at.ELBOW : at.ELBOW + at.ELBOW_SIZE] = elbow_part
    numbers[at.WRIST : at.WRIST + at.TRIPLE_SIZE] = triple_numbers(geometry.axes[4:])
    numbers[at.FIRST_AXIS : at.FIRST_AXIS + 9] = geometry.axes[:3].ravel()
    numbers[at.TO_MEETING : at.TO_MEETING + 3] = p - first
    spherical = sorted(label[4:])
    between = sorted(label[1:3])
    why = (
        f"axes {spherical[0]}, {spherical[1]} and {spherical[2]} meet in one point{by_how_much(wrist, geometry)}, "
        f"and so do axes {between[0]} and {between[1]}{by_how_much(pair, geometry)}; joint {label[0]} is free"
    )
    return Fit(np.ascontiguousarray(numbers), why)


def _kernel() -> Any:
    from .kernels.panda_like import candidates

    return candidates


PANDA_LIKE = Family(
    name="7R with a spherical shoulder or wrist, and two axes that meet at the other end",
    joints="RRRRRRR",
    target="transform_6d",
    most=8,
    fit=fit,
    kernel=_kernel,
    paper="He and Liu, arXiv 2103.11214, 2021; Tittel, ICAR 2021",
)
