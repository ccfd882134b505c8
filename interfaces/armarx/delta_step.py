"""One step towards several tasks of a service by priority."""

from __future__ import annotations

from collections.abc import Sequence

import pinocchio as pin

from ...kinematics import InvalidValueError, NodeSet
from ...kinematics.transforms import Array
from ...solvers import (
    CenterOfMassTask,
    GradientMethod,
    HierarchicalDeltaIK,
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    JointLimitTask,
)
from .checks import shown
from .com_ik_descriptor import CoMIKDescriptor
from .ik_task import IKTask
from .inverse_jacobian_method import InverseJacobianMethod
from .pose_search import bodies_of
from .robot_copy import RobotCopy

_METHODS: dict[InverseJacobianMethod, type[GradientMethod]] = {
    InverseJacobianMethod.SVD: JacobianPseudoInverse,
    InverseJacobianMethod.TRANSPOSE: JacobianTranspose,
    InverseJacobianMethod.SVD_DAMPED: JacobianDLS,
}


def check_tasks(tasks: Sequence[IKTask], com: CoMIKDescriptor | None, enabled: bool) -> list[IKTask]:
    """The tasks as a list.

    Raises:
        InvalidValueError: Something else among them, tasks of one priority with different methods, the centre of mass
            enabled without a descriptor or with frames to hold.
    """
    if isinstance(tasks, str | bytes | IKTask) or not isinstance(tasks, Sequence):
        raise InvalidValueError(f"tasks must be a sequence of IKTasks, not {shown(tasks)}")
    methods: dict[int, InverseJacobianMethod] = {}
    for task in tasks:
        if not isinstance(task, IKTask):
            raise InvalidValueError(f"tasks must be IKTasks, not {shown(task)}")
        if methods.setdefault(task.priority, task.method) is not task.method:
            raise InvalidValueError(
                f"tasks of priority {task.priority} ask for {methods[task.priority].value!r} and for "
                f"{task.method.value!r}; give them different priorities"
            )
    if com is not None and not isinstance(com, CoMIKDescriptor):
        raise InvalidValueError(f"com must be a CoMIKDescriptor, not {shown(com)}")
    if enabled and com is None:
        raise InvalidValueError("the centre of mass is enabled, but com= does not say where it should be")
    if enabled and com is not None and com.holding:
        raise InvalidValueError("what a hierarchy holds is a task of its own: an IKTask of a high priority per frame")
    return list(tasks)


def delta_step(
    robot: RobotCopy,
    node_set: NodeSet,
    tasks: Sequence[IKTask],
    com: CoMIKDescriptor | None,
    step_size: float,
    avoid_joint_limits: bool,
) -> Array:
    """What to add to the present configuration (n,), rad and m.

    Building a hierarchy takes many times longer than a step, so it is kept with the robot for later requests that are
    the same but for their targets. All requests are answered by such steps, new or kept, and so alike.
    """
    key = (
        robot.skeleton.version,
        node_set.name,
        tuple((task.tcp, task.priority, task.selection, task.method) for task in tasks),
        None if com is None else (com.priority, com.node_set_bodies, com.coordinate_system),
        step_size,
        avoid_joint_limits,
    )
    goals = [robot.frame(task.coordinate_system).transform() * robot.units.pose_in_metres(task.pose) for task in tasks]
    bound: BoundStep = robot.recent.get(
        key, lambda: BoundStep(robot, node_set, tasks, com, step_size, avoid_joint_limits)
    )
    return bound.change(robot, goals, com)


class BoundStep:
    """A hierarchy with everything bound but its targets.

    Args:
        robot: What moves; it holds for the version of its skeleton.
        node_set: What may move.
        tasks: Frames; their poses do not matter here.
        com: A task for the centre of mass; its goal does not matter here.
        step_size: What part of the whole step is taken.
        avoid_joint_limits: Add a last task that draws joints away from their limits.
    """

    def __init__(
        self,
        robot: RobotCopy,
        node_set: NodeSet,
        tasks: Sequence[IKTask],
        com: CoMIKDescriptor | None,
        step_size: float,
        avoid_joint_limits: bool,
    ) -> None:
        hierarchy = HierarchicalDeltaIK(robot.skeleton, node_set)
        given = {task.priority for task in tasks} | ({com.priority} if com is not None else set())
        # Whole numbers that are next to each other may be the same as floats.
        levels = {priority: level for level, priority in enumerate(sorted(given, reverse=True))}
        self._modules = []
        for task in tasks:
            frame = robot.moved_frame(task.tcp)
            module = hierarchy.add_frame(frame, None, task.selection, level=levels[task.priority])
            module.gradient_method = _METHODS[task.method]()
            self._modules.append(module)
        self._balance: CenterOfMassTask | None = None
        if com is not None:
            self._balance = CenterOfMassTask(
                (0.0, 0.0), frame=robot.frame(com.coordinate_system), bodies=bodies_of(robot, com)
            )
            hierarchy.add(self._balance, level=levels[com.priority])
        if avoid_joint_limits:
            hierarchy.add(JointLimitTask(), level=len(levels))
        self._prepared = hierarchy.prepare(step_size)
        self._aimed: list[pin.SE3 | None] = [None] * len(self._modules)

    def change(self, robot: RobotCopy, goals: Sequence[pin.SE3], com: CoMIKDescriptor | None) -> Array:
        """What to add to the present configuration (n,) of the robot, for a target (in the world, m) of each task."""
        for k, (module, goal) in enumerate(zip(self._modules, goals, strict=True)):
            if self._aimed[k] != goal:  # feet that stand still have the same one at every step
                self._prepared.set_target(module, goal)
                self._aimed[k] = goal
        if self._balance is not None and com is not None:
            over = (robot.units.in_metres(com.gx), robot.units.in_metres(com.gy))
            self._prepared.set_target(self._balance, over)
        q = robot.skeleton.positions
        # A rotation that is a vector of three numbers is not moved by adding its velocity; the difference is added.
        moved: Array = robot.skeleton.integrate(q, self._prepared.step(q)) - q
        return moved
