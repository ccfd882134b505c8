"""Kernel: random configurations of a node set, side by side in the lanes, and the cells that their tips are in."""

from __future__ import annotations

import functools
import math
from typing import Any

from numba import njit

from ...core.argument_table import float_matrix, float_vector, integer_matrix, integer_vector, table_at
from ...core.forward import forward, tip_frame
from ...core.jacobian import tip_jacobian
from ...core.lanes import INLINE, INNER, JIT, make_matrix, make_vector, sincos
from ...core.plan import POSITION
from .cell import cell_of, pose_coordinates, reduced_coordinates
from .counter import uniform_at
from .layout import (
    CARRIES,
    CELLS,
    CONSTANTS,
    COUNT,
    COUNTS,
    DRAWS,
    ENTRIES,
    FIRST,
    INDICES,
    IS_REDUCED,
    KEY,
    LANES,
    LIMITS,
    PLACES,
    QUALITIES,
    RATES,
    SAMPLES,
    SETTINGS,
    STEPS,
    TIP_FRAME,
    TIPS,
    WITH_QUALITY,
    WITH_SAMPLES,
)
from .manipulability import manipulability


@functools.cache
def make_sample(width: int) -> Any:
    """The compiled sampling for a lane width. Sample i depends on the key and on i alone."""
    vector, matrix = make_vector(width), make_matrix(width)

    @njit(**JIT)
    def sample(address):  # type: ignore[no-untyped-def]
        """Draws samples FIRST to FIRST + COUNT - 1 and writes their cells and what else is asked for.

        Args:
            address: Of the table, see `layout`.

        Returns:
            The number of samples inside the bounds.
        """
        steps, constants, entries, rates, carries = tree_at(address)
        tips, limits, draws, cells, counts, settings, lanes, indices, qualities, samples = rest_at(address)
        n, frames = draws.shape[0], 12 * (steps.shape[0] + 1)
        tip, canonical = n + frames, n + frames + 12
        place, jacobian = canonical + 12, canonical + 12 + 8
        gram = jacobian + 6 * n
        first, last, inside = settings[FIRST], settings[FIRST] + settings[COUNT], 0
        start = first
        while start < last:
            for lane in range(width):
                draw(settings[KEY], start + lane, lane, limits, draws, lanes)
            forward(steps, constants, vector(lanes, 0), matrix(lanes, n, 12))
            tip_frame(matrix(lanes, n, 12), settings[TIP_FRAME], tips, 0, vector(lanes, tip))
            if settings[IS_REDUCED] != 0:
                tip_frame(matrix(lanes, n, 12), settings[TIP_FRAME], tips, 1, vector(lanes, canonical))
                reduced_coordinates(vector(lanes, canonical), vector(lanes, place))
            else:
                pose_coordinates(vector(lanes, tip), vector(lanes, place))
            cell_of(cells, counts, vector(lanes, place))
            if settings[WITH_QUALITY] != 0:
                pose = vector(lanes, tip)
                tip_jacobian(entries, rates, carries, 0, matrix(lanes, n, 12), pose[POSITION], pose[POSITION + 1],
                             pose[POSITION + 2], matrix(lanes, jacobian, n), 0, n)  # fmt: skip
                size = min(n, 6)
                manipulability(matrix(lanes, jacobian, n), n, matrix(lanes, gram, size), size, vector(lanes, place + 7))
            for lane in range(min(width, last - start)):
                row = start + lane - first
                index = int(lanes[place + 6, lane])
                indices[row] = index
                if index >= 0:
                    inside += 1
                if settings[WITH_QUALITY] != 0:
                    qualities[row] = lanes[place + 7, lane]
                if settings[WITH_SAMPLES] != 0:
                    for k in range(n):
                        samples[row, k] = lanes[k, lane]
                    for k in range(12):
                        samples[row, n + k] = lanes[tip + k, lane]
                        samples[row, n + 12 + k] = lanes[canonical + k, lane]
            start += width
        return inside

    return sample


@njit(**INLINE)
def tree_at(address: int) -> Any:
    """Arrays of the plan."""
    table = table_at(address, PLACES)
    return (
        integer_matrix(table[STEPS]),
        float_matrix(table[CONSTANTS]),
        integer_matrix(table[ENTRIES]),
        float_matrix(table[RATES]),
        integer_matrix(table[CARRIES]),
    )


@njit(**INLINE)
def rest_at(address: int) -> Any:
    """Arrays of the sampling."""
    table = table_at(address, PLACES)
    return (
        float_matrix(table[TIPS]),
        float_matrix(table[LIMITS]),
        integer_vector(table[DRAWS]),
        float_matrix(table[CELLS]),
        integer_vector(table[COUNTS]),
        integer_vector(table[SETTINGS]),
        float_matrix(table[LANES]),
        integer_vector(table[INDICES]),
        float_vector(table[QUALITIES]),
        float_matrix(table[SAMPLES]),
    )


@njit(**INNER)
def draw(key: int, number: int, lane: int, limits: Any, draws: Any, lanes: Any) -> None:
    """Writes sample ``number`` into a lane: values evenly between limits, rotations evenly over all rotations."""
    n = draws.shape[0]
    for k in range(n):
        part = uniform_at(key, number * n + k)
        if draws[k] == 0:
            lanes[k, lane] = limits[k, 0] + part * (limits[k, 1] - limits[k, 0])
        elif draws[k] == 1:
            # K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
            second, third = uniform_at(key, number * n + k + 1), uniform_at(key, number * n + k + 2)
            sine, cosine = sincos(2.0 * math.pi * second)
            other_sine, other_cosine = sincos(2.0 * math.pi * third)
            outer, inner = math.sqrt(1.0 - part), math.sqrt(part)
            w = inner * other_cosine
            length = math.sqrt(max(1.0 - w * w, 1e-30))
            scale = 2.0 * math.atan2(length, w) / length
            lanes[k, lane] = scale * outer * sine
            lanes[k + 1, lane] = scale * outer * cosine
            lanes[k + 2, lane] = scale * inner * other_sine
