"""Which class of targets belongs to which type of IKFast, and to which name."""

from __future__ import annotations

import difflib

from ...kinematics import UnknownNameError
from .direction_3d import Direction3D
from .ik_target import IkTarget
from .ik_type import IkType
from .lookat_3d import Lookat3D
from .ray_4d import Ray4D
from .rotation_3d import Rotation3D
from .transform_6d import Transform6D
from .translation_3d import Translation3D
from .translation_axis_angle_4d import TranslationXAxisAngle4D, TranslationYAxisAngle4D, TranslationZAxisAngle4D
from .translation_axis_angle_norm_4d import (
    TranslationXAxisAngleZNorm4D,
    TranslationYAxisAngleXNorm4D,
    TranslationZAxisAngleYNorm4D,
)
from .translation_direction_5d import TranslationDirection5D
from .translation_local_global_6d import TranslationLocalGlobal6D
from .translation_xy_2d import TranslationXY2D
from .translation_xy_orientation_3d import TranslationXYOrientation3D

#: The class of the targets of each type that is known.
TARGET_CLASSES: dict[IkType, type[IkTarget]] = {
    each.ik_type: each
    for each in (
        Transform6D,
        Rotation3D,
        Translation3D,
        Direction3D,
        Ray4D,
        Lookat3D,
        TranslationDirection5D,
        TranslationXY2D,
        TranslationXYOrientation3D,
        TranslationLocalGlobal6D,
        TranslationXAxisAngle4D,
        TranslationYAxisAngle4D,
        TranslationZAxisAngle4D,
        TranslationXAxisAngleZNorm4D,
        TranslationYAxisAngleXNorm4D,
        TranslationZAxisAngleYNorm4D,
    )
}


def target_class(name: str) -> type[IkTarget]:
    """The class of a name, however it is written: ``"Ray4D"``, ``"ray4d"``, ``"ray_4d"``, ``"RAY_4D"``.

    Raises:
        UnknownNameError: No such type; the message lists them all.
    """
    plain = {_plain(each.__name__): each for each in TARGET_CLASSES.values()}
    found = plain.get(_plain(name))
    if found is None:
        near = difflib.get_close_matches(_plain(name), plain, n=1)
        hint = f"did you mean {plain[near[0]].__name__!r}? " if near else ""
        names = ", ".join(each.__name__ for each in plain.values())
        raise UnknownNameError(f"there is no type of target {name!r}; {hint}there are {names}")
    return found


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
