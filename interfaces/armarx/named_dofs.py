"""`NamedDofs`: degrees of freedom by name, in the units of a service."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...kinematics import DegreeOfFreedom
from ...kinematics.transforms import Array
from .units import Units


class NamedDofs:
    """Takes values by name out of configurations; it holds while the robot has the same joints.

    Args:
        dofs: In the order of the names.
        units: Of the values.
    """

    def __init__(self, dofs: Iterable[DegreeOfFreedom], units: Units) -> None:
        chosen = tuple(dofs)
        self._names = [dof.name for dof in chosen]
        self._indices = np.array([dof.index for dof in chosen], dtype=np.intp)
        self._factors = units.factors(chosen)

    def values(self, q: Array) -> dict[str, float]:
        """Values (rad, or the units) of a configuration (n,) or of a change of one."""
        return dict(zip(self._names, (q[self._indices] * self._factors).tolist(), strict=True))

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<NamedDofs {', '.join(self._names)}>"
