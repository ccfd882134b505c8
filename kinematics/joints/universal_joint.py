"""`UniversalJoint`: two rotations about axes that meet."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ..degree_of_freedom import DegreeOfFreedom
from ..errors import InvalidValueError
from ..transforms import Array, as_axis, read_only
from .joint import Joint


class UniversalJoint(Joint):
    """Rotates about a first axis, then about a second one that the first carries; two angles in radians.

    Args:
        name: Unique in the skeleton; the degrees of freedom are ``name.1`` and ``name.2``.
        axes: Two axes in the joint frame; they need not be perpendicular, but not parallel.
        limits: ((lower, upper), (lower, upper)) in rad; None for none.
        velocity_limit: rad/s, of both.
        effort_limit: N m, of both.

    Raises:
        InvalidValueError: Zero or parallel axes, wrong limits.
    """

    kind = "universal"

    def __init__(
        self,
        name: str,
        axes: Sequence[str | ArrayLike] = ("x", "y"),
        limits: Sequence[tuple[float, float] | None] | None = None,
        *,
        velocity_limit: float = math.inf,
        effort_limit: float = math.inf,
    ) -> None:
        super().__init__(name)
        try:
            fits = len(axes) == 2 and (limits is None or len(limits) == 2)
        except TypeError:
            fits = False
        if not fits:
            raise InvalidValueError(f"joint {name!r} needs two axes and two pairs of limits (or none)")
        self._axes = (
            as_axis(axes[0], f"axis 1 of joint {name!r}"),
            as_axis(axes[1], f"axis 2 of joint {name!r}"),
        )
        if np.linalg.norm(np.cross(self._axes[0], self._axes[1])) < 1e-9:
            raise InvalidValueError(f"the two axes of joint {name!r} are parallel; use a RevoluteJoint")
        self.dofs = tuple(
            DegreeOfFreedom(
                f"{name}.{k + 1}",
                self,
                is_angular=True,
                limits=None if limits is None else limits[k],
                velocity_limit=velocity_limit,
                effort_limit=effort_limit,
            )
            for k in range(2)
        )

    @property
    def axes(self) -> tuple[Array, Array]:
        """The two unit axes (3,) in the joint frame (copies to be read)."""
        first, second = self._axes
        return read_only(first.copy()), read_only(second.copy())

    def transform(self, q: Array) -> pin.SE3:
        """Rotation by q[0] about the first axis, times rotation by q[1] about the second."""
        return pin.SE3(pin.exp3(self._axes[0] * q[0]) @ pin.exp3(self._axes[1] * q[1]), np.zeros(3))

    def _pinocchio_joint(self) -> pin.JointModel:
        # Pinocchio's own universal joint takes perpendicular axes only; two rotations in one joint take any.
        composite = pin.JointModelComposite(2)
        for axis in self._axes:
            composite.addJoint(pin.JointModelRevoluteUnaligned(axis), pin.SE3.Identity())
        return composite
