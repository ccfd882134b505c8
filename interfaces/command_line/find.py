"""`find`: one solution of a request, or all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...kinematics import SimpleFrame, unknown_name
from ...solvers import (
    GradientMethod,
    Halley,
    IKMetaSolver,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    SelectivelyDamped,
    Solution,
    TaskSpaceRegion,
)
from .arguments import Array
from .request import Request

#: Names on the command line.
METHODS: dict[str, type[GradientMethod]] = {
    "levenberg-marquardt": LevenbergMarquardt,
    "dls": JacobianDLS,
    "pseudo-inverse": JacobianPseudoInverse,
    "selectively-damped": SelectivelyDamped,
    "halley": Halley,
    "transpose": JacobianTranspose,
}
DEFAULT_METHOD = "levenberg-marquardt"
#: Attempts of ``--all``: several times what the eight solutions of a six-axis arm usually need.
ALL_ATTEMPTS = 200


@dataclass(frozen=True)
class Found:
    """What was found.

    Attributes:
        solution: The first solution, or the nearest configuration and why it is none.
        all: All different solutions when they were asked for.
    """

    solution: Solution
    all: list[Array] | None


def find(request: Request, method: str, attempts: int | None, tolerance: float | None, every: bool) -> Found:
    """Looks for one solution, or for all that random restarts find.

    Raises:
        UnknownNameError: No such method.
    """
    module = _module(request, method)
    if every:
        return _find_all(request, module, attempts, tolerance)
    return Found(module.solve(seed=request.seed, attempts=attempts, tolerance=tolerance), None)


def _module(request: Request, method: str) -> InverseKinematics:
    name = method.lower().replace("_", "-")
    if name not in METHODS:
        raise unknown_name("method", method, METHODS, "kinetree solve")
    module = InverseKinematics(request.frame)
    module.use_chain(request.base)
    module.gradient_method = METHODS[name]()
    if request.kind is not None:
        module.error_method = request.kind
        return module
    module.target = SimpleFrame("target", request.base, request.target)
    if not request.oriented:
        module.error_method = TaskSpaceRegion.position_only()
    return module


class _OneAttempt:
    """A solver for `IKMetaSolver` that makes an attempt at the module's own target, whatever pose it is given.

    Args:
        module: What is solved for.
    """

    def __init__(self, module: InverseKinematics) -> None:
        self._solver = module.prepare(attempts=1, explain=False)

    def solve(self, base_T_end: Any, q: Array) -> Solution:
        """One attempt from q (n,)."""
        return self._solver.solve(seed=q)


def _find_all(request: Request, module: InverseKinematics, attempts: int | None, tolerance: float | None) -> Found:
    """All solutions, and the first one as a `Solution`; without any, an ordinary solve says why."""
    if tolerance is not None:
        module.problem.tolerance = (tolerance, tolerance)
    chain = request.chain
    state = request.robot.state(request.seed)
    base_T_end = state.transform(chain.base).actInv(request.world_target())
    meta = IKMetaSolver(module if request.kind is None else _OneAttempt(module), chain)
    solutions = meta.solve(base_T_end, request.seed, ALL_ATTEMPTS if attempts is None else attempts)
    if not solutions:
        return Found(module.solve(seed=request.seed, attempts=attempts), [])
    report = solutions.report
    first = module.solve(seed=solutions[0])
    return Found(first._replace(attempts=report.attempts, elapsed=report.elapsed), list(solutions))
