"""How the whole step of a hierarchy gets its arrays: one of integers, one of numbers; every argument costs time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kinematics import Joint
from ...kinematics.core.plan import COLUMN, FRAME, Plan
from ...kinematics.transforms import Array
from .joint_kinds import curved_kind

#: The first integers, sizes: columns, steps, entries, tips, tasks, levels in use, levels, rows, joints that
#: `move_curved` moves, length of a configuration; then, written, how often the last step was worked out.
COLUMNS, STEPS, ENTRIES, TIPS, TASKS, LEVELS, ALL_LEVELS, ROWS, CURVED_JOINTS, LENGTH, ROUNDS = range(11)
#: Then where arrays of integers begin: of the plan, the places of the columns in a configuration, the tasks,
#: the columns in the order of the levels, how many of them each level needs, first row of each level, curved
#: joints (kind, first column), scratch.
(
    AT_STEPS, AT_ENTRIES, AT_TIP_FRAMES, AT_CARRIES, AT_DOFS, AT_TASKS, AT_ORDER, AT_ENDS, AT_FIRSTS, AT_CURVED,
    AT_STANDING, AT_COLUMNS, AT_FREE_ENDS, AT_REACHES,
) = range(11, 25)  # fmt: skip
#: Then where arrays of numbers begin: of the plan, joints, damping of the levels, targets, weights, where each
#: task is missed, present and following configuration, and what is worked out on the way.
(
    AT_CONSTANTS, AT_RATES, AT_TIP_POSES, AT_MASSES, AT_CENTRES, AT_SUBTREES, AT_FIXED, AT_JOINTS, AT_DAMPING,
    AT_TARGETS, AT_WEIGHTS, AT_MISSES, AT_Q, AT_NEXT_Q, AT_X, AT_FOLLOWING, AT_FRAMES, AT_MOMENTS, AT_TIP, AT_POSE,
    AT_SIX, AT_JACOBIAN, AT_ERROR, AT_WORK, AT_RESIDUAL, AT_NORMS, AT_MIRRORS, AT_SCALES, AT_NORMAL, AT_SOLUTION,
    AT_GRADIENT,
) = range(25, 56)  # fmt: skip
#: Length of the beginning.
HEADER = 56

#: Columns of the tasks: what it is about, which tip, its first row, its mask (bit i is set for component i).
ABOUT, TIP, FIRST_ROW, MASK = range(4)
#: What a task is about.
POSE, CENTER_OF_MASS = range(2)
#: Rows of a mask.
FULL_MASK, LINEAR_MASK = 63, 7

Integers = NDArray[np.int64]


class Packer:
    """Lays out the arrays of a hierarchy.

    Args:
        plan: For the tips of all tasks.
        tasks: (t, 4), see `ABOUT`, level by level.
        levels: (t,) level of each task.
        joints: (5, n), see `hierarchical_limits.MEETS`.
        damping: (levels, 2), see `hierarchical_step`.
        curved: Joints with coordinates that cannot be added, each with its first column.
        length: Number of entries of a configuration of the skeleton.
    """

    def __init__(
        self, plan: Plan, tasks: Integers, levels: Integers, joints: Array, damping: Array,
        curved: Iterable[tuple[Joint, int]], length: int,
    ) -> None:  # fmt: skip
        self._header = np.zeros(HEADER, dtype=np.int64)
        self._integers: list[Any] = [self._header]
        self._numbers: list[Array] = []
        self._length_of_integers, self._length_of_numbers = HEADER, 0
        counts = np.array([bin(mask).count("1") for mask in tasks[:, MASK]], dtype=np.int64)
        tasks[:, FIRST_ROW] = np.cumsum(counts) - counts
        rows_of_levels = [int(counts[levels == level].sum()) for level in range(len(damping))]
        self._sizes(plan, len(tasks), len(damping), sum(rows_of_levels), length)
        order, ends = column_order(plan, tasks, levels, len(damping))
        kinds = [(curved_kind(joint), column) for joint, column in curved]
        self._header[CURVED_JOINTS] = len(kinds)
        self._add_integers(plan, tasks, order, ends, np.cumsum([0, *rows_of_levels]), kinds)
        self._add_numbers(plan, joints, damping)

    def arrays(self) -> tuple[Integers, Array]:
        """The integers (i,) and the numbers (f, 1)."""
        integers = np.concatenate([np.asarray(each, dtype=np.int64).ravel() for each in self._integers])
        return integers, np.concatenate([each.ravel() for each in self._numbers]).reshape(-1, 1)

    def _sizes(self, plan: Plan, tasks: int, levels: int, rows: int, length: int) -> None:
        header = self._header
        header[COLUMNS], header[STEPS], header[ENTRIES] = plan.num_dofs, len(plan.steps), len(plan.entries)
        header[TIPS], header[TASKS], header[LEVELS], header[ALL_LEVELS] = plan.num_tips, tasks, levels, levels
        header[ROWS], header[LENGTH] = rows, length

    def _add_integers(
        self, plan: Plan, tasks: Integers, order: Integers, ends: Integers, firsts: Integers, curved: list[Any]
    ) -> None:
        n = plan.num_dofs
        for place, values in (
            (AT_STEPS, plan.steps), (AT_ENTRIES, plan.entries), (AT_TIP_FRAMES, plan.tip_frames),
            (AT_CARRIES, plan.carries), (AT_DOFS, plan.dofs), (AT_TASKS, tasks), (AT_ORDER, order), (AT_ENDS, ends),
            (AT_FIRSTS, firsts), (AT_CURVED, curved), (AT_STANDING, np.zeros(n)), (AT_COLUMNS, np.zeros(n)),
            (AT_FREE_ENDS, np.zeros(len(ends))), (AT_REACHES, np.zeros(n)),
        ):  # fmt: skip
            array = np.array(values, dtype=np.int64)
            self._header[place] = self._length_of_integers
            self._integers.append(array)
            self._length_of_integers += array.size

    def _add_numbers(self, plan: Plan, joints: Array, damping: Array) -> None:
        n, s, m = plan.num_dofs, len(plan.steps), int(self._header[ROWS])
        t, q = int(self._header[TASKS]), int(self._header[LENGTH])
        fixed = np.array([*plan.fixed_centre, plan.fixed_mass, plan.fixed_mass + plan.masses.sum()])
        for place, values in (
            (AT_CONSTANTS, plan.constants), (AT_RATES, plan.rates), (AT_TIP_POSES, plan.tip_poses),
            (AT_MASSES, plan.masses), (AT_CENTRES, plan.centres), (AT_SUBTREES, plan.subtree_masses),
            (AT_FIXED, fixed), (AT_JOINTS, joints), (AT_DAMPING, damping),
        ):  # fmt: skip
            self._add(place, values)
        for place, size in (
            (AT_TARGETS, 12 * t), (AT_WEIGHTS, 6 * t), (AT_MISSES, 2 * t), (AT_Q, q), (AT_NEXT_Q, q), (AT_X, n),
            (AT_FOLLOWING, n), (AT_FRAMES, 12 * (s + 1)), (AT_MOMENTS, 3 * s), (AT_TIP, 12), (AT_POSE, 6),
            (AT_SIX, 6 * n), (AT_JACOBIAN, m * n), (AT_ERROR, m), (AT_WORK, m * n), (AT_RESIDUAL, m), (AT_NORMS, m),
            (AT_MIRRORS, n * n), (AT_SCALES, n), (AT_NORMAL, n * n), (AT_SOLUTION, n), (AT_GRADIENT, n),
        ):  # fmt: skip
            self._add(place, np.zeros(size))

    def _add(self, place: int, values: Array) -> None:
        self._header[place] = self._length_of_numbers
        self._numbers.append(np.asarray(values, dtype=float))
        self._length_of_numbers += self._numbers[-1].size


def column_order(plan: Plan, tasks: Integers, levels: Integers, count: int) -> tuple[Integers, Integers]:
    """The columns in the order of the first level that they move, and how many those up to each level are."""
    first = np.full(plan.num_dofs, count)
    for task, level in zip(tasks, levels, strict=True):
        if task[ABOUT] == CENTER_OF_MASS:
            moving = plan.entries[plan.subtree_masses[plan.entries[:, FRAME] - 1] > 0.0, COLUMN]
        else:
            moving = plan.entries[plan.carries[task[TIP]] != 0, COLUMN]
        first[moving] = np.minimum(first[moving], level)
    ends = np.array([np.count_nonzero(first <= level) for level in range(count)], dtype=np.int64)
    return np.argsort(first, kind="stable").astype(np.int64), ends
