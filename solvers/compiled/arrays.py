"""Kernels: the arrays of a search, and the parts of its workspace."""

from __future__ import annotations

import functools
from typing import Any

from numba import njit

from ...kinematics.core.argument_table import (
    float_matrix,
    float_vector,
    integer_matrix,
    integer_vector,
    table_at,
)
from ...kinematics.core.lanes import INLINE, JIT, make_matrix, make_vector
from . import layout
from .layout import (
    AIM,
    ANSWERS,
    BOOKKEEPING,
    CARRIES,
    CONSTANTS,
    COUNTS,
    ENTRIES,
    ERROR,
    FRAMES,
    FRESH,
    GOALS,
    JOINTS,
    PLACES,
    RATES,
    SEEDS,
    SETTINGS,
    SQUARES,
    STEPS,
    TASK,
    TIP,
    TIP_FRAMES,
    TIP_POSES,
    WORK,
)

#: See `layout`, where Python uses them without compiling anything.
scratch_size = njit(**JIT)(layout.scratch_size)
workspace_rows = njit(**JIT)(layout.workspace_rows)


@njit(**INLINE)
def arrays_at(address: int) -> Any:
    """The arrays of a table: a tuple of the plan's, joints, settings, counts, task, goals, seeds, work, answers."""
    table = table_at(address, PLACES)
    plan = (
        integer_matrix(table[STEPS]),
        float_matrix(table[CONSTANTS]),
        integer_matrix(table[ENTRIES]),
        float_matrix(table[RATES]),
        integer_matrix(table[CARRIES]),
        integer_vector(table[TIP_FRAMES]),
        float_matrix(table[TIP_POSES]),
    )
    return (
        plan,
        float_matrix(table[JOINTS]),
        float_vector(table[SETTINGS]),
        integer_vector(table[COUNTS]),
        float_vector(table[TASK]),
        float_matrix(table[GOALS]),
        float_matrix(table[SEEDS]),
        float_matrix(table[WORK]),
        float_matrix(table[ANSWERS]),
    )


@njit(**JIT)
def first_rows(n: int, s: int) -> Any:
    """Rows where x and where the nearest x begin, for those who look at single lanes."""
    x, _, _, _, _, nearest, _ = workspace_rows(n, s)
    return x, nearest


@functools.cache
def make_parts(width: int) -> Any:
    """A function for compiled code that sees the parts of a workspace as vectors and matrices of registers."""
    vector, matrix = make_vector(width), make_matrix(width)

    @njit(**INLINE)
    def parts(work, n, s):
        """Of a workspace (rows, W) for n degrees of freedom and s steps.

        Returns:
            Error, squared errors, bookkeeping, which lanes are fresh, tip, aim, frames, x, Jacobian, gradient, rate of
            the Jacobian, the task's scratch, nearest x.
        """
        x, jacobian, gradient, rate, scratch, nearest, _ = workspace_rows(n, s)
        return (
            vector(work, ERROR),
            vector(work, SQUARES),
            vector(work, BOOKKEEPING),
            vector(work, BOOKKEEPING + FRESH),
            vector(work, TIP),
            vector(work, AIM),
            matrix(work, FRAMES, 12),
            vector(work, x),
            matrix(work, jacobian, n),
            vector(work, gradient),
            matrix(work, rate, n),
            matrix(work, scratch, 6),
            vector(work, nearest),
        )

    return parts
