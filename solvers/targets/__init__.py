"""Targets that ask for less than a pose, or for one: a class for each of the 16 types of IKFast."""

from .direction_3d import Direction3D
from .ik_target import IkTarget
from .ik_type import IkType
from .lookat_3d import Lookat3D
from .ray_4d import Ray4D
from .rotation_3d import Rotation3D
from .target_classes import TARGET_CLASSES, target_class
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

__all__ = [
    "TARGET_CLASSES",
    "Direction3D",
    "IkTarget",
    "IkType",
    "Lookat3D",
    "Ray4D",
    "Rotation3D",
    "Transform6D",
    "Translation3D",
    "TranslationDirection5D",
    "TranslationLocalGlobal6D",
    "TranslationXAxisAngle4D",
    "TranslationXAxisAngleZNorm4D",
    "TranslationXY2D",
    "TranslationXYOrientation3D",
    "TranslationYAxisAngle4D",
    "TranslationYAxisAngleXNorm4D",
    "TranslationZAxisAngle4D",
    "TranslationZAxisAngleYNorm4D",
    "target_class",
]
