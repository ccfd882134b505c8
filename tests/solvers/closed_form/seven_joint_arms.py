"""What the tests of redundant arms share: arms, compiled loops, a scan over the redundancy, roots found by Newton."""

from __future__ import annotations

import functools
import math

import numpy as np

from kinetree import models
from kinetree.kinematics import core
from kinetree.kinematics.core.compile_cache import entry_point
from kinetree.solvers.closed_form import kernels, panda_like, spherical_shoulder_wrist
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.kernels import panda_like as panda_like_kernel
from kinetree.solvers.closed_form.kernels import redundancy_layout as at
from kinetree.solvers.closed_form.kernels import spherical_shoulder_wrist as shoulder_wrist_kernel
from kinetree.solvers.closed_form.kernels.flags import OUT_OF_REACH

FITS = {"swivel": spherical_shoulder_wrist.fit, "free joint": panda_like.fit}
_KERNELS = {"swivel": shoulder_wrist_kernel, "free joint": panda_like_kernel}
#: Robots by how they are solved, and whether their axes meet exactly.
SWIVEL_ROBOTS = ("iiwa14", "iiwa7", "wam7")
FREE_JOINT_ROBOTS = ("panda", "fr3", "xarm7", "gen3")
WAY = {**dict.fromkeys(SWIVEL_ROBOTS, "swivel"), **dict.fromkeys(FREE_JOINT_ROBOTS, "free joint")}


@functools.cache
def robot_geometry(name):
    """The arm of a built-in robot, to its natural tip."""
    skeleton = models.load(name)
    chain = skeleton.tip.chain()
    names = [dof.name for dof in chain.dofs]
    dofs = [k for k, dof in enumerate(skeleton.dofs) if dof.name in names]
    return ChainGeometry.of(skeleton, skeleton.tip, dofs, chain.base)


def _axes(rng, square, neighbours):
    axes = rng.normal(size=(7, 3))
    for k in neighbours if square else ():
        axes[k] = np.cross(axes[k - 1], rng.normal(size=3))
    return axes


def random_arm(rng, way, square=True, mirrored=False):
    """A random arm of a class, with random limits; ``square``: neighbouring axes of triples at right angles."""
    if way == "swivel":
        axes, offsets = _axes(rng, square, (1, 2, 5, 6)), np.zeros((8, 3))
    else:
        axes, offsets = _axes(rng, square, range(1, 7)), np.zeros((8, 3))
        offsets[1] = rng.normal(size=3) * 0.1
    offsets[0], offsets[7] = rng.normal(size=3) * 0.3, rng.normal(size=3) * 0.1
    offsets[3], offsets[4] = rng.normal(size=3) * 0.3, rng.normal(size=3) * 0.3
    rotation, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    rotation *= np.linalg.det(rotation)
    arm = ChainGeometry.made(axes, offsets, rotation, None, -rng.uniform(1.5, 3, 7), rng.uniform(1.5, 3, 7))
    return arm.reversed() if mirrored else arm


def random_configurations(rng, geometry, count):
    """Configurations (count, 7) inside the limits, in [-pi, pi] where there are none."""
    low, high = np.maximum(geometry.lower, -np.pi), np.minimum(geometry.upper, np.pi)
    return rng.uniform(low, high, (count, 7))


def goal_at(geometry, q):
    """The pose (12,) of the tip."""
    rotation, position = geometry.forward(q)
    return np.concatenate([rotation.ravel(), position])


def difference(a, b):
    """Largest difference of angles after whole turns."""
    return np.abs((np.asarray(a) - b + np.pi) % (2 * np.pi) - np.pi).max(axis=-1)


def is_inside(geometry, q, slack=0.0):
    """Whether configurations (..., 7) are inside the limits."""
    return ((q >= geometry.lower - slack) & (q <= geometry.upper + slack)).all(axis=-1)


class Kernels:
    """The compiled functions for one way of solving."""

    def __init__(self, way):
        kernel = _KERNELS[way]
        candidates, at_value = kernel.candidates, kernel.at_redundancy

        def solve_all(numbers, goals, seeds, q, flags, counts):
            for k in range(len(goals)):
                counts[k] = candidates(numbers, goals[k], seeds[k], q[k], flags[k])

        def solve_at(numbers, goal, value, q, flags):
            return at_value(numbers, goal, value, q, flags)

        def scan(numbers, goals, seeds, low, high, steps, least):
            q, flags = np.empty((8, 7)), np.empty(8, np.int64)
            reverse, by_squares = numbers[at.REVERSED] > 0.5, numbers[at.MEASURE] > 0.5
            for k in range(len(goals)):
                least[k] = 1e9
                for step in range(steps):
                    value = low + (high - low) * (step + 0.5) / steps
                    for i in range(at_value(numbers, goals[k], value, q, flags)):
                        if flags[i] & OUT_OF_REACH:
                            continue
                        far, squares, inside = 0.0, 0.0, True
                        for j in range(7):
                            m = 6 - j if reverse else j
                            lower, upper = numbers[at.LOWER + m], numbers[at.UPPER + m]
                            seed = seeds[k, j]
                            if upper - lower < 2.0 * math.pi:
                                start = 0.5 * (lower + upper) - math.pi
                            else:
                                start = min(max(seed - math.pi, lower), upper - 2.0 * math.pi)
                            x = q[i, j] + 2.0 * math.pi * math.ceil((start - q[i, j]) / (2.0 * math.pi))
                            if x < lower or x > upper:
                                inside = False
                                break
                            far = max(far, abs(x - seed))
                            squares += numbers[at.WEIGHTS + m] * (x - seed) ** 2
                        if inside:
                            least[k] = min(least[k], squares if by_squares else far)

        packages = [core, kernels]
        self.solve_all = entry_point(solve_all, packages, [], f"solve_all for the tests, {way}")
        self.solve_at = entry_point(solve_at, packages, [], f"solve_at for the tests, {way}")
        self.scan = entry_point(scan, packages, [], f"scan for the tests, {way}")

    def at(self, numbers, goal, value):
        """All branches and their flags at a value of the redundancy."""
        q, flags = np.zeros((8, 7)), np.zeros(8, np.int64)
        count = self.solve_at(numbers, goal, float(value), q, flags)
        return q[:count], flags[:count]

    def candidates(self, numbers, goal, seed):
        """What the kernel gives for one goal."""
        q, flags, counts = self.many(numbers, goal[None], np.asarray(seed, dtype=float)[None])
        return q[0, : counts[0]], flags[0, : counts[0]]

    def many(self, numbers, goals, seeds):
        """What it gives for many: configurations (m, 8, 7), flags (m, 8), counts (m,)."""
        m = len(goals)
        q, flags, counts = np.zeros((m, 8, 7)), np.zeros((m, 8), np.int64), np.zeros(m, np.int64)
        self.solve_all(numbers, goals, seeds, q, flags, counts)
        return q, flags, counts

    def nearest_by_scan(self, numbers, goals, seeds, low, high, steps=2000):
        """The least distance (m,) that a scan over the redundancy finds; 1e9 where it finds none."""
        least = np.empty(len(goals))
        self.scan(numbers, goals, seeds, low, high, steps, least)
        return least


@functools.cache
def kernels_for(way):
    """The compiled functions for a way of solving, compiled once."""
    return Kernels(way)


def newton_roots(geometry, goal, starts, rng, steps=60):
    """Configurations that reach a pose, by damped Newton steps on the chain's own kinematics from random starts."""
    rotation, position = goal[:9].reshape(3, 3), goal[9:]
    found = []
    for q in random_configurations(rng, geometry, starts):
        for _ in range(steps):
            r, p = geometry.forward(q)
            between = rotation @ r.T
            axis = np.array(
                [between[2, 1] - between[1, 2], between[0, 2] - between[2, 0], between[1, 0] - between[0, 1]]
            )
            size = np.linalg.norm(axis)
            angle = np.arctan2(size, np.trace(between) - 1.0)
            error = np.concatenate([position - p, axis * (angle / size if size > 1e-12 else 0.5)])
            if np.linalg.norm(error) < 1e-12:
                break
            jacobian = geometry.jacobian(q)
            damped = jacobian @ jacobian.T + (1e-3 * error @ error + 1e-14) * np.eye(6)
            step = jacobian.T @ np.linalg.solve(damped, error)
            q = q + step * min(1.0, 0.5 / np.abs(step).max())
        if np.abs(goal_at(geometry, q) - goal).max() < 1e-10:
            found.append(q)
    return found
