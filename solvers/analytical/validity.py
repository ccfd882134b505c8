"""`Validity`: what is wrong with a solution of a closed form, and `AnalyticalSolution`, which says it of one."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from ...kinematics.transforms import Array


class Validity(IntFlag):
    """Flags of a closed form's solution; several may be set."""

    #: It reaches the pose, inside the limits.
    VALID = 0
    #: It does not reach the pose: the nearest that this branch of solutions has.
    OUT_OF_REACH = 1
    #: A joint is beyond its limits, and no whole turn brings it back.
    LIMIT_VIOLATED = 2


class AnalyticalSolution(NamedTuple):
    """One branch of the solutions of a closed form.

    Attributes:
        q: Configuration of the whole skeleton (n,), read-only; what is not solved for is as in the seed.
        validity: `Validity` flags; zero, and so false, when it is valid.
        position_error: By how much it misses the pose (m).
        orientation_error: The same (rad).
        is_singular: It stands for infinitely many: joints can move while the tip stands still.
        free_directions: (k, d) unit directions of the d dofs that are solved for in which the joints of a singular
            solution can move; no rows unless it is singular.
    """

    q: Array
    validity: Validity
    position_error: float
    orientation_error: float
    is_singular: bool
    free_directions: Array

    # Tuples compare entry by entry, which is ambiguous for arrays.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        flags = [flag.name for flag in Validity if flag & self.validity] or ["VALID"]
        text = f"<AnalyticalSolution {' '.join(map(str, flags))}"
        if self.validity & Validity.OUT_OF_REACH:
            text += f", {self.position_error:.3g} m and {self.orientation_error:.3g} rad off"
        return text + (", singular" if self.is_singular else "") + f": {self.q.round(4).tolist()}>"
