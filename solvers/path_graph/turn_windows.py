"""`TurnWindows`: the whole turns that may be added to the angles of a branch."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...kinematics.core.whole_turns import TURN
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs

#: Equivalents of one configuration, at most; of joints that may make many turns, those about the start are kept.
_MOST = 4096
#: Of one joint, where a limit is far away or there is none on one side.
_MOST_OF_ONE = 64
_SLACK = 1e-9


class TurnWindows:
    """Which equivalents a configuration has inside the limits, numbered.

    A configuration is a *base*, in which each angle that has several equivalents is in the first turn of its window,
    and the number of its equivalent: whole turns that are added. An angle without limits has no window: it is taken
    modulo a turn, because no equivalent of it can do what another cannot.

    Args:
        active: What moves.
        respect_limits: Whether limits count; if not, no angle has any.
        near: (k,) about where windows are put that would be too large.
        values: (m, k) some configurations. Where limits are whole turns apart, only a joint that is exactly on one of
            them has an equivalent on the other; it is left out when none of these is.

    Attributes:
        size: Equivalents of a base, those beyond limits included.
        turns: (size, k) whole turns of each.
        is_free: (k,) angles that are taken modulo a turn.
        is_wide: (k,) angles with several equivalents.
    """

    def __init__(self, active: ActiveDofs, respect_limits: bool, near: Array, values: Array) -> None:
        count = len(active)
        self.lower = active.lower if respect_limits else np.full(count, -math.inf)
        self.upper = active.upper if respect_limits else np.full(count, math.inf)
        wraps = np.array([dof.wraps for dof in active.dofs], dtype=bool)
        unlimited = ~np.isfinite(self.lower) & ~np.isfinite(self.upper)
        self.is_free = wraps & unlimited
        self._wraps = wraps & ~unlimited
        span = np.where(self._wraps, self.upper - self.lower, 0.0)
        most = np.minimum(np.floor(span / TURN + _SLACK), _MOST_OF_ONE - 1) + 1
        widths = most.astype(np.int64)
        widths -= self._wraps & (widths > 1) & ~self._is_on_limit(span, values)
        while widths.prod() > _MOST:
            widths[np.argmax(widths)] -= 1
        self.is_wide = widths > 1
        self._turns_at_all = bool((self.is_wide | self.is_free).any())
        #: Where the first turn of each window begins.
        self._origin = self._begin(widths, near)
        self.size = int(widths.prod())
        self._widths = widths
        self.turns = np.stack(np.unravel_index(np.arange(self.size), widths), axis=-1).reshape(self.size, count)
        self._sources: dict[bytes, NDArray[np.intp]] = {}

    def _is_on_limit(self, span: Array, values: Array) -> NDArray[np.bool_]:
        """(k,) joints with limits that are not whole turns apart, or with a value on one of them."""
        apart = np.abs(span / TURN - np.round(span / TURN)) > _SLACK
        above = np.where(self._wraps, values - np.where(np.isfinite(self.lower), self.lower, 0.0), 1.0)
        away = np.abs(above - TURN * np.round(above / TURN))
        return np.asarray(apart | (away <= 10.0 * _SLACK).any(axis=0) | ~np.isfinite(span))

    def _begin(self, widths: NDArray[np.int64], near: Array) -> Array:
        origin = np.full(len(near), -math.pi)
        for column in np.flatnonzero(self._wraps):
            low, high, width = self.lower[column], self.upper[column], float(widths[column])
            wanted = near[column] - 0.5 * width * TURN
            first = low if math.isfinite(low) else high - math.ceil((high - wanted) / TURN) * TURN
            turns = math.floor((wanted - first) / TURN)
            last = math.floor((high - first + _SLACK) / TURN) + 1 - width if math.isfinite(high) else math.inf
            origin[column] = first + TURN * max(0.0, min(float(turns), last))
        return origin

    def base(self, x: Array) -> Array:
        """Configurations (m, k) with their angles moved to the first turn of their windows."""
        moves = self._wraps | self.is_free
        turned = x - TURN * np.floor((x - self._origin + _SLACK) / TURN)
        result: Array = np.where(moves, turned, x)
        return result

    def inside(self, base: Array) -> NDArray[np.bool_]:
        """(m, size) which equivalents of bases (m, k) are inside the limits."""
        within = (base >= self.lower - _SLACK) & (base <= self.upper + _SLACK)
        result = np.repeat((within | ~self._wraps | self.is_wide).all(axis=1)[:, None], self.size, axis=1)
        for column in np.flatnonzero(self.is_wide):
            values = base[:, column, None] + TURN * np.arange(self._widths[column])
            inside = (values >= self.lower[column] - _SLACK) & (values <= self.upper[column] + _SLACK)
            result &= inside[:, self.turns[:, column]]
        return result

    def values(self, base: Array, number: int | NDArray[np.intp]) -> Array:
        """The equivalents with given numbers of bases (m, k) or (k,)."""
        result: Array = base + TURN * self.turns[number]
        wraps = self._wraps
        return np.where(wraps, np.minimum(np.maximum(result, self.lower), self.upper), result)

    def nearest(self, base: Array, near: Array) -> Array:
        """Bases (m, k) with their free angles moved to where they are nearest to ``near`` (k,)."""
        turned = base + TURN * np.round((near - base) / TURN)
        result: Array = np.where(self.is_free, turned, base)
        return result

    def steps(self, first: Array, second: Array) -> tuple[Array, NDArray[np.int64]]:
        """The shortest steps (..., k) from bases to bases, and how many turns the number changes by (..., k)."""
        steps = second - first
        if not self._turns_at_all:
            return steps, np.zeros(steps.shape, dtype=np.int64)
        turned = np.where(self.is_wide | self.is_free, -np.round(steps / TURN), 0.0)
        steps += TURN * turned
        return steps, np.where(self.is_wide, turned, 0.0).astype(np.int64)

    def sources(self, shift: NDArray[np.int64]) -> NDArray[np.intp]:
        """(size,) for each number the one that a change of turns (k,) comes to it from; -1 for none."""
        key = shift.tobytes()
        known = self._sources.get(key)
        if known is None:
            before = self.turns - shift
            exists = ((before >= 0) & (before < self._widths)).all(axis=1)
            clipped = np.clip(before, 0, self._widths - 1)
            numbers = np.ravel_multi_index(tuple(clipped.T), tuple(self._widths)) if len(shift) else np.zeros(1, int)
            known = self._sources[key] = np.where(exists, numbers, -1)
        return known
