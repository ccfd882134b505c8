"""One step towards several tasks of a service by priority."""

from __future__ import annotations

from collections.abc import Sequence

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
        raise InvalidValueError(f"tasks must be a sequence of IKTasks, not {tasks!r}")
    methods: dict[int, InverseJacobianMethod] = {}
    for task in tasks:
        if not isinstance(task, IKTask):
            raise InvalidValueError(f"tasks must be IKTasks, not {task!r}")
        if methods.setdefault(task.priority, task.method) is not task.method:
            raise InvalidValueError(
                f"tasks of priority {task.priority} ask for {methods[task.priority].value!r} and for "
                f"{task.method.value!r}; give them different priorities"
            )
    if com is not None and not isinstance(com, CoMIKDescriptor):
        raise InvalidValueError(f"com must be a CoMIKDescriptor, not {com!r}")
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
    """What to add to the present configuration (n,), rad and m."""
    units = robot.units
    hierarchy = HierarchicalDeltaIK(robot.skeleton, node_set)
    for task in tasks:
        target = robot.frame(task.coordinate_system).transform() * units.pose_in_metres(task.pose)
        module = hierarchy.add_frame(robot.moved_frame(task.tcp), target, task.selection, priority=task.priority)
        module.gradient_method = _METHODS[task.method]()
    if com is not None:
        over = (units.in_metres(com.gx), units.in_metres(com.gy))
        balance = CenterOfMassTask(over, frame=robot.frame(com.coordinate_system), bodies=bodies_of(robot, com))
        hierarchy.add(balance, priority=com.priority)
    if avoid_joint_limits:
        others = [task.priority for task in tasks] + ([] if com is None else [com.priority])
        hierarchy.add(JointLimitTask(), priority=min(others, default=0) - 1)
    q = robot.skeleton.positions
    # A rotation that is a vector of three numbers is not moved by adding its velocity; the difference is added.
    change: Array = robot.skeleton.integrate(q, hierarchy.step(q, step_size)) - q
    return change
