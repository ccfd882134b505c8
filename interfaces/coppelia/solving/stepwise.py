"""The iterations of groups one by one, for callbacks to step in; each part is done by the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....kinematics.transforms import Array
from ..errors import CallbackError
from .entry_points import handle_entry
from .jacobian_callback import JacobianCallback
from .kernels import layout

if TYPE_CHECKING:
    from .flat_groups import FlatGroups

#: Bits that a callback may return: it provides a step, an inverse.
_STEP, _INVERSE = 1, 2


class _Offer(NamedTuple):
    """Error (m,) of a group, and what a callback gave for it: a step (n,), an inverse (n, m)."""

    error: Array
    step: Array | None = None
    inverse: Array | None = None


def iterate(flat: FlatGroups, callback: JacobianCallback | None) -> int:
    """Does what the compiled loop does, asking callbacks on the way. Returns the bits of the result."""
    run, address, arrays = handle_entry(), flat.address, flat.arrays
    report, settings = arrays[layout.REPORT], arrays[layout.SETTINGS]
    arrays[layout.HITS][:] = 0.0
    report[:] = 0.0
    result: int = 0
    outside = run(address, layout.LOOK, 1)
    if settings[layout.MAX_ITERATIONS] <= 0:
        return int(outside)
    for _ in range(settings[layout.MAX_ITERATIONS]):
        if not arrays[layout.GROUPS][:, layout.PRESENT_ROWS].any():
            return result | layout.CANNOT_INVERT | layout.NOT_WITHIN_TOLERANCE
        result |= run(address, layout.SOLVE, 0) if callback is None else _solve_with(flat, callback)
        result |= run(address, layout.MOVE, 0)
        report[layout.ITERATIONS] += 1.0
        if result & layout.OVERFLOWED:
            break
        if flat.has_callbacks:
            flat.follow()
        if not run(address, layout.LOOK, 0):
            return result & ~layout.NOT_WITHIN_TOLERANCE
        result |= layout.NOT_WITHIN_TOLERANCE
        if settings[layout.STOPS_ON_LIMIT] and result & layout.LIMIT_HIT:
            break
    return result


def _solve_with(flat: FlatGroups, callback: JacobianCallback) -> int:
    """The step of all groups when a callback looks at each; leaves it where the kernels take it from."""
    arrays = flat.arrays
    offers = [_ask(flat, g, callback) for g in range(len(flat.groups))]
    most = arrays[layout.JOINTS][:, layout.MAX_STEP]
    ignores = bool(arrays[layout.SETTINGS][layout.IGNORES_MAX_STEPS])
    scale, bits = 1.0, 0
    for _ in range(layout.MOST_HALVINGS + 1):
        step = _combine(flat, offers, scale)
        if (np.abs(step) <= most).all():
            break
        bits = layout.STEPS_TOO_BIG
        if ignores:
            break
        scale *= 0.5
    else:
        scale, step = 0.0, np.zeros_like(step)
    arrays[layout.STEP][:] = step
    arrays[layout.REPORT][layout.FACTOR] = scale
    return bits


def _ask(flat: FlatGroups, g: int, callback: JacobianCallback) -> _Offer:
    """Calls the callback for a group."""
    arrays, where = flat.arrays, flat.group_rows(g)
    jacobian, error = arrays[layout.JACOBIAN][where], arrays[layout.ERROR][where].copy()
    rows, n = jacobian.shape
    kinds, elements = arrays[layout.ROWS][where].T.copy()
    handles = np.array([column.joint.handle for column in flat.columns])
    stages = np.array([column.stage for column in flat.columns])
    step, inverse = np.zeros(n), np.zeros((n, rows))
    answer = callback((rows, n), jacobian, kinds, elements, handles, stages, error, step, inverse)
    name = f"the Jacobian callback, called for group {flat.groups[g].name!r},"
    bits = 0 if answer is None else answer
    if isinstance(bits, bool) or not isinstance(bits, int | np.integer) or not 0 <= bits <= _STEP | _INVERSE:
        raise CallbackError(f"{name} returned {bits!r}; it must return 0, 1, 2 or 3")
    used = [jacobian, error, *([step] if bits & _STEP else []), *([inverse] if bits & _INVERSE else [])]
    if not all(np.isfinite(each).all() for each in used):
        raise CallbackError(f"{name} wrote values that are not finite")
    if not bits:
        return _Offer(error * _gains(flat, g))
    return _Offer(error, step if bits & _STEP else None, inverse if bits & _INVERSE else None)


def _gains(flat: FlatGroups, g: int) -> Array:
    """What the rows of a group are multiplied with: the weights of the elements, 1 for rows of limits."""
    arrays, where = flat.arrays, flat.group_rows(g)
    kinds = arrays[layout.ROWS][where, layout.ROW_KIND]
    gains = np.ones(len(kinds))
    first, count = arrays[layout.GROUPS][g, [layout.FIRST_ELEMENT, layout.ELEMENT_COUNT]]
    for element, numbers in zip(
        arrays[layout.ELEMENTS][first : first + count],
        arrays[layout.ELEMENT_NUMBERS][first : first + count],
        strict=True,
    ):
        begin = element[layout.FIRST_ROW] - where.start
        own = slice(begin, begin + element[layout.ROW_COUNT])
        gains[own] = np.where(kinds[own] < 3, numbers[layout.LINEAR_GAIN], numbers[layout.ANGULAR_GAIN])
    return gains


def _combine(flat: FlatGroups, offers: list[_Offer], scale: float) -> Array:
    """Dq = dq_0 + N_0 (dq_1 + N_1 (...)) for errors that are scaled; from the last group to the first."""
    arrays = flat.arrays
    turning = arrays[layout.COLUMNS][:, layout.KIND] != layout.SLIDING
    total = np.zeros(len(flat.columns))
    for g in range(len(offers) - 1, -1, -1):
        offer, jacobian = offers[g], arrays[layout.JACOBIAN][flat.group_rows(g)]
        if offer.step is not None:
            own = scale * offer.step
        else:
            own = _inverse_times(flat, g, offer, scale * offer.error)
            wrapped = np.arctan2(np.sin(own), np.cos(own))
            own = np.where(turning & (np.abs(own) > np.pi), wrapped, own)
        if total.any():
            total = total - _inverse_times(flat, g, offer, jacobian @ total)
        total = total + own
    return total


def _inverse_times(flat: FlatGroups, g: int, offer: _Offer, vector: Array) -> Array:
    """The inverse that the callback gave, else that of the group, times a vector (m,)."""
    if offer.inverse is not None:
        product: Array = offer.inverse @ vector
        return product
    flat.arrays[layout.ERROR][flat.group_rows(g)] = vector
    handle_entry()(flat.address, layout.INVERT, g)
    return flat.arrays[layout.STEP].copy()
