"""What the tests of small arms share: goals of every kind, their errors by the forward kinematics, random arms, checks.

Nothing here uses a kernel: goals and errors come from the product of rotations as numpy multiplies it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kinetree.solvers.closed_form import (
    directed_lines,
    directed_points,
    direction_targets,
    planar_arms,
    point_and_angle,
    point_targets,
    positioning_with_wrist,
    short_arms,
)
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.family import Family, Fit

#: All families of small arms, the special ones before the general ones.
FAMILIES: tuple[Family, ...] = (
    *planar_arms.TRANSLATION_XY_ORIENTATION_3D,
    planar_arms.TRANSFORM_6D,
    *planar_arms.AXIS_ANGLE_4D,
    *point_targets.TRANSLATION_3D,
    *point_targets.TRANSLATION_LOCAL_GLOBAL_6D,
    *point_targets.LOOKAT_3D,
    *point_targets.TRANSLATION_XY_2D,
    direction_targets.ROTATION_3D,
    direction_targets.DIRECTION_3D,
    *positioning_with_wrist.WRIST_AT_TIP,
    *positioning_with_wrist.WRIST_AT_BASE,
    *point_and_angle.LAST_JOINT_TURNS_TOOL,
    *point_and_angle.PARALLEL_AXES,
    *directed_points.TWO_AXIS_WRIST,
    directed_points.PARALLEL_AXES,
    directed_lines.TRANSLATION_DIRECTION_5D,
    directed_lines.RAY_4D,
    *short_arms.SHORT_ARMS,
)

OUT_OF_REACH, SINGULAR = 1, 4
Z = np.array([0.0, 0.0, 1.0])
#: For the goals of an angle and a point: axis that the angle is measured from, normal and third axis where there are.
AXIS_ANGLE = {f"translation_{a}_axis_angle_4d": np.eye(3)[k] for k, a in enumerate("xyz")}
NORMAL_ANGLE = {
    "translation_x_axis_angle_z_norm_4d": (np.eye(3)[0], np.eye(3)[1]),
    "translation_y_axis_angle_x_norm_4d": (np.eye(3)[1], np.eye(3)[2]),
    "translation_z_axis_angle_y_norm_4d": (np.eye(3)[2], np.eye(3)[0]),
}


def unit(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def rotation(rng):
    matrix = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return matrix * np.linalg.det(matrix)


def across(rng, axis):
    v = np.cross(axis, unit(rng))
    return v / np.linalg.norm(v)


def forward_many(geometry: ChainGeometry, q):
    """Rotations (m, 3, 3) and positions (m, 3) of the tip at q (m, n)."""
    q = np.atleast_2d(q)
    R = np.broadcast_to(np.eye(3), (len(q), 3, 3))
    p = np.broadcast_to(geometry.offsets[0], (len(q), 3))
    for k in range(len(geometry)):
        offset = np.broadcast_to(geometry.offsets[k + 1], (len(q), 3))
        h = geometry.axes[k]
        if geometry.slides[k]:
            offset = offset + q[:, k, None] * h
        else:
            K = np.array([[0, -h[2], h[1]], [h[2], 0, -h[0]], [-h[1], h[0], 0]])
            s, c = np.sin(q[:, k])[:, None, None], np.cos(q[:, k])[:, None, None]
            R = R @ (np.eye(3) + s * K + (1 - c) * (K @ K))
        p = p + np.einsum("mij,mj->mi", R, offset)
    return R @ geometry.tip_rotation, p


def goal_of(target: str, geometry: ChainGeometry, q, direction=Z, rng=None):
    """The goal (12,) that the tip reaches at q, packed as IKFast packs it."""
    R, p = (each[0] for each in forward_many(geometry, q))
    goal = np.zeros(12)
    goal[9:] = p
    if target in ("transform_6d", "rotation_3d"):
        goal[:9] = R.ravel()
    elif target in ("direction_3d", "ray_4d", "translation_direction_5d"):
        goal[:3] = R @ direction
        if target == "ray_4d":
            goal[9:] = p + (0.0 if rng is None else rng.normal()) * goal[:3]
    elif target == "lookat_3d":
        goal[9:] = p + (0.5 if rng is None else rng.uniform(0.1, 2.0)) * (R @ direction)
    elif target == "translation_xy_2d":
        goal[11] = 0.0
    elif target == "translation_xy_orientation_3d":
        goal[0], goal[11] = np.arctan2(R[1, 0], R[0, 0]), 0.0
    elif target == "translation_local_global_6d":
        local = np.zeros(3) if rng is None else 0.3 * rng.normal(size=3)
        goal[[0, 4, 8]] = local
        goal[9:] = p + R @ local
    elif target in AXIS_ANGLE:
        goal[0] = np.arccos(np.clip(AXIS_ANGLE[target] @ R @ direction, -1.0, 1.0))
    elif target in NORMAL_ANGLE:
        first, second = NORMAL_ANGLE[target]
        goal[0] = np.arctan2(second @ R @ direction, first @ R @ direction)
    return goal


def errors(target: str, geometry: ChainGeometry, q, goal, direction=Z):
    """What is wrong (m, rows) with the tip at q (m, n), in what the goal asks for."""
    R, p = forward_many(geometry, q)
    pointed = R @ direction
    away = p - goal[9:]
    wanted = goal[:3]
    if target == "transform_6d":
        return np.hstack([away, (R.reshape(-1, 9) - goal[:9]) / np.sqrt(2.0)])
    if target == "rotation_3d":
        return (R.reshape(-1, 9) - goal[:9]) / np.sqrt(2.0)
    if target == "translation_3d":
        return away
    if target == "direction_3d":
        return pointed - wanted
    if target == "ray_4d":
        return np.hstack([pointed - wanted, np.cross(pointed, away)])
    if target == "translation_direction_5d":
        return np.hstack([away, pointed - wanted])
    if target == "lookat_3d":
        return pointed + away / np.maximum(1e-12, np.linalg.norm(away, axis=1))[:, None]
    if target == "translation_xy_2d":
        return away[:, :2]
    if target == "translation_xy_orientation_3d":
        x_axis = R[:, :2, 0] / np.linalg.norm(R[:, :2, 0], axis=1)[:, None]
        turned = x_axis - np.array([np.cos(goal[0]), np.sin(goal[0])])
        return np.hstack([away[:, :2], turned])
    if target == "translation_local_global_6d":
        return away + R @ goal[[0, 4, 8]]
    if target in AXIS_ANGLE:
        return np.hstack([away, (pointed @ AXIS_ANGLE[target] - np.cos(goal[0]))[:, None]])
    first, second = NORMAL_ANGLE[target]
    return np.hstack([away, pointed - np.cos(goal[0]) * first - np.sin(goal[0]) * second])


def difference(geometry: ChainGeometry, q, other):
    """q - other, turns by the shortest way."""
    d = q - other
    return np.where(geometry.slides, d, (d + np.pi) % (2 * np.pi) - np.pi)


def random_q(geometry: ChainGeometry, rng, count=1):
    shape = (count, len(geometry))
    return np.where(geometry.slides, rng.uniform(-1, 1, shape), rng.uniform(-np.pi, np.pi, shape))


def random_arm(rng, letters: str, axes=None, offsets=None):
    """An arm with random axes and offsets, or with the ones that are given."""
    n = len(letters)
    axes = [unit(rng) for _ in range(n)] if axes is None else axes
    offsets = rng.normal(size=(n + 1, 3)) * 0.4 if offsets is None else offsets
    return ChainGeometry.made(axes, offsets, rotation(rng), [letter == "P" for letter in letters])


def right_angled_arm(rng, letters: str):
    """An arm with axes along x, y and z, and many offsets that are zero: axes that are parallel, meet, or coincide."""
    n = len(letters)
    axes = [np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0]) for _ in range(n)]
    offsets = rng.choice([0.0, 0.0, 0.0, 0.1, 0.25, -0.3, 0.4], size=(n + 1, 3))
    tip = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)[:, None]
    return ChainGeometry.made(axes, offsets, tip * np.linalg.det(tip), [letter == "P" for letter in letters])


def family_for(target: str, geometry: ChainGeometry, direction=Z) -> Family | None:
    """The first family that an arm belongs to."""
    letters = "".join("P" if slides else "R" for slides in geometry.slides)
    for family in FAMILIES:
        if family.target != target or family.joints not in ("", letters):
            continue
        if isinstance(family.fit(geometry, direction), Fit):
            return family
    return None


class Solver:
    """A family fitted to an arm, and its kernel."""

    def __init__(self, family: Family, geometry: ChainGeometry, direction=Z):
        fit = family.fit(geometry, direction)
        assert isinstance(fit, Fit), fit
        assert fit.why
        self.family, self.geometry, self.direction, self.numbers = family, geometry, direction, fit.numbers
        self.kernel: Any = family.kernel()
        n = len(geometry)
        self.q, self.flags, self.seed = np.empty((family.most, n)), np.empty(family.most, dtype=np.int64), np.zeros(n)

    def __call__(self, goal, seed=None):
        """Configurations (k, n) and flags (k,)."""
        self.q[:] = np.nan
        count = self.kernel(self.numbers, goal, self.seed if seed is None else seed, self.q, self.flags)
        assert 0 <= count <= self.family.most
        q, flags = self.q[:count].copy(), self.flags[:count].copy()
        assert np.isfinite(q).all(), (goal, q)
        return q, flags

    def errors(self, q, goal):
        return np.linalg.norm(errors(self.family.target, self.geometry, q, goal, self.direction), axis=1)

    def goal(self, q, rng=None):
        return goal_of(self.family.target, self.geometry, q, self.direction, rng)


@dataclass
class Tally:
    """What a check saw; `ok` holds the figures against what is promised."""

    targets: int = 0
    missed: int = 0
    loose: int = 0
    singular: int = 0
    worst_error: float = 0.0
    most: int = 0
    roots_missed: int = 0
    roots: int = 0
    examples: list = field(default_factory=list)


def recovers(solver: Solver, rng, targets: int, tally: Tally, size=1.0) -> None:
    """Poses that the arm reaches: the generating q must come back, and all that comes back must be right."""
    for q in random_q(solver.geometry, rng, targets):
        goal = solver.goal(q, rng)
        found, flags = solver(goal, seed=random_q(solver.geometry, rng)[0])
        good = found[(flags & OUT_OF_REACH) == 0]
        tally.targets += 1
        tally.most = max(tally.most, len(good))
        if len(good):
            tally.worst_error = max(tally.worst_error, float(solver.errors(good, goal).max()))
            gap = difference(solver.geometry, good, q)
            distance = np.abs(gap).max(axis=1)
            best = distance.min()
            if best <= 1e-6:
                tally.loose += int(best > 1e-9)
                continue
            if any(is_singular(solver, q, goal, each) for each in gap):
                tally.singular += 1
                continue
        tally.missed += 1
        tally.examples.append((solver, q, goal))


def is_singular(solver: Solver, q, goal, gap) -> bool:
    """Whether q may be left along the gap without a change in what the goal asks for."""
    step = gap / np.linalg.norm(gap)
    moved = np.array([q + 1e-4 * step, q - 1e-4 * step])
    e = errors(solver.family.target, solver.geometry, moved, goal, solver.direction)
    return bool(np.linalg.norm(e[0] - e[1]) / 2e-4 <= 1e-6)


def multi_start(solver: Solver, goal, rng, starts=60, steps=40):
    """Configurations (k, n) where a damped Gauss-Newton search from random starts ended on the goal."""
    geometry, target, direction = solver.geometry, solver.family.target, solver.direction
    n = len(geometry)
    q = random_q(geometry, rng, starts)
    e = errors(target, geometry, q, goal, direction)
    damping = np.full(starts, 1e-2)
    for _ in range(steps):
        J = np.empty((*e.shape, n))
        for k in range(n):
            shift = np.zeros(n)
            shift[k] = 1e-6
            ahead = errors(target, geometry, q + shift, goal, direction)
            J[:, :, k] = (ahead - errors(target, geometry, q - shift, goal, direction)) / 2e-6
        H = np.einsum("mij,mik->mjk", J, J)
        g = np.einsum("mij,mi->mj", J, e)
        step = np.linalg.solve(H + damping[:, None, None] * np.eye(n) + 1e-14 * np.eye(n), g[:, :, None])[:, :, 0]
        trial = q - step
        trial_e = errors(target, geometry, trial, goal, direction)
        better = (trial_e**2).sum(axis=1) < (e**2).sum(axis=1)
        q, e = np.where(better[:, None], trial, q), np.where(better[:, None], trial_e, e)
        damping = np.where(better, damping * 0.1, damping * 5).clip(1e-15, 1e6)
    return q[np.linalg.norm(e, axis=1) < 1e-10]


def loses_no_root(solver: Solver, rng, targets: int, tally: Tally, starts=60) -> None:
    """Every configuration that a numeric search ends on must be among the solutions."""
    for q in random_q(solver.geometry, rng, targets):
        goal = solver.goal(q, rng)
        found, flags = solver(goal)
        good = found[(flags & OUT_OF_REACH) == 0]
        for root in multi_start(solver, goal, rng, starts):
            tally.roots += 1
            gap = difference(solver.geometry, good, root) if len(good) else np.full((1, len(root)), np.pi)
            distance = np.abs(gap).max(axis=1)
            if distance.min() > 1e-5 and not any(is_singular(solver, root, goal, each) for each in gap):
                tally.roots_missed += 1
                tally.examples.append((solver, root, goal))
