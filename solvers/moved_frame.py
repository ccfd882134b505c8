"""`MovedFrame`: a frame, what may move it, and where it should be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ..kinematics import (
    DegreeOfFreedom,
    Frame,
    InvalidValueError,
    Joint,
    NodeSet,
    SimpleFrame,
    Skeleton,
    StructureError,
    World,
    as_vector,
)
from ..kinematics.known_attributes import KnownAttributes
from ..kinematics.transforms import Array, read_only
from .active_dofs import ActiveDofs
from .dof_selection import DofSelection
from .tasks.error_method import ErrorMethod


class MovedFrame(KnownAttributes):
    """What an `InverseKinematics` module is about: the frame, its tool point, its degrees of freedom, its target.

    Args:
        frame: The frame to be moved; for a skeleton its natural tip, for a chain or node set its tip.
        dofs: See `InverseKinematics`.

    Raises:
        StructureError: The frame hangs on no skeleton.
    """

    def __init__(
        self,
        frame: Frame | Skeleton | NodeSet,
        dofs: Iterable[str | int | DegreeOfFreedom | Joint] | None = None,
    ) -> None:
        if isinstance(frame, NodeSet) and dofs is None:
            dofs = frame.dofs
        if isinstance(frame, Skeleton | NodeSet):
            frame = frame.tip
        if not isinstance(frame, Frame):
            raise InvalidValueError(f"{type(self).__name__} needs a frame, a chain or a skeleton, not {frame!r}")
        skeleton = frame.skeleton
        if skeleton is None:
            raise StructureError(f"frame {frame.name!r} hangs on no skeleton, so nothing can move it")
        self._frame = frame
        self._skeleton = skeleton
        self._selection = DofSelection.chain(frame) if dofs is None else DofSelection.of(skeleton, dofs)
        self._revision = 0
        self._offset: Array | None = None
        self._target: Frame
        self.target = None
        #: The target that nobody has asked for, and where that is.
        self._unasked: tuple[Frame, pin.SE3] = (self._target, self._target.transform())

    @property
    def frame(self) -> Frame:
        """The frame that is to be moved."""
        return self._frame

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton that it hangs on."""
        return self._skeleton

    @property
    def name(self) -> str:
        """The frame's name."""
        return self._frame.name

    @property
    def offset(self) -> Array | None:
        """The point (3,) of the frame that is to reach the target; None for its origin. Assign to change."""
        return None if self._offset is None else read_only(self._offset.copy())

    @offset.setter
    def offset(self, offset: ArrayLike | None) -> None:
        point = None if offset is None else as_vector(offset, 3, "offset")
        self._offset = point if point is not None and point.any() else None
        self._revision += 1

    @property
    def has_offset(self) -> bool:
        """True when the tool point is not the frame's origin."""
        return self._offset is not None

    @property
    def dofs(self) -> tuple[DegreeOfFreedom, ...]:
        """What may move, in the order of the Jacobian's columns."""
        return self.active_dofs().dofs

    @property
    def dof_indices(self) -> Any:
        """Places of `dofs` in the skeleton's configuration."""
        return self.active_dofs().indices.copy()

    def use_chain(self, base: Frame | str | None = None) -> None:
        """Moves the joints of the chain that ends in the frame (the default), from ``base`` (or its name) if given."""
        if isinstance(base, str):
            base = self._skeleton.frame(base)
        self._frame.chain(base)  # raises here rather than in the next solve
        self._selection = DofSelection.chain(self._frame, base)
        self._revision += 1

    def use_whole_body(self) -> None:
        """Moves every degree of freedom of the skeleton."""
        self._selection = DofSelection.whole_body(self._skeleton)
        self._revision += 1

    def set_dofs(self, dofs: Iterable[str | int | DegreeOfFreedom | Joint]) -> None:
        """Moves only these; see the argument of the constructor."""
        self._selection = DofSelection.of(self._skeleton, dofs)
        self._revision += 1

    def active_dofs(self) -> ActiveDofs:
        """`dofs` as flat arrays, for solvers."""
        return self._selection.active()

    # Where to.

    @property
    def target(self) -> Frame:
        """Where the frame should be. Assign a frame, a pose in the world, or None for where the frame is now.

        A target that hangs on another frame moves with it, even while the same skeleton moves that.
        """
        return self._target

    @target.setter
    def target(self, target: Any) -> None:
        if isinstance(target, Frame):
            self._target = target
            return
        if isinstance(target, ErrorMethod):
            raise InvalidValueError(
                f"{type(target).__name__} is no target of a module: assign it to error_method, or give it to solve"
            )
        pose = self._frame.transform() if target is None else target
        if target is None and self._offset is not None:
            pose.translation = pose.act(self._offset)
        self._target = SimpleFrame(f"{self._frame.name}_target", World(), pose)

    @property
    def has_target(self) -> bool:
        """False while the target is still the one where the frame was when the module was made."""
        target, place = self._unasked
        return target is not self._target or bool(target.transform() != place)

    def pose_at(self, frame: Frame, q: Array) -> pin.SE3:
        """World pose of a frame of the skeleton at q (n,)."""
        active = self.active_dofs()
        state = active.borrow_state(q)
        pose = state.transform(frame)
        active.return_state(state)
        return pose
