"""Which engine computes a request: the one place that decides."""

from __future__ import annotations

import functools
import os
from typing import Protocol

import numpy as np

from .errors import SolverError
from .gradient_descent_solver import GradientDescentSolver
from .jacobian_dls import JacobianDLS
from .jacobian_transpose import JacobianTranspose
from .levenberg_marquardt import LevenbergMarquardt
from .request import Request
from .solution import Solution
from .task_space_region import TaskSpaceRegion


class Engine(Protocol):
    """Something that can solve requests."""

    name: str

    def solve(self, request: Request) -> Solution:
        """Solves a request that was checked."""


#: Works for every method, in Python on Pinocchio.
OBJECT_ENGINE: Engine = GradientDescentSolver()

#: Gradient methods with a compiled step. A subclass may compute anything, so only these very classes count.
COMPILED_METHODS = (LevenbergMarquardt, JacobianDLS, JacobianTranspose)


def engine_for(request: Request) -> Engine:
    """The engine for a request.

    Raises:
        SolverError: The problem asks for the compiled engine, which cannot do this.
    """
    wanted = request.problem.engine
    if wanted == "object":
        return OBJECT_ENGINE
    obstacle = _obstacle(request)
    if not obstacle:
        return _compiled_engine()
    if wanted == "compiled":
        raise SolverError(f"the compiled engine cannot solve this: {obstacle}; use engine='auto'")
    return OBJECT_ENGINE


@functools.cache
def _compiled_engine() -> Engine:
    # Imported late, and only when it is used: it takes Numba along.
    from .compiled.compiled_engine import CompiledEngine

    return CompiledEngine()


def _obstacle(request: Request) -> str:
    """What keeps a request from being compiled; empty when nothing does."""
    problem, active, task = request.problem, request.active, request.error_method
    method = request.gradient_method
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    if type(method) not in COMPILED_METHODS:
        return f"{type(method).__name__} has no compiled step"
    if not method._is_plain:
        return f"{type(method).__name__} has a component clamp or weights"
    if type(task) is not TaskSpaceRegion or not task.aimed.is_plain:
        return "the target is not a full pose or a position that stands still, without weights and bounds"
    if problem.objective is not None or problem.null_space_objective is not None:
        return "there is an objective"
    if problem.seeds:
        return "the problem has seeds of its own"
    if isinstance(problem.random_seed, np.random.Generator):
        return "random_seed is a generator"
    if not len(active) or active.is_curved:
        return "a joint that may move has coordinates that cannot be added"
    if active.max_step is not None or active.root_weights is not None:
        return "a joint has a weight or a largest step of its own"
    return "" if _dependence_is_linear(request) else "a joint depends on another through a callable"


def _dependence_is_linear(request: Request) -> bool:
    link = request.module.frame.link
    while link is not None:
        joint = link.joint
        while joint.dependence is not None:
            if not joint.dependence.is_linear:
                return False
            joint = joint.dependence.master
        link = link.parent_link
    return True


def solve_request(request: Request) -> Solution:
    """Solves a request with the engine for it."""
    return engine_for(request).solve(request)
