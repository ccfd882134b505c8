"""`TranslationLocalGlobal6D`: any point of the tool at a point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, as_vector
from ...kinematics.transforms import Array
from ..compiled.target_layout import LOCAL_AT_POINT
from . import packed_values
from .ik_target import IkTarget
from .ik_type import IkType


class TranslationLocalGlobal6D(IkTarget):
    """A point of the tool at a point; the tool's rotation is open. Fixes three, by six values.

    Args:
        local: The point (3,) of the tool, from the tool's own point along its axes, in m.
        point: Where it is to be (3,), in m.
        reference: What ``point`` is relative to; the world when None.
    """

    ik_type = IkType.TRANSLATION_LOCAL_GLOBAL_6D
    place = LOCAL_AT_POINT
    local = packed_values.ToolPlace()
    point = packed_values.Place()

    def __init__(self, local: ArrayLike, point: ArrayLike, *, reference: Frame | None = None) -> None:
        self._set(None, reference, local, point)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array, *, local: ArrayLike = (0.0, 0.0, 0.0)) -> tuple[Any, ...]:
        """Where a pose puts the point ``local`` of the tool, the tool's own point when left out."""
        own = as_vector(local, 3, "local")
        return own, np.array(pose.act(own))

    def _pose_options(self) -> dict[str, Any]:
        return {"local": self.local}
