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
        parts=tuple(dict.fromkeys((*one.sample_sets, *other.sample_sets))),
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
    if one.quality == "count":  # of qualities the greater one is kept, however often it was met
        both = set(one.sample_sets) & set(other.sample_sets)
        if both:
            seeds = ", ".join(sorted({each.split()[-1] for each in both}, key=int)[:5])
            return (
                f"both have the same samples, those of seed {seeds}, which would count twice; sample with another "
                "seed, or go on with add_samples"
            )
    return ""


def _joined(one: str, other: str) -> str:
    """Both, without what they have in common twice."""
    return JOINED.join(dict.fromkeys([*one.split(JOINED), *other.split(JOINED)]))
