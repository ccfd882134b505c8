"""`checked_answer`: what a solver gave, as a copy that can be counted, or why it cannot."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from .call import Answer, Array, Call
from .error_text import error_text
from .errors import AnswerError


def checked_answer(call: Call, result: Any, size: int) -> Answer:
    """What a result says, in plain numbers of its own.

    Solvers of the user's give what they like, and may write their next answer where this one is.

    Args:
        call: Reads the result.
        result: What its `Call.solve` returned.
        size: Numbers in a configuration, n.

    Returns:
        An answer that shares nothing with the result.

    Raises:
        AnswerError: It cannot be read, its configuration is not n finite real numbers, or it counts in other than
            numbers that are finite and not negative.
    """
    try:
        answer = call.answer(result)
        return Answer(
            None if answer.q is None else _configuration(answer.q, size),
            _count("iterations", answer.iterations),
            _count("attempts", answer.attempts),
            str(answer.reason),
        )
    except AnswerError:
        raise
    except (Exception, SystemExit) as error:  # reading it runs code of the user's
        raise AnswerError(f"it gave a {type(result).__name__}, reading which raised {error_text(error)}") from error


def _configuration(given: Any, size: int) -> Array:
    """A copy (n,). Nothing is broadcast, no text is read as a number, and no imaginary part is dropped."""
    values = np.asarray(given)
    if values.shape != (size,):
        raise AnswerError(f"its configuration has shape {values.shape}, not ({size},)")
    are_numbers = values.dtype.kind in "fiu" or (
        values.dtype.kind == "O" and all(isinstance(each, Real) for each in values)
    )
    if not are_numbers:
        raise AnswerError(f"its configuration is of {values.dtype}, not of real numbers")
    q = np.array(values, dtype=np.float64)
    if not np.isfinite(q).all():
        raise AnswerError("its configuration has entries that are not finite")
    return q


def _count(name: str, value: Any) -> int | None:
    """How many, where that is said; a count too large for a float raises an OverflowError."""
    if value is None:
        return None
    if not isinstance(value, Real) or not math.isfinite(value) or value < 0:
        raise AnswerError(f"it says {value!r} {name}, which is no number of them")
    return int(float(value))
