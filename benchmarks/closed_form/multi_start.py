"""All roots of a pose that a numeric search finds: Newton steps from very many configurations, in numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinetree.solvers.closed_form.chain_geometry import ChainGeometry

Array = NDArray[np.float64]
#: Steps of a search, the longest one in a joint (rad), and the error (parts of the size, rad) that a root has at most.
STEPS, LONGEST, EXACT = 50, 0.5, 1e-11
#: Roots nearer to one another than this in every joint (rad) are the same.
SAME = 1e-5
#: Smallest singular value of the Jacobian (lengths as parts of the size) at a root; near others roots merge, and where
#: one ends and the other begins is not to be told.
REGULAR = 1e-4


def roots(geometry: ChainGeometry, targets: Array, starts: int, rng: np.random.Generator) -> list[Array]:
    """Regular roots of an arm of six turning joints.

    Args:
        geometry: The arm.
        targets: Poses (m, 4, 4) of the tip in the base.
        starts: Random configurations that are tried for each.
        rng: Draws them.

    Returns:
        For each target configurations (k, 6), angles in -pi to pi.
    """
    q = rng.uniform(-np.pi, np.pi, (len(targets) * starts, 6))
    goals = np.repeat(targets, starts, axis=0)
    for _ in range(STEPS):
        error, jacobian = _errors(geometry, q, goals)
        square = (error**2).sum(axis=1)
        # Levenberg-Marquardt, whose damping vanishes with the error.
        normal = jacobian @ np.swapaxes(jacobian, 1, 2)
        normal += (1e-2 * square + 1e-15)[:, None, None] * np.eye(6)
        step = np.einsum("kij,ki->kj", jacobian, np.linalg.solve(normal, error[:, :, None])[:, :, 0])
        q = q + step * np.minimum(1.0, LONGEST / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
    error, jacobian = _errors(geometry, q, goals)
    is_root = (np.abs(error).max(axis=1) < EXACT) & (np.linalg.svd(jacobian, compute_uv=False)[:, -1] > REGULAR)
    q = (q + np.pi) % (2.0 * np.pi) - np.pi
    return [
        _different(own[good]) for own, good in zip(q.reshape(-1, starts, 6), is_root.reshape(-1, starts), strict=True)
    ]


def apart(a: Array, b: Array) -> Array:
    """Largest difference (k,) between configurations (k, n), the short way round."""
    largest: Array = np.abs((a - b + np.pi) % (2.0 * np.pi) - np.pi).max(axis=-1, initial=0.0)
    return largest


def _different(q: Array) -> Array:
    kept: list[Array] = []
    for row in q:
        if not kept or (apart(np.array(kept), row) > SAME).all():
            kept.append(row)
    return np.array(kept).reshape(-1, 6)


def _errors(geometry: ChainGeometry, q: Array, goals: Array) -> tuple[Array, Array]:
    """What is missing (k, 6), lengths as parts of the arm's size, then the rotation vector; and its Jacobian."""
    rotation, position = np.tile(np.eye(3), (len(q), 1, 1)), np.tile(geometry.offsets[0], (len(q), 1))
    axes, points = [], []
    for k, axis in enumerate(geometry.axes):
        axes.append(rotation @ axis)
        points.append(position)
        rotation = rotation @ _turns(axis, q[:, k])
        position = position + rotation @ geometry.offsets[k + 1]
    columns = [
        np.hstack([np.cross(axis, position - point) / geometry.size, axis])
        for axis, point in zip(axes, points, strict=True)
    ]
    turned = goals[:, :3, :3] @ np.swapaxes(rotation @ geometry.tip_rotation, 1, 2)
    vector = 0.5 * np.stack(
        [turned[:, 2, 1] - turned[:, 1, 2], turned[:, 0, 2] - turned[:, 2, 0], turned[:, 1, 0] - turned[:, 0, 1]],
        axis=1,
    )
    sine = np.linalg.norm(vector, axis=1)
    angle = np.arctan2(sine, 0.5 * (np.trace(turned, axis1=1, axis2=2) - 1.0))
    # At half a turn the axis is not to be seen in this; any direction will do to get away from there.
    scale = np.where(sine > 1e-9, angle / np.maximum(sine, 1e-300), np.where(angle > 1.0, 0.0, 1.0))
    vector = vector * scale[:, None]
    vector[(sine <= 1e-9) & (angle > 1.0)] = (1.0, 0.0, 0.0)
    error = np.hstack([(goals[:, :3, 3] - position) / geometry.size, vector])
    return error, np.stack(columns, axis=2)


def _turns(axis: Array, angles: Array) -> Array:
    """Rotations (k, 3, 3) about a unit axis (3,)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Array = np.eye(3) + np.sin(angles)[:, None, None] * cross
    return turned + (1.0 - np.cos(angles))[:, None, None] * (cross @ cross)
