"""`HandleResult`: what handling groups came to."""

from __future__ import annotations

from typing import NamedTuple

from .kernels import layout
from .snapshot import LimitHit, Miss, Snapshot

_WORDS = (
    (layout.NOT_PERFORMED, "nothing was done"),
    (layout.CANNOT_INVERT, "no element has a target"),
    (layout.BAD_CALLBACK, "the callback gave back something that is no step"),
    (layout.NOT_WITHIN_TOLERANCE, "not within the precision"),
    (layout.STEPS_TOO_BIG, "a step was larger than a joint's largest one"),
    (layout.LIMIT_HIT, "a joint was stopped at its limit"),
)
_FAILURE = layout.NOT_PERFORMED | layout.CANNOT_INVERT | layout.NOT_WITHIN_TOLERANCE | layout.BAD_CALLBACK


class HandleResult(NamedTuple):
    """What handling groups came to; true when all elements are within their precision.

    Attributes:
        result: Bits: 1 not performed, 2 no rows to invert, 16 not within the precision, 32 a step was larger than the
            largest one of a joint, 64 a joint was stopped at a limit. 0 when nothing is to be said.
        precision: Largest distance (m) and largest angle (rad) between a tip and its target.
        iterations: Steps that were taken.
        note: Why nothing was done; empty otherwise.
        snapshots: What `misses` and `limit_hits` are read from.
    """

    result: int
    precision: tuple[float, float]
    iterations: int = 0
    note: str = ""
    snapshots: tuple[Snapshot, ...] = ()

    def __bool__(self) -> bool:
        """Whether it succeeded: steps that were too big and limits that were met are no failure."""
        return not self.result & _FAILURE

    @property
    def reasons(self) -> tuple[str, ...]:
        """The bits in words."""
        return tuple(words for bit, words in _WORDS if self.result & bit)

    @property
    def misses(self) -> tuple[Miss, ...]:
        """Elements that are not within their precision: how far off, along which axes."""
        if not self.result & layout.NOT_WITHIN_TOLERANCE:
            return ()
        return tuple(miss for each in self.snapshots for miss in each.misses)

    @property
    def limit_hits(self) -> tuple[LimitHit, ...]:
        """Joints that were stopped at a limit."""
        return tuple(hit for each in self.snapshots for hit in each.limit_hits)

    def __str__(self) -> str:
        if self.result & layout.NOT_PERFORMED:
            return f"failed: nothing was done; {self.note}" if self.note else "failed: nothing was done"
        off = f"off by {self.precision[0]:.3g} m, {self.precision[1]:.3g} rad after {self.iterations} iterations"
        state = "within the precision" if self else "failed"
        told = {layout.NOT_WITHIN_TOLERANCE: self.misses, layout.LIMIT_HIT: self.limit_hits}
        words = []
        for bit, general in _WORDS:
            if self.result & bit:
                words += [str(each) for each in told.get(bit, ())] or [general]
        return "; ".join([f"{state}, {off}", *words])


def nothing_done(note: str) -> HandleResult:
    """The result when nothing was done.

    Args:
        note: Why.
    """
    return HandleResult(layout.NOT_PERFORMED | layout.NOT_WITHIN_TOLERANCE, (0.0, 0.0), 0, note)
