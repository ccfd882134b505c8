"""Arms that move in a plane, and across it by one slide: SCARA in every order of its joints, planar arms."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import is_one_of
from .family import Family, Fit
from .goal_rank import has_free_joints

#: The goals of an angle and a point, in the order of their numbers in `kernels.angle_goals`.
ANGLE_GOALS = (
    "translation_x_axis_angle_4d",
    "translation_y_axis_angle_4d",
    "translation_z_axis_angle_4d",
    "translation_x_axis_angle_z_norm_4d",
    "translation_y_axis_angle_x_norm_4d",
    "translation_z_axis_angle_y_norm_4d",
)
_ASKED = {**{target: k for k, target in enumerate(ANGLE_GOALS)}, "transform_6d": 6, "translation_xy_orientation_3d": 7}
_STRAIGHT = 1e-9


def _fit(letters: str, target: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry) if letters else None
    if wrong is not None:
        return wrong
    normal = _normal(geometry, target)
    if isinstance(normal, str):
        return normal
    across = [k for k in range(len(geometry)) if geometry.slides[k] and _parallel(geometry.axes[k], normal)]
    inside = [k for k in range(len(geometry)) if k not in across]
    for k in inside:
        if geometry.slides[k] and abs(geometry.axes[k].dot(normal)) > _STRAIGHT:
            return f"joint {k + 1} slides neither in the plane nor across it"
        if not geometry.slides[k] and not _parallel(geometry.axes[k], normal):
            return f"axis {k + 1} is not orthogonal to the plane of the others"
    if len(across) > 1 or (across and target == "translation_xy_orientation_3d"):
        return "a joint slides across the plane, which the goal leaves free"
    if len(inside) > 3 or (sum(geometry.slides[k] for k in inside) > 2):
        return "more joints in one plane than a place in it needs"
    if target != "transform_6d" and (len(inside) != 3 or (target in ANGLE_GOALS and not across)):
        return "too few joints for the goal"
    tool = geometry.tip_rotation @ (np.array([0.0, 0.0, 1.0]) if direction is None else direction)
    if target in ANGLE_GOALS and _parallel(tool, normal):
        return "the tool's direction is that of the axes, so that its angle never changes"
    if target in ANGLE_GOALS[:3] and _parallel(normal, np.eye(3)[_ASKED[target]]):
        return "the angle from an axis that all joints turn about never changes"
    if target == "translation_xy_orientation_3d" and _parallel(geometry.tip_rotation[:, 0], normal):
        return "the x axis of the tip is orthogonal to the plane"
    if target in ANGLE_GOALS and has_free_joints(
        geometry, tool, np.eye(3)[_ASKED[target]] if _ASKED[target] < 3 else None
    ):
        return "its joints can move without changing what the goal asks for"
    if np.linalg.matrix_rank(_scaled_jacobian(geometry), tol=1e-7) < len(geometry):
        return "its joints can move without moving the tip"
    numbers = _numbers(geometry, normal, inside, across, _ASKED[target], tool)
    plane = f"{len(inside)} joint{'s' if len(inside) > 1 else ''} move in a plane"
    return Fit(numbers, plane + (f", joint {across[0] + 1} slides across it" if across else ""))


def _scaled_jacobian(geometry: ChainGeometry) -> Array:
    q = np.linspace(0.3, 1.7, len(geometry))
    scaled: Array = geometry.jacobian(q) / np.repeat([geometry.size, 1.0], 3)[:, None]
    return scaled * np.where(geometry.slides, geometry.size, 1.0)


def _parallel(a: Array, b: Array) -> bool:
    return bool(np.linalg.norm(np.cross(a, b)) <= _STRAIGHT)


def _normal(geometry: ChainGeometry, target: str) -> Array | str:
    # The axis of the turning joints; for an angle in the plane of x and y it must be z, and is.
    turning = [k for k in range(len(geometry)) if not geometry.slides[k]]
    if not turning:
        return "no joint turns"
    axis = geometry.axes[turning[0]]
    if target == "translation_xy_orientation_3d":
        if not _parallel(axis, np.array([0.0, 0.0, 1.0])):
            return "its joints do not turn about the z axis of the base"
        return np.array([0.0, 0.0, 1.0])
    return np.array(axis)


def _numbers(
    geometry: ChainGeometry, normal: Array, inside: list[int], across: list[int], asked: int, tool: Array
) -> Array:
    size = geometry.size
    offsets = np.array(geometry.offsets) / size
    height = float(offsets.sum(axis=0).dot(normal))
    first = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = first - first.dot(normal) * normal
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    if abs(normal[2]) > 1.0 - 1e-12:
        first, second = np.array([1.0, 0.0, 0.0]), np.array([0.0, normal[2], 0.0])
    plane = np.array([first, second])
    # The joint across the plane is taken out: the offset behind it goes to the one before.
    behind = [k + 1 for k in inside]
    start = plane @ offsets[: inside[0] + 1].sum(axis=0)
    joints = np.zeros((3, 7))
    for row, k in enumerate(inside):
        end = behind[row + 1] if row + 1 < len(inside) else len(geometry) + 1
        joints[row, 0], joints[row, 1] = k, geometry.slides[k]
        joints[row, 2] = 1.0 if geometry.slides[k] else np.sign(geometry.axes[k].dot(normal))
        joints[row, 3:5] = plane @ geometry.axes[k] if geometry.slides[k] else 0.0
        joints[row, 5:7] = plane @ offsets[k + 1 : end].sum(axis=0)
    x_axis = plane @ geometry.tip_rotation[:, 0]
    return np.concatenate(
        [
            [asked, size, len(inside), across[0] if across else -1],
            [np.sign(geometry.axes[across[0]].dot(normal)) if across else 0.0, height],
            first,
            second,
            normal,
            tool,
            geometry.tip_rotation.ravel(),
            [np.arctan2(x_axis[1], x_axis[0])],
            start,
            joints.ravel(),
        ]
    )


def _kernel() -> Any:
    from .kernels.planar_arms import planar_arms

    return planar_arms


def _family(letters: str, target: str, name: str, most: int = 4) -> Family:
    return Family(
        name=name, joints=letters, target=target, most=most, fit=partial(_fit, letters, target), kernel=_kernel
    )


_THREE = tuple("".join(letters) for letters in product("RP", repeat=3) if "R" in letters)
_SCARA = tuple("".join(letters) for letters in product("RP", repeat=4) if 1 <= letters.count("R") <= 3)

#: A place and an angle in the plane of x and y, by three joints in it.
TRANSLATION_XY_ORIENTATION_3D = tuple(
    _family(letters, "translation_xy_orientation_3d", f"planar {letters}") for letters in _THREE
)
#: Full poses of SCARA arms, in any order of the joints, and of arms that lack some of them.
TRANSFORM_6D = _family("", "transform_6d", "planar arm, with or without a slide across the plane")
#: An angle of the tool and its place, by arms like SCARA.
AXIS_ANGLE_4D = tuple(
    _family(letters, target, f"SCARA {letters}, {target}") for target in ANGLE_GOALS for letters in _SCARA
)
