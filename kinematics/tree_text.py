"""Draws a skeleton's tree as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .joints import Joint
from .link import Link

if TYPE_CHECKING:
    from .skeleton import Skeleton


def draw(skeleton: Skeleton) -> str:
    """The tree of links, each with its joint, limits and dependence; the tip is marked."""
    links, dofs = len(skeleton.links), skeleton.num_dofs
    head = f"{skeleton.name}: {links} link{_plural(links)}, {dofs} degree{_plural(dofs)} of freedom"
    if skeleton.root is None:
        return head
    lines = [head]
    tip = skeleton.tip
    _draw(skeleton.root, "", "", lines, tip)
    named = [frame for frame in skeleton.frames if not isinstance(frame, Link)]
    if named:
        lines.append("frames: " + ", ".join(f"{frame.name} on {frame.parent.name}" for frame in named if frame.parent))
    lines.append(f"tip: {tip.name} ({skeleton.tip_source})")
    return "\n".join(lines)


def _draw(link: Link, first: str, rest: str, lines: list[str], tip: object) -> None:
    mark = "  <- tip" if link is tip else ""
    lines.append(f"{first}{link.name}{_describe(link.joint)}{mark}")
    for child in link.children:
        last = child is link.children[-1]
        _draw(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "), lines, tip)


def _describe(joint: Joint) -> str:
    if not joint.is_moving:
        return ""
    text = f"  [{joint.name}: {joint.kind}"
    rule = joint.dependence
    if rule is not None:
        if rule.function is not None:
            return f"{text} = f({rule.master.name})]"
        offset = f" {'+' if rule.offset > 0 else '-'} {abs(rule.offset):.4g}" if rule.offset else ""
        return f"{text} = {rule.multiplier:.4g} * {rule.master.name}{offset}]"
    limits = [_limits(dof.lower, dof.upper, dof.is_angular) for dof in joint.dofs if dof.is_limited]
    return text + ("".join(f", {each}" for each in limits) or ", unlimited") + "]"


def _limits(lower: float, upper: float, angular: bool) -> str:
    if angular:
        return f"{math.degrees(lower):.4g}° to {math.degrees(upper):.4g}°"
    return f"{lower:.4g} m to {upper:.4g} m"


def _plural(count: int) -> str:
    return "" if count == 1 else "s"
