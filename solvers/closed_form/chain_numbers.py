"""The numbers by which a kernel knows a serial chain."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry


def chain_numbers(geometry: ChainGeometry) -> Array:
    """A chain of n joints in one array (4 + 7 n,), lengths in sizes of the chain.

    The size (m), n times whether a joint slides (1 or 0), n axes, n + 1 offsets, as in `ChainGeometry`.
    """
    return np.concatenate(
        [
            [geometry.size],
            geometry.slides.astype(float),
            geometry.axes.ravel(),
            geometry.offsets.ravel() / geometry.size,
        ]
    )


def kinds(geometry: ChainGeometry) -> str:
    """One letter for each joint: R turns, P slides."""
    return "".join("P" if slides else "R" for slides in geometry.slides)


def with_joint(geometry: ChainGeometry, at: int, axis: Array, slides: bool) -> ChainGeometry:
    """The chain with one joint more, through the tip or through the base.

    Args:
        geometry: The chain.
        at: 0 for a joint before all others, through the origin of the base; the number of joints for one behind all
            others, through the tip.
        axis: (3,) in the axes of the base, all joints at zero.
        slides: Whether it slides.
    """
    offsets = np.insert(geometry.offsets, 0 if at == 0 else at + 1, 0.0, axis=0)
    return ChainGeometry.made(
        np.insert(geometry.axes, at, axis, axis=0),
        offsets,
        geometry.tip_rotation,
        np.insert(geometry.slides, at, slides),
        np.insert(geometry.lower, at, -np.inf),
        np.insert(geometry.upper, at, np.inf),
        [*geometry.names[:at], "added", *geometry.names[at:]],
    )


def is_one_of(letters: str, geometry: ChainGeometry) -> str | None:
    """None when the joints have the kinds that the letters say, else what is wrong, for people."""
    found = kinds(geometry)
    if found == letters:
        return None
    return f"its joints are {found or 'none'}, not {letters}"
