"""`Redundancy`: the one number that a pose leaves free in an arm of seven joints, and where it may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...kinematics import InvalidValueError, as_pose
from ...kinematics.transforms import Array, PoseLike
from .chain_geometry import ChainGeometry, turn
from .kernels import redundancy_layout as at
from .panda_like import fit as fit_panda_like
from .redundancy_intervals import Curves, inside
from .spherical_shoulder_wrist import fit as fit_spherical_shoulder_wrist

_BRANCHES = 8


@dataclass(frozen=True, eq=False)
class Redundancy:
    """The one number that a pose leaves free, for an arm whose branches are known as functions of it.

    Attributes:
        name: What it is, for people: "swivel angle", or "joint 7".
        why: What makes the arm one that is solved so.
        numbers: What the kernels need to know about the arm.
        joint: The joint (from 0) that it is; None for a swivel angle.
        lower: Its limits (rad).
        upper: Its limits (rad).
    """

    name: str
    why: str
    numbers: Array
    joint: int | None
    lower: float
    upper: float
    _kernels: Callable[[], tuple[Any, Any]]

    @staticmethod
    def of(geometry: ChainGeometry) -> Redundancy | str:
        """The redundancy of an arm, or why none is known in closed form.

        With a spherical shoulder and a spherical wrist it is the swivel angle: that of the elbow's axis about the line
        from the shoulder to the wrist, zero where this axis is level, across the first axis of the arm. Else it is the
        joint at the end of the arm that is not spherical.
        """
        found = fit_spherical_shoulder_wrist(geometry)
        if not isinstance(found, str):
            return Redundancy("swivel angle", found.why, found.numbers, None, -np.pi, np.pi, _swivel_kernels)
        other = fit_panda_like(geometry)
        if isinstance(other, str):
            return f"{found}; {other}"
        joint = at.JOINTS - 1 if other.numbers[at.REVERSED] else 0
        low, high = float(geometry.lower[joint]), float(geometry.upper[joint])
        if not high - low < 2.0 * np.pi:
            low, high = -np.pi, np.pi
        return Redundancy(f"joint {joint + 1}", other.why, other.numbers, joint, low, high, _joint_kernels)

    def value_of(self, q: ArrayLike) -> float:
        """The redundancy (rad) at a configuration (7,); a swivel angle is in (-pi, pi].

        Raises:
            InvalidValueError: Not seven finite numbers.
        """
        given = np.asarray(q, dtype=float)
        if given.shape != (at.JOINTS,) or not np.isfinite(given).all():
            raise InvalidValueError(f"a configuration of {at.JOINTS} finite numbers is needed, not {q!r}")
        return swivel_angle(self.numbers, given) if self.joint is None else float(given[self.joint])

    def branches_at(self, pose: PoseLike, value: float) -> tuple[Array, NDArray[np.int64]]:
        """All branches (k, 7) at a value (rad) of the redundancy, and what there is to say of each (k,), in flags.

        Angles are in [-pi, pi); limits are not looked at. Where nothing reaches the pose, the nearest configurations
        are given by an arm with a swivel angle, flagged OUT_OF_REACH, and none by others.

        Raises:
            InvalidPoseError: The pose is none.
            InvalidValueError: The value is not finite.
        """
        if not np.isfinite(value):
            raise InvalidValueError(f"a value of the {self.name} must be finite, not {value!r}")
        q, flags = np.zeros((_BRANCHES, at.JOINTS)), np.zeros(_BRANCHES, dtype=np.int64)
        count = self._kernels()[1](self.numbers, goal_of(pose), float(value), q, flags)
        return q[:count], flags[:count]

    def curves(self, pose: PoseLike) -> Curves:
        """The branches for a pose as functions of the redundancy, for those who ask for many values.

        Raises:
            InvalidPoseError: The pose is none.
        """
        return Curves(self._kernels()[0], self.numbers, goal_of(pose))

    def intervals(self, pose: PoseLike) -> Array:
        """Where all joints are inside their limits: rows (branch, low, high), in order, in rad.

        Branches are numbered 0 to 7: bit 0 tells the two elbow angles apart, bit 1 those of the shoulder, bit 2 those
        of the wrist. Within an interval the configuration of a branch is a continuous function of the redundancy. The
        interval of a joint without limits, or of the swivel angle, is cut at -pi and pi. Ends are known to 1e-9.

        Raises:
            InvalidPoseError: The pose is none.
        """
        curves = self.curves(pose)
        return inside(curves, self.lower, self.upper)

    def configuration(self, pose: PoseLike, branch: int, values: ArrayLike) -> Array:
        """The configurations (m, 7) of one branch at values (m,) of the redundancy, nan where there is none.

        Angles are inside the limits where an equivalent is.

        Raises:
            InvalidPoseError: The pose is none.
            InvalidValueError: The branch is none of 0 to 7, or a value is not finite.
        """
        given = np.atleast_1d(np.asarray(values, dtype=float))
        if branch not in range(_BRANCHES) or given.ndim != 1 or not np.isfinite(given).all():
            raise InvalidValueError(f"branch {branch!r} must be one of 0 to 7, and values finite numbers")
        curves = self.curves(pose)
        q, _, margin = curves.at(given)[branch]
        q = np.where(margin < -1e-9, np.nan, q).T
        return q[:, ::-1] if self.numbers[at.REVERSED] else q


def swivel_angle(numbers: Array, q: Array) -> float:
    """The swivel angle (rad) of an arm with a spherical shoulder and wrist at a configuration (7,)."""
    first, last, middle = (numbers[at.SHOULDER + k : at.SHOULDER + k + 3] for k in (at.ROWS, at.COLUMNS, at.MIDDLE))
    elbow = [numbers[at.ELBOW + k : at.ELBOW + k + 3] for k in range(at.ELBOW_AXIS, at.ELBOW_MEAN, 3)]
    axis, upper, along, part, normal = elbow
    turned = turn(first, q[0]) @ turn(middle, q[1]) @ turn(last, q[2])
    to_wrist = upper + along + np.cos(q[3]) * part + np.sin(q[3]) * normal
    direction = to_wrist / np.linalg.norm(to_wrist)
    hinge = turned @ (axis - direction * direction.dot(axis))
    line = turned @ direction
    level = np.cross(first, line)
    return float(np.arctan2(hinge.dot(np.cross(line, level)), hinge.dot(level)))


def goal_of(pose: PoseLike) -> Array:
    """A pose as the kernels take it (12,): the rotation row by row, then the translation."""
    given = as_pose(pose)
    return np.concatenate([given.rotation.ravel(), given.translation])


def _swivel_kernels() -> tuple[Any, Any]:
    from .kernels.redundancy_curves import swivel_kernels

    return swivel_kernels()


def _joint_kernels() -> tuple[Any, Any]:
    from .kernels.redundancy_curves import joint_kernels

    return joint_kernels()
