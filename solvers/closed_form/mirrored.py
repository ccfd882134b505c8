"""`mirrored`: the family of the arms that belong to another one when base and tip change places."""

from __future__ import annotations

from typing import Any

from ...kinematics import InvalidValueError
from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .family import Family, Fit


def mirrored(family: Family, name: str) -> Family:
    """The mirror image of a family: its arms, with the tip for the base, are arms of that family.

    Args:
        family: A family for full poses.
        name: For people: "6R with a spherical wrist at the base".

    Raises:
        InvalidValueError: The family is for another kind of goal, which has no inverse.
    """
    if family.target != "transform_6d":
        raise InvalidValueError(
            f"{family.name!r} solves {family.target}; only a family for full poses (transform_6d) has a mirror image"
        )

    def fit(geometry: ChainGeometry, direction: Array | None = None) -> Fit | str:
        found = family.fit(geometry.reversed(), direction)
        if isinstance(found, str):
            return f"seen from the tip: {found}"
        return Fit(found.numbers, f"seen from the tip, axis {len(geometry)} being the first: {found.why}")

    def kernel() -> Any:
        from .kernels.mirrored import make_mirrored

        return make_mirrored(family.kernel())

    return Family(name, family.joints[::-1], family.target, family.most, fit, kernel, family.paper)
