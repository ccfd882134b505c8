"""Putting maps together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .errors import MapMismatchError
from .map_record import JOINED
from .reachability_map import ReachabilityMap


def union_of(first: ReachabilityMap, second: ReachabilityMap) -> ReachabilityMap:
    """See `ReachabilityMap.union`."""
    reason = first._why_not_alike(second) or _why_not_addable(first, second)
    if reason:
        raise MapMismatchError(f"the maps cannot be put together: {reason}")
    first.check()
    second.check()
    one, other = first.record, second.record
    bits = max(one.bits, other.bits)
    value_type = np.uint8 if bits == 8 else np.uint16
    if one.quality == "count":
        together = first._values.astype(np.uint32) + second._values
        values = np.minimum(together, 2**bits - 1).astype(value_type)
    else:
        values = np.maximum(first._values, second._values)
    record = replace(
        one,
        bits=bits,
        robot=_joined(one.robot, other.robot),
        robot_hash=_joined(one.robot_hash, other.robot_hash),
        node_set=_joined(one.node_set, other.node_set),
        joints=tuple(dict.fromkeys((*one.joints, *other.joints))),
        tip=_joined(one.tip, other.tip),
        base=_joined(one.base, other.base),
        samples=one.samples + other.samples,
        outside=one.outside + other.outside,
        rejected=one.rejected + other.rejected,
        is_tested=one.is_tested or other.is_tested,
        is_union=True,
        is_refined=one.is_refined or other.is_refined,
    )
    # A map that does not know its robot cannot tell when the union does not hold any more.
    known = first._bindings and second._bindings
    bindings = (*first._bindings, *second._bindings) if known else ()
    return ReachabilityMap(first.grid, values, record, bindings)


def _why_not_addable(first: ReachabilityMap, second: ReachabilityMap) -> str:
    one, other = first.record, second.record
    if one.quality != other.quality:
        return f"one has {one.quality}, the other {other.quality}"
    if one.quality == "manipulability" and (one.bits != other.bits or not np.isclose(one.scale, other.scale)):
        return "their values stand for different manipulabilities"
    same = one.robot_hash == other.robot_hash and one.seed == other.seed and one.quality == "count"
    if same and not (one.is_union or other.is_union) and min(one.samples, other.samples) > 0:
        return (
            f"both have the same samples, those of seed {one.seed}, which would count twice; sample with another seed, "
            "or go on with add_samples"
        )
    return ""


def _joined(one: str, other: str) -> str:
    return one if one == other else f"{one}{JOINED}{other}"
