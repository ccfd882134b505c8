"""Arms of seven turning joints of which six have a closed form when the first or the last joint is held."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .family import Family, Fit
from .general_6r import GENERAL_6R
from .kernels import redundancy_layout as at
from .parallel_axes import THREE_PARALLEL
from .redundancy_numbers import begin_numbers
from .spherical_wrist import SPHERICAL_WRIST, SPHERICAL_WRIST_AT_BASE


def without_end(geometry: ChainGeometry, last: bool) -> ChainGeometry:
    """The arm without its first joint, or without its last one: its base or tip is at this joint then.

    What lies between the joints that are left does not change with the joint that is gone, so that facts about them
    hold at every value of it.
    """
    keep = slice(0, -1) if last else slice(1, None)
    return ChainGeometry.made(
        geometry.axes[keep],
        geometry.offsets[keep],
        np.eye(3) if last else geometry.tip_rotation,
        geometry.slides[keep],
        geometry.lower[keep],
        geometry.upper[keep],
        geometry.names[keep],
    )


def locked(family: Family, last: bool) -> Family:
    """The family of arms of seven joints that are of a family of six when the first or the last joint is held.

    Args:
        family: Of six turning joints.
        last: Whether it is the last one.
    """
    which = "last" if last else "first"

    def fit(geometry: ChainGeometry, direction: Array | None = None) -> Fit | str:
        if len(geometry) != at.JOINTS or geometry.slides.any():
            return "it needs seven turning joints"
        inner = family.fit(without_end(geometry, last), direction)
        if isinstance(inner, str):
            return f"without its {which} joint: {inner}"
        end = at.JOINTS - 1 if last else 0
        numbers = begin_numbers(geometry, at.HELD_SIZE)
        numbers[at.HELD_LAST] = float(last)
        numbers[at.HELD_AXIS : at.HELD_AXIS + 3] = geometry.axes[end]
        numbers[at.HELD_OFFSET : at.HELD_OFFSET + 3] = geometry.offsets[at.JOINTS if last else 0]
        numbers[at.HELD_TIP : at.HELD_TIP + 9] = geometry.tip_rotation.ravel()
        shift = "" if last else " (counted from the second joint)"
        why = f"held at a value, joint {end + 1} leaves an arm of the kind {family.name}: {inner.why}{shift}"
        return Fit(np.concatenate([numbers, np.asarray(inner.numbers, dtype=float)]), why)

    def kernel() -> Any:
        from .kernels.locked_joint import make_locked

        return make_locked(family.kernel())[0]

    return Family(
        name=f"7R, {which} joint held: {family.name}",
        joints="RRRRRRR",
        target="transform_6d",
        most=family.most,
        fit=fit,
        kernel=kernel,
        paper=family.paper,
    )


#: From the simplest to the most general; the last one takes any arm.
LOCKED_JOINT = (
    locked(SPHERICAL_WRIST, False),
    locked(SPHERICAL_WRIST_AT_BASE, True),
    locked(THREE_PARALLEL, True),
    locked(THREE_PARALLEL, False),
    locked(GENERAL_6R, True),
)
