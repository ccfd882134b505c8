"""`NodeCheck`: asks a constraint about nodes and steps, each at most once."""

from __future__ import annotations

import numpy as np

from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..constraints.constraint_check import refusal
from ..constraints.held_by_target import HeldByTarget
from ..constraints.refused_solutions import RefusedSolutions, reason_of
from ..reason import Reason
from ..time_limit import TimeLimit
from .layer import Layer


class NodeCheck:
    """Asks a constraint about nodes and steps, and keeps what it said.

    Whether something collides does not depend on whole turns, so one answer of a `CollisionFree` counts for all
    equivalents of a branch; other constraints are asked about each.

    Args:
        constraint: What is asked; None accepts everything.
        q: (n,) configuration that what does not move is taken from.
        active: What moves.
        held: Tells which collisions a waypoint alone is to blame for; None does not.
        limit: Of the time; None for none.

    Attributes:
        calls: How often the constraint was asked.
    """

    def __init__(
        self,
        constraint: QConstraint | None,
        q: Array,
        active: ActiveDofs,
        held: HeldByTarget | None = None,
        limit: TimeLimit | None = None,
    ) -> None:
        self._limit = limit or TimeLimit()
        self._constraint = constraint
        self._q = q
        self._active = active
        self._held = held
        self._is_about_bodies = constraint is not None and reason_of(constraint) is Reason.COLLISION
        self._refused: dict[int, RefusedSolutions] = {}
        self.calls = 0

    def accepts(self, layer: Layer, branch: int, number: int) -> bool:
        """Whether the constraint accepts a node that is inside the limits."""
        if self._constraint is None or layer.accepted[branch, number]:
            return True
        if not layer.allowed[branch, number]:
            return False
        where = branch if self._is_about_bodies else (branch, number)
        refusing = self._ask(layer.row, layer.q(branch, number))
        if refusing is None:
            layer.accepted[where] = True
            return True
        layer.allowed[branch if reason_of(refusing) is Reason.COLLISION else (branch, number)] = False
        return False

    def refusing_between(self, first: Array, second: Array, points: int) -> QConstraint | None:
        """What refuses one of so many configurations on the straight way between two (k,); None when nothing does."""
        for fraction in np.arange(1, points + 1) / (points + 1.0):
            refusing = self._ask(None, first + fraction * (second - first))
            if refusing is not None:
                return refusing
        return None

    def why_refused(self, row: int) -> tuple[Reason, str] | None:
        """What refused the nodes of a waypoint, in words; None when nothing was refused."""
        refused = self._refused.get(row)
        return None if refused is None else (refused.reason, f"refused by {refused.text()}")

    def look_at_the_clock(self) -> None:
        """Raises `TimeIsOverError` when the time is over."""
        self._limit.check()

    def _ask(self, row: int | None, values: Array) -> QConstraint | None:
        self.look_at_the_clock()
        q = self._q.copy()
        q[self._active.indices] = values
        self.calls += 1
        refusing = refusal(self._constraint, q, self._active.skeleton)
        if refusing is not None and row is not None:
            self._refused.setdefault(row, RefusedSolutions(self._active, self._held)).add(q, refusing)
        return refusing
