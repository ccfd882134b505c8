"""Kernel: the arrays of a table."""

from __future__ import annotations

from typing import Any

from numba import njit

from .....kinematics.core.argument_table import float_matrix, float_vector, integer_matrix, integer_vector, table_at
from .....kinematics.core.lanes import INLINE
from .layout import (
    BALLS,
    COLUMNS,
    CONSTANTS,
    DISTANCES,
    ELEMENT_NUMBERS,
    ELEMENTS,
    ENTRIES,
    ERROR,
    FRAMES,
    GROUP_NUMBERS,
    GROUPS,
    HITS,
    JACOBIAN,
    JOINTS,
    KEPT,
    LANES,
    LOCALS,
    PLACES,
    POSES,
    PULLS,
    RATES,
    REPORT,
    ROOM,
    ROWS,
    SEARCH,
    SEARCH_COUNTS,
    SETTINGS,
    SPINS,
    STEP,
    STEPS,
    TURNS,
    X,
)


@njit(**INLINE)
def arrays_at(address: int) -> Any:
    """The arrays of a table in four tuples: tree, columns, tasks, results."""
    table = table_at(address, PLACES)
    tree = (
        integer_matrix(table[STEPS]),
        float_matrix(table[CONSTANTS]),
        float_matrix(table[LOCALS]),
        integer_vector(table[BALLS]),
        float_matrix(table[TURNS]),
        float_vector(table[X]),
    )
    columns = (
        integer_matrix(table[COLUMNS]),
        float_matrix(table[JOINTS]),
        integer_matrix(table[ENTRIES]),
        float_matrix(table[RATES]),
        integer_matrix(table[PULLS]),
        integer_matrix(table[SPINS]),
    )
    tasks = (
        integer_matrix(table[ELEMENTS]),
        float_matrix(table[ELEMENT_NUMBERS]),
        integer_matrix(table[GROUPS]),
        float_matrix(table[GROUP_NUMBERS]),
        integer_vector(table[SETTINGS]),
    )
    results = (
        float_matrix(table[FRAMES]),
        float_matrix(table[JACOBIAN]),
        float_vector(table[ERROR]),
        integer_matrix(table[ROWS]),
        float_vector(table[STEP]),
        float_matrix(table[DISTANCES]),
        float_matrix(table[HITS]),
        float_vector(table[REPORT]),
        float_vector(table[ROOM]),
    )
    return tree, columns, tasks, results


@njit(**INLINE)
def read_poses(address: int) -> None:
    """Copies the local poses of the steps from where the objects have them."""
    table = table_at(address, PLACES)
    poses, locals_ = integer_matrix(table[POSES]), float_matrix(table[LOCALS])
    for k in range(poses.shape[0]):
        pose = float_vector(poses[k])
        for i in range(16):
            locals_[k, i] = pose[i]


@njit(**INLINE)
def search_arrays_at(address: int) -> Any:
    """What only the search takes: its numbers, its counts, room in lanes (rows, W), what it keeps."""
    table = table_at(address, PLACES)
    return (
        float_vector(table[SEARCH]),
        integer_vector(table[SEARCH_COUNTS]),
        float_matrix(table[LANES]),
        float_vector(table[KEPT]),
    )
