"""A place and a direction of the tool by five turning joints in general position, or a ray by four."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import chain_numbers, is_one_of, with_joint
from .family import Family, Fit


def _fit(letters: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry)
    if wrong is not None:
        return wrong
    tool = geometry.tip_rotation @ (np.array([0.0, 0.0, 1.0]) if direction is None else direction)
    tool = tool / np.linalg.norm(tool)
    arm = with_joint(geometry, len(geometry), tool, slides=False)
    if len(geometry) == 4:
        arm = with_joint(arm, 5, tool, slides=True)
    free = np.linspace(0.3, 1.9, 6)
    if np.linalg.svd(arm.jacobian(free) / np.repeat([arm.size, 1.0], 3)[:, None], compute_uv=False)[-1] < 1e-7:
        return "its joints can move without changing what the goal asks for"
    numbers = np.concatenate([[len(geometry)], tool, np.eye(3).ravel(), chain_numbers(arm)])
    return Fit(numbers, f"{len(geometry)} turning joints in general position")


def _kernel() -> Any:
    from .kernels.directed_lines import directed_lines

    return directed_lines


_PAPER = "M. Raghavan and B. Roth, Inverse kinematics of the general 6R manipulator and related linkages, 1993"

#: A place and a direction, by any five turning joints.
TRANSLATION_DIRECTION_5D = Family(
    name="five turning joints in general position, place and direction",
    joints="RRRRR",
    target="translation_direction_5d",
    most=16,
    fit=partial(_fit, "RRRRR"),
    kernel=_kernel,
    paper=_PAPER,
)
#: A ray, by any four turning joints.
RAY_4D = Family(
    name="four turning joints in general position, ray",
    joints="RRRR",
    target="ray_4d",
    most=16,
    fit=partial(_fit, "RRRR"),
    kernel=_kernel,
    paper=_PAPER,
)
