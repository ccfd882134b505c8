"""Six turning joints, three neighbouring ones about parallel axes: Universal Robots' arms and many like them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .common_normals import CommonNormals
from .family import Family, Fit
from .mirrored import mirrored

#: Axes that miss being parallel, or meeting, by less are taken to be exact (rad, part of the size).
EXACT = 1e-9
#: Up to this much (rad) an arm is solved as if its axes were parallel; polishing closes the gap.
NEARLY = 2e-3
#: How the two equations for the outer joints are solved: joint 1 first, or both at once.
FIRST_JOINT_FIRST, COUPLED = 0, 1
_SMALL = 1e-9


def fit_middle(geometry: ChainGeometry, direction: Array | None = None) -> Fit | str:
    """The numbers for the kernel when axes 2, 3 and 4 are parallel, else why not."""
    made = _with_parallel_axes(geometry, 1)
    if isinstance(made, str):
        return made
    geometry, slack, why = made
    normals = CommonNormals.of(geometry, EXACT)
    if normals.twists[0] == 0.0 or normals.twists[3] == 0.0:
        return "four axes are parallel"
    if normals.twists[4] == 0.0:
        return "axes 5 and 6 are parallel"
    if min(abs(normals.lengths[1]), abs(normals.lengths[2])) <= _SMALL * geometry.size:
        return "two of the parallel axes are the same line"
    kind = FIRST_JOINT_FIRST if normals.lengths[4] == 0.0 else COUPLED
    if kind == FIRST_JOINT_FIRST:
        why += ", and axes 5 and 6 meet"
    height = float(normals.offsets[1:4].sum())
    return Fit(np.concatenate([normals.numbers(), [float(kind), height, geometry.size, slack]]), why)


def fit_first(geometry: ChainGeometry, direction: Array | None = None) -> Fit | str:
    """The numbers for the kernel when axes 1, 2 and 3 are parallel, else why not."""
    made = _with_parallel_axes(geometry, 0)
    if isinstance(made, str):
        return made
    geometry, slack, why = made
    normals = CommonNormals.of(geometry, EXACT)
    if normals.twists[2] == 0.0:
        return "four axes are parallel"
    if normals.twists[3] == 0.0 and normals.twists[4] == 0.0:
        return "axes 4, 5 and 6 are parallel"
    if min(abs(normals.lengths[0]), abs(normals.lengths[1])) <= _SMALL * geometry.size:
        return "two of the parallel axes are the same line"
    height = float(normals.offsets[:3].sum())
    return Fit(np.concatenate([normals.numbers(), [height, geometry.size, slack]]), why)


def _with_parallel_axes(geometry: ChainGeometry, first: int) -> tuple[ChainGeometry, float, str] | str:
    """The chain with three axes made parallel, how far they were from it (rad), and what to tell people."""
    if len(geometry) != 6 or geometry.slides.any():
        return f"it takes six turning joints, and this chain has {len(geometry)}, {geometry.slides.sum()} sliding"
    which = (first, first + 1, first + 2)
    names = f"axes {first + 1}, {first + 2} and {first + 3}"
    middle = geometry.axes[first + 1]
    miss = max(float(np.linalg.norm(np.cross(geometry.axes[k], middle))) for k in which)
    if miss > NEARLY:
        return f"{names} are not parallel ({np.degrees(np.arcsin(min(miss, 1.0))):.3g} degrees)"
    if miss <= EXACT:
        return geometry, 0.0, f"{names} are parallel"
    axes = np.array(geometry.axes)
    for k in which:
        axes[k] = np.sign(axes[k] @ middle) * middle
    made = ChainGeometry.made(
        axes, geometry.offsets, geometry.tip_rotation, geometry.slides, geometry.lower, geometry.upper, geometry.names
    )
    why = f"{names} are nearly parallel ({np.degrees(np.arcsin(min(miss, 1.0))):.3g} degrees; the rest is polished)"
    return made, 10.0 * miss, why


def _middle_kernel() -> Any:
    from .kernels.parallel_axes import candidates

    return candidates


def _first_kernel() -> Any:
    from .kernels.first_axes_parallel import candidates

    return candidates


_PAPER = (
    'A. J. Elias and J. T. Wen, "IK-Geo: Unified robot inverse kinematics using subproblem decomposition", '
    "arXiv 2211.05737"
)

THREE_PARALLEL = Family(
    name="6R with axes 2, 3 and 4 parallel",
    joints="RRRRRR",
    target="transform_6d",
    most=8,
    fit=fit_middle,
    kernel=_middle_kernel,
    paper=_PAPER,
)

FIRST_THREE_PARALLEL = Family(
    name="6R with axes 1, 2 and 3 parallel",
    joints="RRRRRR",
    target="transform_6d",
    most=8,
    fit=fit_first,
    kernel=_first_kernel,
    paper=_PAPER,
)

THREE_PARALLEL_MIRRORED = mirrored(THREE_PARALLEL, "6R with axes 3, 4 and 5 parallel")

LAST_THREE_PARALLEL = mirrored(FIRST_THREE_PARALLEL, "6R with axes 4, 5 and 6 parallel")
