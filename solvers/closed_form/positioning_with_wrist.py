"""Full poses of arms with a spherical wrist behind, or before, any three joints that turn or slide.

Gantries (PPP), cylindrical arms (RPP, PRP), the Stanford arm (RRP), and all the others.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import chain_numbers, is_one_of
from .family import Family, Fit
from .point_targets import TRANSLATION_3D

#: How far the wrist's axes may miss one point, in sizes of the arm: what is found then is near enough to be polished.
_NEARLY = 2e-3


def _fit(letters: str, turned_round: bool, geometry: ChainGeometry, direction: Array | None) -> Fit | str:
    wrong = is_one_of(letters, geometry)
    if wrong is not None:
        return wrong
    arm = geometry.reversed() if turned_round else geometry
    names = "1, 2 and 3" if turned_round else "4, 5 and 6"
    if arm.are_parallel(3, 4, 1e-6) or arm.are_parallel(4, 5, 1e-6):
        return f"of the axes {names} two are parallel"
    if not arm.meet((3, 4, 5), _NEARLY):
        return f"axes {names} do not meet in one point"
    exact = arm.meet((3, 4, 5))
    centre = arm.meeting_point((3, 4, 5))
    tip = arm.origins[5] + arm.offsets[6]
    first = ChainGeometry.made(
        arm.axes[:3], np.vstack([arm.offsets[:3], centre - arm.origins[2]]), None, arm.slides[:3]
    )
    moves = next(each for each in TRANSLATION_3D if is_one_of(each.joints, first) is None).fit(first, None)
    if isinstance(moves, str):
        return f"the three joints beside the wrist do not move it in all directions of space: {moves}"
    numbers = np.concatenate(
        [
            [1.0 if turned_round else 0.0],
            arm.tip_rotation.ravel(),
            tip - centre,
            arm.axes[3:].ravel(),
            chain_numbers(first),
        ]
    )
    why = f"axes {names} {'' if exact else 'nearly '}meet in one point, which three joints move"
    return Fit(numbers, why)


def _kernel() -> Any:
    from .kernels.positioning_with_wrist import positioning_with_wrist

    return positioning_with_wrist


def _family(letters: str, turned_round: bool) -> Family:
    return Family(
        name=f"{letters[::-1] if turned_round else letters} {'behind' if turned_round else 'with'} a spherical wrist",
        joints="RRR" + letters[::-1] if turned_round else letters + "RRR",
        target="transform_6d",
        most=16,
        fit=partial(_fit, "RRR" + letters[::-1] if turned_round else letters + "RRR", turned_round),
        kernel=_kernel,
        paper="D. Pieper, The Kinematics of Manipulators under Computer Control, Stanford 1968",
    )


_THREE = tuple(a + b + c for a in "RP" for b in "RP" for c in "RP")

#: The wrist at the tip; the first of them, RRR, has no slide.
WRIST_AT_TIP = tuple(_family(letters, False) for letters in _THREE)
#: The wrist at the base.
WRIST_AT_BASE = tuple(_family(letters, True) for letters in _THREE)
