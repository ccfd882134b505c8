"""Which engine computes a request: the one place that decides."""

from __future__ import annotations

import functools
import os
from typing import Protocol

import numpy as np

from .analytical.analytical import Analytical
from .analytical.analytical_engine import AnalyticalEngine, analytical_obstacle
from .errors import SolverError
from .gradient_descent_solver import GradientDescentSolver
from .kernel import Kernel, kernel_of
from .request import Request
from .solution import Solution
from .targets.ik_target import IkTarget
from .targets.target_classes import TARGET_CLASSES
from .tasks.center_of_mass_task import CenterOfMassTask
from .tasks.task_space_region import TaskSpaceRegion


class Engine(Protocol):
    """Something that can solve requests."""

    name: str

    def solve(self, request: Request) -> Solution:
        """Solves a request that was checked."""


#: Works for every method, in Python on Pinocchio.
OBJECT_ENGINE: Engine = GradientDescentSolver()
#: Works for closed forms.
ANALYTICAL_ENGINE: Engine = AnalyticalEngine()


def engine_for(request: Request) -> Engine:
    """The engine for a request.

    Raises:
        SolverError: The problem asks for the compiled engine, which cannot do this.
    """
    wanted = request.problem.engine
    if wanted == "object":
        return OBJECT_ENGINE
    if wanted == "auto" and isinstance(request.gradient_method, Analytical) and not analytical_obstacle(request):
        return ANALYTICAL_ENGINE
    obstacle = compiled_obstacle(request)
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


def compiled_obstacle(request: Request) -> str:
    """What keeps a request from being compiled; empty when nothing does."""
    problem, active, method = request.problem, request.active, request.gradient_method
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    own = kernel_of(type(method))
    if own is None:
        return f"{type(method).__name__} has no kernel"
    if problem.objective is not None or problem.null_space_objective is not None:
        return "there is an objective"
    if problem.seeds:
        return "the problem has seeds of its own"
    if isinstance(problem.random_seed, np.random.Generator):
        return "random_seed is a generator"
    if not len(active):
        return "nothing may move"
    return _obstacle_of_task(request, own) or active.obstacle_to_compiling()


def _obstacle_of_task(request: Request, own: Kernel) -> str:
    task = request.error_method
    if type(task) is CenterOfMassTask:
        if not task.is_plain:
            return "the centre of mass is of some bodies, in a frame or along other axes than the world's x and y"
        return "a method of second order needs the pose of a frame" if own.is_second_order else ""
    if isinstance(task, IkTarget) and TARGET_CLASSES.get(task.ik_type) is type(task):
        return _obstacle_of_target(task, own)
    if type(task) is not TaskSpaceRegion:
        return f"{type(task).__name__} is not compiled"
    if not task.aimed.relative.stands_still:
        return "the target or its reference moves with the skeleton"
    if not task.rows:
        return "every component of the target is free"
    if own.is_second_order and not task.aimed.is_plain:
        return "a method of second order needs a full pose or a position without weights and bounds"
    return ""


def _obstacle_of_target(target: IkTarget, own: Kernel) -> str:
    if not target.relative.stands_still:
        return "the reference of the target moves with the skeleton"
    if own.is_second_order and not target.is_plain:
        return f"a method of second order needs a full pose or a position, not a {type(target).__name__}"
    return ""


def solve_request(request: Request) -> Solution:
    """Solves a request with the engine for it."""
    return engine_for(request).solve(request)
