"""`Branch`: a solution of a closed form, and what is wrong with it."""

from __future__ import annotations

from typing import NamedTuple

import pinocchio as pin

from ...kinematics import CollisionDetector, Skeleton
from ...kinematics.transforms import Array
from ...solvers import AnalyticalSolution, ClosedForm, Validity


class Branch(NamedTuple):
    """A configuration that a closed form gives for a target.

    Attributes:
        q: The configuration (n,).
        note: What is wrong with it; empty when it is a solution without a collision.
    """

    q: Array
    note: str


def branches_of(
    closed: ClosedForm, target: pin.SE3, q: Array, detector: CollisionDetector | None
) -> tuple[Branch, ...]:
    """All branches for a target in the world.

    Those that nothing is wrong with come first; among each kind they are in the order of their joint values, so that
    they keep their places when the robot goes from one to another.

    Args:
        closed: The closed form of a module.
        target: Pose of the module's frame in the world.
        q: What joints outside the module are at (n,), and what joints with freedom left stay near to.
        detector: Finds what collides; None when that is not asked for.
    """
    robot = closed.module.skeleton
    in_base = robot.state(q).transform(closed.base).actInv(target)
    found = closed.get_solutions(in_base, q)
    branches = [Branch(each.q, _note(robot, each, detector)) for each in found]
    return tuple(sorted(branches, key=lambda branch: (bool(branch.note), branch.q.round(6).tolist())))


def _note(robot: Skeleton, branch: AnalyticalSolution, detector: CollisionDetector | None) -> str:
    notes = []
    if branch.validity & Validity.OUT_OF_REACH:
        notes.append(f"{branch.position_error:.2g} m off")
    if branch.validity & Validity.LIMIT_VIOLATED:
        values = zip(robot.dofs, branch.q.tolist(), strict=True)
        beyond = [dof.name for dof, value in values if not dof.lower <= value <= dof.upper]
        notes.append(f"beyond limits of {', '.join(beyond)}")
    hit = None if detector is None else detector.check(branch.q)
    if hit:
        notes.append(str(hit))
    return "; ".join(notes)
