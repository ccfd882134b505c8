"""`SolvedDofs`: which degrees of freedom a closed form solves for, and what its poses are relative to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...kinematics import Frame, InvalidValueError, StructureError, World
from ...kinematics.transforms import Array, read_only
from ..active_dofs import ActiveDofs, dof_indices
from ..gradient_method import GradientMethod

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics


class SolvedDofs(GradientMethod):
    """The part of `Analytical` that knows its joints; the module may move others too."""

    #: Names, indices or objects of the degrees of freedom that are solved for, in the order of `compute_solutions`;
    #: all that the module moves when None.
    dofs: Sequence[Any] | None = None

    _solved: ActiveDofs | None = None

    @property
    def module(self) -> InverseKinematics:
        """The module it belongs to.

        Raises:
            InvalidValueError: It belongs to none.
        """
        if self.ik is None:
            raise InvalidValueError(
                f"{type(self).__name__} belongs to no module; assign it to InverseKinematics.gradient_method first"
            )
        return self.ik

    def solved_dofs(self) -> ActiveDofs:
        """The degrees of freedom that are solved for, looked up in the module's skeleton as it is now.

        Raises:
            StructureError: Some are not among those that the module moves.
        """
        module = self.module
        active = module.active_dofs()
        if self.dofs is None:
            return active
        solved = self._solved
        if solved is None or solved.skeleton is not module.skeleton or solved.version != module.skeleton.version:
            solved = self._solved = ActiveDofs(module.skeleton, dof_indices(module.skeleton, self.dofs))
        allowed = set(active.indices.tolist())
        outside = [dof.name for dof, index in zip(solved.dofs, solved.indices, strict=True) if index not in allowed]
        if outside:
            raise StructureError(
                f"{type(self).__name__} solves for {outside}, which the module of {module.name!r} does not move; "
                "choose them with set_dofs, or another frame"
            )
        return solved

    @property
    def base(self) -> Frame:
        """What poses are relative to: the frame that the first of the solved joints stands on."""
        return base_of(self.solved_dofs())

    @property
    def positions(self) -> Array:
        """(d,) present values of the solved dofs; assign to move the skeleton."""
        solved = self.solved_dofs()
        return read_only(solved.skeleton.positions[solved.indices])

    @positions.setter
    def positions(self, values: ArrayLike) -> None:
        solved = self.solved_dofs()
        array = np.asarray(values, dtype=float)
        if array.shape != (len(solved),):
            raise InvalidValueError(
                f"positions of {type(self).__name__} are {len(solved)} numbers; they have shape {array.shape}"
            )
        q = solved.skeleton.positions.copy()
        q[solved.indices] = array
        solved.skeleton.positions = q

    @property
    def dof_map(self) -> NDArray[np.intp]:
        """(d,) for each solved dof its place among the columns of the module."""
        columns = self.module.active_dofs().indices.tolist()
        return np.array([columns.index(index) for index in self.solved_dofs().indices], dtype=np.intp)

    @property
    def extra_dofs(self) -> NDArray[np.intp]:
        """Columns of the module that are not solved for."""
        return np.setdiff1d(np.arange(len(self.module.active_dofs())), self.dof_map)


def base_of(dofs: ActiveDofs) -> Frame:
    """The frame that the joint nearest to the root stands on; the world when it is no link."""
    links = {dof.joint.parent_link for dof in dofs.dofs}
    for link in links:
        if link is not None and not any(other in links for other in link.ancestors() if other is not link):
            return World() if None in links else link
    return World()
