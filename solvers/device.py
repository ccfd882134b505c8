"""The device that a meta solver solves for."""

from __future__ import annotations

from typing import Any

from ..kinematics import Frame, InvalidValueError, NodeSet, Skeleton


def device_of(solver: Any, device: NodeSet | Frame | Skeleton | None) -> NodeSet:
    """The joints with base and tip, as they are now.

    Args:
        solver: Its own chain is the device when none is given.
        device: A chain, the frame of its tip, or a skeleton, which means its natural tip.

    Raises:
        InvalidValueError: There is neither.
    """
    if device is None:
        device = getattr(solver, "chain", None)
    if isinstance(device, Skeleton):
        device = device.tip
    if isinstance(device, Frame):
        device = device.chain()
    if not isinstance(device, NodeSet):
        raise InvalidValueError(
            f"IKMetaSolver needs the device that {type(solver).__name__} solves for: a chain, or the frame of its tip"
        )
    return device
