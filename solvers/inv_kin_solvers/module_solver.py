"""`ModuleSolver`: any `InverseKinematics`, with any method in it, as an `InvKinSolver`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, Link, NodeSet, PoseLike, Skeleton, World
from ...kinematics.core.working_clock import working_time
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..analytical.analytical import Analytical
from ..analytical.analytical_engine import analytical_obstacle
from ..analytical.solved_dofs import base_of
from ..engine import solve_request
from ..far_targets import goal_pose
from ..gradient_method import GradientMethod
from ..inverse_kinematics import InverseKinematics
from ..option_checks import at_least, or_none
from ..request import Request, make_request
from .device import as_chain, as_device
from .inv_kin_solver import InvKinSolver
from .solutions import Solutions, SolutionsReport
from .tool_frame import tool_frame


class _KnownChain(NamedTuple):
    """The chain of a module, with all that it follows from.

    Attributes:
        active: What the module moves; another object whenever the skeleton's version is another one.
        link: What the module's frame hangs on.
        names: Of the tip and of a base that was given, which may be changed.
        chain: What follows.
        base_pose: Of its base in the world, where that is a link that nothing moves; else None.
    """

    active: ActiveDofs
    link: Link | None
    names: tuple[str, str | None]
    chain: NodeSet
    base_pose: pin.SE3 | None


class ModuleSolver(InvKinSolver):
    """Solves with a module: one search from the state, or, for a closed form in it, all branches.

    The module's options count as they are at each call: its gradient and error method, its degrees of freedom, its
    offset, the tolerance and the limits of its problem. Branches come in the closed form's order, the one nearest to
    the state first; the state itself comes first when it is a solution.

    Args:
        module: The module. It is shared, not copied, and its target plays no part.
        device: The chain whose base targets are relative to, or the base itself; by default that of the chain that ends
            in the module's frame, or, where the module moves that base, the one that stands still.
        attempts: Attempts of a solve that iterates. 1, because restarts are `IKMetaSolver`'s; None for as many as the
            module's problem allows.

    Raises:
        InvalidValueError: Something that is no module, or a device that is neither a chain nor a frame.
    """

    def __init__(
        self,
        module: InverseKinematics,
        device: NodeSet | Frame | str | None = None,
        *,
        attempts: int | None = 1,
    ) -> None:
        if not isinstance(module, InverseKinematics):
            raise InvalidValueError(f"ModuleSolver needs an InverseKinematics module, not {module!r}")
        if isinstance(device, str):
            device = module.skeleton.frame(device)
        if device is not None and not isinstance(device, NodeSet | Frame):
            raise InvalidValueError(f"device must be a chain, or the frame of its base or its name, not {device!r}")
        self._module = module
        self._base = device.base if isinstance(device, NodeSet) else device
        self.attempts = attempts
        self._tool: Frame | None = None
        self._known: _KnownChain | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What is known of the module's chain is not copied: it belongs to that very module."""
        return {**vars(self), "_known": None}

    @property
    def module(self) -> InverseKinematics:
        """The module that does the work."""
        return self._module

    @property
    def attempts(self) -> int | None:
        """Attempts of a solve that iterates; None for as many as the module's problem allows."""
        return self._attempts

    @attempts.setter
    def attempts(self, value: int | None) -> None:
        self._attempts: int | None = or_none(at_least(1))("attempts", value)

    @property
    def chain(self) -> NodeSet:
        """What the module moves, with the base that targets are relative to, and `tcp`."""
        known = self._known_chain().chain
        return NodeSet(known.name, known.joints, known.base, known.tip)

    def _known_chain(self) -> _KnownChain:
        """What `chain` is now, kept while the module and the robot are as they were; nobody else is given it."""
        module, tcp = self._module, self.tcp
        active, link, fixed = module.active_dofs(), module.frame.link, self._base
        names = (tcp.name, None if fixed is None else fixed.name)
        known = self._known
        if (
            known is None
            or known.active is not active
            or known.link is not link
            or known.chain.tip is not tcp
            or known.names != names
        ):
            base = _base_of(module) if fixed is None else fixed
            chain = NodeSet(f"{base.name} to {tcp.name}", {dof.joint for dof in active.dofs}, base, tcp)
            self._known = known = _KnownChain(active, link, names, chain, _pose_of_fixed(base, active))
        return known

    @property
    def tcp(self) -> Frame:
        """The module's frame; with an offset, a frame at the tool point."""
        self._tool = tool_frame(self._module, self._tool)
        return self._tool

    def request_for(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Request | None:
        """The search of `solve`; None when it is not all of it.

        That is so for a closed form, which gives more than one solution, where limits are to be tested that the module
        does not keep, and in a subclass with a `solve` of its own.
        """
        target = goal_pose(base_T_end, "base_T_end")
        return self._checked_request_for(target, self._module.skeleton.as_configuration(state, name="state"))

    def _checked_request_for(self, target: pin.SE3, start: Array) -> Request | None:
        """`request_for` of what was checked."""
        if type(self).solve is not ModuleSolver.solve:
            return None
        if self.check_joint_limits and not self._module.problem.respect_limits:
            return None
        request = self._request(target, start)
        return request if self._is_iterative(request) else None

    def solve(self, base_T_end: PoseLike, state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """Configurations for a pose; see `InvKinSolver.solve` and the class."""
        begun = working_time()
        start = self._module.skeleton.as_configuration(state, name="state")
        request = self._request(goal_pose(base_T_end, "base_T_end"), start)
        refused = {"not solved": 0, "limits": 0}
        if self._is_iterative(request):
            solution = solve_request(request)
            found, attempts = [solution.q] if solution else [], solution.attempts
            refused["not solved"] = solution.attempts - len(found)
        else:
            found, attempts = _branches(request), 1
            refused["not solved"] = 0 if found else 1
        if self.check_joint_limits:
            inside = [q for q in found if not request.active.is_outside(q)]
            refused["limits"], found = len(found) - len(inside), inside
        elapsed = working_time() - begun
        return Solutions(found, SolutionsReport(attempts, len(found), MappingProxyType(refused), elapsed))

    def _is_iterative(self, request: Request) -> bool:
        method = request.gradient_method
        return not isinstance(method, Analytical) or bool(analytical_obstacle(request))

    def _request(self, target: pin.SE3, start: Array) -> Request:
        module = self._module
        problem = module.problem.replaced(attempts=self._attempts)
        known = self._known_chain()
        base = module.pose_at(known.chain.base, start) if known.base_pose is None else known.base_pose
        return make_request(module, base * target, problem, start, explains=False)


def as_inv_kin_solver(value: Any, device: NodeSet | Frame | Skeleton | str | None = None) -> InvKinSolver:
    """Anything that solves inverse kinematics as an `InvKinSolver`.

    Args:
        value: An `InvKinSolver`, which is given back; an `InverseKinematics` module; or a `GradientMethod`, such as
            an `Analytical`, a `ClosedForm` or an `IkFast`.
        device: For a gradient method the chain, or its tip, or the tip's name, that it is to work for; without one it
            works for the module that it belongs to, in a copy. For a module its base counts, see `ModuleSolver`.

    Raises:
        InvalidValueError: Something else, or a gradient method that belongs to no module, without a device.
        StructureError: A device of another robot.
    """
    device = as_device(device, value)
    if isinstance(value, InvKinSolver):
        return value
    if isinstance(device, Frame | Skeleton):
        device = as_chain(device, "device")
    if isinstance(value, InverseKinematics):
        return ModuleSolver(value, device)
    if not isinstance(value, GradientMethod):
        raise InvalidValueError(
            f"no InvKinSolver can be made of {value!r}; it takes a module, a gradient method, or an InvKinSolver"
        )
    if device is not None:
        module = InverseKinematics(device)
        module.gradient_method = value
    elif value.ik is not None:
        module = value.ik.clone()
        module.gradient_method = value.clone()
    else:
        raise InvalidValueError(f"{type(value).__name__} belongs to no module; say for which device it is to solve")
    return ModuleSolver(module, device)


def _base_of(module: InverseKinematics) -> Frame:
    """Where the chain of the module's frame begins, or, when the module moves that, what stands still."""
    base = module.frame.chain().base
    moved = {dof.joint for dof in module.dofs}
    link = base.link
    while link is not None:
        if link.joint in moved:
            return base_of(module.active_dofs())
        link = link.parent_link
    return base


def _pose_of_fixed(base: Frame, active: ActiveDofs) -> pin.SE3 | None:
    """World pose of a base that is a link which no joint moves, or the world; None for all others."""
    if isinstance(base, World):
        return pin.SE3.Identity()
    if not isinstance(base, Link):
        return None
    above: Link | None = base
    while above is not None:
        if above.joint.is_moving:
            return None
        above = above.parent_link
    state = active.borrow_state(active.skeleton.rest_positions)
    try:
        return pin.SE3(state.transform(base))
    finally:
        active.return_state(state)


def _branches(request: Request) -> list[Array]:
    """All configurations (n,) of a closed form that reach the goal, whatever the limits; the seed first if it does."""
    method = request.gradient_method
    assert isinstance(method, Analytical)
    rows, _, errors = method.solve_for(request.error_method, request.seed)
    indices = method.solved_dofs().indices
    reached = (errors[:, :2] <= request.problem.tolerance).all(axis=1)
    found = [_with(request.seed, indices, row) for row in rows[reached]]
    if not _is_solution(request, request.seed):
        return found
    others = [q for q in found if np.abs(q - request.seed).max() > defaults.PROXIMITY_LIMIT]
    return [request.seed.copy(), *others]


def _is_solution(request: Request, q: Array) -> bool:
    state = request.active.borrow_state(q)
    try:
        away, turned = request.error_method.residual(state)
    finally:
        request.active.return_state(state)
    return away <= request.problem.tolerance[0] and turned <= request.problem.tolerance[1]


def _with(q: Array, indices: Any, values: Array) -> Array:
    result = q.copy()
    result[indices] = values
    return result
