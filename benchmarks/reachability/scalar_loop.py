"""The plain way to sample a map, to compare with: one configuration at a time, matrix by matrix."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin
from numba import njit

from kinetree.kinematics import NodeSet, PoseGrid


@njit(cache=False)
def sample(places, tip, lower, upper, begin, steps, shape, values, count, seed):  # type: ignore[no-untyped-def]
    """Counts ``count`` samples of a chain that turns about the axes z of ``places`` (n, 3, 4)."""
    np.random.seed(seed)  # noqa: NPY002 - the generator that is compiled
    pose, turned, place = np.zeros((3, 4)), np.zeros((3, 4)), np.zeros(6)
    for _ in range(count):
        pose[:] = 0.0
        for i in range(3):
            pose[i, i] = 1.0
        for k in range(places.shape[0] + 1):
            fixed = places[k] if k < places.shape[0] else tip
            for i in range(3):
                for j in range(4):
                    total = pose[i, 3] if j == 3 else 0.0
                    for m in range(3):
                        total += pose[i, m] * fixed[m, j]
                    turned[i, j] = total
            pose[:] = turned
            if k < places.shape[0]:
                angle = lower[k] + np.random.random() * (upper[k] - lower[k])  # noqa: NPY002
                c, s = math.cos(angle), math.sin(angle)
                for i in range(3):
                    pose[i, 0] = turned[i, 0] * c + turned[i, 1] * s
                    pose[i, 1] = turned[i, 1] * c - turned[i, 0] * s
        for i in range(3):
            place[i] = pose[i, 3]
        place[3] = math.atan2(pose[2, 1], pose[2, 2])
        place[4] = math.atan2(-pose[2, 0], math.hypot(pose[2, 1], pose[2, 2]))
        place[5] = math.atan2(pose[1, 0], pose[0, 0])
        index, inside = 0, True
        for k in range(6):
            value = place[k] - begin[k]
            if k >= 3:
                value -= 2.0 * math.pi * math.floor(value / (2.0 * math.pi))
            cell = math.floor(value / steps[k])
            inside = inside and 0 <= cell < shape[k]
            index = index * shape[k] + cell
        if inside and values[index] < 255:
            values[index] += 1


def compiled_loop(chain: NodeSet, grid: PoseGrid) -> Callable[[int, int], Any]:
    """``loop(count, seed)`` gives the values of a map of an arm whose joints all turn."""
    robot = chain.skeleton
    moving = [joint for joint in chain.joints if joint.is_moving]
    at_zero = robot.state(np.zeros(robot.num_dofs))
    frames = []
    for joint in moving:
        link = joint.child_link
        axis = pin.SE3(
            pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), joint.axis).toRotationMatrix(), np.zeros(3)
        )
        frames.append(at_zero.transform(chain.base).actInv(at_zero.transform(link) * joint.child_placement) * axis)
    frames.append(at_zero.transform(chain.base).actInv(at_zero.transform(chain.tip)))
    steps = [frames[0], *(before.actInv(after) for before, after in itertools.pairwise(frames))]
    places = np.array([each.homogeneous[:3] for each in steps])
    lower, upper = np.array([dof.limits for dof in chain.dofs]).T
    cells = grid.cells

    def loop(count: int, seed: int) -> Any:
        values = np.zeros(cells.size, dtype=np.uint8)
        shape = np.array(cells.shape)
        sample(
            places[:-1].copy(), places[-1].copy(), lower, upper, cells.lower, cells.steps, shape, values, count, seed
        )
        return values

    return loop


def python_loop(chain: NodeSet, grid: PoseGrid, count: int, seed: int) -> Any:
    """The same with Pinocchio from Python."""
    robot, rng = chain.skeleton, np.random.default_rng(seed)
    model = robot.model
    data, frame = model.createData(), model.getFrameId(chain.tip.name)
    base = chain.base.transform()
    values = np.zeros(grid.cells.size, dtype=np.uint8)
    for _ in range(count):
        q = robot.random_positions(rng, chain.dof_indices)
        pin.framesForwardKinematics(model, data, robot.to_pinocchio(q))
        cell = grid.index(base.actInv(data.oMf[frame]).homogeneous[None])[0]
        if values[cell] < 255:
            values[cell] += 1
    return values
