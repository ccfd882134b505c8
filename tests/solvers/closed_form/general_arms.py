"""What the tests of general 6R arms share: published and random arms, poses, and roots found by many Newton starts."""

from __future__ import annotations

import numpy as np

from kinetree import models
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry, turn

DEGREE = np.pi / 180.0


def from_dh(rows, modified=False):
    """An arm from rows of length a, twist alpha, offset d, angle theta at zero; the joint angle is added to theta."""
    pose, axes, origins = np.eye(4), [], []
    for a, alpha, d, theta in rows:
        across, along = np.eye(4), np.eye(4)
        across[:3, :3], across[0, 3] = turn(np.array([1.0, 0.0, 0.0]), alpha), a
        along[:3, :3], along[2, 3] = turn(np.array([0.0, 0.0, 1.0]), theta), d
        pose = pose @ across if modified else pose
        axes.append(pose[:3, 2].copy())
        origins.append(pose[:3, 3].copy())
        pose = pose @ along if modified else pose @ along @ across
    offsets = np.diff(np.vstack([np.zeros(3), origins, pose[:3, 3]]), axis=0)
    return ChainGeometry.made(axes, offsets, pose[:3, :3])


def manseur_doty():
    """R. Manseur and K. L. Doty, A robot manipulator with 16 real inverse kinematic solution sets, IJRR 8 (1989)."""
    quarter, one = np.pi / 2, DEGREE
    return from_dh(
        [
            (0.3, quarter, 0, 0),
            (1, one, 0, 0),
            (0, quarter, 0.2, 0),
            (1.5, one, 0, 0),
            (0, quarter, 0, 0),
            (0, one, 0, 0),
        ]
    )


def jaco():
    """Kinova Jaco (j2n6) with its wrist of 60 degrees: DH parameters of Jaco, Kinova, version 1.0.8 (2013)."""
    d1, d2, d3, d4, d5, d6, e2, half = 0.2755, 0.41, 0.2073, 0.0743, 0.0743, 0.1687, 0.0098, 30 * DEGREE
    k = np.sin(half) / np.sin(2 * half)
    return from_dh(
        [
            (0, np.pi / 2, d1, 0),
            (d2, np.pi, 0, 0),
            (0, np.pi / 2, -e2, 0),
            (0, 2 * half, -(d3 + k * d4), 0),
            (0, 2 * half, -k * (d4 + d5), 0),
            (0, np.pi, -(k * d5 + d6), 0),
        ]
    )


def crx10ia():
    """FANUC CRX-10iA, joints 2 and 3 not coupled: M. Abbes and G. Poisson, Robotics 13 (2024), 91, table 2."""
    quarter = np.pi / 2
    return from_dh(
        [
            (0, 0, 0, 0),
            (0, -quarter, 0, -quarter),
            (0.54, np.pi, 0, 0),
            (0, -quarter, -0.54, 0),
            (0, quarter, 0.15, 0),
            (0, -quarter, -0.16, 0),
        ],
        modified=True,
    )


def xarm6():
    """UFACTORY xArm 6, from the joint frames of its published robot description."""
    quarter = np.pi / 2
    frames = [
        ((0, 0, 0.267), 0),
        ((0, 0, 0), -quarter),
        ((0.053, -0.2845, 0), 0),
        ((0.0775, 0.3425, 0), -quarter),
        ((0, 0, 0), quarter),
        ((0.076, 0.097, 0), -quarter),
    ]
    rotation, position, axes, origins = np.eye(3), np.zeros(3), [], []
    for offset, roll in frames:
        position = position + rotation @ np.array(offset)
        rotation = rotation @ turn(np.array([1.0, 0.0, 0.0]), roll)
        axes.append(rotation[:, 2].copy())
        origins.append(position.copy())
    return ChainGeometry.made(axes, np.diff(np.vstack([np.zeros(3), origins, origins[-1:]]), axis=0), rotation)


def gofa():
    """A cobot with offsets at elbow and wrist, the lengths of an ABB CRB 15000."""
    quarter = np.pi / 2
    return from_dh(
        [
            (0, 0, 0.265, 0),
            (0, -quarter, 0, -quarter),
            (0.444, 0, 0, 0),
            (0.11, -quarter, 0.47, 0),
            (0, quarter, 0, 0),
            (0.08, -quarter, 0.101, 0),
        ],
        modified=True,
    )


def built_in(name, locked=None, value=0.0):
    """An arm of `kinetree.models`, perhaps with one joint held."""
    skeleton = models.load(name)
    chain = skeleton.tip.chain()
    geometry = ChainGeometry.of(skeleton, skeleton.tip, chain.dof_indices, chain.base)
    return geometry if locked is None else geometry.locked(locked, value)


ARMS = {
    "manseur_doty": manseur_doty,
    "jaco": jaco,
    "crx10ia": crx10ia,
    "xarm6": xarm6,
    "gofa": gofa,
    "ur5": lambda: built_in("ur5"),
    "kr6_r900": lambda: built_in("kr6_r900"),
    "gen3 without joint 3": lambda: built_in("gen3", 2, 0.5),
    "gen3 without joint 1": lambda: built_in("gen3", 0, 0.5),
    "panda without joint 7": lambda: built_in("panda", 6, 0.3),
    "panda without joint 3": lambda: built_in("panda", 2, 0.4),
    "panda without joint 5": lambda: built_in("panda", 4, 0.4),
    "iiwa14 without joint 3": lambda: built_in("iiwa14", 2, 0.4),
}


def random_arm(rng):
    """Axes and offsets anywhere."""
    tip = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return ChainGeometry.made(rng.normal(size=(6, 3)), 0.3 * rng.normal(size=(7, 3)), tip * np.linalg.det(tip))


def structured_arm(rng):
    """Neighbouring axes at random parallel, meeting, square to each other or none of these.

    No arm that is singular everywhere.
    """
    while True:
        axes, offsets, kinds = [unit(rng)], [0.3 * rng.normal(size=3)], rng.choice(list("PMSN"), 5)
        for kind in kinds:
            last = axes[-1]
            axis = unit(np.cross(last, unit(rng))) if kind == "S" else unit(rng)
            if kind == "P":
                axis = rng.choice([-1, 1]) * last
            meeting = 0.4 * (rng.normal() * last + rng.normal() * axis)
            offsets.append(meeting if kind == "M" else 0.3 * rng.normal(size=3))
            axes.append(axis)
        geometry = ChainGeometry.made(axes, [*offsets, 0.3 * rng.normal(size=3)])
        jacobian = forward_many(geometry, rng.uniform(-np.pi, np.pi, 6))[2][0]
        if np.linalg.svd(jacobian, compute_uv=False)[-1] > 1e-6:
            return geometry


def unit(of):
    v = of.normal(size=3) if isinstance(of, np.random.Generator) else of
    return v / np.linalg.norm(v)


def forward_many(geometry, q):
    """Rotations (m, 3, 3) and positions (m, 3) of the tip, and Jacobians (m, 6, 6), at q (m, 6)."""
    q = np.atleast_2d(q)
    rotation = np.broadcast_to(np.eye(3), (len(q), 3, 3))
    position = np.broadcast_to(geometry.offsets[0], (len(q), 3))
    axes, origins = [], []
    for k in range(6):
        axes.append(rotation @ geometry.axes[k])
        origins.append(position)
        cross = np.cross(geometry.axes[k], np.eye(3)).T
        s, c = np.sin(q[:, k])[:, None, None], np.cos(q[:, k])[:, None, None]
        rotation = rotation @ (np.eye(3) + s * cross + (1 - c) * (cross @ cross))
        position = position + rotation @ geometry.offsets[k + 1]
    linear = [np.cross(axis, position - origin) for axis, origin in zip(axes, origins, strict=True)]
    jacobian = np.concatenate([np.stack(linear, axis=2), np.stack(axes, axis=2)], axis=1)
    return rotation @ geometry.tip_rotation, position, jacobian


def difference(q, other):
    """Largest difference over the joints, by the shorter way round."""
    return np.abs((q - other + np.pi) % (2 * np.pi) - np.pi).max(axis=-1)


def numeric_minima(geometry, rotation, position, rng, starts=400, steps=60):
    """Configurations (starts, 6) that damped least squares gets to from random ones, and their errors (starts,)."""
    q = rng.uniform(-np.pi, np.pi, (starts, 6))
    damping = np.full(starts, 1e-2)
    error, jacobian = pose_errors(geometry, rotation, position, q)
    size = np.linalg.norm(error, axis=1)
    for _ in range(steps):
        transposed = jacobian.transpose(0, 2, 1)
        normal = transposed @ jacobian + damping[:, None, None] * np.eye(6)
        step = np.linalg.solve(normal, transposed @ error[:, :, None])[:, :, 0]
        trial = q + step * np.minimum(1.0, 0.7 / np.maximum(1e-12, np.abs(step).max(axis=1)))[:, None]
        trial_error, trial_jacobian = pose_errors(geometry, rotation, position, trial)
        better = np.linalg.norm(trial_error, axis=1) < size
        q[better], error[better], jacobian[better] = trial[better], trial_error[better], trial_jacobian[better]
        size = np.linalg.norm(error, axis=1)
        damping = np.where(better, np.maximum(1e-12, damping * 0.2), np.minimum(1e2, damping * 5))
    return q, size


def numeric_roots(geometry, rotation, position, rng, starts=400, steps=60):
    """Solutions (k, 6) that are found from random starts."""
    q, size = numeric_minima(geometry, rotation, position, rng, starts, steps)
    roots = []
    for each in q[size < 1e-10]:
        if not roots or difference(np.array(roots), each).min() > 1e-5:
            roots.append(each)
    return np.array(roots).reshape(-1, 6)


def pose_errors(geometry, rotation, position, q):
    """What is missing to a pose, (m, 6): positions in sizes of the arm, rotation vectors; and Jacobians of the same."""
    at, point, jacobian = forward_many(geometry, q)
    left = rotation @ at.transpose(0, 2, 1)
    vee = np.stack(
        [left[:, 2, 1] - left[:, 1, 2], left[:, 0, 2] - left[:, 2, 0], left[:, 1, 0] - left[:, 0, 1]], axis=1
    )
    sine, cosine = 0.5 * np.linalg.norm(vee, axis=1), 0.5 * (np.trace(left, axis1=1, axis2=2) - 1.0)
    turns = vee * (np.arctan2(sine, cosine) / np.maximum(2.0 * sine, 1e-300))[:, None]
    jacobian = np.concatenate([jacobian[:, :3] / geometry.size, jacobian[:, 3:]], axis=1)
    return np.concatenate([(position - point) / geometry.size, turns], axis=1), jacobian
