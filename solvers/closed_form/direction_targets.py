"""Rotations of the tip by three turning joints, directions by two."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import is_one_of
from .family import Family, Fit


def _fit(letters: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry)
    if wrong is not None:
        return wrong
    for k in range(len(geometry) - 1):
        if geometry.are_parallel(k, k + 1, 1e-6):
            return f"axes {k + 1} and {k + 2} are parallel, so that there are rotations with a free joint, or none"
    along = geometry.tip_rotation @ (np.array([0.0, 0.0, 1.0]) if direction is None else direction)
    if len(geometry) == 2:
        if np.linalg.norm(np.cross(geometry.axes[1], along)) <= 1e-6:
            return "the last joint turns about the tool's direction"
        why = "two turning joints with axes that are not parallel"
    else:
        why = "three turning joints, none parallel to the next"
    is_rotation = 1.0 if len(geometry) == 3 else 0.0
    numbers = np.concatenate([[is_rotation], geometry.tip_rotation.ravel(), along, geometry.axes.ravel()])
    return Fit(numbers, why)


def _kernel() -> Any:
    from .kernels.direction_targets import direction_targets

    return direction_targets


#: A rotation of the tip by any three axes; they need not be orthogonal, nor meet.
ROTATION_3D = Family(
    name="a rotation by three turning joints",
    joints="RRR",
    target="rotation_3d",
    most=2,
    fit=partial(_fit, "RRR"),
    kernel=_kernel,
    paper="B. Paden, Kinematics and Control of Robot Manipulators, Berkeley 1986 (subproblems 1 and 2)",
)
#: A direction of the tool by two axes.
DIRECTION_3D = Family(
    name="a direction by two turning joints",
    joints="RR",
    target="direction_3d",
    most=2,
    fit=partial(_fit, "RR"),
    kernel=_kernel,
    paper=ROTATION_3D.paper,
)
