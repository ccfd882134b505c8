"""Searching for joint values: poses of a tcp, and balance."""

from __future__ import annotations

from typing import NamedTuple

import pinocchio as pin

from ...kinematics import CollisionDetector, GeometryError, InvalidValueError, NodeSet
from ...solvers import CartesianSelection, CenterOfMassIK, Reason, Solution
from .com_ik_descriptor import CoMIKDescriptor
from .outcome import FailureReason
from .refusal import Refusal
from .robot_copy import RobotCopy

#: What a search that did not get there is called.
_REASONS = {
    Reason.UNREACHABLE: FailureReason.UNREACHABLE,
    Reason.LIMITS: FailureReason.LIMITS,
    Reason.COLLISION: FailureReason.COLLISION,
    Reason.CONSTRAINT: FailureReason.COLLISION,
    Reason.ITERATIONS: FailureReason.NOT_CONVERGED,
    Reason.TIMEOUT: FailureReason.TIMEOUT,
    Reason.NO_DOFS: FailureReason.NO_DEGREES_OF_FREEDOM,
}


class SearchOptions(NamedTuple):
    """How long and how hard a service searches.

    Attributes:
        detector: Refuses solutions in collision; None refuses none.
        attempts: At most so many; the solvers' own number when None.
        timeout: Seconds for a call; None for no bound.
        seed: Of the random configurations.
    """

    detector: CollisionDetector | None
    attempts: int | None
    timeout: float | None
    seed: int


def find_pose(
    robot: RobotCopy, node_set: NodeSet, target: pin.SE3, selection: CartesianSelection, options: SearchOptions
) -> Solution:
    """Looks for joint values that bring the tcp of a set to a world pose (m)."""
    module = robot.module(node_set, selection)
    return module.solve(
        target,
        constraint=_constraint(robot, options),
        attempts=options.attempts,
        timeout=options.timeout,
        random_seed=options.seed,
    )


def find_balance(robot: RobotCopy, node_set: NodeSet, descriptor: CoMIKDescriptor, options: SearchOptions) -> Solution:
    """Looks for joint values that bring the centre of mass over a point."""
    units, tolerance = robot.units, descriptor.tolerance
    over = (units.in_metres(descriptor.gx), units.in_metres(descriptor.gy))
    frame, bodies = robot.frame(descriptor.coordinate_system), bodies_of(robot, descriptor)
    held = [robot.moved_frame(name) for name in descriptor.holding]
    try:
        solver = CenterOfMassIK(
            robot.skeleton,
            over,
            frame=frame,
            bodies=bodies,
            holding=held,
            joints=node_set,
            support="shapes" if descriptor.check_support else None,
            tolerance=None if tolerance is None else units.in_metres(tolerance),
        )
    except (GeometryError, InvalidValueError) as error:
        if not descriptor.check_support:
            raise
        # What is held has no shapes, or the point is in a frame that moves or whose plane is not the floor.
        raise Refusal(FailureReason.INVALID_INPUT, str(error)) from error
    return solver.solve(
        constraint=_constraint(robot, options),
        attempts=options.attempts,
        timeout=options.timeout,
        random_seed=options.seed,
    )


def bodies_of(robot: RobotCopy, descriptor: CoMIKDescriptor) -> NodeSet | None:
    """The node set whose bodies count, None for all; refused when they weigh nothing."""
    name = descriptor.node_set_bodies
    bodies = robot.node_set(name) if name else None
    links = robot.skeleton.links if bodies is None else [joint.child_link for joint in bodies.joints]
    if not sum(link.mass for link in links if link is not None) > 0.0:
        what = f"the bodies of node set {name!r}" if name else f"robot {robot.skeleton.name!r}"
        raise Refusal(FailureReason.NO_MASS, f"{what} weigh nothing, so there is no centre of mass")
    return bodies


def why_not(solution: Solution) -> FailureReason:
    """The reason of a search that failed."""
    return _REASONS.get(solution.reason, FailureReason.NOT_CONVERGED)


def _constraint(robot: RobotCopy, options: SearchOptions) -> CollisionDetector | None:
    return None if options.detector is None else robot.obstacles_moved(options.detector)
