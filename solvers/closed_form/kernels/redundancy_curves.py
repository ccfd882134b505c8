"""The branches of a redundant arm as curves over the redundancy: angles, derivatives and margins at many values."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numba import njit

from ....kinematics import core
from ....kinematics.core.compile_cache import entry_point
from ....kinematics.core.lanes import INNER, make_vector
from . import panda_like, panda_like_pose, spherical_shoulder_wrist, spherical_shoulder_wrist_pose
from . import redundancy_layout as at
from .redundancy_nodes import WIDTH, store
from .redundancy_search import LANE_D, LANE_Q, LANE_ROWS

_vector = make_vector(WIDTH)


def make_curve(evaluate: Any, assign: Any) -> Any:
    """``curve(numbers, state, branch, values, table, lanes)``: fills a table (15, m + WIDTH) at values (m,).

    Its rows are seven angles, seven derivatives, and the margin, below zero where there is no solution.
    """

    @njit(**INNER)
    def curve(numbers, state, branch, values, table, lanes):
        q, d = _vector(lanes, LANE_Q), _vector(lanes, LANE_D)
        for first in range(0, len(values), WIDTH):
            for lane in range(WIDTH):
                assign(numbers, state, branch, values[min(first + lane, len(values) - 1)], lanes, lane)
            margin = evaluate(numbers, state, _vector(lanes, 0), q, d)
            for j in range(at.JOINTS):
                store(table, j, first, q[j])
                store(table, at.JOINTS + j, first, d[j])
            store(table, 2 * at.JOINTS, first, margin)

    return curve


@njit(**INNER)
def _assign_swivel(numbers, state, branch, value, lanes, lane):
    spherical_shoulder_wrist_pose.assign(numbers, state, branch, 0, lanes, lane)
    lanes[0, lane] = value


@njit(**INNER)
def _assign_joint(numbers, state, branch, value, lanes, lane):
    # A piece of which the middle is the value: the pace of r there is 1.
    state[panda_like_pose.PIECES], state[panda_like_pose.PIECES + 1] = value, 1.0
    panda_like_pose.assign(numbers, state, branch, 0, lanes, lane)
    lanes[0, lane] = 0.5 * math.pi


_swivel_curve = make_curve(spherical_shoulder_wrist_pose.evaluate, _assign_swivel)
_joint_curve = make_curve(panda_like_pose.evaluate, _assign_joint)


def _swivel_branches(numbers: Any, goal: Any, values: Any, tables: Any) -> int:
    """All eight branches (8, 15, m + WIDTH) at swivel angles (m,); gives how many elbow angles there are, 0 if none."""
    state, seed = np.empty((2, spherical_shoulder_wrist_pose.SIZE)), np.zeros(at.JOINTS)
    lanes, ways = np.zeros((LANE_ROWS, WIDTH)), 2
    for elbow in range(2):
        if spherical_shoulder_wrist_pose.prepare(numbers, goal, seed, 1.0 - 2.0 * elbow, state[elbow]) > 1e-12:
            ways = 0
    for branch in range(8 if ways else 0):
        _swivel_curve(numbers, state, branch, values, tables[branch], lanes)
    return ways


def _joint_branches(numbers: Any, goal: Any, values: Any, tables: Any) -> int:
    """All eight branches at values of the free joint, in the solved order of the joints; see `_swivel_branches`."""
    state, own, lanes = np.empty(panda_like_pose.SIZE), np.empty(12), np.zeros((LANE_ROWS, WIDTH))
    panda_like_pose.solved_goal(numbers, goal, own)
    panda_like_pose.prepare(numbers, own, state)
    for branch in range(8):
        _joint_curve(numbers, state, branch, values, tables[branch], lanes)
    return 2


def _swivel_at(numbers: Any, goal: Any, value: float, q: Any, flags: Any) -> int:
    count: int = spherical_shoulder_wrist.at_redundancy(numbers, goal, value, q, flags)
    return count


def _joint_at(numbers: Any, goal: Any, value: float, q: Any, flags: Any) -> int:
    count: int = panda_like.at_redundancy(numbers, goal, value, q, flags)
    return count


@functools.cache
def _kept(function: Any) -> Any:
    from .. import kernels

    what = f"the redundancy of arms ({function.__name__.strip('_')}), {WIDTH} lanes"
    return entry_point(function, [core, kernels], [], what)


def swivel_kernels() -> tuple[Any, Any]:
    """``branches(numbers, goal, values, tables)`` and ``at(numbers, goal, value, q, flags)`` by the swivel angle."""
    return _kept(_swivel_branches), _kept(_swivel_at)


def joint_kernels() -> tuple[Any, Any]:
    """The same by a free joint."""
    return _kept(_joint_branches), _kept(_joint_at)


def spare_columns() -> int:
    """Columns that the tables need beyond the number of values."""
    return WIDTH
