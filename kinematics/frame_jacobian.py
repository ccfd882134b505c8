"""The Jacobian of a frame in any axes, relative to any other frame; see `Frame.jacobian`."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from .errors import InvalidValueError, StructureError
from .frame import Frame, check_frame
from .transforms import Array, as_vector


def frame_jacobian(
    frame: Frame, offset: ArrayLike | None, relative_to: Frame | None, axes: Frame | str | None
) -> Array:
    """See `Frame.jacobian`."""
    skeleton = frame.skeleton
    if skeleton is None:
        raise StructureError(f"frame {frame.name!r} hangs on no skeleton, so it has no Jacobian")
    state = skeleton.state()
    point = None if offset is None else as_vector(offset, 3, "offset")
    jacobian = state.jacobian(frame, point)
    if relative_to is not None:
        check_frame(relative_to, "relative_to")
        # Seen from a frame B that moves itself: w - w_B, and v - v_B - w_B x (p - p_B).
        own = state.transform(frame)
        place = own.translation if point is None else own.act(point)
        base = state.jacobian(relative_to)
        arm = place - state.transform(relative_to).translation
        base[:3] -= pin.skew(arm) @ base[3:]
        jacobian = jacobian - base
    rotation = _axes_rotation(frame, relative_to, axes)
    if rotation is None:
        return jacobian
    return np.vstack([rotation.T @ jacobian[:3], rotation.T @ jacobian[3:]])


def _axes_rotation(frame: Frame, relative_to: Frame | None, axes: Frame | str | None) -> Array | None:
    if axes is None:
        axes = "world" if relative_to is None else relative_to
    if isinstance(axes, str):
        if axes == "world":
            return None
        if axes != "local":
            raise InvalidValueError(f"axes must be 'world', 'local' or a frame, not {axes!r}")
        axes = frame
    if not isinstance(axes, Frame):
        raise InvalidValueError(f"axes must be 'world', 'local' or a frame, not {axes!r}")
    rotation: Array = axes.transform().rotation
    return rotation
