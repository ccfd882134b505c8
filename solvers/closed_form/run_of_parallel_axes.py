"""Recognising three parallel axes behind a first one, and the numbers by which kernels know them."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry


def run_of_parallel_axes(geometry: ChainGeometry) -> Array | str:
    """What `kernels.run_of_parallel_axes` needs to know of the first four joints, or why they are not so (27,)."""
    if len(geometry) < 4 or geometry.slides[:4].any():
        return "its first four joints do not all turn"
    if not (geometry.are_parallel(1, 2) and geometry.are_parallel(1, 3)):
        return "axes 2, 3 and 4 are not parallel"
    if geometry.are_parallel(0, 1, 1e-6):
        return "axis 1 is parallel to the axes 2, 3 and 4"
    normal = geometry.axes[1]
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    signs = [np.sign(geometry.axes[k].dot(normal)) for k in (2, 3)]
    return np.concatenate(
        [
            [geometry.size],
            geometry.axes[0],
            normal,
            first,
            np.cross(normal, first),
            signs,
            geometry.offsets[:4].ravel() / geometry.size,
        ]
    )
