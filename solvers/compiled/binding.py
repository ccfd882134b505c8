"""`Binding`: the arrays of a compiled search, filled in once for a task, a method and a problem."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kinematics.core.argument_table import ArgumentTable
from ...kinematics.core.lanes import native_width
from ...kinematics.core.plan import Plan
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..gradient_method import GradientMethod
from ..joint_change import NearbyDofs
from ..kernel import parameter_array, parameters_of
from ..problem import Problem
from . import layout
from .form import Form
from .joint_kinds import curved_kind

#: Stands for "no limit": kernels are compiled for finite numbers.
FAR_AWAY = 1e30
#: Keeps a solution inside the tolerance when whole turns are added to its angles afterwards.
_SLACK = 1.0 - 1e-6


class Binding:
    """Plan and arrays for one target at a time. Not for two threads at a time.

    Args:
        active: What may move; holds for one version of the skeleton, and so does this.
        form: The task.
        method: Gives the step rule's parameters.
        problem: Tolerances, iterations and the rest.

    Attributes:
        goal: (4, 4) to be written before a search.
        seed: (n,) likewise; the whole configuration.
        q: (n,) what was found.
        report: What the kernel says, see `layout`.
        counts: See `layout`.
        address: What the kernel is called with.
    """

    def __init__(self, active: ActiveDofs, form: Form, method: GradientMethod, problem: Problem) -> None:
        n = active.skeleton.num_dofs
        self._active = active
        self._method = method
        self._problem = problem
        self._form = form
        self._still = _standing_dofs(active, form)
        self._plan_key: bytes | None = None
        self._plan: Plan | None = None
        #: The joints' columns as they were made, once they were narrowed.
        self._wide: Array | None = None
        self._curved: dict[int, int] = {}
        self.goal = form.goal.copy()
        self.seed = np.zeros(n)
        answer = np.zeros(n + layout.REPORT_SIZE)
        self.q, self.report = answer[:n], answer[n:]
        self.counts = np.zeros(layout.COUNTS_SIZE, dtype=np.int64)
        self._settings = np.zeros(layout.SETTINGS_SIZE)
        self._joints = np.zeros((layout.JOINT_ROWS, len(active)))
        room, none = np.zeros((1, 1)), np.zeros((1, 1), dtype=np.int64)
        self._table = ArgumentTable(
            none, room, none, room, none, none, room, self._joints, self._settings, self.counts, np.zeros(1),
            self.goal.reshape(1, 16), self.seed[None], room, answer[None],
        )  # fmt: skip
        self.address = self._table.address
        self._write_problem(method, problem)
        self._write_joints(method, problem)

    def _write_problem(self, method: GradientMethod, problem: Problem) -> None:
        settings, counts, pace = self._settings, self.counts, problem.pace_for(method)
        settings[layout.POSITION_TOLERANCE] = problem.tolerance[0] * _SLACK
        settings[layout.ORIENTATION_TOLERANCE] = problem.tolerance[1] * _SLACK
        settings[layout.KEPT] = min(pace.improvement, FAR_AWAY)
        self.write_parameters(method)
        counts[layout.ITERATIONS], counts[layout.STRIKES] = pace.iterations, pace.strikes
        counts[layout.ATTEMPTS] = problem.attempts
        counts[layout.RANDOM_SEED] = int(problem.random_seed)  # type: ignore[arg-type]  # `engine_for` has looked
        counts[layout.ROWS] = self._form.rows
        counts[layout.WEIGHTED] = self._active.root_weights is not None
        counts[layout.SHAPED] = not method._is_plain
        counts[layout.LIMITED] = problem.respect_limits
        counts[layout.POSES] = self._form.task.takes_pose

    @property
    def form(self) -> Form:
        """The task."""
        return self._form

    def without_limits(self) -> Binding:
        """Another one for the same goal and plan, ignoring the limits."""
        return self._twin(self._problem.replaced(respect_limits=False))

    def widened(self) -> Binding:
        """Another one for the same goal and plan, with the limits that it was made with."""
        return self._twin(self._problem)

    def narrow(self, nearby: NearbyDofs) -> None:
        """Takes over narrower limits, until `widen`."""
        if self._wide is None:
            self._wide = self._joints.copy()
        self._write_limits(nearby)
        self.counts[layout.LIMITED] = True

    def widen(self) -> None:
        """Goes back to the limits that it was made with."""
        if self._wide is not None:
            self._joints[:] = self._wide
            self.counts[layout.LIMITED] = self._problem.respect_limits

    def _twin(self, problem: Problem) -> Binding:
        twin = Binding(self._active, self._form, self._method, problem)
        twin.goal[:], twin.seed[:] = self.goal, self.seed
        twin.update_plan()
        return twin

    def write_parameters(self, method: GradientMethod) -> None:
        """Takes over the parameters that the method has now."""
        self._settings[layout.PARAMETERS :] = parameter_array(method.name, parameters_of(method))

    def _write_joints(self, method: GradientMethod, problem: Problem) -> None:
        active, joints = self._active, self._joints
        own = np.full(len(active), np.inf) if active.max_step is None else active.max_step
        joints[layout.PLACE] = active.indices
        joints[layout.TURNS, [column for column, _, _ in active.wraps]] = 1.0
        joints[layout.INVERSE_STEP] = 1.0 / np.minimum(np.minimum(own, problem.max_step), FAR_AWAY)
        joints[layout.ROOT_WEIGHT] = 1.0 if active.root_weights is None else active.root_weights
        factors = np.ones(max(len(active), len(method.component_weights)))
        factors[: len(method.component_weights)] = method.component_weights
        joints[layout.FACTOR] = factors[: len(active)]
        joints[layout.CLAMP] = min(method.component_clamp, FAR_AWAY)
        for column, dof in enumerate(active.dofs):
            kind = curved_kind(dof.joint)
            if kind is not None:
                self._curved[column] = kind if dof is dof.joint.dofs[0] else layout.FOLLOWS
        self._write_limits(active, problem.respect_limits)

    def _write_limits(self, active: ActiveDofs, respect_limits: bool = True) -> None:
        joints = self._joints
        joints[layout.FROM], joints[layout.TO] = active._draw_from, active._draw_from + active._draw_span
        if respect_limits:
            joints[layout.LOWER] = np.maximum(active.lower, -FAR_AWAY)
            joints[layout.UPPER] = np.minimum(active.upper, FAR_AWAY)
            joints[layout.KIND] = _kinds(active)
        else:
            joints[layout.LOWER], joints[layout.UPPER] = -FAR_AWAY, FAR_AWAY
            joints[layout.KIND] = layout.UNLIMITED
        for column, kind in self._curved.items():
            joints[layout.KIND, column] = kind

    def plan_for(self, seed: Array) -> Plan:
        """Builds the plan for a configuration (n,), of which only what stands still matters."""
        form, active = self._form, self._active
        return Plan.build(active.skeleton, form.tips, active.indices, seed, whole_body=form.whole_body)

    def update_plan(self) -> None:
        """Makes the plan that of the seed; nothing to do when all that stands still is where it was."""
        key = self.seed[self._still].tobytes()
        if key == self._plan_key:
            return
        plan = self.plan_for(self.seed)
        rows = layout.workspace_rows(len(self._active), len(plan.steps))[-1]
        arrays = (
            plan.steps, plan.constants, plan.entries, plan.rates, plan.carries, plan.tip_frames, plan.tip_poses
        )  # fmt: skip
        for place, array in enumerate(arrays):
            self._table.bind(place, array)
        self._table.bind(layout.TASK, self._form.data(plan))
        self._table.bind(layout.WORK, np.zeros((rows, native_width())))
        self._plan_key, self._plan = key, plan

    def set_form(self, form: Form) -> None:
        """Takes over goal and numbers of a form that the binding `fits`."""
        self._form = form
        self.goal[:] = form.goal
        if self._plan is not None:
            self._table.bind(layout.TASK, form.data(self._plan))

    def fits(self, form: Form) -> bool:
        """Whether a form differs at most in its goal and numbers."""
        return form.task is self._form.task and form.rows == self._form.rows and _places(form) == _places(self._form)

    @property
    def standing_dofs(self) -> NDArray[np.intp]:
        """Places in the configuration of what the plan depends on."""
        return self._still

    @property
    def has_standing_dofs(self) -> bool:
        """Whether the plan depends on the seed."""
        return len(self._still) > 0

    def batch_table(self, goals: Array, seeds: Array, answers: Array) -> ArgumentTable:
        """A table for many targets with this plan.

        Args:
            goals: (m, 16).
            seeds: (m, n), or (1, n) for all.
            answers: (m, n + `layout.REPORT_SIZE`), to be written.
        """
        table = self._table.copy()
        table.bind(layout.GOALS, goals)
        table.bind(layout.SEEDS, seeds)
        table.bind(layout.ANSWERS, answers)
        return table


def _places(form: Form) -> list[tuple[int, bytes]]:
    """Where the tips are."""
    return [(id(tip.link), tip.transform(tip.link).homogeneous.tobytes()) for tip in form.tips]


def _kinds(active: ActiveDofs) -> NDArray[Any]:
    kinds = np.where(np.isfinite(active.lower) | np.isfinite(active.upper), layout.STOPS, layout.UNLIMITED)
    for column, lower, upper in active.wraps:
        if kinds[column] == layout.STOPS and upper - lower >= 2.0 * np.pi:
            kinds[column] = layout.WRAPS
    return kinds


def _standing_dofs(active: ActiveDofs, form: Form) -> NDArray[np.intp]:
    """Places of the degrees of freedom that the plan depends on and that are not active."""
    moving = set(active.indices.tolist())
    if form.whole_body:
        return np.array(sorted(set(range(active.skeleton.num_dofs)) - moving), dtype=np.intp)
    found: set[int] = set()
    for tip in form.tips:
        link = tip.link
        while link is not None:
            joint = link.joint
            while joint.dependence is not None:
                joint = joint.dependence.master
            found.update(dof.index for dof in joint.dofs if dof.index is not None and dof.index not in moving)
            link = link.parent_link
    return np.array(sorted(found), dtype=np.intp)
