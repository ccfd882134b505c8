"""`Variant`: a way to solve that can be measured on any robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...kinematics import Frame
from ...solvers import InverseKinematics, TaskSpaceRegion
from .call import Call
from .effort import Effort
from .reachable_targets import Workload


@dataclass(frozen=True)
class Variant:
    """A way to solve.

    Attributes:
        name: What it is called in tables and on the command line.
        group: What it is compared with.
        description: What it is, in a line.
        bind: Makes it ready for a robot; raises a `KinetreeError` that says why when it does not fit.
    """

    name: str
    group: str
    description: str
    bind: Callable[[Workload, Effort], Call]

    def __repr__(self) -> str:
        return f"<Variant {self.name!r} of {self.group!r}: {self.description}>"


def frame_of(work: Workload) -> Frame:
    """The frame of a workload, in a copy of the robot that a variant has for itself."""
    return work.robot.clone().frame(work.chain.tip.name)


def module_of(work: Workload, effort: Effort, frame: Frame | None = None) -> InverseKinematics:
    """The default module for a workload, with the tolerance and the attempts of an effort.

    Args:
        work: Says which frame, and whether its rotation counts.
        effort: How hard to try.
        frame: The frame where it is to be another copy of the robot's; a fresh copy when None.
    """
    module = InverseKinematics(frame_of(work) if frame is None else frame)
    if not work.is_full_pose:
        module.error_method = TaskSpaceRegion.position_only()
    module.problem.tolerance = (effort.tolerance, effort.tolerance)
    if effort.attempts is not None:
        module.problem.attempts = effort.attempts
    return module
