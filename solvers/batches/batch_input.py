"""Targets and seeds of a batch, as arrays; what is wrong with single ones is noted, not raised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...kinematics import InvalidValueError, KinetreeError, ShapeError, Skeleton
from ...kinematics.transforms import Array
from ..far_targets import FURTHEST
from ..goals import as_goal, coordinates_of
from ..tasks.center_of_mass_task import CenterOfMassTask
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion

#: Rotation matrices closer to being one than this are taken as they are.
_EXACT = 1e-12


class BatchInput(NamedTuple):
    """What a batch works on.

    Attributes:
        goals: (m, 4, 4); nan in rows that are no pose, but for arrays that were taken as they are.
        seeds: (m, n), or (1, n) for all.
        wrong: What is wrong with which row, as far as it was looked at.
    """

    goals: Array
    seeds: Array
    wrong: dict[int, str]


def batch_input(
    skeleton: Skeleton, method: ErrorMethod, targets: Any, seeds: Any, takes_as_is: bool = False
) -> BatchInput:
    """Reads targets and seeds.

    Args:
        skeleton: The robot.
        method: What the targets are for.
        targets: Poses as an array (m, 4, 4) or (m, 7) or as a sequence of any forms of a pose; positions (m, 3) where
            the rotation is free, points (m, 2) or (m, 3) for a centre of mass.
        seeds: Configurations (m, n), or one of any form for all; the present positions when None.
        takes_as_is: Whether whoever asks looks at matrices itself, so that an array (m, 4, 4) of float64 need not be
            gone through here.

    Raises:
        ShapeError: Arrays of other shapes.
        InvalidValueError: Targets that are no sequence.
    """
    if takes_as_is and isinstance(method, TaskSpaceRegion) and _is_array_of_matrices(targets):
        wrong: dict[int, str] = {}
        goals = np.ascontiguousarray(targets)
    else:
        goals, wrong = _goals(method, targets)
    goals = _without_far_ones(goals, wrong)
    return BatchInput(goals, _seeds(skeleton, seeds, len(goals), wrong), wrong)


def _without_far_ones(goals: Array, wrong: dict[int, str]) -> Array:
    """The goals with nan for those that are further away than distances go."""
    far: Any = (np.abs(goals) > FURTHEST).any(axis=(1, 2)) & np.isfinite(goals).all(axis=(1, 2))
    if not far.any():
        return goals
    for row in np.flatnonzero(far).tolist():
        wrong.setdefault(row, f"target {row} is further away than the {FURTHEST:g} m that distances go to")
    result: Array = np.where(far[:, None, None], np.nan, goals)
    return result


def _is_array_of_matrices(targets: Any) -> bool:
    return type(targets) is np.ndarray and targets.dtype == np.float64 and targets.shape[1:] == (4, 4)


def _goals(method: ErrorMethod, targets: Any) -> tuple[Array, dict[int, str]]:
    if isinstance(targets, Mapping | set | frozenset | str | bytes | np.ma.MaskedArray):
        raise InvalidValueError(f"targets must be a sequence of poses, not {type(targets).__name__}")
    array = targets if isinstance(targets, np.ndarray) and targets.dtype != object else None
    if array is not None and array.dtype.kind not in "fiu":
        raise InvalidValueError(f"targets must be numbers, not an array of {array.dtype}")
    if array is not None:
        _check_shape(array, method)
    try:
        count = len(targets)
    except TypeError:
        raise InvalidValueError(f"targets must be a sequence of poses, not {targets!r}") from None
    goals = np.full((count, 4, 4), np.nan)
    rows: Any = range(count)
    if array is not None and array.shape[1:] == (4, 4) and isinstance(method, TaskSpaceRegion):
        exact = _are_exact(array)
        goals[exact] = array[exact]
        rows = np.flatnonzero(~exact)
    wrong: dict[int, str] = {}
    for row in rows:
        try:
            goals[row] = as_goal(method, targets[row], f"target {row}")
        except KinetreeError as error:
            wrong[int(row)] = str(error)
    return goals, wrong


def _check_shape(array: Array, method: ErrorMethod) -> None:
    coordinates = coordinates_of(method)
    shapes = [(coordinates,)] if isinstance(method, CenterOfMassTask) else [(4, 4), (7,)]
    if coordinates and (coordinates,) not in shapes:
        shapes.append((coordinates,))
    if array.shape[1:] not in shapes:
        forms = ", ".join(f"(m, {', '.join(map(str, shape))})" for shape in shapes)
        raise ShapeError(f"targets have shape {array.shape}; give {forms} or a sequence")


def _are_exact(poses: Array) -> Any:
    """Which of (m, 4, 4) are rigid transforms to the last digits."""
    with np.errstate(invalid="ignore", over="ignore"):
        x, y, z = poses[:, 0, :3], poses[:, 1, :3], poses[:, 2, :3]
        # Written out: products of many small matrices take ten times as long.
        pairs = ((x, x, 1.0), (y, y, 1.0), (z, z, 1.0), (x, y, 0.0), (x, z, 0.0), (y, z, 0.0))
        exact = (poses[:, 3] == (0.0, 0.0, 0.0, 1.0)).all(axis=1) & np.isfinite(poses[:, :3, 3]).all(axis=1)
        for a, b, wanted in pairs:
            exact &= np.abs(np.einsum("ij,ij->i", a, b) - wanted) <= _EXACT
        return exact & (np.einsum("ij,ij->i", np.cross(x, y), z) > 0.5)


def _seeds(skeleton: Skeleton, seeds: Any, count: int, wrong: dict[int, str]) -> Array:
    if seeds is None or isinstance(seeds, Mapping):
        return skeleton.as_configuration(seeds, name="seeds")[None]
    try:
        given = np.asarray(seeds)
        if given.dtype.kind not in "fiu" or isinstance(seeds, np.ma.MaskedArray):
            raise TypeError
        array = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise InvalidValueError(f"seeds must be configurations (m, n) or (n,), not {seeds!r}") from None
    if array.ndim == 1:
        return skeleton.as_configuration(array, name="seeds")[None]
    if array.shape != (count, skeleton.num_dofs):
        raise ShapeError(
            f"seeds have shape {array.shape}; for {count} targets and the {skeleton.num_dofs} degrees of freedom of "
            f"{skeleton.name!r} give ({count}, {skeleton.num_dofs}), or ({skeleton.num_dofs},) for all"
        )
    for row in np.flatnonzero(~np.isfinite(array).all(axis=1)):
        wrong.setdefault(int(row), f"seed {row} is not finite: {array[row]}")
    return array
