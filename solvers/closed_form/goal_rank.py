"""Whether an arm has a joint too many for a kind of goal."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry

_ENOUGH = 1e-7


def has_free_joints(geometry: ChainGeometry, tool: Array, axis: Array | None = None) -> bool:
    """True when the joints can always move and leave the place of the tip and the tool's direction as they are.

    Args:
        geometry: The arm.
        tool: The tool's direction (3,) in the base, with all joints at zero.
        axis: Where only the angle to an axis of the base counts, that axis (3,).
    """
    random = np.random.default_rng(0)
    for _ in range(5):
        q = random.uniform(-np.pi, np.pi, len(geometry))
        jacobian = geometry.jacobian(q) / np.where(geometry.slides, 1.0, geometry.size)
        direction = geometry.forward(q)[0] @ geometry.tip_rotation.T @ tool
        turned = np.cross(jacobian[3:], direction, axis=0)
        rows = turned if axis is None else (axis @ turned)[None, :]
        moved = np.vstack([jacobian[:3], geometry.size * rows])
        if np.linalg.svd(moved, compute_uv=False)[len(geometry) - 1] > _ENOUGH:
            return False
    return True
