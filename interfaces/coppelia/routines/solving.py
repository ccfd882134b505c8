"""Routines that calculate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....kinematics.errors import InvalidValueError
from ..joint import Joint
from ..setting import as_float, as_floats
from ..solving import JacobianCallback, compute_group_jacobian, compute_jacobian, find_config, handle_groups
from .constants import ik_handle_all
from .lookup import Array, as_integer, group_of, handles_of, joint_of, object_or_world, sized
from .routine import failed, guarded, routine
from .session import present

#: The deprecated search is bounded by its samples; its time is not (s).
_NO_TIME_LIMIT = 1e9


class Handled(NamedTuple):
    """Result bits, and the largest distances (m, rad) that are left between tips and targets."""

    success: bool
    result: int | None
    precision: tuple[float, float] | None


class Jacobian(NamedTuple):
    """Jacobian (m, n), row by row in memory, and error (m,)."""

    success: bool
    jacobian: Array | None
    errorVect: Array | None


class FoundConfig(NamedTuple):
    """1 when a configuration was found, 0 when none was, -1 for an error; and the configuration (n,), None without.

    When more than one was asked for, ``retConfig`` is (k, n), the nearest to the present configuration first.
    """

    result: int
    retConfig: Array | None


@routine(failed(Handled))
def ikHandleGroups(ikGroupHandles: Sequence[int] | None = None, cb: JacobianCallback | None = None) -> Handled:
    """Moves the joints so that the tips of groups get to their targets.

    Args:
        ikGroupHandles: In the order of their priority, each in the null space of those before it. None, an empty one,
            or ``ik_handle_all``: all groups, each on its own.
        cb: See `JacobianCallback`.
    """
    environment, cb = present(), guarded(cb, "cb")
    handles = [] if ikGroupHandles is None else handles_of(ikGroupHandles, "ikGroupHandles")
    if not handles or handles[0] == ik_handle_all:
        done = handle_groups(environment, None, cb)
    else:
        done = handle_groups(environment, [group_of(each, "ikGroupHandles") for each in handles], cb)
    return Handled(True, done.result, done.precision)


@routine(failed(Jacobian))
def ikComputeGroupJacobian(ikGroupHandle: int) -> Jacobian:
    """Jacobian and error of a group, without weights."""
    return Jacobian(True, *compute_group_jacobian(group_of(ikGroupHandle)))


@routine(failed(Jacobian))
def ikComputeJacobian(
    baseHandle: int,
    jointHandle: int,
    constraints: int,
    tipPose: Any,
    targetPose: Any = None,
    constrBasePose: Any = None,
) -> Jacobian:
    """Jacobian and error of a chain; poses are in the world.

    Args:
        baseHandle: Where the chain begins; -1 for the world.
        jointHandle: Its last joint.
        constraints: Bits.
        tipPose: Position and quaternion x, y, z, w, or any other form of a pose.
        targetPose: Of the target; that of the tip when None.
        constrBasePose: What positions are seen from; the base when None.
    """
    found = compute_jacobian(
        present(),
        object_or_world(baseHandle, "baseHandle"),
        joint_of(jointHandle, "jointHandle"),
        as_integer(constraints, "constraints"),
        tipPose,
        targetPose,
        constrBasePose,
    )
    return Jacobian(True, *found)


@routine(FoundConfig(-1, None))
def ikFindConfig(
    ikGroupHandle: int,
    jointCnt: int,
    jointHandles: Sequence[int],
    thresholdDist: float,
    maxSearchTimeInMs: int,
    metric: Sequence[float] | None = None,
    validationCallback: Callable[[Array], Any] | None = None,
    *,
    seed: int | np.random.Generator = 0,
    count: int = 1,
) -> FoundConfig:
    """Searches for a configuration at random; the joints stay where they are.

    Args:
        ikGroupHandle: Of the group that is solved from random configurations.
        jointCnt: How many joints.
        jointHandles: Of the joints whose values are wanted.
        thresholdDist: How near a random configuration has to be, in units of the metric, to be solved from.
        maxSearchTimeInMs: Time for it.
        metric: Weights of x, y, z and of the angle; 1, 1, 1, 0.1 when None.
        validationCallback: ``validationCallback(configuration (n,)) -> bool``.
        seed: Of what is random. The same seed finds the same, unless the time cuts it short.
        count: How many configurations to look for.
    """
    milliseconds = as_float("maxSearchTimeInMs", maxSearchTimeInMs)
    if milliseconds < 0.0:
        raise InvalidValueError(f"maxSearchTimeInMs must be at least 0, not {milliseconds:g}")
    options = {"max_time": 1e-3 * milliseconds, "seed": seed, "count": count}
    joints = _joints(jointCnt, jointHandles)
    return _search(ikGroupHandle, joints, thresholdDist, metric, validationCallback, options)


@routine(FoundConfig(-1, None))
def ikGetConfigForTipPose(
    ikGroupHandle: int,
    jointCnt: int,
    jointHandles: Sequence[int],
    thresholdDist: float,
    maxIterations: int,
    metric: Sequence[float] | None = None,
    validationCallback: Callable[[Array], Any] | None = None,
    jointOptions: Sequence[int] | None = None,
    lowLimits: Sequence[float] | None = None,
    ranges: Sequence[float] | None = None,
) -> FoundConfig:
    """Deprecated: ``ikFindConfig``.

    Args:
        ikGroupHandle: See ``ikFindConfig``, as for the others.
        jointCnt: How many joints.
        jointHandles: Of the joints.
        thresholdDist: How near, in units of the metric.
        maxIterations: Random configurations to look at; negative: a time in milliseconds.
        metric: Weights.
        validationCallback: Refuses configurations.
        jointOptions: Bit 0 of each: the joint follows another, and is not drawn.
        lowLimits: Lower limits to draw from.
        ranges: Ranges to draw from. 0: the joint's own limits. Negative: so far about where the joint is.
    """
    most = as_integer(maxIterations, "maxIterations")
    joints = _joints(jointCnt, jointHandles)
    options: dict[str, Any] = {"intervals": _intervals(joints, jointOptions, lowLimits, ranges)}
    if most < 0:
        options["max_time"] = -1e-3 * as_float("maxIterations", most)
    else:
        options |= {"max_time": _NO_TIME_LIMIT, "max_samples": most, "restarts": False}
    return _search(ikGroupHandle, joints, thresholdDist, metric, validationCallback, options)


def _search(
    group_handle: int,
    joints: Sequence[Joint],
    threshold: float,
    metric: Sequence[float] | None,
    callback: Callable[[Array], Any] | None,
    options: dict[str, Any],
) -> FoundConfig:
    if metric is not None:
        options["metric"] = as_floats("metric", metric, 4)
    group = group_of(group_handle)
    distance = as_float("thresholdDist", threshold, infinite=True)
    valid = guarded(callback, "validationCallback")
    found = find_config(group, joints, threshold=distance, callback=valid, **options)
    if not len(found):
        return FoundConfig(0, None)
    return FoundConfig(1, found[0] if options.get("count", 1) == 1 else np.array(found))


def _joints(count: int, handles: Sequence[int]) -> list[Joint]:
    number = as_integer(count, "jointCnt")
    joints = [joint_of(each, "jointHandles") for each in handles_of(handles, "jointHandles")]
    if number != len(joints) or not joints:
        raise InvalidValueError(f"jointCnt is {number}, and there are {len(joints)} jointHandles; give at least one")
    return joints


def _intervals(
    joints: Sequence[Joint],
    options: Sequence[int] | None,
    lowest: Sequence[float] | None,
    ranges: Sequence[float] | None,
) -> dict[Joint, tuple[float, float]]:
    """What to draw from, for the joints that are not drawn from all of their limits."""
    count = len(joints)
    bits = [as_integer(each, "jointOptions") for each in sized(options, count, "jointOptions") or [0] * count]
    starts = None if lowest is None else as_floats("lowLimits", lowest, count)
    if ranges is None:
        return {}
    found: dict[Joint, tuple[float, float]] = {}
    for joint, bit, extent, k in zip(joints, bits, as_floats("ranges", ranges, count), range(count), strict=True):
        if bit & 1 or extent == 0.0:
            continue
        if extent < 0.0:
            low, high = joint.position + 0.5 * extent, joint.position - 0.5 * extent
        else:
            low = joint.minimum if starts is None else starts[k]
            high = low + extent
        if not joint.cyclic:
            low, high = max(low, joint.minimum), min(high, joint.maximum)
        if low > high:
            raise InvalidValueError(f"lowLimits and ranges leave {joint} nothing between its limits")
        found[joint] = low, high
    return found
