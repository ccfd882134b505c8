"""Many poses at once: checks, roll, pitch and yaw, inverses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidPoseError
from ..transforms import ROTATION_TOLERANCE, Array


def as_poses(value: ArrayLike, name: str = "poses") -> Array:
    """Poses (m, 4, 4) as floats; one pose (4, 4) becomes (1, 4, 4).

    Raises:
        InvalidPoseError: Another shape, nan or infinity, or what is no rotation (tolerance 1e-6); it names the row.
    """
    try:
        poses = np.asarray(getattr(value, "homogeneous", value), dtype=float)
    except (TypeError, ValueError):
        raise InvalidPoseError(f"{name} must be an array (m, 4, 4) of numbers") from None
    if poses.ndim == 2:
        poses = poses[None]
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        raise InvalidPoseError(f"{name} must have shape (m, 4, 4); it has {poses.shape}")
    if not np.isfinite(poses).all():
        row = int(np.flatnonzero(~np.isfinite(poses).all(axis=(1, 2)))[0])
        raise InvalidPoseError(f"{name}, row {row}, has entries that are not finite")
    error = _distance_from_rigid(poses)
    if len(error) and error.max() > ROTATION_TOLERANCE:
        row = int(np.argmax(error))
        raise InvalidPoseError(f"{name}, row {row}, is no rigid transform: off by {error[row]:.1e}")
    return poses


def _distance_from_rigid(poses: Array) -> Array:
    """How far each pose (m, 4, 4) is from a rigid transform; 2 for a reflection."""
    # Row by row with the poses along the last axis: several times faster than products of small matrices.
    x, y, z = (np.ascontiguousarray(poses[:, i, :3].T) for i in range(3))
    error = np.abs(poses[:, 3] - (0.0, 0.0, 0.0, 1.0)).max(axis=1)
    for a, b, wanted in ((x, x, 1.0), (y, y, 1.0), (z, z, 1.0), (x, y, 0.0), (x, z, 0.0), (y, z, 0.0)):
        np.maximum(error, np.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - wanted), out=error)
    volume = (
        x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + x[2] * (y[0] * z[1] - y[1] * z[0])
    )
    return np.where(volume < 0.0, 2.0, error)


def rpy_of(poses: Array) -> Array:
    """Roll, pitch, yaw (3, m) in rad of poses (m, 4, 4), as `rotation_from_rpy` takes them."""
    roll = np.arctan2(poses[:, 2, 1], poses[:, 2, 2])
    pitch = np.arctan2(-poses[:, 2, 0], np.hypot(poses[:, 2, 1], poses[:, 2, 2]))
    yaw = np.arctan2(poses[:, 1, 0], poses[:, 0, 0])
    return np.stack([roll, pitch, yaw])


def poses_from(positions: Array, rpy: Array) -> Array:
    """Poses (m, 4, 4) of positions (m, 3) and roll, pitch, yaw (m, 3)."""
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy).T, np.cos(rpy).T
    poses = np.zeros((len(positions), 4, 4))
    poses[:, 0, 0], poses[:, 0, 1], poses[:, 0, 2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    poses[:, 1, 0], poses[:, 1, 1], poses[:, 1, 2] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    poses[:, 2, 0], poses[:, 2, 1], poses[:, 2, 2] = -sp, cp * sr, cp * cr
    poses[:, :3, 3] = positions
    poses[:, 3, 3] = 1.0
    return poses


def poses_from_rows(rows: Array) -> Array:
    """Poses (m, 4, 4) of rows (m, 12): rotation row by row, then translation."""
    poses = np.zeros((len(rows), 4, 4))
    poses[:, :3, :3] = rows[:, :9].reshape(-1, 3, 3)
    poses[:, :3, 3] = rows[:, 9:]
    poses[:, 3, 3] = 1.0
    return poses


def inverse_of(poses: Array) -> Array:
    """Inverses of rigid transforms (m, 4, 4)."""
    result = np.zeros_like(poses)
    turned = np.swapaxes(poses[:, :3, :3], 1, 2)
    result[:, :3, :3] = turned
    result[:, :3, 3] = -np.einsum("mij,mj->mi", turned, poses[:, :3, 3])
    result[:, 3, 3] = 1.0
    return result
