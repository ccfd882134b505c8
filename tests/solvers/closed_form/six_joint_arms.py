"""What the tests of six-joint arms share: random arms of each class, forward kinematics of many configurations, checks.

Forward kinematics and Jacobian are Rodrigues' formula in numpy, for many configurations at once; no kernel is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kinetree.kinematics import core
from kinetree.kinematics.core.compile_cache import entry_point
from kinetree.kinematics.core.lanes import make_view
from kinetree.solvers.closed_form import kernels
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.family import Family, Fit

OUT_OF_REACH, SINGULAR = 1, 4
RIGHT = 0.5 * np.pi


def driver(kernel: Any, label: str) -> Any:
    """A kernel for many goals, kept on disk."""

    def many(numbers, goals, seeds, q, flags, counts):
        for k in range(goals.shape[0]):
            counts[k] = kernel(numbers, goals[k], seeds[k], q[k], flags[k])

    return entry_point(many, [core, kernels], [], f"test of {label}")


_DRIVERS: dict[str, Any] = {}


class Solver:
    """A family's kernel with the numbers of an arm."""

    def __init__(self, family: Family, geometry: ChainGeometry) -> None:
        fit = family.fit(geometry, None)
        assert isinstance(fit, Fit), fit
        self.family, self.geometry, self.fit = family, geometry, fit
        if family.name not in _DRIVERS:
            _DRIVERS[family.name] = driver(family.kernel(), family.name)
        self.many = _DRIVERS[family.name]

    def solve(self, goals: np.ndarray, seeds: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Configurations (n, most, 6), flags (n, most) and counts (n,); rows that were not written are nan and -1."""
        n = len(goals)
        q, flags = np.full((n, self.family.most, 6), np.nan), np.full((n, self.family.most), -1, dtype=np.int64)
        counts = np.zeros(n, dtype=np.int64)
        self.many(self.fit.numbers, goals, np.zeros((n, 6)) if seeds is None else seeds, q, flags, counts)
        assert (counts >= 0).all()
        assert (counts <= self.family.most).all()
        written = np.arange(self.family.most) < counts[:, None]
        assert np.isfinite(q[written]).all()
        assert np.isnan(q[~written]).all()
        return q, flags, counts

    def solve_one(self, goal: np.ndarray, seed: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        q, flags, counts = self.solve(goal[None], None if seed is None else np.asarray(seed, dtype=float)[None])
        return q[0, : counts[0]], flags[0, : counts[0]]


def turns(axis: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Rotations (n, 3, 3) about a unit axis."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angles)[:, None, None] * k + (1.0 - np.cos(angles))[:, None, None] * (k @ k)


def forward(geometry: ChainGeometry, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rotations (n, 3, 3) and positions (n, 3) of the tip, and Jacobians (n, 6, joints), at q (n, joints)."""
    n = len(q)
    rotation, position = np.tile(np.eye(3), (n, 1, 1)), np.tile(geometry.offsets[0], (n, 1))
    axes, points = [], []
    for k in range(len(geometry)):
        axes.append(rotation @ geometry.axes[k])
        points.append(position)
        rotation = rotation @ turns(geometry.axes[k], q[:, k])
        position = position + rotation @ geometry.offsets[k + 1]
    columns = [np.hstack([np.cross(h, position - p), h]) for h, p in zip(axes, points, strict=True)]
    return rotation @ geometry.tip_rotation, position, np.stack(columns, axis=2)


def goals_at(geometry: ChainGeometry, q: np.ndarray) -> np.ndarray:
    rotation, position, _ = forward(geometry, np.atleast_2d(q))
    return np.hstack([rotation.reshape(-1, 9), position])


def errors(geometry: ChainGeometry, q: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """(n, 6) linear part, then the rotation vector's sine (right for small errors, not zero for half a turn)."""
    rotation, position, _ = forward(geometry, q)
    wanted = goals[:, :9].reshape(-1, 3, 3)
    twist = wanted @ np.swapaxes(rotation, 1, 2)
    vee = 0.5 * np.stack(
        [twist[:, 2, 1] - twist[:, 1, 2], twist[:, 0, 2] - twist[:, 2, 0], twist[:, 1, 0] - twist[:, 0, 1]], axis=1
    )
    flipped = np.trace(twist, axis1=1, axis2=2) < 1.0
    vee[flipped] += 1.0
    return np.hstack([goals[:, 9:] - position, vee])


def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Differences of angles in [-pi, pi]."""
    return np.angle(np.exp(1j * (a - b)))


@dataclass
class Tally:
    """What was seen over many arms and goals."""

    goals: int = 0
    solutions: int = 0
    worst_error: float = 0.0
    distances: list[float] = field(default_factory=list)
    along_singular: int = 0
    missed: list[tuple[ChainGeometry, np.ndarray]] = field(default_factory=list)


def check_recovery(solver: Solver, rng: np.random.Generator, targets: int, tally: Tally) -> None:
    """Solves for poses of random configurations: each is found again, and all solutions are right."""
    geometry = solver.geometry
    q = rng.uniform(-np.pi, np.pi, (targets, 6))
    goals = goals_at(geometry, q)
    found, flags, counts = solver.solve(goals, rng.uniform(-1.0, 1.0, (targets, 6)))
    which = np.repeat(np.arange(targets), counts)
    written = np.arange(solver.family.most) < counts[:, None]
    reached = flags[written] & OUT_OF_REACH == 0
    error = np.abs(errors(geometry, found[written], goals[which]))
    error[:, :3] /= geometry.size
    tally.worst_error = max(tally.worst_error, float(error[reached].max(initial=0.0)))
    tally.goals += targets
    tally.solutions += int(reached.sum())
    differences = np.abs(apart(found, q[:, None]))
    differences[~written] = np.inf
    largest = differences.max(axis=2)
    nearest = largest.argmin(axis=1)
    for k in range(targets):
        distance = largest[k, nearest[k]]
        tally.distances.append(distance)
        if distance > 1e-6:
            step = apart(found[k, nearest[k]], q[k])
            if np.abs(forward(geometry, q[k : k + 1])[2][0] @ step).max() <= 1e-9 * max(1.0, geometry.size):
                tally.along_singular += 1
            else:
                tally.missed.append((geometry, q[k]))


def newton(geometry: ChainGeometry, q: np.ndarray, goal: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Damped Newton steps from many configurations; gives the ends and the size of their errors."""
    goals = np.tile(goal, (len(q), 1))
    scale = np.array([1.0 / geometry.size] * 3 + [1.0] * 3)
    for _ in range(steps):
        error = errors(geometry, q, goals) * scale
        jacobian = forward(geometry, q)[2] * scale[:, None]
        square = (error**2).sum(axis=1)
        normal = jacobian @ np.swapaxes(jacobian, 1, 2) + (1e-2 * square + 1e-15)[:, None, None] * np.eye(6)
        step = np.einsum("nij,ni->nj", jacobian, np.linalg.solve(normal, error[:, :, None])[:, :, 0])
        largest = np.abs(step).max(axis=1, keepdims=True)
        q = q + step * np.minimum(1.0, 0.5 / np.maximum(largest, 1e-300))
    return q, np.abs(errors(geometry, q, goals) * scale).max(axis=1)


def check_no_root_missing(solver: Solver, rng: np.random.Generator, starts: int) -> int:
    """What Newton's method finds from random configurations is among the solutions; gives how many roots it found."""
    geometry = solver.geometry
    goal = goals_at(geometry, rng.uniform(-np.pi, np.pi, 6))[0]
    found, _ = solver.solve_one(goal)
    ends, error = newton(geometry, rng.uniform(-np.pi, np.pi, (starts, 6)), goal, 60)
    roots: list[np.ndarray] = []
    for end in ends[error < 1e-11]:
        if all(np.abs(apart(end, root)).max() > 1e-4 for root in roots):
            roots.append(end)
    for root in roots:
        distance = np.abs(apart(found, root)).max(axis=1).min()
        # Near a double root two ends may be one solution.
        singular = np.linalg.svd(forward(geometry, root[None])[2][0], compute_uv=False)[-1] < 1e-4
        assert distance < 1e-5 or singular, (geometry, goal, root, distance)
    return len(roots)


# Random arms of each class; exactly parallel or meeting by construction.


def unit(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def rotation(rng: np.random.Generator) -> np.ndarray:
    matrix = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return matrix * np.linalg.det(matrix)


def next_axis(rng: np.random.Generator, axis: np.ndarray, right_angle: bool = False) -> np.ndarray:
    """An axis at a right angle to another one, or at any angle that is not small."""
    across = np.cross(axis, unit(rng))
    across /= np.linalg.norm(across)
    angle = RIGHT if right_angle else rng.uniform(0.35, np.pi - 0.35)
    return np.cos(angle) * axis + np.sin(angle) * across


def _parallel(rng: np.random.Generator, axis: np.ndarray) -> np.ndarray:
    return axis if rng.random() < 0.5 else -axis


def spherical_wrist_arm(rng: np.random.Generator, kind: str, right_angles: bool) -> ChainGeometry:
    """Kinds: general, parallel12, parallel23, meet12, meet23."""
    h = [unit(rng)]
    for k in range(5):
        if kind in ("parallel12", "parallel23") and k == int(kind[-2]) - 1:
            h.append(_parallel(rng, h[-1]))
        else:
            h.append(next_axis(rng, h[-1], right_angles))
    p = rng.normal(size=(7, 3)) * 0.4
    p[4] = p[5] = 0.0
    if kind in ("meet12", "meet23"):
        # From where the axes meet, along one and along the other.
        i = int(kind[-2]) - 1
        p[i + 1] = rng.normal() * h[i] + rng.normal() * h[i + 1]
    return ChainGeometry.made(h, p, rotation(rng))


def ortho_parallel_arm(rng: np.random.Generator) -> ChainGeometry:
    """The usual industrial arm: axis 1 across axes 2 and 3, offsets at shoulder and elbow, lateral offset."""
    x, y, z = np.eye(3)
    a1, a2, b, c2, c3 = rng.uniform(0.0, 0.2), rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), 0.5, 0.4
    h = [z, y, y, x, y, x]
    p = [0.4 * z, a1 * x, c2 * z, a2 * z + b * y + c3 * x, 0.0 * x, 0.0 * x, 0.1 * x]
    turned = rotation(rng)
    return ChainGeometry.made(np.array(h) @ turned.T, np.array(p) @ turned.T, rotation(rng))


def middle_parallel_arm(rng: np.random.Generator, meeting: bool, right_angles: bool = False) -> ChainGeometry:
    """Axes 2, 3 and 4 parallel; axes 5 and 6 meet or do not."""
    h = [unit(rng)]
    h.append(next_axis(rng, h[0], right_angles))
    h.append(_parallel(rng, h[1]))
    h.append(_parallel(rng, h[1]))
    h.append(next_axis(rng, h[1], right_angles))
    h.append(next_axis(rng, h[4], right_angles))
    p = rng.normal(size=(7, 3)) * 0.4
    if meeting:
        p[5] = 0.3 * rng.normal() * h[4] + 0.3 * rng.normal() * h[5]
    return ChainGeometry.made(h, p, rotation(rng))


def first_parallel_arm(rng: np.random.Generator, right_angles: bool = False) -> ChainGeometry:
    """Axes 1, 2 and 3 parallel."""
    h = [unit(rng)]
    h.append(_parallel(rng, h[0]))
    h.append(_parallel(rng, h[0]))
    for _ in range(3):
        h.append(next_axis(rng, h[-1], right_angles))
    return ChainGeometry.made(h, rng.normal(size=(7, 3)) * 0.4, rotation(rng))


def arms(rng: np.random.Generator, make: Any, count: int, *args: Any) -> Iterator[ChainGeometry]:
    for _ in range(count):
        yield make(rng, *args)


def lanes_driver(kernel: Any, label: str, width: int) -> Any:
    """A kernel for registers: goals (n, 12, W), seeds (n, 6, W), q (n, 8, 6, W), flags (n, 8, W)."""
    view = make_view(width)

    def many(numbers, goals, seeds, q, flags):
        for k in range(goals.shape[0]):
            kernel(numbers, view(goals[k]), view(seeds[k]), view(q[k]), view(flags[k]))

    return entry_point(many, [core, kernels], [], f"test of {label}, {width} lanes")


def check_lanes(solver: Solver, many: Any, width: int, rng: np.random.Generator) -> None:
    """Registers of goals, some of them out of reach or singular, have the solutions of the goals one by one."""
    groups = 25
    q = rng.uniform(-np.pi, np.pi, (groups * width, 6))
    q[::7, 4] = 0.0
    goals = goals_at(solver.geometry, q)
    goals[::11, 9:] *= 3.0
    seeds = rng.uniform(-1.0, 1.0, q.shape)
    expected, expected_flags, counts = solver.solve(goals, seeds)
    found, flags = np.full((groups, 8, 6, width), np.nan), np.full((groups, 8, width), np.nan)
    many(
        solver.fit.numbers,
        np.ascontiguousarray(goals.reshape(groups, width, 12).transpose(0, 2, 1)),
        np.ascontiguousarray(seeds.reshape(groups, width, 6).transpose(0, 2, 1)),
        found,
        flags,
    )
    assert np.isfinite(found).all()
    found = found.transpose(0, 3, 1, 2).reshape(-1, 8, 6)
    flags = flags.transpose(0, 2, 1).reshape(-1, 8).astype(int)
    for k in range(len(q)):
        for each, said in zip(expected[k, : counts[k]], expected_flags[k, : counts[k]], strict=True):
            away = np.abs(apart(found[k], each)).max(axis=1)
            assert away.min() < 1e-6
            assert said in flags[k][away < 1e-6]
        # What one by one leaves out is out of reach.
        assert counts[k] == 8 or (flags[k] & OUT_OF_REACH).any()
