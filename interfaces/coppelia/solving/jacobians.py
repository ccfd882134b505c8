"""Jacobian and error of a group, and of a chain that belongs to no group."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ....kinematics.errors import InvalidValueError
from ....kinematics.transforms import Array, PoseLike, as_pose
from ..joint import Joint
from ..setting import whole
from .chain_element import ChainElement, ChainGroup, Mark
from .entry_points import handle_entry
from .flat_groups import FlatGroups
from .kernels import layout
from .plans import flat_groups

if TYPE_CHECKING:
    from ..environment import Environment
    from ..ik_group import IkGroup
    from ..scene_object import SceneObject

#: x, y, z, alpha and beta, gamma.
_ALL_CONSTRAINTS = 31


class JacobianAndError(NamedTuple):
    """What moves how, and what is missing.

    Attributes:
        jacobian: (m, n). Rows in the order x, y, z, alpha, beta, gamma of what is constrained, element by element: the
            velocity of the tip seen from the constraints base in its axes, then its angular velocity seen from the
            base in the axes of the tip. Columns from the base to the tip.
        error: (m,) target minus tip (m), and the rotation vector from tip to target in the axes of the tip (rad).
    """

    jacobian: Array
    error: Array


def compute_group_jacobian(group: IkGroup) -> JacobianAndError:
    """Jacobian and error of a group as it is now, without the weights of elements and joints.

    Rows that keep away from joint limits come last, when the group avoids limits.

    Raises:
        InvalidValueError: No element of the group counts.
    """
    flat = flat_groups(group.environment, [group])
    if flat.is_empty:
        raise InvalidValueError(
            f"group {group.name!r} has no enabled element whose tip hangs on its base by a joint that may move"
        )
    return _look(flat)


def compute_jacobian(
    environment: Environment,
    base: SceneObject | None,
    last_joint: Joint,
    constraints: int,
    tip_pose: PoseLike,
    target_pose: PoseLike | None = None,
    constraints_base_pose: PoseLike | None = None,
) -> JacobianAndError:
    """Jacobian and error of a chain; no object is made for it.

    Args:
        environment: Of the objects.
        base: Where the chain begins; None for the world.
        last_joint: Its last joint, which the tip moves with.
        constraints: What there are rows for: bits 1, 2, 4 for x, y, z, 8 for alpha and beta, 16 for gamma.
        tip_pose: Of the tip in the world.
        target_pose: Of the target in the world; that of the tip when None.
        constraints_base_pose: Frame in the world that positions are seen from; that of the base when None.

    Raises:
        StructureError: An object is of another environment.
        InvalidValueError: No constraint, a last joint that does not hang on the base, or a chain without a joint that
            may move.
        InvalidPoseError: A pose is none.
    """
    if base is not None:
        environment._check_owned(base, "base")
    environment._check_owned(last_joint, "last_joint")
    if not isinstance(last_joint, Joint):
        raise InvalidValueError(f"last_joint must be a joint, not {last_joint}")
    bits = whole(1, _ALL_CONSTRAINTS)("constraints (bits)", constraints)
    tip_matrix = as_pose(tip_pose, "tip_pose").homogeneous
    target = Mark(None, tip_matrix if target_pose is None else as_pose(target_pose, "target_pose").homogeneous)
    tip = Mark(last_joint, np.linalg.inv(last_joint.full_pose().homogeneous) @ tip_matrix, target)
    view = None
    if constraints_base_pose is not None:
        view = Mark(None, as_pose(constraints_base_pose, "constraints_base_pose").homogeneous)
    group = ChainGroup((ChainElement(tip, base, view, bits),))
    flat = FlatGroups(environment, cast("list[IkGroup]", [group]))
    if flat.is_empty:
        start = "the world" if base is None else repr(base.name)
        raise InvalidValueError(
            f"there is no joint that may move from {start} to joint {last_joint.name!r}: it does not hang there, or "
            "all joints on the way are passive"
        )
    return _look(flat)


def group_joints(group: IkGroup) -> list[Joint]:
    """The joints that the columns of a group belong to, spherical ones once; empty when no element counts."""
    flat = flat_groups(group.environment, [group])
    return list(dict.fromkeys(column.joint for column in flat.columns))


def _look(flat: FlatGroups) -> JacobianAndError:
    flat.gather()
    handle_entry()(flat.address, layout.LOOK, 1)
    where = flat.group_rows(0)
    return JacobianAndError(np.array(flat.arrays[layout.JACOBIAN][where]), np.array(flat.arrays[layout.ERROR][where]))
