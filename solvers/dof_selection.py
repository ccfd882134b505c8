"""`DofSelection`: which degrees of freedom a module moves, kept right while the skeleton is edited."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..kinematics import DegreeOfFreedom, Frame, Joint, Skeleton, StructureError
from .active_dofs import ActiveDofs, dof_indices


class DofSelection:
    """A rule for choosing degrees of freedom, with its result for the present version of the skeleton.

    Args:
        skeleton: The robot.
        choose: Gives the places in the configuration.
        moved_to: Makes the same selection for another frame.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        choose: Callable[[], Iterable[int]],
        moved_to: Callable[[Frame], DofSelection],
    ) -> None:
        self._skeleton = skeleton
        self._choose = choose
        self._moved_to = moved_to
        self._active: ActiveDofs | None = None

    @classmethod
    def chain(cls, frame: Frame, base: Frame | None = None) -> DofSelection:
        """The chain that ends in a frame."""

        def moved_to(other: Frame) -> DofSelection:
            keeps_base = base is not None and other.skeleton is frame.skeleton
            return cls.chain(other, base if keeps_base else None)

        return cls(_skeleton_of(frame), lambda: frame.chain(base).dof_indices, moved_to)

    @classmethod
    def whole_body(cls, skeleton: Skeleton) -> DofSelection:
        """All degrees of freedom."""
        return cls(skeleton, lambda: range(skeleton.num_dofs), lambda other: cls.whole_body(_skeleton_of(other)))

    @classmethod
    def of(cls, skeleton: Skeleton, chosen: Iterable[str | int | DegreeOfFreedom | Joint]) -> DofSelection:
        """Given ones; see `dof_indices`."""
        dofs = [skeleton.dofs[index] for index in dof_indices(skeleton, chosen)]

        def indices() -> list[int]:
            for dof in dofs:
                if dof.joint.skeleton is not skeleton or dof.index is None:
                    raise StructureError(
                        f"{dof.name!r} was chosen for inverse kinematics and is no longer an independent "
                        f"degree of freedom of {skeleton.name!r}; choose anew with set_dofs"
                    )
            return [dof.index for dof in dofs if dof.index is not None]

        return cls(skeleton, indices, lambda other: cls.of(_skeleton_of(other), [dof.name for dof in dofs]))

    def active(self) -> ActiveDofs:
        """The selection for the skeleton as it is now."""
        active = self._active
        if active is None or active.version != self._skeleton.version:
            active = self._active = ActiveDofs(self._skeleton, self._choose())
        return active

    def moved_to(self, frame: Frame) -> DofSelection:
        """The same selection for another frame, perhaps of another skeleton."""
        return self._moved_to(frame)


def _skeleton_of(frame: Frame) -> Skeleton:
    skeleton = frame.skeleton
    if skeleton is None:
        raise StructureError(f"frame {frame.name!r} hangs on no skeleton, so nothing can move it")
    return skeleton
