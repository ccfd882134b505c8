"""Which joints the kernels move on a manifold of their own."""

from __future__ import annotations

from ...kinematics import FreeJoint, Joint, PlanarJoint, SphericalJoint
from .layout import FREE, PLANAR, SPHERICAL

_CURVED = ((SphericalJoint, SPHERICAL), (FreeJoint, FREE), (PlanarJoint, PLANAR))


def curved_kind(joint: Joint) -> int | None:
    """`SPHERICAL`, `FREE` or `PLANAR`; None for a joint whose velocities are the rates of its coordinates."""
    return next((kind for each, kind in _CURVED if isinstance(joint, each)), None)
