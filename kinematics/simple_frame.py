"""`SimpleFrame`: a free-standing frame that the user places; targets are SimpleFrames."""

from __future__ import annotations

import pinocchio as pin
from numpy.typing import ArrayLike

from .errors import InvalidPoseError, InvalidValueError, StructureError
from .frame import Frame, check_frame
from .transforms import PoseLike, as_pose, as_vector, pose
from .world import World


class SimpleFrame(Frame):
    """A frame at a fixed place on its parent, which may be the world, a link or another SimpleFrame.

    Args:
        name: Any text.
        parent: The frame to hang on; the world when None.
        relative_transform: Pose in the parent; the identity when None.
    """

    __slots__ = ("_parent", "_relative")

    def __init__(
        self, name: str = "frame", parent: Frame | None = None, relative_transform: PoseLike | None = None
    ) -> None:
        super().__init__(name)
        self._parent: Frame = World() if parent is None else _checked(parent)
        self._relative = (
            pin.SE3.Identity() if relative_transform is None else as_pose(relative_transform, f"pose of {name!r}")
        )

    @property
    def name(self) -> str:
        """The frame's name; may be changed."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"a frame's name must be a non-empty string, not {name!r}")
        self._name = name

    @property
    def parent(self) -> Frame:
        """The frame that this one hangs on."""
        return self._parent

    @property
    def relative_transform(self) -> pin.SE3:
        """Pose in the parent frame. Assign to move the frame; the returned object is a copy."""
        return pin.SE3(self._relative)

    @relative_transform.setter
    def relative_transform(self, value: PoseLike) -> None:
        self._relative = as_pose(value, f"pose of {self.name!r}")

    def set_transform(self, value: PoseLike, relative_to: Frame | None = None) -> None:
        """Moves the frame to a pose given in another frame; its parent stays.

        Args:
            value: The pose that ``transform(relative_to)`` gives afterwards.
            relative_to: The frame that the pose is given in; the world when None.

        Raises:
            StructureError: ``relative_to`` moves with the frame itself.
        """
        wanted = as_pose(value, f"pose of {self.name!r}")
        if relative_to is not None:
            check_frame(relative_to, "relative_to")
            if relative_to.is_below(self):
                raise StructureError(
                    f"{self.name!r} cannot be placed relative to {relative_to.name!r}, which moves with it"
                )
            wanted = relative_to._world_transform() * wanted
        self._relative = self._parent._world_transform().actInv(wanted)

    def set_translation(self, translation: ArrayLike, relative_to: Frame | None = None) -> None:
        """Moves the origin to a point (3,) given in another frame (the world when None); the axes stay.

        Args:
            translation: The point (3,) in metres.
            relative_to: The frame that it is given in.
        """
        present = self.transform(relative_to)
        present.translation = as_vector(translation, 3, f"translation of {self.name!r}")
        self.set_transform(present, relative_to)

    def set_rotation(self, rotation: ArrayLike, relative_to: Frame | None = None) -> None:
        """Turns the axes to a rotation matrix (3, 3) given in another frame (the world when None).

        Args:
            rotation: The matrix (3, 3).
            relative_to: The frame that it is given in.

        Raises:
            InvalidPoseError: No rotation matrix, None for example.
        """
        if rotation is None:
            raise InvalidPoseError(f"rotation of {self.name!r} is None; give a matrix (3, 3)")
        present = self.transform(relative_to)
        self.set_transform(pose(present.translation, matrix=rotation), relative_to)

    def set_parent(self, parent: Frame | None, *, keep_in_place: bool = False) -> None:
        """Hangs the frame on another one (the world when None).

        Args:
            parent: The new parent.
            keep_in_place: Keep the pose in the world; otherwise the pose in the parent is kept.

        Raises:
            StructureError: The new parent hangs on this frame.
        """
        new = World() if parent is None else _checked(parent)
        if new.is_below(self):
            raise StructureError(f"frame {self.name!r} cannot hang on {new.name!r}: that hangs on {self.name!r}")
        if keep_in_place:
            self._relative = new._world_transform().actInv(self._world_transform())
        self._parent = new

    def clone(self, name: str | None = None) -> SimpleFrame:
        """A frame with the same parent and pose."""
        return SimpleFrame(self.name if name is None else name, self._parent, self._relative)

    def spawn(self, name: str, relative_transform: PoseLike | None = None) -> SimpleFrame:
        """A new frame that hangs on this one.

        Args:
            name: Of the new frame.
            relative_transform: Its pose in this one; the identity when None.
        """
        return SimpleFrame(name, self, relative_transform)

    def _pose_in(self, other: Frame) -> pin.SE3 | None:
        pose = pin.SE3.Identity()
        frame: Frame = self
        while isinstance(frame, SimpleFrame) and frame is not other:
            pose, frame = frame._relative * pose, frame._parent
        return pose if frame is other else None

    def _world_transform(self) -> pin.SE3:
        return self._parent._world_transform() * self._relative


def _checked(parent: object) -> Frame:
    if not isinstance(parent, Frame):
        raise InvalidValueError(f"a parent must be a Frame, not {type(parent).__name__} {parent!r}")
    return parent
