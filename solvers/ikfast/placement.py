"""`Placement`: where a function with IKFast's interface sits in a robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from ...kinematics import Frame, KinetreeError, State, as_vector, unknown_name
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..errors import IkFastMismatchError
from ..targets.ik_target import IkTarget
from ..targets.target_classes import TARGET_CLASSES

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics
    from .ik_fast import IkFast


@dataclass(frozen=True, eq=False)
class Placement:
    """What a function takes, and its joints and frames; it holds for one version of the skeleton.

    Attributes:
        name: Of the function, for errors.
        module: What it is the method of.
        joints: All its joints, in its order.
        base: What its poses are relative to.
        tip: Whose pose it takes.
        free: (f,) columns of the joints that are given.
        solved: (s,) columns of the others.
        kind: What it takes for a target.
        direction: (3,) the tool's in the tip, for kinds that have one; else None.
    """

    name: str
    module: InverseKinematics
    joints: ActiveDofs
    base: Frame
    tip: Frame
    free: NDArray[np.intp]
    solved: NDArray[np.intp]
    kind: type[IkTarget]
    direction: Array | None

    @classmethod
    def of(cls, method: IkFast) -> Placement:
        """The placement of a method that belongs to a module.

        Raises:
            IkFastMismatchError: Its hooks contradict themselves, or it has another number of joints.
        """
        name, count, free = method.name, method.num_joints, [int(each) for each in method.free_parameters]
        if count < 1 or len(set(free)) < len(free) or not all(0 <= each < count for each in free):
            raise IkFastMismatchError(
                f"{name} says that it has {count} joints, of which {free} are free; that cannot be"
            )
        kind = TARGET_CLASSES.get(method.ik_type)
        if kind is None:
            raise IkFastMismatchError(f"{name} is for targets of type {method.ik_type}, which are not known")
        joints = method.solved_dofs()
        if len(joints) != count:
            given = ", ".join(dof.name for dof in joints.dofs)
            raise IkFastMismatchError(
                f"{name} is for {count} joints, {len(free)} of them free, and was given {len(joints)} ({given}); "
                "name the right ones in its order: joints=[...]"
            )
        columns = np.array(free, dtype=np.intp)
        solved = np.setdiff1d(np.arange(count), columns)
        direction = method.tool_direction if kind.has_tool_direction() else None
        return cls(name, method.module, joints, method.base, method.tip, columns, solved, kind, direction)

    def names(self, columns: NDArray[np.intp]) -> dict[str, int]:
        """Names of some joints, and their places in the skeleton's configuration."""
        return {self.joints.dofs[k].name: int(self.joints.indices[k]) for k in columns}

    def check_free(self, names: Iterable[str]) -> None:
        """Raises `UnknownNameError` for a name that is not that of a free joint."""
        known = self.names(self.free)
        for name in names:
            if name not in known:
                raise unknown_name("free joint", name, known, self.name)

    def with_free_values(self, q: Array, values: Mapping[str, float]) -> Array:
        """A copy of a configuration (n,) with values of free joints in it."""
        result = q.copy()
        for name, index in self.names(self.free).items():
            result[index] = values.get(name, result[index])
        return result

    def tip_in_tool_point(self, state: State) -> pin.SE3:
        """Pose of the tip relative to the module's tool point, to which it is fixed."""
        relative = state.transform(self.module.frame).actInv(state.transform(self.tip))
        if self.module.offset is not None:
            relative.translation = relative.translation - self.module.offset
        return relative

    def situation(self) -> Any:
        """What decides whether a function fits; compares equal as long as nothing of it has changed."""
        skeleton = self.module.skeleton
        direction = None if self.direction is None else tuple(self.direction.tolist())
        return (
            skeleton,
            skeleton.version,
            tuple(self.joints.indices.tolist()),
            self.base,
            self.tip,
            self.kind,
            direction,
        )

    def joint_values(self, values: ArrayLike | Mapping[str, Any] | None, start: Array) -> Array:
        """All joint values (num_joints,) from all of them, from those of the solved ones, or by name.

        Args:
            values: What is given.
            start: Configuration (n,) for what is not.

        Raises:
            ShapeError: Another number of values.
        """
        if values is None or isinstance(values, Mapping):
            start = self.module.skeleton.as_configuration(values, start, "joint values")
            joints: Array = start[self.joints.indices]
            return joints
        if np.shape(values) == (len(self.solved),):
            joints = start[self.joints.indices]
            joints[self.solved] = as_vector(values, len(self.solved), "joint values")
            return joints
        return as_vector(values, len(self.joints), f"joint values of {self.name}")


def chain_dofs(module: InverseKinematics, base: Frame | None, tip: Frame, count: int) -> Sequence[Any]:
    """Degrees of freedom in the order from base to tip: those that a module moves, else those of the chain, if so many.

    Args:
        module: Whose.
        base: Where the chain begins; where the limb does when None.
        tip: Where it ends.
        count: How many are needed.
    """
    # Skeletons have parents before children.
    moved = sorted(module.dofs, key=lambda dof: -1 if dof.index is None else dof.index)
    if len(moved) == count:
        return tuple(moved)
    try:
        chain = tip.chain(base).dofs
    except KinetreeError:
        return tuple(moved)
    return chain if len(chain) == count else tuple(moved)
