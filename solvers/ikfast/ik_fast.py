"""`IkFast`: closed forms of the kind that IKFast generates; the class to subclass for one without a library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from ...kinematics import DegreeOfFreedom, Frame, InvalidValueError, Joint, KinetreeError, as_axis, as_vector
from ...kinematics.transforms import Array, read_only
from ..analytical.analytical import Analytical
from ..analytical.branch_check import as_values
from ..analytical.branch_ranking import ranked
from ..analytical.validity import Validity
from ..errors import GradientMethodError
from ..option_checks import as_positive
from ..targets.ik_target import Direction, IkTarget
from ..targets.ik_type import IkType
from ..targets.target_classes import TARGET_CLASSES
from ..targets.transform_6d import Transform6D
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion
from .agreement import check_agreement
from .goal import Goal, make_goal, obstacle_of
from .placement import Placement, chain_dofs
from .raw_solutions import RawSolutions
from .refine import best_of

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics

#: By how much (m and rad) forward kinematics of both may differ for the function to count as being for this robot.
AGREEMENT = 1e-4


class IkFast(Analytical):
    """All solutions from a function with IKFast's interface, written in Python or generated.

    Fill in the hooks, of which two are needed; `compute_fk` lets the base class see whether the function is for the
    robot at hand::

        class Planar(IkFast):
            num_joints = 3
            ik_type = IkType.TRANSLATION_XY_ORIENTATION_3D

            def compute_ik(self, eetrans, eerot, free):
                ...                                   # any number of lists of three joint values

        ik.gradient_method = Planar(joints=["shoulder", "elbow", "wrist"])

    On binding to a module the joints are looked up and the forward kinematics compared. Every solution is brought to
    full precision on the skeleton, moved into limits, checked by forward kinematics, tagged and ranked, as for any
    `Analytical`. Poses are relative to `base`, which need not be the world; in place of a pose, targets of the
    function's type are taken as well, in their own reference.

    Free joints keep the value that ``free`` gives them, else that of the seed.

    Args:
        joints: All joints of the function by name, index or object, free ones included, in its order; those of the
            chain from the base to the tip when None.
        free: Value (rad or m) of free joints by name.
        base: Frame or its name that the function's poses are relative to; what the first joint stands on when None.
        tip: Frame or its name whose pose it takes, one that is fixed to the module's frame; that frame when None.
        tool_direction: Which way the tool points, in the tip, for types that have a direction; the usual one when None.
        agreement_tolerance: By how much (m and rad) the function's forward kinematics may differ from the skeleton's
            for it to count as being for this robot. The skeleton is right: solutions are made exact on it.
    """

    # Hooks.

    #: How many joints the chain has, free ones included.
    num_joints: int = 0
    #: Which of them, counted from 0, are not solved for but given.
    free_parameters: Sequence[int] = ()
    #: What it takes for a target.
    ik_type: IkType = IkType.TRANSFORM_6D
    #: What it was made from.
    kinematics_hash: str = ""
    #: Version of the generator.
    ikfast_version: str = ""

    def compute_ik(self, eetrans: Array, eerot: Array, free: Array) -> Iterable[Any]:
        """Solutions of a target; to be written by the subclass.

        Args:
            eetrans: (3,) translation, relative to the base.
            eerot: (9,) rotation row by row, or what `IkTarget.pack` has there for other types.
            free: (num_free_parameters,) value of each free joint.

        Returns:
            Any number of lists of all joint values (num_joints,), or `RawSolutions`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define compute_ik")

    def compute_fk(self, joints: Array) -> tuple[Any, Any]:
        """Where the tip is, packed as a target is; to be written by the subclass if it can.

        Args:
            joints: (num_joints,)

        Returns:
            Translation (3,) and rotation (9,).
        """
        raise NotImplementedError(f"{type(self).__name__} does not define compute_fk")

    def configure(self) -> None:
        """Makes sure that the function fits the module's robot; called on binding and when the robot was changed.

        Raises:
            IkFastMismatchError: It does not.
        """
        if type(self).compute_fk is not IkFast.compute_fk:
            check_agreement(self._place(), self.compute_fk, self.agreement_tolerance)

    # What is filled in here.

    agreement_tolerance: float = AGREEMENT

    _names: Sequence[Any] | None = None
    _base: Frame | str | None = None
    _tip: Frame | str | None = None
    _direction: Array | None = None
    _free: Mapping[str, float] = MappingProxyType({})
    _placement: tuple[Any, Placement] | None = None
    _configured_for: Any = None

    def __init__(
        self,
        *,
        joints: Iterable[str | int | DegreeOfFreedom | Joint] | None = None,
        free: Mapping[str, float] | None = None,
        base: Frame | str | None = None,
        tip: Frame | str | None = None,
        tool_direction: Direction | None = None,
        agreement_tolerance: float = AGREEMENT,
    ) -> None:
        self._names = None if joints is None else tuple(joints)
        self._base, self._tip = base, tip
        direction: Any = tool_direction
        self._direction = None if direction is None else as_axis(direction, "tool_direction")
        self.agreement_tolerance = as_positive("agreement_tolerance", agreement_tolerance)
        self.free = {} if free is None else free

    @property
    def num_free_parameters(self) -> int:
        """How many joints have to be given."""
        return len(self.free_parameters)

    @property
    def is_configured(self) -> bool:
        """True when it belongs to a module and fits the robot as it is now."""
        if self.ik is None or self._configured_for is None:
            return False
        try:
            return bool(self._configured_for == self._place().situation())
        except KinetreeError:
            return False

    @property
    def dofs(self) -> Sequence[Any] | None:
        """All joints of the function, free ones included, in its order; columns of `solve_all`."""
        if self.ik is None or self._names is not None:
            return self._names
        base = None if self._base is None else self.base
        return chain_dofs(self.ik, base, self.tip, self.num_joints)

    @dofs.setter
    def dofs(self, joints: Iterable[Any] | None) -> None:
        self._names = None if joints is None else tuple(joints)
        self._solved = None
        self._options_changed()

    @property
    def solved_joints(self) -> dict[str, int]:
        """Names of the joints that are solved for, and their places in the skeleton's configuration."""
        place = self._place()
        return place.names(place.solved)

    @property
    def free_joints(self) -> dict[str, int]:
        """Names of the joints that have to be given, and their places in the skeleton's configuration."""
        place = self._place()
        return place.names(place.free)

    @property
    def free(self) -> dict[str, float]:
        """Value (rad or m) of free joints by name; one that is not in it keeps the seed's. Assign to change it."""
        return dict(self._free)

    @free.setter
    def free(self, values: Mapping[str, float]) -> None:
        checked = {str(name): float(as_vector([value], 1, f"free[{name!r}]")[0]) for name, value in values.items()}
        if self.ik is not None:
            self._place().check_free(checked)
        self._free = MappingProxyType(checked)
        self._options_changed()

    @property
    def extra_dofs(self) -> NDArray[np.intp]:
        """Columns of the module that are not solved for; among them free joints that were given no value."""
        columns = self.module.active_dofs().indices.tolist()
        loose = [columns.index(index) for name, index in self.free_joints.items() if name not in self._free]
        return np.union1d(super().extra_dofs, np.array(loose, dtype=np.intp))

    @property
    def base(self) -> Frame:
        """What poses are relative to."""
        return super().base if self._base is None else self._frame(self._base)

    @property
    def tip(self) -> Frame:
        """The frame whose pose the function takes."""
        return self.module.frame if self._tip is None else self._frame(self._tip)

    @property
    def tool_direction(self) -> Array:
        """Which way the tool points, in the tip, (3,); it counts for types that have a direction."""
        if self._direction is None:
            return read_only(as_axis(TARGET_CLASSES[self.ik_type].tool_axis))
        return read_only(self._direction.copy())

    def compute_pose(self, values: ArrayLike | Mapping[str, float] | None = None) -> pin.SE3:
        """The tip relative to `base` by the function's own forward kinematics.

        Args:
            values: Of all its joints (num_joints,), of the solved ones (num_joints - num_free_parameters,), or by name.
                What is left out is as `free` says, else where the robot is.

        Raises:
            ShapeError: Another number of values.
            InvalidValueError: Its type of target is no pose.
        """
        place = self._place()
        if place.kind is not Transform6D:
            raise InvalidValueError(
                f"{self.name} is for {place.kind.__name__}, whose targets are no poses; see compute_fk"
            )
        start = place.with_free_values(self.module.skeleton.positions, self._free)
        eetrans, eerot = self.compute_fk(place.joint_values(values, start))
        return pin.SE3(np.reshape(eerot, (3, 3)), np.array(eetrans))

    # Solving.

    def compute_solutions(self, pose: pin.SE3) -> Iterable[Array]:
        """Solutions over `dofs` for a pose of the tool point relative to `base`, from the best to the worst."""
        return self._solved_and_measured(pose, self.seed_positions())[0]

    def obstacle_to_solving(self, method: ErrorMethod) -> str:
        """See `Analytical`."""
        place = self._place()
        if isinstance(method, IkTarget):
            wrong = obstacle_of(place, method)
            return wrong or ("" if method.relative.stands_still else f"the reference of {method!r} moves")
        if place.kind is not Transform6D or (isinstance(method, TaskSpaceRegion) and method.ignores_rotation):
            return f"{self.name} solves for {place.kind.__name__}"
        return super().obstacle_to_solving(method)

    def _pose_for(self, method: ErrorMethod, q: Array) -> Any:
        return method if isinstance(method, IkTarget) else super()._pose_for(method, q)

    def _solved_and_measured(self, pose: Any, start: Array) -> tuple[Array, NDArray[np.int64], Array]:
        """See `Analytical`; in place of a pose it takes an `IkTarget` of the function's type as well."""
        self._configure_if_changed()
        place, skeleton = self._place(), self.module.skeleton
        joints = place.joints
        start = place.with_free_values(start, self._free)
        near = start[joints.indices]
        state = skeleton.state(start, joints.indices)
        goal = make_goal(place, pose, state, self._as_target)
        q, measured = best_of(self._answers(goal, near), place, goal.task, state, near)
        outside = ((q < joints.lower) | (q > joints.upper)).any(axis=1)
        misses = measured[:, :2].max(axis=1, initial=0.0) > self.tolerance
        flags = misses * int(Validity.OUT_OF_REACH) + outside * int(Validity.LIMIT_VIOLATED)
        order = ranked(q, flags, near, self.quality_comparison, self.ik)
        return q[order], flags[order], measured[order]

    def _answers(self, goal: Goal, near: Array) -> RawSolutions:
        """What the function finds."""
        try:
            given = self.compute_ik(goal.eetrans, goal.eerot, near[list(self.free_parameters)])
            rows = given if isinstance(given, RawSolutions) else list(given)
        except Exception as problem:
            raise GradientMethodError(f"{self.name}.compute_ik raised {type(problem).__name__}: {problem}") from problem
        if isinstance(rows, RawSolutions):
            return rows
        return RawSolutions.of([as_values(type(self).__name__, row, self.num_joints) for row in rows], self.num_joints)

    # Binding.

    def bind(self, ik: InverseKinematics) -> None:
        """Makes it the method of a module, and sees that it fits.

        Raises:
            IkFastMismatchError: It was made for another robot, or for other frames of it.
        """
        previous = self.ik
        super().bind(ik)
        try:
            self._configure_if_changed()
        except Exception:
            self.ik = previous
            raise

    def _configure_if_changed(self) -> None:
        if not self.is_configured:
            self._place().check_free(self._free)
            self.configure()
            self._configured_for = self._place().situation()

    def _place(self) -> Placement:
        """Its joints and frames, looked up again when something has changed."""
        module, hooks = self.module, (self.num_joints, tuple(self.free_parameters), self.ik_type)
        key = module, module._revision, module.skeleton.version, self._revision, hooks
        if self._placement is None or self._placement[0] != key:
            self._placement = key, Placement.of(self)
        return self._placement[1]

    def _frame(self, frame: Frame | str) -> Frame:
        return frame if isinstance(frame, Frame) else self.module.skeleton.frame(frame)

    def clone(self) -> Self:
        """A copy that belongs to no module."""
        twin = super().clone()
        twin._placement = None
        return twin
