"""`CountedConstraint`: a constraint that knows how often it was asked."""

from __future__ import annotations

from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array


class CountedConstraint(QConstraint):
    """Another constraint, with a count.

    Args:
        inner: What is asked.

    Attributes:
        calls: How often it was asked.
    """

    def __init__(self, inner: QConstraint) -> None:
        super().__init__(inner, inner.name)
        self._inner = inner
        self.calls = 0

    def __call__(self, q: Array) -> bool:
        """See `QConstraint`."""
        self.calls += 1
        return self._inner(q)

    def refusing(self, q: Array) -> QConstraint | None:
        """The part of the other constraint that refuses q (n,); None when it is accepted."""
        self.calls += 1
        return self._inner.refusing(q)

    def explain(self, q: Array) -> str:
        """See `QConstraint`."""
        return self._inner.explain(q)
