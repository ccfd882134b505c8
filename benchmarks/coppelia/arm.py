"""A built-in robot as an environment with one group, a pose element by damped least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from kinetree.interfaces.bench import Workload
from kinetree.interfaces.coppelia import Constraint, Dummy, Environment, IkElement, IkGroup, Joint, Method
from kinetree.interfaces.coppelia.from_skeleton import environment_from_skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Arm:
    """What is measured.

    Attributes:
        environment: With the robot alone.
        joints: Of the chain.
        target: Of the tip.
        group: Damping 0.1, 40 iterations.
        element: A pose, to 1e-4 m and 0.01 degrees.
    """

    environment: Environment
    joints: tuple[Joint, ...]
    target: Dummy
    group: IkGroup
    element: IkElement

    @staticmethod
    def of(work: Workload) -> Arm:
        environment = environment_from_skeleton(work.robot, [work.chain.tip])
        tip = environment.object(work.chain.tip.name)
        group = environment.add_group("arm")
        group.method, group.damping, group.max_iterations = Method.DAMPED_LEAST_SQUARES, 0.1, 40
        element = group.add_element(tip)
        element.constraints = Constraint.POSE
        element.linear_precision, element.angular_precision = 1e-4, np.radians(0.01)
        joints = tuple(environment.object(dof.name) for dof in work.chain.dofs)
        return Arm(environment, joints, tip.target, group, element)

    def move(self, q: Array) -> None:
        """To a configuration of the chain."""
        for joint, value in zip(self.joints, q.tolist(), strict=True):
            joint.position = value

    def aim(self, pose: Array) -> None:
        """At a pose (4, 4) in the world."""
        self.target.pose = pin.SE3(pose)
