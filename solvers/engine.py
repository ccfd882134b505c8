"""Which engine computes a request: the one place that decides."""

from __future__ import annotations

from typing import Protocol

from .gradient_descent_solver import GradientDescentSolver
from .request import Request
from .solution import Solution


class Engine(Protocol):
    """Something that can solve requests."""

    name: str

    def solve(self, request: Request) -> Solution:
        """Solves a request that was checked."""


#: Works for every method, in Python on Pinocchio.
OBJECT_ENGINE: Engine = GradientDescentSolver()


def engine_for(request: Request) -> Engine:
    """The engine for a request."""
    return OBJECT_ENGINE
