"""`DofSelection`: which degrees of freedom a module moves, kept right while the skeleton is edited."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from ..kinematics import DegreeOfFreedom, Frame, Joint, Skeleton, StructureError
from .active_dofs import ActiveDofs, dof_indices


class DofRule(Protocol):
    """What degrees of freedom are chosen by."""

    def indices(self) -> Iterable[int]:
        """Their places in the configuration, as they are now."""

    def moved_to(self, frame: Frame) -> DofSelection:
        """The same selection for another frame, perhaps of another skeleton."""


class DofSelection:
    """A rule for choosing degrees of freedom, with its result for the present version of the skeleton.

    Args:
        skeleton: The robot.
        rule: What they are chosen by.
    """

    def __init__(self, skeleton: Skeleton, rule: DofRule) -> None:
        self._skeleton = skeleton
        self._rule = rule
        self._active: ActiveDofs | None = None

    @classmethod
    def chain(cls, frame: Frame, base: Frame | None = None) -> DofSelection:
        """The chain that ends in a frame."""
        return cls(_skeleton_of(frame), _OfChain(frame, base))

    @classmethod
    def whole_body(cls, skeleton: Skeleton) -> DofSelection:
        """All degrees of freedom."""
        return cls(skeleton, _All(skeleton))

    @classmethod
    def of(cls, skeleton: Skeleton, chosen: Iterable[str | int | DegreeOfFreedom | Joint]) -> DofSelection:
        """Given ones; see `dof_indices`."""
        return cls(skeleton, _Chosen(skeleton, [skeleton.dofs[index] for index in dof_indices(skeleton, chosen)]))

    def active(self) -> ActiveDofs:
        """The selection for the skeleton as it is now."""
        active = self._active
        if active is None or active.version != self._skeleton.version:
            active = self._active = ActiveDofs(self._skeleton, self._rule.indices())
        return active

    def moved_to(self, frame: Frame) -> DofSelection:
        """The same selection for another frame, perhaps of another skeleton."""
        return self._rule.moved_to(frame)

    def __reduce__(self) -> Any:
        """A copy finds its result anew: what engines keep with that belongs to this one."""
        return DofSelection, (self._skeleton, self._rule)


class _OfChain:
    """The chain from a base, or from where it begins, to a frame."""

    def __init__(self, frame: Frame, base: Frame | None) -> None:
        self._frame, self._base = frame, base

    def indices(self) -> Iterable[int]:
        indices: Iterable[int] = self._frame.chain(self._base).dof_indices
        return indices

    def moved_to(self, frame: Frame) -> DofSelection:
        keeps_base = self._base is not None and frame.skeleton is self._frame.skeleton
        return DofSelection.chain(frame, self._base if keeps_base else None)


class _All:
    """All of a skeleton."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton

    def indices(self) -> Iterable[int]:
        return range(self._skeleton.num_dofs)

    def moved_to(self, frame: Frame) -> DofSelection:
        return DofSelection.whole_body(_skeleton_of(frame))


class _Chosen:
    """Those that were named."""

    def __init__(self, skeleton: Skeleton, dofs: list[DegreeOfFreedom]) -> None:
        self._skeleton, self._dofs = skeleton, dofs

    def indices(self) -> Iterable[int]:
        for dof in self._dofs:
            if dof.joint.skeleton is not self._skeleton or dof.index is None:
                raise StructureError(
                    f"{dof.name!r} was chosen for inverse kinematics and is no longer an independent "
                    f"degree of freedom of {self._skeleton.name!r}; choose anew with set_dofs"
                )
        return [dof.index for dof in self._dofs if dof.index is not None]

    def moved_to(self, frame: Frame) -> DofSelection:
        return DofSelection.of(_skeleton_of(frame), [dof.name for dof in self._dofs])


def _skeleton_of(frame: Frame) -> Skeleton:
    skeleton = frame.skeleton
    if skeleton is None:
        raise StructureError(f"frame {frame.name!r} hangs on no skeleton, so nothing can move it")
    return skeleton
