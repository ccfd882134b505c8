"""`find`: one solution of a request, or all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...kinematics import Collision, CollisionDetector, SimpleFrame, StructureError, unknown_name
from ...solvers import (
    AnalyticalSolution,
    ClosedForm,
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
#: The name of the closed form that is found for the arm.
CLOSED_FORM = "closed-form"
#: Attempts of ``--all``: several times what the eight solutions of a six-axis arm usually need.
ALL_ATTEMPTS = 200


@dataclass(frozen=True)
class Found:
    """What was found.

    Attributes:
        solution: The first solution, or the nearest configuration and why it is none.
        all: All different solutions when they were asked for.
        branches: The same, and those that are no solutions, as a closed form has them; None without one.
        why: What kind of arm has the closed form; empty without one.
        collisions: What collides at each of the branches; None when nothing is to be avoided.
        free: What the branches of an arm with a joint too many are curves in; empty without.
    """

    solution: Solution
    all: list[Array] | None
    branches: list[AnalyticalSolution] | None = None
    why: str = ""
    collisions: list[Collision] | None = None
    free: str = ""


def find(
    request: Request,
    method: str | None,
    attempts: int | None,
    tolerance: float | None,
    every: bool,
    detector: CollisionDetector | None = None,
) -> Found:
    """Looks for one solution, or for all.

    All are those of the closed form where the arm has one and no other method is asked for, else those that random
    restarts find. With a detector, those at which something collides are none.

    Raises:
        UnknownNameError: No such method.
        StructureError: The closed form is asked for, and none is known.
    """
    module = _module(request)
    name = (method or DEFAULT_METHOD).lower().replace("_", "-")
    closed = module.analytical() if name == CLOSED_FORM or (every and method is None) else None
    if closed is not None:
        module.gradient_method = closed
        if every:
            return _find_branches(request, module, closed, tolerance, detector)
    elif name == CLOSED_FORM:
        raise StructureError(module.analytical_report)
    elif name not in METHODS:
        raise unknown_name("method", str(method), [*METHODS, CLOSED_FORM], "kinetree solve")
    else:
        module.gradient_method = METHODS[name]()
    if every:
        return _find_all(request, module, attempts, tolerance, detector)
    solution = module.solve(seed=request.seed, attempts=attempts, tolerance=tolerance, constraint=detector)
    return Found(solution, None)


def _module(request: Request) -> InverseKinematics:
    module = InverseKinematics(request.frame)
    module.use_chain(request.base)
    if request.kind is not None:
        module.error_method = request.kind
        return module
    module.target = SimpleFrame("target", request.base, request.target)
    if not request.oriented:
        module.error_method = TaskSpaceRegion.position_only()
    return module


def _find_branches(
    request: Request,
    module: InverseKinematics,
    closed: ClosedForm,
    tolerance: float | None,
    detector: CollisionDetector | None,
) -> Found:
    """All branches of a closed form, and the best of them as a `Solution`."""
    if tolerance is not None:
        closed.tolerance = tolerance
    solution = module.solve(seed=request.seed, tolerance=tolerance, constraint=detector)
    target = request.kind
    if target is None:
        state = request.robot.state(request.seed)
        target = state.transform(closed.base).actInv(request.world_target())
    branches = closed.get_solutions(target, request.seed)
    collisions = None if detector is None else [detector.check(branch.q) for branch in branches]
    hits = collisions or [Collision()] * len(branches)
    solved = [branch.q for branch, hit in zip(branches, hits, strict=True) if not branch.validity and not hit]
    return Found(solution, solved, branches, closed.why, collisions, _free(closed))


def _free(closed: ClosedForm) -> str:
    """What the branches are curves in; empty when they are points."""
    redundancy = closed.redundancy
    if redundancy is None:
        return ""
    return (
        f"the {redundancy.name}" if redundancy.joint is None else repr(closed.solved_dofs().dofs[redundancy.joint].name)
    )


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


def _find_all(
    request: Request,
    module: InverseKinematics,
    attempts: int | None,
    tolerance: float | None,
    detector: CollisionDetector | None,
) -> Found:
    """All solutions, and the first one as a `Solution`; without any, an ordinary solve says why."""
    if tolerance is not None:
        module.problem.tolerance = (tolerance, tolerance)
    chain = request.chain
    state = request.robot.state(request.seed)
    base_T_end = state.transform(chain.base).actInv(request.world_target())
    inner = module if request.kind is None else _OneAttempt(module)
    meta = IKMetaSolver(inner, chain, collision_detector=detector)
    meta.check_pose = request.kind is None  # the pose that is passed stands for no target then
    solutions = meta.solve(base_T_end, request.seed, ALL_ATTEMPTS if attempts is None else attempts)
    if not solutions:
        return Found(module.solve(seed=request.seed, attempts=attempts, constraint=detector), [])
    report = solutions.report
    first = module.solve(seed=solutions[0], constraint=detector)
    return Found(first._replace(attempts=report.attempts, elapsed=report.elapsed), list(solutions))
