"""`BranchSource`: where the branches of waypoints come from, and `branch_source_for`, which chooses one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from ..analytical.analytical import Analytical
from ..closed_form.closed_form import ClosedForm
from ..goals import any_target
from ..problem import Problem
from ..request import make_request
from ..tasks.error_method import ErrorMethod

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics


class PathTask(NamedTuple):
    """What branches are wanted for.

    Attributes:
        module: Whose.
        method: What the goals are for.
        goals: (m, 4, 4) of the waypoints that make sense.
        numbers: (m,) of these among all, for people.
        start: (n,) configuration that what does not move is taken from.
        has_start: Whether a way begins there; else it may begin anywhere.
        problem: All options.
        bound: (m, k) largest change of each coordinate that moves, from the waypoint before.
        samples: How many samples to take; None for the default of the source.
    """

    module: InverseKinematics
    method: ErrorMethod
    goals: Array
    numbers: NDArray[np.intp]
    start: Array
    has_start: bool
    problem: Problem
    bound: Array
    samples: int | None

    def bound_between(self, before: int, row: int) -> Array:
        """Largest step (k,) from one waypoint to another: where some are left out between, the sum of theirs."""
        bound: Array = self.bound[before + 1 : row + 1].sum(axis=0)
        return bound


class BranchSource(Protocol):
    """Gives the branches of waypoints."""

    #: For people: where they come from.
    name: str

    def branches(self) -> list[Array]:
        """For each waypoint its branches (b, k): values of what the module moves, modulo whole turns."""

    def refined(self, rows: list[int], way: Array, apart: list[int], round: int) -> list[Array] | None:
        """Branches close to a way (r, k) through waypoints, closer in each round; None when there are none between.

        ``apart`` are the places on the way that are jumped to.
        """

    def denser(self, rows: list[int]) -> list[Array] | None:
        """More branches of some waypoints, where there is no way through those given before; None for no more."""


def branch_source_for(task: PathTask) -> BranchSource:
    """Closed forms where there are any, else samples."""
    from .closed_form_branches import ClosedFormBranches
    from .redundant_branches import RedundantBranches, redundancy_at
    from .sampled_branches import SampledBranches

    closed = _closed_form_for(task)
    if closed is None:
        return SampledBranches(task)
    if isinstance(closed, ClosedForm):
        redundancy = redundancy_at(closed, task.start)
        if redundancy is not None:
            return RedundantBranches(task, redundancy, closed.solved_dofs())
        if len(closed.solved_dofs()) > 6:
            return SampledBranches(task)
    return ClosedFormBranches(task, closed)


def _closed_form_for(task: PathTask) -> Analytical | None:
    """The closed form that the module has been given, or that its arm has, when it solves for all that moves."""
    module = task.module
    request = make_request(module, any_target(task.method), task.problem, task.start, explains=False, warns=False)
    own = module.gradient_method
    closed = own if isinstance(own, Analytical) else ClosedForm()
    is_own = closed is own
    if not is_own or closed.ik is not module:
        try:
            closed.bind(module)
        except ValueError:
            return None
    if closed.obstacle_to_solving(request.error_method):
        return None
    return closed if len(closed.solved_dofs()) == len(request.active) else None
