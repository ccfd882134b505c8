"""`MultiJacobianIKSolver`: several frames of a tree to their poses, in one descent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, Joint, NodeSet, PoseLike, ShapeError, Skeleton
from ...kinematics.core.working_clock import working_time
from ...kinematics.transforms import Array
from .. import defaults
from ..analytical.solved_dofs import base_of
from ..engine import solve_request
from ..far_targets import goal_pose
from ..gradient_method import GradientMethod
from ..inverse_kinematics import InverseKinematics
from ..option_checks import as_positive
from ..problem import Problem
from ..request import Request
from ..solution import Solution
from .device import as_frame
from .iterative_multi_ik import IterativeMultiIK
from .pose_interpolation import pieces_between, pose_between
from .solutions import Solutions, SolutionsReport
from .stacked_task import StackedTask


class MultiJacobianIKSolver(IterativeMultiIK):
    """Iterates a `GradientMethod` on the errors of all frames together; at most one solution.

    Joint limits are kept in the iterations.

    Args:
        device: The skeleton, of which every joint on the way to one of the frames moves; or a node set, whose joints
            move.
        frames: Frames that are put at poses, or their names; none twice.
        base: What targets are relative to, or its name; by default the base of the node set, for a skeleton the frame
            that the first of the joints stands on.
        method: The step; `LevenbergMarquardt` when None.
        max_error: See `IterativeMultiIK.max_error`.
        max_iterations: At most.
        interpolation_step: See `interpolation_step`.
        return_best_fit: See the attribute.

    Attributes:
        return_best_fit: Give the nearest configuration when there is no solution; in the report its attempt counts as
            not solved all the same.

    Raises:
        InvalidValueError: No frame, one twice, or one that none of the joints moves.
    """

    return_best_fit: bool

    def __init__(
        self,
        device: Skeleton | NodeSet,
        frames: Iterable[Frame | str],
        *,
        base: Frame | str | None = None,
        method: GradientMethod | None = None,
        max_error: float | Sequence[float] = defaults.POSITION_TOLERANCE,
        max_iterations: int = defaults.SINGLE_ITERATIONS,
        interpolation_step: float | None = None,
        return_best_fit: bool = False,
    ) -> None:
        if not isinstance(device, Skeleton | NodeSet):
            raise InvalidValueError(f"device must be a skeleton or a node set, not {device!r}")
        skeleton = device if isinstance(device, Skeleton) else device.skeleton
        self._frames = _checked_frames(skeleton, frames)
        super().__init__(len(self._frames))
        joints = _joints_of(skeleton, self._frames) if isinstance(device, Skeleton) else device.joints
        for frame in self._frames:
            if not any(joint in joints for joint in _above(frame)):
                raise InvalidValueError(f"frame {frame.name!r} is moved by none of the joints of {device.name!r}")
        moving = [joint for joint in joints if joint.is_moving and not joint.is_dependent]
        self._modules = [InverseKinematics(frame, dofs=moving) for frame in self._frames]
        own_base = device.base if isinstance(device, NodeSet) else None
        self._base = own_base if base is None else as_frame(base, skeleton, "base")
        self.max_error = max_error
        self.max_iterations = max_iterations
        self.interpolation_step = interpolation_step
        self.return_best_fit = return_best_fit
        if method is not None:
            self.method = method

    @property
    def skeleton(self) -> Skeleton:
        """The robot."""
        return self._modules[0].skeleton

    @property
    def base(self) -> Frame:
        """What the targets are relative to."""
        return base_of(self._modules[0].active_dofs()) if self._base is None else self._base

    @property
    def tcps(self) -> tuple[Frame, ...]:
        """The frames that are put at the poses."""
        return self._frames

    @property
    def modules(self) -> tuple[InverseKinematics, ...]:
        """A module for each frame; its error method and offset count. A frame may so be asked for its position only."""
        return tuple(self._modules)

    @property
    def method(self) -> GradientMethod:
        """The step."""
        return self._modules[0].gradient_method

    @method.setter
    def method(self, method: GradientMethod) -> None:
        self._modules[0].gradient_method = method

    @property
    def interpolation_step(self) -> float | None:
        """The ways to the poses are followed in pieces of at most this (m and rad); None goes there at once.

        RobWork has it on, with 0.2; see `JacobianIKSolver.interpolation_step` for what it is good for.
        """
        return self._interpolation_step

    @interpolation_step.setter
    def interpolation_step(self, step: float | None) -> None:
        self._interpolation_step = None if step is None else as_positive("interpolation_step", step)

    def solve(self, base_T_ends: Sequence[PoseLike], state: ArrayLike | Mapping[str, Any] | None = None) -> Solutions:
        """The configuration that the descent ends in, if it puts every frame at its pose."""
        begun = working_time()
        start = self.skeleton.as_configuration(state, name="state")
        solution = self._descend(self._targets(base_T_ends, start), start)
        q = self._near(solution, start) if solution else solution.q
        found = [q] if solution or self.return_best_fit else []
        refused = MappingProxyType({"not solved": int(not solution)})
        return Solutions(found, SolutionsReport(1, len(found), refused, working_time() - begun))

    def _targets(self, base_T_ends: Sequence[PoseLike], start: Array) -> list[pin.SE3]:
        """The poses in the world."""
        try:
            given = list(base_T_ends)
        except TypeError:
            raise InvalidValueError(f"base_T_ends must be a sequence of poses, not {base_T_ends!r}") from None
        if len(given) != len(self):
            raise ShapeError(f"{len(self)} frames need as many poses; {len(given)} were given")
        base = self._modules[0].pose_at(self.base, start)
        return [base * goal_pose(each, f"base_T_ends[{k}]") for k, each in enumerate(given)]

    def _descend(self, targets: list[pin.SE3], start: Array) -> Solution:
        q, step = start, self._interpolation_step
        if step is not None:
            begins = [module.pose_at(module.frame, start) for module in self._modules]
            ways = list(zip(begins, targets, strict=True))
            pieces = max(pieces_between(begin, end, step) for begin, end in ways)
            errors = [max(error, defaults.INTERPOLATION_TOLERANCE * step) for error in self.max_error]
            for k in range(1, pieces):
                poses = [pose_between(begin, end, k / pieces) for begin, end in ways]
                q = solve_request(self._request(poses, q, errors, defaults.INTERPOLATION_ITERATIONS)).q
        return solve_request(self._request(targets, q, self.max_error, self.max_iterations))

    def _request(self, targets: list[pin.SE3], q: Array, errors: Sequence[float], iterations: int) -> Request:
        pace, first = self.method.pace, self._modules[0]
        # The tolerances are the stacked task's; this one is never above them.
        problem = Problem(
            tolerance=min(errors),
            iterations=iterations,
            improvement=pace.improvement,
            strikes=max(defaults.SINGLE_STRIKES, pace.strikes),
            attempts=1,
        )
        tasks = [module.error_method.aimed_at(each) for module, each in zip(self._modules, targets, strict=True)]
        task = StackedTask(tasks, errors)
        return Request(first, task, self.method, problem, first.active_dofs(), q, explains=False)

    def _near(self, solution: Solution, start: Array) -> Array:
        """The solution with its angles where they are nearest to the start."""
        active = self._modules[0].active_dofs()
        q = solution.q.copy()
        q[active.indices] = active.nearest(q[active.indices], start[active.indices])
        return q


def _checked_frames(skeleton: Skeleton, frames: Iterable[Frame | str]) -> tuple[Frame, ...]:
    found: list[Frame] = []
    given = [frames] if isinstance(frames, str) else frames
    if not isinstance(given, Iterable):
        raise InvalidValueError(f"frames must be frames of {skeleton.name!r} or their names, not {frames!r}")
    for each in given:
        frame = skeleton.frame(each) if isinstance(each, str) else each
        if not isinstance(frame, Frame) or frame.skeleton is not skeleton:
            raise InvalidValueError(f"frames must be frames of {skeleton.name!r} or their names, not {each!r}")
        if frame in found:
            raise InvalidValueError(f"frame {frame.name!r} is named twice")
        found.append(frame)
    if not found:
        raise InvalidValueError("there must be at least one frame")
    return tuple(found)


def _above(frame: Frame) -> list[Joint]:
    """The joints that move a frame."""
    joints, link = [], frame.link
    while link is not None:
        if link.joint.is_moving:
            joints.append(link.joint)
        link = link.parent_link
    return joints


def _joints_of(skeleton: Skeleton, frames: Iterable[Frame]) -> tuple[Joint, ...]:
    """The joints that move at least one of the frames, in the skeleton's order; for dependent ones their masters."""
    wanted = {joint for frame in frames for joint in _above(frame)}
    for joint in list(wanted):
        while joint.dependence is not None:
            joint = joint.dependence.master
            wanted.add(joint)
    return tuple(joint for joint in skeleton.joints if joint in wanted)
