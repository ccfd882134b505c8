"""`handle_groups`: moves the joints so that the tips of groups get to their targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....kinematics.errors import InvalidValueError
from .chains import is_valid, joints_between
from .entry_points import handle_entry
from .handle_result import HandleResult, nothing_done
from .jacobian_callback import JacobianCallback
from .kernels import layout
from .plans import flat_groups
from .snapshot import Snapshot
from .stepwise import iterate

if TYPE_CHECKING:
    from ..environment import Environment
    from ..ik_element import IkElement
    from ..ik_group import IkGroup
    from .flat_groups import FlatGroups


def handle_groups(
    environment: Environment, groups: Sequence[IkGroup] | None = None, callback: JacobianCallback | None = None
) -> HandleResult:
    """Handles one or several groups.

    Several groups are solved together, each in the null space of those before it:
    dq = dq_0 + N_0 (dq_1 + N_1 (dq_2 + ...)) with N_i = I - J_i^# J_i (B. Siciliano and J.-J. Slotine, "A general
    framework for managing multiple tasks in highly redundant robotic systems", ICAR 1991), J_i^# being the inverse of
    the group's own method, with its damping. The flags and the number of iterations are those of the first group.

    Args:
        environment: Of the groups.
        groups: In the order of their priority; those that are disabled are left out. None for all of the environment,
            each handled on its own, one after the other.
        callback: Looks at Jacobian and error of each group in each iteration, and may change them or work out the
            step itself; see `JacobianCallback`.

    Returns:
        The result bits, and the largest distances that are left. When all groups are handled on their own, the bits
        of all of them and the largest distances of any.

    Raises:
        StructureError: A group is of another environment.
        ErasedError: A group was erased.
        CallbackError: The callback gave back something that is no step. The joints are where they were, as they are
            when the callback itself raises something, which is passed on.
        InvalidValueError: Something among the groups that is none.
    """
    if groups is None:
        return _handle_each(environment, callback)
    for group in groups:
        environment._check_group(group)
    if callback is not None and not callable(callback):
        raise InvalidValueError(f"callback must be a function, not {callback!r}")
    enabled = [group for group in groups if group.enabled]
    if not enabled:
        return nothing_done(_of_disabled(groups))
    flat = flat_groups(environment, enabled)
    if flat.is_empty:
        return nothing_done("; ".join(filter(None, map(why_empty, enabled))))
    flat.gather()
    if callback is None and not flat.tree.followers:
        bits = handle_entry()(flat.address, layout.HANDLE, 0)
    else:
        bits = iterate(flat, callback)
    return _finish(flat, bits)


def _handle_each(environment: Environment, callback: JacobianCallback | None) -> HandleResult:
    """All groups one by one."""
    results = [handle_groups(environment, [group], callback) for group in environment.groups if group.enabled]
    done = [each for each in results if not each.result & layout.NOT_PERFORMED]
    if not done:
        return nothing_done("; ".join(each.note for each in results) or _of_disabled(environment.groups))
    bits = 0
    for each in done:
        bits |= each.result
    precision = max(each.precision[0] for each in done), max(each.precision[1] for each in done)
    snapshots = tuple(snapshot for each in done for snapshot in each.snapshots)
    return HandleResult(bits, precision, max(each.iterations for each in done), "", snapshots)


def _of_disabled(groups: Sequence[IkGroup]) -> str:
    names = ", ".join(repr(group.name) for group in groups)
    return f"disabled, so that they are left out: {names}" if names else "there are no groups"


def why_empty(group: IkGroup) -> str:
    """Why no element of a group counts; empty when one does."""
    what = f"group {group.name!r}"
    if not group.elements:
        return f"{what} has no elements"
    reasons = []
    for element in group.elements:
        if is_valid(element):
            return ""
        reasons.append(_why_invalid(element))
    return f"no element of {what} counts: {'; '.join(reasons)}"


def _why_invalid(element: IkElement) -> str:
    tip, base = element.tip.name, "the world" if element.base is None else repr(element.base.name)
    if not element.enabled:
        return f"that of tip {tip!r} is disabled"
    between = joints_between(element.tip, element.base)
    if between is None:
        return f"tip {tip!r} does not hang on its base {base}"
    if not between:
        return f"there is no joint between {base} and tip {tip!r}"
    names = ", ".join(repr(joint.name) for joint in between)
    return f"the joints between {base} and tip {tip!r} are passive, or follow passive ones: {names}"


def _finish(flat: FlatGroups, bits: int) -> HandleResult:
    """Writes back what was found, unless the groups say that it is not wanted."""
    linear, angular, iterations, _ = flat.arrays[layout.REPORT].tolist()
    _note_limit_hits(flat, bits)
    if bits & layout.OVERFLOWED:
        bits = bits & ~layout.OVERFLOWED | layout.CANNOT_INVERT | layout.NOT_WITHIN_TOLERANCE
        return HandleResult(bits, (math.inf, math.inf), int(iterations))
    if not (bits & layout.NOT_WITHIN_TOLERANCE and _is_to_be_restored(flat)):
        flat.scatter()
    if bits & (layout.NOT_WITHIN_TOLERANCE | layout.LIMIT_HIT):
        return HandleResult(bits, (linear, angular), int(iterations), "", (Snapshot.of(flat),))
    return HandleResult(bits, (linear, angular), int(iterations))


def _is_to_be_restored(flat: FlatGroups) -> bool:
    """Whether a precision is missed that the first group wants the joints to be restored for."""
    first = flat.groups[0]
    if not (first.restore_on_bad_linear_tolerance or first.restore_on_bad_angular_tolerance):
        return False
    distances = flat.arrays[layout.DISTANCES]
    numbers = flat.arrays[layout.ELEMENT_NUMBERS]
    linear, angular = (bool((distances[:, k] > numbers[:, k]).any()) for k in range(2))
    return (first.restore_on_bad_linear_tolerance and linear) or (first.restore_on_bad_angular_tolerance and angular)


def _note_limit_hits(flat: FlatGroups, bits: int) -> None:
    """Tells each group which of its joints were stopped at a limit, and how far beyond the step would have led."""
    for group in flat.groups:
        group._joint_limit_hits = {}
    if not bits & layout.LIMIT_HIT:
        return
    for column, (is_hit, overshot) in zip(flat.columns, flat.arrays[layout.HITS].tolist(), strict=True):
        if is_hit:
            for group in flat.groups:
                if flat.moves(group, column):
                    group._joint_limit_hits[column.joint] = overshot
