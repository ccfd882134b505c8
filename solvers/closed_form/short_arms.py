"""Whole poses of arms with one to five joints: exact where the pose can be reached, else the nearest."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import chain_numbers, is_one_of, kinds, with_joint
from .family import Family, Fit
from .point_targets import TRANSLATION_3D

#: Where the points of the tip are that up to three joints are to move, in sizes of the arm from its tip, in the base
#: with all joints at zero: two of them, for one may happen to be on an axis. Nothing else hangs on the numbers.
_POINTS = np.array([[0.31, -0.22, 0.43], [-0.27, 0.38, 0.19]])
#: The same along the axis of the fourth joint.
_ALONG = (0.37, -0.41)
#: The direction of a line of the tip, in the same way.
_LINE = np.array([0.48, 0.60, 0.64])
#: The slides that stand for joints that are missing.
_SLIDES = np.array([[0.36, 0.48, 0.80], [0.64, -0.60, 0.48]])


def _fit(letters: str, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry)
    if wrong is not None:
        return wrong
    if np.linalg.matrix_rank(geometry.jacobian(np.linspace(0.3, 1.7, len(geometry))), tol=1e-7) < len(geometry):
        return "its joints can move without moving the tip"
    if len(geometry) <= 3:
        return _packed(geometry, False, [_padded(geometry, point) for point in _POINTS], _POINTS, "a point of the tip")
    for turned_round in (False, True):
        fit = _fit_points(geometry.reversed() if turned_round else geometry, turned_round)
        if fit is not None:
            return fit
    if letters == "RRRRR":
        return _fit_any_five(geometry)
    return "no three of its joints at one end move a point that the others leave in place"


def _fit_any_five(geometry: ChainGeometry) -> Fit | str:
    # The elimination may fail where neighbours are parallel or meet; the loop does not, and takes longer.
    if not any(geometry.are_parallel(k, k + 1, 1e-3) or geometry.intersect(k, k + 1, 1e-3) for k in range(4)):
        return _packed(geometry, False, [], np.zeros((0, 3)), "axis 5")
    fit = _packed(geometry, False, [], np.zeros((0, 3)), "any line of the tip, in a loop of six joints")
    if isinstance(fit, str):
        return fit
    numbers = np.concatenate([fit.numbers, _LINE, _POINTS[0]])
    numbers[2] = -1.0
    return Fit(numbers, fit.why)


def _fit_points(arm: ChainGeometry, turned_round: bool) -> Fit | None:
    # Joints behind the third that do not move a point: one turning joint and points of its axis, or two that meet.
    tip = arm.origins[-1] + arm.offsets[-1]
    if arm.slides[3:].any():
        return None
    if len(arm) == 4:
        points = [arm.origins[3] + share * arm.size * arm.axes[3] for share in _ALONG]
        what = "points of axis 4"
    elif not arm.are_parallel(3, 4, 1e-6) and arm.meet((3, 4)):
        points, what = [arm.meeting_point((3, 4))], "the point where the axes 4 and 5 meet"
    else:
        return None
    chains = [
        ChainGeometry.made(arm.axes[:3], np.vstack([arm.offsets[:3], point - arm.origins[2]]), None, arm.slides[:3])
        for point in points
    ]
    if any(_moves_in_space(chain) is not None for chain in chains):
        return None
    fit = _packed(arm, turned_round, chains, (np.array(points) - tip) / arm.size, what)
    return None if isinstance(fit, str) else fit


def _padded(geometry: ChainGeometry, point: Array) -> ChainGeometry:
    offsets = np.array(geometry.offsets)
    offsets[-1] += point * geometry.size
    arm = ChainGeometry.made(geometry.axes, offsets, None, geometry.slides)
    for slide in _SLIDES[: 3 - len(geometry)]:
        arm = with_joint(arm, len(arm), slide, slides=True)
    return arm


def _moves_in_space(chain: ChainGeometry) -> str | None:
    fit = next(each for each in TRANSLATION_3D if each.joints == kinds(chain)).fit(chain, None)
    return fit if isinstance(fit, str) else None


def _packed(arm: ChainGeometry, turned_round: bool, chains: list[ChainGeometry], points: Array, what: str) -> Fit | str:
    for chain in chains:
        wrong = _moves_in_space(chain)
        if wrong is not None:
            return wrong
    parts: list[Array] = [
        np.array([1.0 if turned_round else 0.0, len(arm), len(chains)]),
        arm.tip_rotation.ravel(),
        chain_numbers(arm),
    ]
    for chain, point in zip(chains, points, strict=True):
        parts += [point * arm.size, chain_numbers(chain)]
    end = ", counted from the tip" if turned_round else ""
    return Fit(np.concatenate(parts), f"{len(arm)} joints; a pose gives the place of {what}{end}")


def _kernel() -> Any:
    from .kernels.short_arms import short_arms

    return short_arms


def _family(letters: str) -> Family:
    return Family(
        name=f"short arm {letters}",
        joints=letters,
        target="transform_6d",
        most=16,
        fit=partial(_fit, letters),
        kernel=_kernel,
    )


#: Up to four joints of any kinds, and five with at least two turning ones at an end.
SHORT_ARMS = tuple(_family("".join(letters)) for count in range(1, 6) for letters in product("RP", repeat=count))
