"""Brings solutions that are nearly right to full precision: `refined` one, `best_of` all of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kinematics import State
from ...kinematics.transforms import Array
from ..tasks.error_method import ErrorMethod
from .families import representatives
from .placement import Placement
from .raw_solutions import RawSolutions

#: What is further off than this (m or rad) is no solution with rounding errors, and is left as it is.
FARTHEST = 1e-2
#: Where two solutions lie close together, a step at first only halves the distance.
_STEPS = 15
#: What is nearer than this (m or rad) cannot be told from exact.
_PRECISE = 1e-12
#: Singular values below this part of the largest are left out: at a singular pose a step would lead far away.
_CUTOFF = 1e-6
#: Solutions whose values are all this close to one another are one.
_SAME = 1e-9


class Refined(NamedTuple):
    """A solution and how far it is away.

    Attributes:
        values: (n,) of the joints.
        position: Distance (m).
        orientation: Angle (rad).
    """

    values: Array
    position: float
    orientation: float


def refined(
    values: Array, task: ErrorMethod, state: State, columns: NDArray[np.intp], places: NDArray[np.intp]
) -> Refined:
    """A few Newton steps on the skeleton, each kept only if it comes nearer.

    Generated code computes in rounded constants, sometimes in float: its solutions miss by up to 1e-5.

    Args:
        values: (n,) values of the joints.
        task: An aimed task, which says how far a state is away.
        state: A snapshot whose columns are the joints; it is moved.
        columns: Which of the joints may be moved.
        places: (n,) places of the joints in the configuration.
    """
    q = state.q.copy()
    best = values
    q[places] = best
    state.set(q)
    error, jacobian, away, turned = task.measure(state)
    for _ in range(_STEPS):
        if not _PRECISE < max(away, turned) <= FARTHEST:
            break
        trial = best.copy()
        trial[columns] -= np.linalg.lstsq(jacobian[:, columns], error, rcond=_CUTOFF)[0]
        q[places] = trial
        state.set(q)
        measured = task.measure(state)
        if not max(measured[2:]) < 0.5 * max(away, turned):
            break
        best = trial
        error, jacobian, away, turned = measured
    return Refined(best, away, turned)


def best_of(
    answers: RawSolutions, place: Placement, task: ErrorMethod, state: State, near: Array
) -> tuple[Array, Array]:
    """Solutions at full precision, each once, angles inside limits and near a seed where whole turns allow it.

    Args:
        answers: What a function with IKFast's interface gave; values that are not finite are left out.
        place: The function's.
        task: Aimed; says how far a state is away.
        state: A snapshot whose columns are the function's joints; it is moved.
        near: (n,) the seed, of all joints of the function.

    Returns:
        (k, n) values and (k, 3) distance (m), angle (rad) and whether it stands for a family of solutions.
    """
    joints = place.joints
    rows, measured = np.empty((len(answers), len(joints))), np.empty((len(answers), 3))
    count = 0
    for given, is_family in zip(representatives(answers, joints, near), answers.is_family, strict=True):
        if not np.isfinite(given).all():
            continue
        found = refined(given, task, state, place.solved, joints.indices)
        values = joints.nearest(found.values, near)
        if count and np.abs(rows[:count] - values).max(axis=1).min() <= _SAME:
            continue
        rows[count] = values
        measured[count] = found.position, found.orientation, is_family
        count += 1
    return rows[:count], measured[:count]
