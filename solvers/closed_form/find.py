"""Which closed form an arm has, found from its geometry."""

from __future__ import annotations

from typing import NamedTuple

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .families import families
from .family import Family, Fit

#: More joints than this have no closed form, whatever their geometry.
_MOST_JOINTS = 7


class Found(NamedTuple):
    """What was found out about an arm.

    Attributes:
        family: The kind of arm; None when no closed form is known.
        fit: What the family's kernel needs to know about it.
        reasons: (family name, why the arm is none of these) of each family that was tried before, in that order.
    """

    family: Family | None
    fit: Fit | None
    reasons: tuple[tuple[str, str], ...]

    @property
    def why(self) -> str:
        """One sentence for people."""
        if self.family is None or self.fit is None:
            tried = "; ".join(f"{name}: {reason}" for name, reason in self.reasons)
            return (
                f"no closed form is known for this arm ({tried})" if tried else "no closed form is known for this arm"
            )
        return f"{self.family.name}: {self.fit.why}"


def find_closed_form(geometry: ChainGeometry, target: str, direction: Array | None = None) -> Found:
    """The first family, from the simplest to the most general, that an arm belongs to.

    Args:
        geometry: The arm.
        target: Kind of goal, see `Family.target`.
        direction: The tool's direction (3,) in the tip's axes, for goals that have one.
    """
    shape = "".join("P" if slides else "R" for slides in geometry.slides)
    reasons: list[tuple[str, str]] = []
    for family in families(target):
        if family.joints and family.joints != shape:
            continue
        fit = family.fit(geometry, direction)
        if isinstance(fit, Fit):
            return Found(family, fit, tuple(reasons))
        reasons.append((family.name, fit))
    if not reasons or len(geometry) > _MOST_JOINTS:
        known = sorted(
            {family.joints for family in families(target) if family.joints}, key=lambda each: (len(each), each)
        )
        found = f"{len(geometry)} joint{'s' if len(geometry) != 1 else ''}, {shape or 'none'}"
        reasons = [
            (found, f"closed forms for {target or 'such a goal'} are known for {_listed(known)}; lock the others")
        ]
    return Found(None, None, tuple(reasons))


def _listed(shapes: list[str]) -> str:
    """Chains, R for a joint that turns and P for one that slides, in words."""
    if not shapes:
        return "no chain"
    return ", ".join(shapes[:12]) + (" and others" if len(shapes) > 12 else "")
