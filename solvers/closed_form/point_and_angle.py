"""A place and an angle of the tool by four joints that are not all parallel: palletizers, base and three pitch axes."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import chain_numbers, is_one_of
from .family import Family, Fit
from .goal_rank import has_free_joints
from .planar_arms import ANGLE_GOALS
from .point_targets import TRANSLATION_3D
from .run_of_parallel_axes import run_of_parallel_axes


def _tool(geometry: ChainGeometry, direction: Array | None) -> Array:
    tool: Array = geometry.tip_rotation @ (np.array([0.0, 0.0, 1.0]) if direction is None else direction)
    return tool / np.linalg.norm(tool)


def _axis(target: str) -> Array | None:
    # The axis that an angle is measured from; None where the goal gives the whole direction.
    kind = ANGLE_GOALS.index(target)
    return np.eye(3)[kind] if kind < 3 else None


def _fit_last(letters: str, target: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry)
    if wrong is not None:
        return wrong
    tool, axis = _tool(geometry, direction), geometry.axes[3]
    if np.linalg.norm(np.cross(axis, geometry.offsets[4])) > 1e-9 * geometry.size:
        return "the tip is not on axis 4"
    if np.linalg.norm(np.cross(axis, tool)) <= 1e-6:
        return "axis 4 turns about the tool's direction"
    if has_free_joints(geometry, tool, _axis(target)):
        return "its joints can move without changing what the goal asks for"
    offsets = np.vstack([geometry.offsets[:3], geometry.offsets[3] + geometry.offsets[4]])
    first = ChainGeometry.made(geometry.axes[:3], offsets, None, geometry.slides[:3])
    moves = next(each for each in TRANSLATION_3D if is_one_of(each.joints, first) is None).fit(first, None)
    if isinstance(moves, str):
        return moves
    numbers = np.concatenate([[0.0, ANGLE_GOALS.index(target)], tool, axis, chain_numbers(first)])
    return Fit(numbers, "the tip is on axis 4, and three joints move it")


def _fit_run(target: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of("RRRR", geometry)
    if wrong is not None:
        return wrong
    run = run_of_parallel_axes(geometry)
    if isinstance(run, str):
        return run
    tool = _tool(geometry, direction)
    if np.linalg.norm(np.cross(geometry.axes[1], tool)) <= 1e-6:
        return "the tool's direction is that of the axes 2, 3 and 4"
    if has_free_joints(geometry, tool, _axis(target)):
        return "its joints can move without changing what the goal asks for"
    tip = geometry.offsets[4] / geometry.size
    numbers = np.concatenate([[1.0, ANGLE_GOALS.index(target)], tool, run, tip])
    return Fit(numbers, "axes 2, 3 and 4 are parallel")


def _kernel() -> Any:
    from .kernels.point_and_angle import point_and_angle

    return point_and_angle


_THREE = tuple("".join(letters) for letters in product("RP", repeat=3))

#: Four joints, the tip on the axis of the last: three that move it and one that turns the tool.
LAST_JOINT_TURNS_TOOL = tuple(
    Family(
        name=f"{letters} with a turning tool, {target}",
        joints=letters + "R",
        target=target,
        most=16,
        fit=partial(_fit_last, letters + "R", target),
        kernel=_kernel,
    )
    for target in ANGLE_GOALS
    for letters in _THREE
)
#: A first axis and three parallel ones: the tool stays in a plane that the first axis turns.
PARALLEL_AXES = tuple(
    Family(
        name=f"three parallel axes behind a first, {target}",
        joints="RRRR",
        target=target,
        most=8,
        fit=partial(_fit_run, target),
        kernel=_kernel,
    )
    for target in ANGLE_GOALS
)
