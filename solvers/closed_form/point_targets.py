"""Points reached by arms with just enough joints: three for a place in space, two for one in the plane."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import chain_numbers, is_one_of, with_joint
from .family import Family, Fit

_NAMES = {
    "translation_3d": "a point by three joints",
    "translation_local_global_6d": "a point of the tip to a point by three joints",
    "lookat_3d": "two joints that look at a point",
    "translation_xy_2d": "x and y by two joints",
}
_ASKED = {"translation_3d": 0, "translation_local_global_6d": 1, "lookat_3d": 2, "translation_xy_2d": 3}
_PAPER = "D. Pieper, The Kinematics of Manipulators under Computer Control, Stanford 1968 (three joints: a quartic)"


def _fit(letters: str, target: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry)
    if wrong is not None:
        return wrong
    arm, why = geometry, f"three joints, {letters}, in general position"
    if target == "lookat_3d":
        along = geometry.tip_rotation @ (np.array([0.0, 0.0, 1.0]) if direction is None else direction)
        arm = with_joint(geometry, 2, along, slides=True)
        why = "two joints, and the distance along the tool's direction as a third"
    elif target == "translation_xy_2d":
        arm = with_joint(geometry, 0, np.array([0.0, 0.0, 1.0]), slides=True)
        why = "two joints, and the height that is left free as a third"
    local = target == "translation_local_global_6d"
    redundant = _redundant(arm, reaches_any_point=local)
    if redundant is not None:
        return redundant
    return Fit(np.concatenate([[_ASKED[target]], geometry.tip_rotation.ravel(), chain_numbers(arm)]), why)


def _redundant(arm: ChainGeometry, reaches_any_point: bool) -> str | None:
    # Three joints that can never move a point in all directions of space: the rank of the Jacobian tells.
    random = np.random.default_rng(0)
    for _ in range(5):
        q = random.uniform(-np.pi, np.pi, 3)
        tip = random.normal(size=3) * arm.size if reaches_any_point else np.zeros(3)
        jacobian = arm.jacobian(q)
        moved = jacobian[:3] + np.cross(jacobian[3:], tip, axis=0)
        if np.linalg.svd(moved / np.where(arm.slides, 1.0, arm.size), compute_uv=False)[-1] > 1e-7:
            return None
    return "its joints cannot move the tip in all the directions that the goal asks for"


def _kernel() -> Any:
    from .kernels.point_targets import point_targets

    return point_targets


def _family(letters: str, target: str) -> Family:
    return Family(
        name=f"{_NAMES[target]}, {letters}",
        joints=letters,
        target=target,
        most=8,
        fit=partial(_fit, letters, target),
        kernel=_kernel,
        paper=_PAPER,
    )


_THREE = tuple(a + b + c for a in "RP" for b in "RP" for c in "RP")

#: A place of the tip, by three joints of any kinds.
TRANSLATION_3D = tuple(_family(letters, "translation_3d") for letters in _THREE)
#: A point in the axes of the tip, given with the goal, to a place.
TRANSLATION_LOCAL_GLOBAL_6D = tuple(_family(letters, "translation_local_global_6d") for letters in _THREE)
#: The tool's direction points at a place: pan and tilt, with offsets.
LOOKAT_3D = tuple(_family(letters, "lookat_3d") for letters in ("RR", "RP", "PR"))
#: x and y of the tip, whatever its height.
TRANSLATION_XY_2D = tuple(_family(letters, "translation_xy_2d") for letters in ("RR", "RP", "PR", "PP"))
