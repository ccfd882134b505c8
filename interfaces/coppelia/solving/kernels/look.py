"""Kernels: where everything is, and what the elements of the groups miss."""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from .....kinematics.core.forward import forward
from .....kinematics.core.lanes import INNER
from .....kinematics.core.plan import AXIS, COLUMN, FRAME, POSITION, SLIDING, TURNING
from .layout import (
    ALPHA_BETA,
    AVOIDS_LIMITS,
    BASE,
    CONSTRAINTS,
    CYCLIC,
    ELEMENT_COUNT,
    FIRST_ELEMENT,
    FIRST_ROW,
    FIXED_ROWS,
    GAMMA,
    GROUP_ROW,
    KIND,
    LIMIT_ROW,
    LOWER,
    MARGIN,
    PRESENT_ROWS,
    ROLLING,
    ROW_COUNT,
    ROW_ELEMENT,
    ROW_KIND,
    SLOT,
    TARGET,
    TIP,
    UPPER,
)
from .layout import (
    SLIDING as SLIDES,
)
from .rotation import rotation_vector, turn_about_z


@njit(**INNER)
def place_steps(tree: Any) -> None:
    """Constant poses of all steps from the local poses; those of spherical joints with their rotations."""
    steps, constants, locals_, balls, turns, _ = tree
    for k in range(steps.shape[0]):
        for i in range(3):
            for j in range(3):
                constants[k, 3 * i + j] = locals_[k, 4 * i + j]
            constants[k, POSITION + i] = locals_[k, 4 * i + 3]
    for b in range(balls.shape[0]):
        turn_ball(constants, locals_, balls[b], turns[b])


@njit(**INNER)
def turn_ball(constants: Any, locals_: Any, k: int, turn: Any) -> None:
    """The constant pose of the step of a spherical joint: its local pose, then its rotation (9,)."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for m in range(3):
                total += locals_[k, 4 * i + m] * turn[3 * m + j]
            constants[k, 3 * i + j] = total


@njit(**INNER)
def look(tree: Any, columns: Any, tasks: Any, results: Any, room: Any) -> None:
    """Poses, then errors, distances and Jacobians of all elements, then the rows that keep away from limits."""
    steps, constants, _, _, _, x = tree
    elements, _, groups, _, settings = tasks
    frames, jacobian, error, _, _, distances, _, _, _ = results
    forward(steps, constants, x, frames)
    for e in range(elements.shape[0]):
        if elements[e, TARGET] >= 0:
            _measure(e, elements, frames, error, distances, room)
            _differentiate(e, elements, columns, frames, jacobian)
    for g in range(groups.shape[0]):
        groups[g, PRESENT_ROWS] = groups[g, FIXED_ROWS]
        if settings[AVOIDS_LIMITS] != 0:
            _keep_away_from_limits(g, groups, columns, x, results)


@njit(**INNER)
def measure_all(tree: Any, tasks: Any, results: Any, room: Any) -> None:
    """Poses, errors and distances alone: what tells whether the elements are within their precision."""
    steps, constants, _, _, _, x = tree
    frames, _, error, _, _, distances, _, _, _ = results
    elements = tasks[0]
    forward(steps, constants, x, frames)
    for e in range(elements.shape[0]):
        if elements[e, TARGET] >= 0:
            _measure(e, elements, frames, error, distances, room)


@njit(**INNER)
def _measure(e: int, elements: Any, frames: Any, error: Any, distances: Any, room: Any) -> None:
    """Error of an element, target minus tip, in its rows, and its two distances.

    The position is seen from the constraints base. The rotation is a rotation vector in the axes of the tip: of the
    whole rotation from tip to target, or of what is left of it when the target has been turned about its own z to
    bring its x as near as possible to the tip's (alpha and beta alone), or when it has been turned on the shortest
    way to make the z axes meet (gamma alone).
    """
    tip, target, base = elements[e, TIP], elements[e, TARGET], elements[e, BASE]
    constraints, row = elements[e, CONSTRAINTS], elements[e, FIRST_ROW]
    dx = frames[target, POSITION] - frames[tip, POSITION]
    dy = frames[target, POSITION + 1] - frames[tip, POSITION + 1]
    dz = frames[target, POSITION + 2] - frames[tip, POSITION + 2]
    square = 0.0
    for axis in range(3):
        if constraints & (1 << axis):
            part = frames[base, axis] * dx + frames[base, 3 + axis] * dy + frames[base, 6 + axis] * dz
            error[row] = part
            square += part * part
            row += 1
    distances[e, 0] = math.sqrt(square)
    distances[e, 1] = 0.0
    if not constraints & (ALPHA_BETA | GAMMA):
        return
    r = room[:9]
    for i in range(3):
        for j in range(3):
            total = 0.0
            for m in range(3):
                total += frames[tip, 3 * m + i] * frames[target, 3 * m + j]
            r[3 * i + j] = total
    if constraints & ALPHA_BETA and constraints & GAMMA:
        error[row], error[row + 1], error[row + 2], distances[e, 1] = rotation_vector(r)
    elif constraints & ALPHA_BETA:
        # Between the z axes, whatever the turn about them.
        distances[e, 1] = math.atan2(math.sqrt(r[2] * r[2] + r[5] * r[5]), r[8])
        _bring_x_near(r)
        error[row], error[row + 1], _, _ = rotation_vector(r)
    else:
        angle = turn_about_z(r)
        error[row] = angle
        distances[e, 1] = abs(angle)


@njit(**INNER)
def _bring_x_near(r: Any) -> None:
    """Turns a rotation about its own z so that its first column is as near as possible to x."""
    length = math.sqrt(r[0] * r[0] + r[1] * r[1])
    if length < 1e-12:
        return
    cosine, sine = r[0] / length, r[1] / length
    for i in range(3):
        a, b = r[3 * i], r[3 * i + 1]
        r[3 * i] = a * cosine + b * sine
        r[3 * i + 1] = b * cosine - a * sine


@njit(**INNER)
def _differentiate(e: int, elements: Any, columns: Any, frames: Any, jacobian: Any) -> None:
    """Exact derivatives of the rows of an element by all columns.

    A column is the sum of its entries, the motions of joints that it drives. A motion that carries the tip but not the
    constraints base moves the tip as seen from there; one that carries the base alone moves it the other way; one
    that carries both does not.
    """
    numbers, _, entries, rates, pulls, spins = columns
    tip, base = elements[e, TIP], elements[e, BASE]
    constraints, first, count = elements[e, CONSTRAINTS], elements[e, FIRST_ROW], elements[e, ROW_COUNT]
    n = numbers.shape[0]
    for i in range(first, first + count):
        for k in range(n):
            jacobian[i, k] = 0.0
    px, py, pz = frames[tip, POSITION], frames[tip, POSITION + 1], frames[tip, POSITION + 2]
    for entry in range(entries.shape[0]):
        pull, spin = pulls[e, entry], spins[e, entry]
        if pull == 0 and spin == 0:
            continue
        frame, axis, k = entries[entry, FRAME], entries[entry, AXIS], entries[entry, COLUMN]
        turning, sliding = rates[entry, TURNING], rates[entry, SLIDING]
        ax, ay, az = frames[frame, axis], frames[frame, 3 + axis], frames[frame, 6 + axis]
        row = first
        if pull != 0:
            dx = px - frames[frame, POSITION]
            dy = py - frames[frame, POSITION + 1]
            dz = pz - frames[frame, POSITION + 2]
            vx = pull * (sliding * ax + turning * (ay * dz - az * dy))
            vy = pull * (sliding * ay + turning * (az * dx - ax * dz))
            vz = pull * (sliding * az + turning * (ax * dy - ay * dx))
            for i in range(3):
                if constraints & (1 << i):
                    jacobian[row, k] += frames[base, i] * vx + frames[base, 3 + i] * vy + frames[base, 6 + i] * vz
                    row += 1
        else:
            for i in range(3):
                if constraints & (1 << i):
                    row += 1
        if spin != 0:
            first_axis = 0 if constraints & ALPHA_BETA else 2
            last_axis = 3 if constraints & GAMMA else 2
            for i in range(first_axis, last_axis):
                spun = frames[tip, i] * ax + frames[tip, 3 + i] * ay + frames[tip, 6 + i] * az
                jacobian[row, k] += turning * spun
                row += 1


@njit(**INNER)
def _keep_away_from_limits(g: int, groups: Any, columns: Any, x: Any, results: Any) -> None:
    """A row for each column of the group that is nearer to a limit than its margin: the way back to the margin.

    Where both limits are that near, an angle keeps away from the upper one and a slide from the nearer one.
    """
    numbers, joints, entries, _, pulls, spins = columns
    _, jacobian, error, rows, _, _, _, _, _ = results
    n = numbers.shape[0]
    first, last = groups[g, FIRST_ELEMENT], groups[g, FIRST_ELEMENT] + groups[g, ELEMENT_COUNT]
    for k in range(n):
        if numbers[k, KIND] == ROLLING or joints[k, CYCLIC] != 0.0:
            continue
        q, margin = x[numbers[k, SLOT]], joints[k, MARGIN]
        below = joints[k, LOWER] + margin - q
        above = q - (joints[k, UPPER] - margin)
        if below <= 0.0 and above <= 0.0:
            continue
        is_felt = False
        for entry in range(entries.shape[0]):
            if entries[entry, COLUMN] == k:
                for e in range(first, last):
                    is_felt = is_felt or pulls[e, entry] != 0 or spins[e, entry] != 0
        if not is_felt:
            continue
        is_upper = above > 0.0 and (below <= 0.0 or numbers[k, KIND] != SLIDES or above > below)
        row = groups[g, GROUP_ROW] + groups[g, PRESENT_ROWS]
        for j in range(n):
            jacobian[row, j] = 0.0
        jacobian[row, k] = -1.0 if is_upper else 1.0
        error[row] = above if is_upper else below
        rows[row, ROW_KIND], rows[row, ROW_ELEMENT] = LIMIT_ROW, -1
        groups[g, PRESENT_ROWS] += 1
