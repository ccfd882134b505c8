"""A place and a direction of the tool by five joints: three and a wrist of two axes, or three parallel pitch axes."""

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
from .point_targets import TRANSLATION_3D
from .run_of_parallel_axes import run_of_parallel_axes


def _tool(geometry: ChainGeometry, direction: Array | None) -> Array:
    tool: Array = geometry.tip_rotation @ (np.array([0.0, 0.0, 1.0]) if direction is None else direction)
    return tool / np.linalg.norm(tool)


def _fit_wrist(letters: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry)
    if wrong is not None:
        return wrong
    if geometry.are_parallel(3, 4, 1e-6) or not geometry.meet((3, 4)):
        return "axes 4 and 5 do not meet"
    tool, centre = _tool(geometry, direction), geometry.meeting_point((3, 4))
    if np.linalg.norm(np.cross(geometry.axes[4], tool)) <= 1e-6:
        return "axis 5 turns about the tool's direction"
    tip = geometry.origins[4] + geometry.offsets[5]
    if np.linalg.norm(np.cross(tip - centre, tool)) > 1e-9 * geometry.size:
        return "the line of the tool does not go through the point where the axes 4 and 5 meet"
    first = ChainGeometry.made(
        geometry.axes[:3], np.vstack([geometry.offsets[:3], centre - geometry.origins[2]]), None, geometry.slides[:3]
    )
    moves = next(each for each in TRANSLATION_3D if is_one_of(each.joints, first) is None).fit(first, None)
    if isinstance(moves, str):
        return moves
    if has_free_joints(geometry, tool):
        return "its joints can move without changing what the goal asks for"
    distance = float((tip - centre).dot(tool))
    numbers = np.concatenate([[0.0], tool, [distance], geometry.axes[3:].ravel(), chain_numbers(first)])
    return Fit(numbers, "axes 4 and 5 meet on the line of the tool, and three joints move that point")


def _fit_run(geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of("RRRRR", geometry)
    if wrong is not None:
        return wrong
    run = run_of_parallel_axes(geometry)
    if isinstance(run, str):
        return run
    if geometry.are_parallel(3, 4, 1e-6):
        return "axis 5 is parallel to the axes 2, 3 and 4"
    tool = _tool(geometry, direction)
    roll = float(np.linalg.norm(np.cross(geometry.axes[4], tool))) <= 1e-9
    if has_free_joints(geometry, tool) and not roll:
        return "its joints can move without changing what the goal asks for"
    numbers = np.concatenate(
        [
            [1.0],
            tool,
            run,
            geometry.offsets[4] / geometry.size,
            geometry.axes[4],
            geometry.offsets[5] / geometry.size,
        ]
    )
    return Fit(numbers, "axes 2, 3 and 4 are parallel")


def _kernel() -> Any:
    from .kernels.directed_points import directed_points

    return directed_points


#: Three joints of any kinds and a wrist of two axes that meet on the line of the tool.
TWO_AXIS_WRIST = tuple(
    Family(
        name=f"{letters} with a wrist of two axes, place and direction",
        joints=letters + "RR",
        target="translation_direction_5d",
        most=16,
        fit=partial(_fit_wrist, letters + "RR"),
        kernel=_kernel,
    )
    for letters in map("".join, product("RP", repeat=3))
)
#: A first axis, three parallel ones and a last: many small arms. Where the last one turns about the tool the goal has
#: one number too many; it is reached where it can be, and the last joint stays near the seed.
PARALLEL_AXES = Family(
    name="three parallel axes between a first and a last, place and direction",
    joints="RRRRR",
    target="translation_direction_5d",
    most=16,
    fit=_fit_run,
    kernel=_kernel,
)
