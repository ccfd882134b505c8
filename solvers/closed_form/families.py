"""All families of arms, from the simplest to the most general."""

from __future__ import annotations

import functools

from .family import Family


@functools.cache
def families(target: str) -> tuple[Family, ...]:
    """The families for a kind of goal, in the order in which they are to be tried."""
    return tuple(family for family in _all() if family.target == target)


@functools.cache
def _all() -> tuple[Family, ...]:
    # Here, so that a module that no arm asks for is not loaded at start-up.
    from . import (
        directed_lines,
        directed_points,
        direction_targets,
        general_6r,
        locked_joint,
        panda_like,
        parallel_axes,
        planar_arms,
        point_and_angle,
        point_targets,
        positioning_with_wrist,
        short_arms,
        spherical_shoulder_wrist,
        spherical_wrist,
    )

    return (
        spherical_wrist.SPHERICAL_WRIST,
        parallel_axes.THREE_PARALLEL,
        spherical_wrist.SPHERICAL_WRIST_AT_BASE,
        parallel_axes.THREE_PARALLEL_MIRRORED,
        parallel_axes.FIRST_THREE_PARALLEL,
        parallel_axes.LAST_THREE_PARALLEL,
        *positioning_with_wrist.WRIST_AT_TIP,
        *positioning_with_wrist.WRIST_AT_BASE,
        general_6r.GENERAL_6R,
        spherical_shoulder_wrist.SPHERICAL_SHOULDER_WRIST,
        panda_like.PANDA_LIKE,
        *locked_joint.LOCKED_JOINT,
        planar_arms.TRANSFORM_6D,
        *short_arms.SHORT_ARMS,
        *point_targets.TRANSLATION_3D,
        *point_targets.TRANSLATION_LOCAL_GLOBAL_6D,
        *point_targets.LOOKAT_3D,
        *point_targets.TRANSLATION_XY_2D,
        *planar_arms.TRANSLATION_XY_ORIENTATION_3D,
        *planar_arms.AXIS_ANGLE_4D,
        *point_and_angle.LAST_JOINT_TURNS_TOOL,
        *point_and_angle.PARALLEL_AXES,
        direction_targets.ROTATION_3D,
        direction_targets.DIRECTION_3D,
        *directed_points.TWO_AXIS_WRIST,
        directed_points.PARALLEL_AXES,
        directed_lines.TRANSLATION_DIRECTION_5D,
        directed_lines.RAY_4D,
    )
