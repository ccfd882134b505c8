"""Whether a target fixes more coordinates than the joints can set, and what fixes less."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from ..kinematics import Frame, KinetreeError, State
from ..kinematics.transforms import Array
from . import defaults
from .active_dofs import ActiveDofs
from .targets.direction_3d import Direction3D
from .targets.ik_target import IkTarget
from .targets.ray_4d import Ray4D
from .targets.rotation_3d import Rotation3D
from .targets.transform_6d import Transform6D
from .targets.translation_3d import Translation3D
from .targets.translation_axis_angle_4d import TranslationZAxisAngle4D
from .targets.translation_direction_5d import TranslationDirection5D
from .targets.translation_xy_2d import TranslationXY2D
from .targets.translation_xy_orientation_3d import TranslationXYOrientation3D
from .tasks.error_method import ErrorMethod
from .tasks.task_space_region import TaskSpaceRegion

Kind: TypeAlias = type[IkTarget]

#: Bounds (m or rad) that are nearer together than this fix a coordinate.
_NARROW = 1e-3
#: At so many random configurations the motion is looked at; at one alone the arm might be singular.
_LOOKS = 3
#: Singular values of a Jacobian below this part of the largest one are zero.
_SINGULAR = 1e-6
#: Kinds that fix at most so many coordinates are plain; of the others one alone is named.
_PLAIN = 3
#: How many kinds of targets are named.
_NAMED = 2

#: What is left of a pose: the more coordinates a kind fixes the earlier, the plainer ones first.
_OF_A_POSE: tuple[Kind, ...] = (
    TranslationDirection5D,
    TranslationZAxisAngle4D,
    Ray4D,
    Translation3D,
    TranslationXYOrientation3D,
    Rotation3D,
    TranslationXY2D,
    Direction3D,
)
#: What is left of the others.
_LESS: dict[Kind, tuple[Kind, ...]] = {
    Transform6D: _OF_A_POSE,
    TranslationDirection5D: (TranslationZAxisAngle4D, Ray4D, Translation3D, TranslationXY2D, Direction3D),
    Ray4D: (Direction3D,),
    Rotation3D: (Direction3D,),
    Translation3D: (TranslationXY2D,),
    TranslationXYOrientation3D: (TranslationXY2D,),
}
#: What each fixes, in words.
_WORDS: dict[Kind, str] = {
    TranslationDirection5D: "a point and the direction of the tool",
    TranslationZAxisAngle4D: "a point, and the angle between the tool and the vertical",
    Ray4D: "the line that the tool is on",
    Translation3D: "a point, with any rotation",
    TranslationXYOrientation3D: "x, y and one angle",
    Rotation3D: "a rotation alone",
    TranslationXY2D: "x and y",
    Direction3D: "the direction of the tool",
}


def too_few_joints(active: ActiveDofs, method: ErrorMethod, seed: Array) -> str:
    """Says so when the joints set fewer coordinates than an aimed task fixes, and what fixes less; otherwise empty.

    Such an arm reaches few of these targets, however long it is tried. What counts is how many independent ways the
    joints move the frame in, so that the joints of a gripper, or seven parallel axes, do not pass for more than they
    are.

    Args:
        active: What may move.
        method: The task. Those of a user's own class are not judged.
        seed: Configuration (n,): where the other joints are.
    """
    asked = fixed_coordinates(method)
    joints = len(active)
    if not asked or not joints:
        return ""
    rng = np.random.default_rng(defaults.RANDOM_SEED)
    states = [active.skeleton.state(active.random(rng, seed), active.indices) for _ in range(_LOOKS)]
    free = _freedom(method, states)
    if free >= asked:
        return ""
    if joints < asked:
        count = "1 joint reaches" if joints == 1 else f"{joints} joints reach"
        text = f"{count} few of the targets that fix {asked} coordinates"
    else:
        text = f"the joints set {free} of the {asked} coordinates that the target fixes"
    kinds = _that_fit(method, free, states)
    return f"{text}; fix less" + (f", with {' or '.join(kinds)}" if kinds else "")


def fixed_coordinates(method: ErrorMethod) -> int:
    """How many coordinates of the frame a task fixes, 0 to 6; 0 when that is not known."""
    if isinstance(method, IkTarget):
        return method.ik_type.degrees_of_freedom
    if isinstance(method, TaskSpaceRegion):
        lower, upper = method.bounds
        return int(((upper - lower < _NARROW) & (method.weights > 0.0)).sum())
    return 0


def _freedom(method: ErrorMethod, states: list[State]) -> int:
    """In how many independent ways the joints change the error."""
    most = 0
    for state in states:
        sizes = np.linalg.svd(method.measure(state)[1], compute_uv=False)
        most = max(most, int((sizes > _SINGULAR * max(1.0, sizes[0])).sum()))
    return most


def _that_fit(method: ErrorMethod, free: int, states: list[State]) -> list[str]:
    """The kinds of targets that ask for less, and that the joints reach in general."""
    if isinstance(method, IkTarget):
        kinds = _LESS.get(type(method), ())
    elif isinstance(method, TaskSpaceRegion):
        kinds = (TranslationXY2D,) if method.ignores_rotation else _OF_A_POSE
    else:
        return []
    frame = method.module.frame
    fitting: list[str] = []
    for kind in kinds:
        count = kind.ik_type.degrees_of_freedom
        is_wanted = len(fitting) < _NAMED and (count <= _PLAIN or not fitting)
        if count <= free and is_wanted and _is_reached(kind, count, method, frame, states):
            fitting.append(f"{kind.__name__} ({_WORDS[kind]})")
    return fitting


def _is_reached(kind: Kind, count: int, method: ErrorMethod, frame: Frame, states: list[State]) -> bool:
    """Whether the joints set all coordinates of a kind of target."""
    try:
        task = kind.from_pose(states[0].transform(frame))
        task.bind(method.module)
        return _freedom(task.aimed_at(), states) == count
    except KinetreeError:  # a pose that fulfils no target of the kind
        return False
