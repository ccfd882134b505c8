"""`HandleResult`: what handling groups came to."""

from __future__ import annotations

from typing import NamedTuple

from .kernels import layout

_WORDS = (
    (layout.NOT_PERFORMED, "nothing was done: a group is disabled or has no element that can move"),
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
    """

    result: int
    precision: tuple[float, float]
    iterations: int = 0

    def __bool__(self) -> bool:
        """Whether it succeeded: steps that were too big and limits that were met are no failure."""
        return not self.result & _FAILURE

    @property
    def reasons(self) -> tuple[str, ...]:
        """The bits in words."""
        return tuple(words for bit, words in _WORDS if self.result & bit)

    def __str__(self) -> str:
        off = f"off by {self.precision[0]:.3g} m, {self.precision[1]:.3g} rad after {self.iterations} iterations"
        state = "within the precision" if self else "failed"
        return "; ".join([f"{state}, {off}", *self.reasons])


#: When nothing was done.
NOTHING_DONE = HandleResult(layout.NOT_PERFORMED | layout.NOT_WITHIN_TOLERANCE, (0.0, 0.0))
