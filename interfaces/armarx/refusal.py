"""`Refusal`: an operation ends with a reason. It never leaves the package."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .outcome import FailureReason, Outcome

T = TypeVar("T")


class Refusal(Exception):  # noqa: N818  # it is an answer, not an error
    """What was asked cannot be done.

    Args:
        reason: Why.
        detail: In words.
    """

    def __init__(self, reason: FailureReason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def explained(operation: Callable[[], T], otherwise: T) -> Outcome[T]:
    """The outcome of an operation; with the other value when it is refused."""
    try:
        return Outcome(operation())
    except Refusal as refusal:
        return Outcome(otherwise, refusal.reason, refusal.detail)
