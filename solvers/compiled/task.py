"""`CompiledTask`: what is to become zero, as kernels."""

from __future__ import annotations

from typing import Any, NamedTuple


class CompiledTask(NamedTuple):
    """The two kernels of a task; both run on numbers and on lanes of them.

    ``plan`` is the tuple of its arrays, see `arrays_at`; ``frames`` (s + 1, 12) what `forward` leaves; ``tip`` (12,)
    belongs to the task, for what `measure` finds out about the tip; ``goal`` is (12,), rotation row by row, then
    translation; ``data`` are numbers of the task, the same for all lanes; ``scratch`` (6 (s + 1),) is the task's.

    Attributes:
        name: For labels of what is compiled.
        measure: ``measure(plan, frames, tip, goal, data, scratch, error, squares)`` writes the error, current minus
            desired, and squares (2,): the squared distance (m^2) and squared angle (rad^2) that are missing.
        jacobian: ``jacobian(plan, n, frames, tip, goal, data, scratch, error, jacobian)`` writes the derivative
            (rows, n) of the error; called after `measure`.
        takes_pose: Whether goals are rotations with translations, and are looked at for it.
    """

    name: str
    measure: Any
    jacobian: Any
    takes_pose: bool = True
