"""`Frame`: anything that has a pose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pinocchio as pin
from numpy.typing import ArrayLike

from .errors import InvalidValueError, StructureError
from .transforms import Array

if TYPE_CHECKING:
    # The module of a frame lives one layer up; `Frame.ik` hands it out so that users need not build it.
    from ..solvers.inverse_kinematics import InverseKinematics
    from .chain import Chain
    from .link import Link
    from .skeleton import Skeleton


class Frame(ABC):
    """A coordinate system with a name and a parent frame; the root of all is `World`.

    Poses are computed when they are asked for. A `Link` keeps its world pose until the positions or the
    structure of its skeleton change; every other frame composes its parent's pose with its own, so nothing
    can go stale.

    Args:
        name: Any text that is not empty.

    Raises:
        InvalidValueError: A name that is none.
    """

    __slots__ = ("__weakref__", "_ik", "_name")

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"a frame's name must be a non-empty string, not {name!r}")
        self._name = name
        self._ik: InverseKinematics | None = None

    @property
    def name(self) -> str:
        """The frame's name."""
        return self._name

    @property
    @abstractmethod
    def parent(self) -> Frame | None:
        """The frame that this one hangs on; None for the world."""

    @abstractmethod
    def _world_transform(self) -> pin.SE3:
        """Pose in the world. May be a shared object: callers never change it."""

    def transform(self, relative_to: Frame | None = None, in_coordinates_of: Frame | None = None) -> pin.SE3:
        """Pose of this frame, as a new object.

        Args:
            relative_to: The frame that the pose is measured from; the world when None.
            in_coordinates_of: The frame whose axes the numbers are given in; the axes of ``relative_to`` when
                None. The translation is the offset between the origins along those axes; the rotation is the
                rotation from ``relative_to`` to this frame seen in those axes.
        """
        if relative_to is None:
            result = pin.SE3(self._world_transform())
        else:
            # A frame that is fixed to the other one has the same pose in it wherever the robot stands.
            fixed = self._pose_in(relative_to)
            pose = _pose_of(relative_to, "relative_to")
            result = pose.actInv(self._world_transform()) if fixed is None else fixed
        if in_coordinates_of is None or in_coordinates_of is relative_to:
            return result
        reference = pin.SE3.Identity() if relative_to is None else relative_to._world_transform()
        change = _pose_of(in_coordinates_of, "in_coordinates_of").rotation.T @ reference.rotation
        return pin.SE3(change @ result.rotation @ change.T, change @ result.translation)

    def _pose_in(self, other: Frame) -> pin.SE3 | None:
        """Pose in this very frame, or in one that carries it rigidly; None in others."""
        return pin.SE3.Identity() if other is self else None

    @property
    def link(self) -> Link | None:
        """The link that carries this frame (itself, for a link); None when it hangs on the world."""
        for each in self.ancestors():
            carried = each._as_link()
            if carried is not None:
                return carried
        return None

    def _as_link(self) -> Link | None:
        return None

    @property
    def skeleton(self) -> Skeleton | None:
        """The skeleton that moves this frame; None when it hangs on the world alone."""
        link = self.link
        return None if link is None else link.skeleton

    def ancestors(self) -> Iterator[Frame]:
        """This frame, its parent, and so on up to the world."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent

    def is_below(self, other: Frame) -> bool:
        """True if ``other`` is this frame or one of its ancestors."""
        return any(each is other for each in self.ancestors())

    def jacobian(
        self,
        *,
        offset: ArrayLike | None = None,
        relative_to: Frame | None = None,
        axes: Frame | str | None = None,
    ) -> Array:
        """Jacobian (6, n) of this frame at the present positions: twist = J @ joint velocities.

        Rows are linear, then angular. Columns are all degrees of freedom of the skeleton, in its order;
        a dependent joint is folded into the column of its master.

        Args:
            offset: Point (3,) in this frame whose velocity is meant; the origin when None.
            relative_to: Frame that the motion is seen from, which may move itself; the world when None.
            axes: ``"world"``, ``"local"`` (this frame's own) or a frame whose axes the rows are given in.
                None means the axes of ``relative_to``, which are the world's when that is None.

        Raises:
            StructureError: The frame hangs on no skeleton.
            InvalidValueError: Another value for ``axes``.
        """
        from .frame_jacobian import frame_jacobian  # here because that module needs this one

        return frame_jacobian(self, offset, relative_to, axes)

    def chain(self, base: Frame | None = None) -> Chain:
        """The serial chain of joints that ends in this frame.

        Args:
            base: Where the chain begins; by default as far towards the root as the limb goes, see `Chain`.

        Raises:
            StructureError: The frame hangs on no skeleton, or ``base`` is not on the way to the root.
        """
        from .chain import Chain  # here because that module needs this one

        return Chain.to(self, base)

    @property
    def ik(self) -> InverseKinematics:
        """The inverse-kinematics module of this frame, made when first asked for and kept.

        Raises:
            StructureError: The frame hangs on no skeleton.
        """
        if self._ik is None:
            from ..solvers.inverse_kinematics import InverseKinematics

            if self.skeleton is None:
                raise StructureError(f"frame {self.name!r} hangs on no skeleton, so nothing can move it")
            self._ik = InverseKinematics(self)
        return self._ik

    @ik.setter
    def ik(self, module: InverseKinematics | None) -> None:
        self._ik = module

    @property
    def has_ik(self) -> bool:
        """True once `ik` has been asked for or set."""
        return self._ik is not None

    def __repr__(self) -> str:
        parent = self.parent
        return f"<{type(self).__name__} {self.name!r}" + (f" on {parent.name!r}>" if parent is not None else ">")


def _pose_of(frame: Frame, argument: str) -> pin.SE3:
    try:
        return frame._world_transform()
    except AttributeError:
        check_frame(frame, argument)
        raise


def check_frame(frame: object, argument: str) -> None:
    """Raises `InvalidValueError` for what is no frame, such as the name of one."""
    if not isinstance(frame, Frame):
        raise InvalidValueError(
            f"{argument} must be a Frame, not {type(frame).__name__} {frame!r}; skeleton.frame(name) finds one"
        )
