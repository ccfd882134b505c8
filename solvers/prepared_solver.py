"""`PreparedSolver`: a module with everything bound, for calls in a control loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ..kinematics import Link, StructureError
from ..kinematics.core.working_clock import working_time
from ..kinematics.q_constraint import QConstraint
from ..kinematics.transforms import Array
from .call_input import CallInput
from .compiled.layout import ATTEMPTS, CHECKED, FIRST, FOUND, ITERATIONS, NOT_FOUND, SOLUTION
from .constraints.constraint_check import refusal
from .constraints.same_robot import constraint_for
from .engine import engine_for
from .joint_change import JointChange, as_joint_change, confined
from .problem import Problem
from .reason import Reason
from .request import Constraint, Request, make_request
from .search import Search
from .solution import Solution
from .targets.ik_target import IkTarget

if TYPE_CHECKING:
    from .compiled.form import Form
    from .descent import Outcome
    from .inverse_kinematics import InverseKinematics

#: Attempts of the first call into the kernel; hardly any target needs more, and the others are looked into.
_FIRST_ATTEMPTS = 32
_FIRST_ITERATIONS = 3200
_CONVERGED = Reason.CONVERGED
_new = tuple.__new__


class PreparedSolver:
    """Solves for the poses of a module with its options as they were when it was made.

    Plan, buffers and options are bound once, so that a call does no more than the search itself needs. One object
    serves one thread. `InverseKinematics.prepare` makes it.

    Args:
        module: What is solved for.
        problem: All options.
        explains: Look into failures; see `InverseKinematics.prepare`.
        max_joint_change: How far joints may go from the seed; see `InverseKinematics.solve`.
    """

    def __init__(
        self,
        module: InverseKinematics,
        problem: Problem,
        explains: bool = True,
        max_joint_change: JointChange | None = None,
    ) -> None:
        self._module = module
        self._explains = explains
        self._change = as_joint_change(max_joint_change, module.skeleton)
        self._problem = problem
        self._skeleton = module.skeleton
        self._version = module.skeleton.version
        self._binding: Any = None
        self._kernel: Any = None
        self._input: Any = None
        self._other: tuple[Any, Any] | None = None
        self._is_quick = False
        self._is_busy = False
        self._has_warned = False
        self._place = self._place_of_frame()
        request = make_request(module, None, problem, explains=False, warns=False)
        if engine_for(request).name == "compiled":
            self._bind(request)

    def _bind(self, request: Any) -> None:
        from .compiled.binding import Binding
        from .compiled.entry_points import search_for
        from .compiled.form import form_of
        from .compiled.pose_task import POSE

        form = form_of(request.error_method)
        binding = Binding(request.active, form, request.gradient_method, request.problem)
        binding.seed[:] = request.seed
        binding.update_plan()
        # Not so many that the time could not be looked at in between.
        iterations = max(1, int(binding.counts[ITERATIONS]))
        binding.counts[ATTEMPTS] = min(
            max(1, min(_FIRST_ATTEMPTS, _FIRST_ITERATIONS // iterations)), self._problem.attempts
        )
        self._kernel = search_for(form, request.gradient_method)
        self._binding, self._address, self._places = binding, binding.address, request.active.indices
        self._goal, self._seed, self._q, self._report = binding.goal, binding.seed, binding.q, binding.report
        self._moves_plan = binding.has_standing_dofs
        own = request.error_method
        # A reference may be moved between two calls, and then is looked at anew.
        own_target = own if isinstance(own, IkTarget) and own.reference is None else None
        takes_poses = form.task is POSE
        self._input = CallInput(self._skeleton, self._goal, self._seed, takes_poses, own_target)
        self._takes_as_is = takes_poses and not self._moves_plan
        self._is_quick = takes_poses or own_target is not None

    @property
    def engine(self) -> str:
        """What computes: ``"compiled"`` or ``"object"``."""
        return "object" if self._binding is None else "compiled"

    def solve(
        self,
        target: Any = None,
        seed: ArrayLike | Mapping[str, Any] | None = None,
        constraint: Constraint | None = None,
        max_joint_change: JointChange | None = None,
    ) -> Solution:
        """Looks for a configuration that reaches the target; see `InverseKinematics.solve`.

        Args:
            target: See there, as for the others.
            seed: Where to start.
            constraint: Refuses solutions.
            max_joint_change: How far joints may go from the seed; what the solver was prepared with when None.

        Returns:
            See there.

        Raises:
            StructureError: The skeleton was changed since the solver was prepared.
        """
        if self._skeleton.version != self._version:
            raise StructureError(
                f"skeleton {self._skeleton.name!r} was changed after the solver was prepared; prepare it anew"
            )
        if self._is_busy:  # asked by its own constraint
            twin = PreparedSolver(self._module, self._problem, self._explains, self._change)
            return twin.solve(target, seed, constraint, max_joint_change)
        if max_joint_change is not None or self._change is not None:
            return self._solve_nearby(target, seed, constraint, max_joint_change)
        if not self._is_quick or not self._holds():
            return self._solve_request(target, seed, constraint)
        begun = working_time()
        status = -1
        if type(seed) is np.ndarray and self._takes_as_is:
            # What a control loop passes; of the right kind it needs no copy.
            try:
                if type(target) is pin.SE3:
                    status = self._kernel(self._address, CHECKED, target.homogeneous, seed)
                elif type(target) is np.ndarray:
                    status = self._kernel(self._address, CHECKED, target, seed)
            except TypeError:
                status = -1
        if status < 0:
            if not self._input.write(target, seed):
                return self._solve_request(target, seed, constraint)
            if self._moves_plan:
                self._binding.update_plan()
            status = self._kernel(self._address, CHECKED, self._goal, self._seed)
        if status == SOLUTION:
            if constraint is not None:
                return self._judged(target, seed, constraint, begun)
            q = self._q.copy()
            q.setflags(write=False)
            _, _, taken, distance, angle, _, found = self._report.tolist()
            # As `Solution(...)` does it, without its detour through a function of eleven arguments.
            return _new(
                Solution,
                (q, True, _CONVERGED, distance, angle, int(taken), int(found) + 1, working_time() - begun,
                 "compiled", "", ()),
            )  # fmt: skip
        # A search in vain goes on where it stopped; what was not searched for is looked into.
        return self._solve_request(target, seed, constraint, begun if status == NOT_FOUND else None)

    def _solve_nearby(
        self, target: Any, seed: Any, constraint: Constraint | None, max_joint_change: JointChange | None
    ) -> Solution:
        """`solve` for joints that may not go far."""
        change = self._change
        if max_joint_change is not None:
            change = as_joint_change(max_joint_change, self._skeleton)
        assert change is not None
        begun = working_time()
        if self._is_quick and constraint is None and self._holds() and self._input.write(target, seed):
            if self._moves_plan:
                self._binding.update_plan()
            # Within the joint limits alone it is as near as it has to be as a rule, and nothing is to be narrowed.
            status = self._kernel(self._address, CHECKED, self._goal, self._seed)
            if status == SOLUTION and self._is_near(change):
                return self._found(begun)
        return self._solve_request(target, seed, constraint, change=change)

    def _is_near(self, change: Array) -> bool:
        """Whether what the kernel found is within a change (n,) of the seed."""
        places = self._places
        return bool((np.abs(self._q - self._seed)[places] <= change[places]).all())

    def _judged(self, target: Any, seed: Any, constraint: Constraint, begun: float) -> Solution:
        """What the kernel found, when the constraint accepts it; else what is found after it."""
        from .compiled.outcome import outcome_of

        outcome, asked = outcome_of(self._binding), constraint_for(self._skeleton, constraint)
        # It may solve with the same module, and so does what it calls.
        self._is_busy = True
        try:
            refusing = refusal(asked, outcome.q, self._skeleton)
        finally:
            self._is_busy = False
        if refusing is None:
            return self._found(begun)
        return self._solve_request(target, seed, constraint, begun, refused=(outcome, refusing))

    def _found(self, begun: float) -> Solution:
        """What the kernel found."""
        from .compiled.outcome import outcome_of

        found, attempts = outcome_of(self._binding), int(self._report[FOUND]) + 1
        found.q.flags.writeable = False
        return Solution(
            found.q, True, _CONVERGED, found.position_error, found.orientation_error, found.iterations, attempts,
            working_time() - begun, "compiled",
        )  # fmt: skip

    def _place_of_frame(self) -> Any:
        """Where the frame is on its link; None for a link itself."""
        frame = self._module.frame
        return None if isinstance(frame, Link) else (frame.link, frame.transform(frame.link).homogeneous.tobytes())

    def _holds(self) -> bool:
        """False when the frame was moved on its link, or to another link."""
        return self._place is None or self._place == self._place_of_frame()

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A copy is prepared anew, from a copy of the module."""
        return PreparedSolver, (self._module, self._problem, self._explains, self._change)

    def _solve_request(
        self,
        target: Any,
        seed: Any,
        constraint: Constraint | None,
        begun: float | None = None,
        refused: tuple[Outcome, QConstraint] | None = None,
        change: Array | None = None,
    ) -> Solution:
        """The whole way, with every check; behind the attempts that were made since ``begun``, if any.

        The last of these may have reached the target and been refused.
        """
        wide = make_request(self._module, target, self._problem, seed, constraint, warns=not self._has_warned)
        wide.explains = self._explains
        request = confined(wide, change)
        # Said once; a control loop would say it a thousand times a second.
        self._has_warned = self._has_warned or self._module.active_dofs().is_outside(request.seed)
        engine = engine_for(request)
        if self._binding is None or engine.name != "compiled":
            return engine.solve(request)
        from .compiled.compiled_engine import CompiledEngine
        from .compiled.form import form_of
        from .compiled.outcome import outcome_of

        assert isinstance(engine, CompiledEngine)
        binding, kernel = self._bound(request, form_of(request.error_method))
        search = Search(request, engine.name)
        attempts = int(binding.counts[ATTEMPTS])
        if begun is not None and refused is not None:
            search.begin_after(begun, int(binding.report[FOUND]) + 1)
            search.refuse(*refused)
        elif begun is not None:
            search.begin_after(begun, attempts, outcome_of(binding))
        self._is_busy = True
        try:
            return engine.solve_with(request, binding, kernel, search)
        finally:
            self._is_busy = False
            binding.counts[ATTEMPTS], binding.counts[FIRST] = attempts, 0

    def _bound(self, request: Request, form: Form) -> tuple[Any, Any]:
        """Binding and kernel for a form: the module's own, or those of targets that say what they are themselves."""
        from .compiled.binding import Binding
        from .compiled.entry_points import search_for

        if self._binding.fits(form):
            return self._binding, self._kernel
        binding, kernel = self._other or (None, None)
        if binding is None or not binding.fits(form):
            wide = request.wide or request
            binding = Binding(wide.active, form, request.gradient_method, wide.problem)
            kernel = search_for(form, request.gradient_method)
            self._other = binding, kernel
        return binding, kernel

    def __repr__(self) -> str:
        return f"<PreparedSolver for {self._module.name!r} of {self._skeleton.name!r}, {self.engine}>"
