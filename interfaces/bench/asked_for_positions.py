"""`AskedForPositions`: a solver whose answers a meta solver measures by position alone."""

from __future__ import annotations

from typing import Any

from ...solvers import InverseKinematics
from ...solvers.meta.pose_check import stated_error


class AskedForPositions:
    """A solver with a module beside it, by whose error method an `IKMetaSolver` measures what the solver gives.

    Without it a meta solver would refuse answers whose rotation differs, which nobody asked for.

    Args:
        solver: What solves.
        module: For the same frame of the same robot; its error method leaves the rotation free.

    Attributes:
        solver: See the argument.
        module: See the argument.
        solve: The solver's own, so that it takes what that takes.
    """

    @classmethod
    def around(cls, solver: Any, module: InverseKinematics) -> AskedForPositions:
        """One whose class has the name of the solver's, which is what errors and reports speak of."""
        kind: type[AskedForPositions] = type(type(solver).__name__, (cls,), {})
        return kind(solver, module)

    def __init__(self, solver: Any, module: InverseKinematics) -> None:
        self.solver = solver
        self.module = module
        self.solve = solver.solve

    @property
    def max_error(self) -> float | None:
        """What the solver counts as there (m); None when it does not say."""
        return stated_error(self.solver)

    def __repr__(self) -> str:
        return f"<AskedForPositions: {self.solver!r}>"
