"""`Family`: a kind of arm that has a closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry


class Fit(NamedTuple):
    """What a family found out about an arm that belongs to it.

    Attributes:
        numbers: (k,) float64, what the kernel needs to know about the arm.
        why: What makes the arm one of the family, for people: "axes 4, 5 and 6 meet in one point".
    """

    numbers: Array
    why: str


@dataclass(frozen=True)
class Family:
    """A kind of arm, how to recognise it, and the kernel that solves it.

    The kernel is ``candidates(numbers, goal, seed, q, flags) -> count``, compiled with the options `JIT`:

    * ``numbers`` (k,) is `Fit.numbers`;
    * ``goal`` (12,) what the tip is to reach, in the base: for a full pose the rotation row by row, then the
      translation; for the others what `solvers.targets` packs, values of the rotation first;
    * ``seed`` (n,) where a value that the goal leaves free should be near;
    * it writes configurations into ``q`` (most, n), any equivalent angle, never nan;
    * it writes ``flags`` (most,): 0, or ``OUT_OF_REACH`` for the nearest that there is to an unreachable goal, or
      ``SINGULAR`` for one of a family of solutions; limits are not its concern;
    * and it gives their number.

    Attributes:
        name: For people: "6R with a spherical wrist".
        joints: How many joints it takes; one letter each, R turning and P sliding, where that is fixed: "RRRRRR".
        target: Which kind of goal: ``"transform_6d"`` and so on, as the functions of `solvers.targets` are named.
        most: The most configurations that the kernel may write.
        fit: ``fit(geometry, direction) -> Fit | str``: the numbers, or for people why the arm is none of these.
            ``direction`` (3,) is the tool's direction in the tip's axes, for goals that have one.
        kernel: Gives the kernel; imported late, because it takes Numba along.
        paper: Where the method was published.
    """

    name: str
    joints: str
    target: str
    most: int
    fit: Callable[[ChainGeometry, Array | None], Fit | str]
    kernel: Callable[[], Any]
    paper: str = field(default="")
