"""Kernel: random configurations, side by side in the lanes, and what becomes of the near ones."""

from __future__ import annotations

import functools
import math
from typing import Any

from numba import njit

from .....kinematics.core.forward import forward
from .....kinematics.core.lanes import INNER, JIT, atan2, make_matrix, make_vector, sincos, sqrt
from .....kinematics.core.plan import POSITION
from .....solvers.compiled.random_numbers import seeded, uniform
from .arrays import arrays_at, read_poses, search_arrays_at
from .descend import descend, refine
from .handling import begin, is_finite, iterate
from .layout import (
    AXIS_OF_BALL,
    BALL,
    BASE,
    BEST_X,
    BY_THRESHOLD,
    CANNOT_INVERT,
    FROM,
    ITERATIONS,
    KIND,
    LEAST_ANGULAR,
    LEAST_LINEAR,
    METRIC,
    MODE,
    NEAREST_SAMPLE,
    NEXT,
    NOT_WITHIN_TOLERANCE,
    ROLLING,
    SEED,
    SLOT,
    SOLVED,
    TARGET,
    THRESHOLD,
    TIP,
    TO,
    TRIED,
    WORK_LEFT,
    WORST_ANGULAR,
    WORST_LINEAR,
)
from .look import place_steps, turn_ball

#: Work of an iteration, where a sample is 1.
_OF_ITERATION = 10
#: How many samples the nearest one is taken of that a descent begins at.
_SAMPLES_PER_DESCENT = 48


@functools.cache
def make_search(width: int) -> Any:
    """The compiled search for a lane width.

    Sample i depends on the random seed and on i alone, and samples are looked at in that order.
    """
    vector, matrix = make_vector(width), make_matrix(width)

    @njit(**JIT)
    def search(address):  # type: ignore[no-untyped-def]
        """Goes on with a search until a configuration is found or the work is used up.

        Args:
            address: Of the table, see `layout`.

        Returns:
            1 when a configuration within the precision is where the joints are, else 0.
        """
        tree, columns, tasks, results = arrays_at(address)
        numbers, counts, lanes, kept = search_arrays_at(address)
        steps, constants, locals_, balls, turns, x = tree
        read_poses(address)
        place_steps(tree)
        size = x.shape[0]
        first_frame, far = size, size + 12 * (steps.shape[0] + 1)
        for k in range(size):
            for lane in range(width):
                lanes[k, lane] = x[k]
        nearest, best, in_round = 1e300, -1, 0
        while counts[WORK_LEFT] > 0:
            for b in range(balls.shape[0]):
                # The lanes turn from where the spherical joints were, whatever a candidate made of them since.
                for i in range(9):
                    turns[b, i] = turns[balls.shape[0] + b, i]
                turn_ball(constants, locals_, balls[b], turns[b])
            start = counts[NEXT]
            for lane in range(width):
                draw(start + lane, lane, counts[SEED], size - 3 * max(1, balls.shape[0]), columns, lanes)
            forward(steps, constants, vector(lanes, 0), matrix(lanes, first_frame, 12))
            measure_lanes(tasks[0], numbers, matrix(lanes, first_frame, 12), vector(lanes, far))
            counts[NEXT] = start + width
            counts[TRIED] += width
            counts[WORK_LEFT] -= width
            for lane in range(width):
                numbers[NEAREST_SAMPLE] = min(numbers[NEAREST_SAMPLE], lanes[far, lane])
            if counts[MODE] == BY_THRESHOLD:
                for lane in range(width):
                    if lanes[far, lane] > numbers[THRESHOLD]:
                        continue
                    take(lane, tree, columns, lanes)
                    counts[SOLVED] += 1
                    begin(results)
                    bits = iterate(tree, columns, tasks, results)
                    counts[WORK_LEFT] -= _OF_ITERATION * int(results[7][ITERATIONS])
                    note_attempt(numbers, x, results)
                    if bits & (CANNOT_INVERT | NOT_WITHIN_TOLERANCE) == 0 and is_finite(tree):
                        # The search goes on behind this sample.
                        counts[NEXT] = start + lane + 1
                        counts[TRIED] -= width - lane - 1
                        refine(tree, columns, tasks, results, kept)
                        return 1
                continue
            for lane in range(width):
                if lanes[far, lane] < nearest:
                    nearest, best = lanes[far, lane], start + lane
            in_round += width
            if in_round >= _SAMPLES_PER_DESCENT:
                draw(best, 0, counts[SEED], size - 3 * max(1, balls.shape[0]), columns, lanes)
                take(0, tree, columns, lanes)
                counts[SOLVED] += 1
                taken = descend(tree, columns, tasks, results)
                counts[WORK_LEFT] -= _OF_ITERATION * abs(taken)
                note_attempt(numbers, x, results)
                if taken > 0 and is_finite(tree):
                    refine(tree, columns, tasks, results, kept)
                    return 1
                nearest, in_round = 1e300, 0
        return 0

    return search


@njit(**INNER)
def note_attempt(numbers: Any, x: Any, results: Any) -> None:
    """Keeps what an attempt came to when it came nearer than those before, by the metric's weight of the angle."""
    linear, angular = results[7][WORST_LINEAR], results[7][WORST_ANGULAR]
    weight = numbers[METRIC + 3]
    if linear + weight * angular < numbers[LEAST_LINEAR] + weight * numbers[LEAST_ANGULAR]:
        numbers[LEAST_LINEAR], numbers[LEAST_ANGULAR] = linear, angular
        for k in range(x.shape[0]):
            numbers[BEST_X + k] = x[k]


@njit(**INNER)
def draw(sample: int, lane: int, seed: int, zeros: int, columns: Any, lanes: Any) -> None:
    """Writes a sample into a lane: positions evenly between limits, rotations evenly over all rotations."""
    numbers, joints, _, _, _, _ = columns
    state = seeded(seed, sample)
    for k in range(numbers.shape[0]):
        if numbers[k, KIND] != ROLLING:
            state, part = uniform(state)
            lanes[numbers[k, SLOT], lane] = joints[k, FROM] + part * (joints[k, TO] - joints[k, FROM])
        elif numbers[k, AXIS_OF_BALL] == 0:
            # K. Shoemake, "Uniform random rotations", Graphics Gems III, 1992.
            state, a = uniform(state)
            state, b = uniform(state)
            state, c = uniform(state)
            sine, cosine = sincos(2.0 * math.pi * b)
            other_sine, other_cosine = sincos(2.0 * math.pi * c)
            outer, inner = math.sqrt(1.0 - a), math.sqrt(a)
            w = inner * other_cosine
            length = math.sqrt(max(1.0 - w * w, 1e-30))
            scale = 2.0 * math.atan2(length, w) / length
            place = zeros + 3 * numbers[k, BALL]
            lanes[place, lane] = scale * outer * sine
            lanes[place + 1, lane] = scale * outer * cosine
            lanes[place + 2, lane] = scale * inner * other_sine


@njit(**INNER)
def take(lane: int, tree: Any, columns: Any, lanes: Any) -> None:
    """Puts the joints where a lane has them."""
    _, constants, locals_, balls, turns, x = tree
    numbers = columns[0]
    zeros = x.shape[0] - 3 * max(1, balls.shape[0])
    for k in range(numbers.shape[0]):
        if numbers[k, KIND] != ROLLING:
            x[numbers[k, SLOT]] = lanes[numbers[k, SLOT], lane]
        elif numbers[k, AXIS_OF_BALL] == 0:
            ball = numbers[k, BALL]
            place = zeros + 3 * ball
            turn = turns[ball]
            for i in range(9):
                turn[i] = turns[balls.shape[0] + ball, i]
            turn_by(turn, lanes[place, lane], lanes[place + 1, lane], lanes[place + 2, lane])
            turn_ball(constants, locals_, balls[ball], turn)


@njit(**INNER)
def turn_by(turn: Any, vx: float, vy: float, vz: float) -> None:
    """Multiplies a rotation (9,) with that of a rotation vector from the right."""
    angle = math.sqrt(vx * vx + vy * vy + vz * vz)
    if angle < 1e-12:
        return
    ux, uy, uz = vx / angle, vy / angle, vz / angle
    sine, cosine = sincos(angle)
    for i in range(3):
        a, b, c = turn[3 * i], turn[3 * i + 1], turn[3 * i + 2]
        along = (1.0 - cosine) * (a * ux + b * uy + c * uz)
        turn[3 * i] = a * cosine + sine * (b * uz - c * uy) + along * ux
        turn[3 * i + 1] = b * cosine + sine * (c * ux - a * uz) + along * uy
        turn[3 * i + 2] = c * cosine + sine * (a * uy - b * ux) + along * uz


@njit(**INNER)
def measure_lanes(elements: Any, numbers: Any, frames: Any, far: Any) -> None:
    """Sum over the elements of how far their tips are from their targets, seen from the constraints bases."""
    far[0] = 0.0 * frames[0, 0]
    for e in range(elements.shape[0]):
        tip, target, base = elements[e, TIP], elements[e, TARGET], elements[e, BASE]
        if target < 0:
            continue
        dx = frames[target, POSITION] - frames[tip, POSITION]
        dy = frames[target, POSITION + 1] - frames[tip, POSITION + 1]
        dz = frames[target, POSITION + 2] - frames[tip, POSITION + 2]
        total = 0.0 * dx
        for i in range(3):
            part = frames[base, i] * dx + frames[base, 3 + i] * dy + frames[base, 6 + i] * dz
            part = part * numbers[METRIC + i]
            total = total + part * part
        vx = 0.0 * dx
        vy = 0.0 * dx
        vz = 0.0 * dx
        trace = 0.0 * dx
        for j in range(3):
            cx = frames[tip, j]
            cy = frames[tip, 3 + j]
            cz = frames[tip, 6 + j]
            ex = frames[target, j]
            ey = frames[target, 3 + j]
            ez = frames[target, 6 + j]
            vx = vx + cz * ey - cy * ez
            vy = vy + cx * ez - cz * ex
            vz = vz + cy * ex - cx * ey
            trace = trace + cx * ex + cy * ey + cz * ez
        angle = atan2(sqrt(vx * vx + vy * vy + vz * vz), trace - 1.0)
        angle = angle * numbers[METRIC + 3]
        far[0] = far[0] + sqrt(total + angle * angle)
