"""Kernel: the iterations of one or several groups."""

from __future__ import annotations

from typing import Any

from numba import njit

from .....kinematics.core.finite import all_finite
from .....kinematics.core.lanes import INNER, JIT
from .arrays import arrays_at, read_poses
from .layout import (
    ANGULAR_PRECISION,
    CANNOT_INVERT,
    FACTOR,
    HANDLE,
    INVERT,
    IS_HIT,
    ITERATIONS,
    LIMIT_HIT,
    LINEAR_PRECISION,
    LOOK,
    MAX_ITERATIONS,
    NOT_WITHIN_TOLERANCE,
    OVERFLOWED,
    OVERSHOT,
    PRESENT_ROWS,
    SOLVE,
    STOPS_ON_LIMIT,
    TARGET,
    WORST_ANGULAR,
    WORST_LINEAR,
)
from .look import look, measure_all, place_steps
from .step import invert, move, solve, weigh


@njit(**JIT)
def handle(address, what, which):  # type: ignore[no-untyped-def]
    """Handles the groups whose arrays are in a table, see `layout`.

    Args:
        address: Of the table.
        what: `HANDLE` for all of it; else one of its parts, for callers that step in between.
        which: Group to `INVERT`; for `LOOK` whether local poses are to be read first.

    Returns:
        Bits of the result.
    """
    tree, columns, tasks, results = arrays_at(address)
    room = results[8]
    if what == HANDLE:
        read_poses(address)
        place_steps(tree)
        begin(results)
        bits = iterate(tree, columns, tasks, results)
        return bits if is_finite(tree) else bits | OVERFLOWED
    if what == LOOK:
        if which != 0:
            read_poses(address)
            place_steps(tree)
        look(tree, columns, tasks, results, room)
        return 0 if is_within(tasks, results) else NOT_WITHIN_TOLERANCE
    if what == SOLVE:
        weigh(tasks, results)
        return solve(columns, tasks, results)
    if what == INVERT:
        invert(which, columns, tasks, results)
        return 0
    bits = move(tree, columns, results)
    return bits if is_finite(tree) else bits | OVERFLOWED


@njit(**INNER)
def is_finite(tree: Any) -> bool:
    """Whether values and rotations of the joints are."""
    _, _, _, _, turns, x = tree
    return all_finite(x) and all_finite(turns.reshape(turns.size))


@njit(**INNER)
def begin(results: Any) -> None:
    """No limit passed, nothing done."""
    _, _, _, _, _, _, hits, report, _ = results
    for k in range(hits.shape[0]):
        hits[k, IS_HIT] = 0.0
        hits[k, OVERSHOT] = 0.0
    report[ITERATIONS] = 0.0
    report[FACTOR] = 1.0
    report[WORST_LINEAR] = 0.0
    report[WORST_ANGULAR] = 0.0


@njit(**INNER)
def iterate(tree: Any, columns: Any, tasks: Any, results: Any) -> int:
    """Steps until all elements are within their precision or the iterations are used up; at least one step."""
    _, _, groups, _, settings = tasks
    _, _, _, _, _, _, _, report, room = results
    result = 0
    if settings[MAX_ITERATIONS] <= 0:
        look(tree, columns, tasks, results, room)
        return 0 if is_within(tasks, results) else NOT_WITHIN_TOLERANCE
    for _ in range(settings[MAX_ITERATIONS]):
        look(tree, columns, tasks, results, room)
        rows = 0
        for g in range(groups.shape[0]):
            rows += groups[g, PRESENT_ROWS]
        if rows == 0:
            return result | CANNOT_INVERT | NOT_WITHIN_TOLERANCE
        weigh(tasks, results)
        result |= solve(columns, tasks, results)
        result |= move(tree, columns, results)
        report[ITERATIONS] += 1.0
        measure_all(tree, tasks, results, room)
        if is_within(tasks, results):
            return result & ~NOT_WITHIN_TOLERANCE
        result |= NOT_WITHIN_TOLERANCE
        if settings[STOPS_ON_LIMIT] != 0 and result & LIMIT_HIT:
            break
    return result


@njit(**INNER)
def is_within(tasks: Any, results: Any) -> bool:
    """Whether all elements are within their precision; notes the largest distances."""
    elements, numbers, _, _, _ = tasks
    _, _, _, _, _, distances, _, report, _ = results
    within = True
    linear = 0.0
    angular = 0.0
    for e in range(elements.shape[0]):
        if elements[e, TARGET] >= 0:
            linear = max(linear, distances[e, 0])
            angular = max(angular, distances[e, 1])
            if distances[e, 0] > numbers[e, LINEAR_PRECISION] or distances[e, 1] > numbers[e, ANGULAR_PRECISION]:
                within = False
    report[WORST_LINEAR] = linear
    report[WORST_ANGULAR] = angular
    return within
