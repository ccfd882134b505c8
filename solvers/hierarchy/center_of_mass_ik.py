"""`CenterOfMassIK`: the centre of mass over a point while feet stay where they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import (
    DegreeOfFreedom,
    Frame,
    InvalidValueError,
    Joint,
    Link,
    NodeSet,
    PoseLike,
    Skeleton,
    SupportArea,
    as_pose,
    unknown_name,
)
from ...kinematics.known_attributes import KnownAttributes
from ...kinematics.transforms import Array
from .. import defaults
from ..constraints.constraint_check import refusal
from ..constraints.same_robot import constraint_for
from ..gradient_methods.levenberg_marquardt import LevenbergMarquardt
from ..inverse_kinematics import InverseKinematics
from ..option_checks import as_positive
from ..problem import Problem
from ..reason import Reason
from ..request import Constraint
from ..solution import Solution
from ..tasks.center_of_mass_task import CenterOfMassTask
from .hierarchical_ik import HierarchicalIK
from .support_check import SupportCheck

#: What may move: a node set, or joints and degrees of freedom by object, name or place.
Movable = NodeSet | Iterable[str | int | DegreeOfFreedom | Joint]

#: Why a search ends that did not get there; all other reasons stand as they are.
_SHORT_OF_IT = (Reason.ITERATIONS, Reason.UNREACHABLE)


class CenterOfMassIK(KnownAttributes):
    """Finds configurations with the centre of mass over a point, other frames held where they are.

    Holding comes first: it is the first level of a hierarchy, and the centre of mass the second. For use inside an
    `InverseKinematics` module there is `task`, for a larger hierarchy `add_to`.

    Args:
        skeleton: The robot, on a fixed or a floating base.
        over: See `CenterOfMassTask`, as for the following four.
        point: Likewise.
        frame: Likewise.
        axes: Likewise.
        bodies: Likewise.
        holding: Frames, or their names, that stay where they are at the skeleton's present positions when a call is
            made; or a mapping from them to world poses.
        joints: What may move: a `NodeSet`, or joints by name; all when None. A floating base moves when its joint is
            among them.
        support: Where the centre of mass may be: a `SupportArea`, points (k, 2) of one, or ``"shapes"`` for that of the
            collision shapes of what is held. A goal outside is unreachable. None checks nothing.
        tolerance: How far the centre of mass may be off (m); the position tolerance of `problem` when None.

    Attributes:
        problem: The options of the search, as of `HierarchicalIK`: attempts, limits, tolerance of what is held.

    Raises:
        InvalidValueError: Nothing or too much to aim at, or an option that makes no sense.
        UnknownNameError: A frame, body or joint that the skeleton does not have.
        StructureError: What counts has no mass; the message names it.
    """

    problem: Problem

    def __init__(
        self,
        skeleton: Skeleton,
        over: ArrayLike | None = None,
        *,
        point: ArrayLike | None = None,
        frame: Frame | None = None,
        axes: str = "xy",
        bodies: Iterable[Link | str] | NodeSet | None = None,
        holding: Iterable[Frame | str] | Mapping[Frame | str, PoseLike] = (),
        joints: Movable | None = None,
        support: SupportArea | ArrayLike | str | None = None,
        tolerance: float | None = None,
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise InvalidValueError(f"CenterOfMassIK needs a skeleton, not {skeleton!r}")
        self._skeleton = skeleton
        self._task = CenterOfMassTask(over, point=point, frame=frame, axes=axes, bodies=bodies)
        self._task.center(skeleton.state())  # tells now what has no mass or is not there
        self._held = _held(skeleton, holding)
        hierarchy = HierarchicalIK(skeleton, dofs=_movable(skeleton, joints))
        self._dofs = None if joints is None else hierarchy.dofs
        self.problem = hierarchy.problem
        self._support = SupportCheck(support, self._held, self._task)
        self._tolerance = None if tolerance is None else as_positive("tolerance", tolerance)

    @property
    def skeleton(self) -> Skeleton:
        """The robot."""
        return self._skeleton

    @property
    def task(self) -> CenterOfMassTask:
        """The task of the centre of mass; its goal may be changed."""
        return self._task

    @property
    def held(self) -> tuple[Frame, ...]:
        """The frames that are held."""
        return tuple(self._held)

    @property
    def dofs(self) -> tuple[DegreeOfFreedom, ...]:
        """What may move."""
        return self._skeleton.dofs if self._dofs is None else self._dofs

    @property
    def support(self) -> SupportArea | None:
        """Where the centre of mass may be, for what is held at the present positions; None when it is not checked."""
        return self._support.area

    def add_to(self, hierarchy: HierarchicalIK, level: int = 0) -> None:
        """Adds what is held at a level of a larger hierarchy, and the centre of mass at the next one.

        Frames are held where they are now.

        Args:
            hierarchy: Of the same skeleton.
            level: 0 is the most important one. Without anything to hold it is the level of the centre of mass.

        Raises:
            InvalidValueError: Something that is no hierarchy of the same skeleton.
        """
        if not isinstance(hierarchy, HierarchicalIK) or hierarchy.skeleton is not self._skeleton:
            raise InvalidValueError(f"{hierarchy!r} is no hierarchy of skeleton {self._skeleton.name!r}")
        modules = self._modules()
        for module in modules:
            hierarchy.add(module, level)
        hierarchy.add(self._task, level + 1 if modules else level)

    def solve(
        self,
        over: ArrayLike | None = None,
        *,
        seed: ArrayLike | Mapping[str, Any] | None = None,
        constraint: Constraint | None = None,
        attempts: int | None = None,
        iterations: int | None = None,
        tolerance: float | None = None,
        timeout: float | None = None,
        random_seed: int | np.random.Generator | None = None,
    ) -> Solution:
        """Looks for a configuration; moves nothing.

        Args:
            over: Another goal for this call, with as many numbers as the task has axes.
            seed: See `InverseKinematics.solve`, as for the others.
            constraint: Refuses solutions.
            attempts: Overrides the problem's, as the following do.
            iterations: Likewise.
            tolerance: Overrides the tolerance of the centre of mass (m).
            timeout: Likewise.
            random_seed: Likewise.

        Returns:
            The solution; ``position_error`` is how far the centre of mass, or what is held, is off. When the goal is
            outside the support area, or nothing brings the centre of mass there, the reason is ``UNREACHABLE``,
            ``detail`` says how far off it stays, and q holds what is to be held with the centre of mass as near as it
            comes without leaving the support area.
        """
        task = self._task.aimed_at(over)
        allowed = self._tolerance if tolerance is None else as_positive("tolerance", tolerance)
        aim, outside = self._support.inside(task)
        hierarchy = self._hierarchy_for(aim)
        options = {"seed": seed, "attempts": attempts, "iterations": iterations, "timeout": timeout}
        found = hierarchy.solve(constraint=constraint, random_seed=random_seed, **options)  # type: ignore[arg-type]
        if not found.success and found.reason in _SHORT_OF_IT:
            found = self._nearer(hierarchy, found, constraint)
        away = task.residual(self._skeleton.state(found.q))[0]
        if outside > 0.0:
            return _failed(
                found, Reason.UNREACHABLE, away, f"{_goal(task)} is {outside:.3g} m outside the support area"
            )
        if found.success:
            return found
        return self._judged(found, task, away, allowed, constraint)

    def solve_and_apply(self, over: ArrayLike | None = None, *, apply_best: bool = False, **options: Any) -> Solution:
        """Solves, and on success moves the skeleton to the solution.

        Args:
            over: See `solve`.
            apply_best: Move to what was found even when it is no solution.
            options: See `solve`.

        Returns:
            See `solve`.
        """
        solution = self.solve(over, **options)
        if solution.success or apply_best:
            self._skeleton.positions = solution.q
        return solution

    # The parts of a call.

    def _modules(self) -> list[InverseKinematics]:
        modules = []
        for frame, pose in self._held.items():
            module = InverseKinematics(frame)
            if pose is not None:
                module.target = pose
            modules.append(module)
        return modules

    def _hierarchy_for(self, task: CenterOfMassTask) -> HierarchicalIK:
        hierarchy = HierarchicalIK(self._skeleton, dofs=self.dofs)
        hierarchy.problem = self.problem
        for module in self._modules():
            hierarchy.add(module, 0)
        hierarchy.add(task, 1 if self._held else 0)
        return hierarchy

    def _nearer(self, hierarchy: HierarchicalIK, found: Solution, constraint: Constraint | None) -> Solution:
        """Goes on from the nearest configuration until it comes no nearer, in small steps for a goal out of reach."""
        hierarchy.gradient_method = LevenbergMarquardt(defaults.NEAREST_DAMPING)
        is_compiled = found.engine == "compiled"
        iterations = defaults.NEAREST_KERNEL_ITERATIONS if is_compiled else defaults.NEAREST_ITERATIONS
        hierarchy.problem = self.problem.replaced(attempts=1, iterations=iterations, improvement=math.inf, seeds=[])
        last = hierarchy.solve(seed=found.q, constraint=constraint)
        if not last.success and last.position_error >= found.position_error:
            return found
        reason = last.reason if last.success else Reason.UNREACHABLE
        elapsed = found.elapsed + last.elapsed
        return last._replace(attempts=found.attempts + 1, elapsed=elapsed, reason=reason)

    def _judged(
        self, found: Solution, task: CenterOfMassTask, away: float, allowed: float | None, constraint: Constraint | None
    ) -> Solution:
        """What a failed search amounts to."""
        held = [result for result in found.tasks if result.name != task.name]
        if not all(result.satisfied for result in held):
            return found
        if allowed is not None and away <= allowed:
            refusing = refusal(constraint_for(self._skeleton, constraint), found.q, self._skeleton)
            if refusing is None:
                return found._replace(success=True, reason=Reason.CONVERGED, detail="")
        if found.reason not in _SHORT_OF_IT:
            return found
        at_limits = self._at_limits(found.q)
        limits = f"; at their limits: {', '.join(at_limits)}" if at_limits else ""
        text = f"the centre of mass stays {away:.3g} m away from {_goal(task)}{limits}"
        return _failed(found, found.reason, away, text)

    def _at_limits(self, q: Array) -> list[str]:
        return [repr(dof.name) for dof in self.dofs if dof.is_limited and not dof.lower < q[dof.index] < dof.upper]

    def __repr__(self) -> str:
        held = ", ".join(repr(frame.name) for frame in self._held) or "nothing"
        return f"<CenterOfMassIK of {self._skeleton.name!r}: {_goal(self._task)}, holding {held}>"


def _goal(task: CenterOfMassTask) -> str:
    where = "" if task.frame is None else f" of {task.frame.name!r}"
    return f"{', '.join(task.axes)} = {', '.join(f'{value:.4g} m' for value in task.goal)}{where}"


def _failed(found: Solution, reason: Reason, away: float, detail: str) -> Solution:
    return found._replace(success=False, reason=reason, position_error=max(away, found.position_error), detail=detail)


def _held(skeleton: Skeleton, holding: Any) -> dict[Frame, pin.SE3 | None]:
    """The frames with the poses that were given for them."""
    if isinstance(holding, str | Frame):
        holding = (holding,)
    poses = dict(holding) if isinstance(holding, Mapping) else dict.fromkeys(holding)
    result: dict[Frame, pin.SE3 | None] = {}
    for each, pose in poses.items():
        frame = skeleton.frame(each) if isinstance(each, str) else each
        if not isinstance(frame, Frame):
            raise InvalidValueError(f"holding must have frames or their names, not {each!r}")
        if frame.skeleton is not skeleton:
            raise unknown_name(
                "frame", frame.name, [own.name for own in skeleton.frames], f"skeleton {skeleton.name!r}"
            )
        result[frame] = None if pose is None else as_pose(pose, f"pose of {frame.name!r}")
    return result


def _movable(skeleton: Skeleton, joints: Movable | None) -> Iterable[Any] | None:
    if not isinstance(joints, NodeSet):
        return joints
    if joints.skeleton is not skeleton:
        raise InvalidValueError(f"node set {joints.name!r} is of another skeleton than {skeleton.name!r}")
    return joints.dofs
