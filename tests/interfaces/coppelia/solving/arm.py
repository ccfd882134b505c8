"""What the tests of handling groups share."""

import numpy as np
import pinocchio as pin

from kinetree import models
from kinetree.interfaces.coppelia import Constraint, Method
from kinetree.interfaces.coppelia.from_skeleton import environment_from_skeleton
from kinetree.interfaces.coppelia.solving import handle_groups

NOT_PERFORMED, CANNOT_INVERT, OUTSIDE, TOO_BIG, LIMIT = 1, 2, 16, 32, 64
HOME = np.array([0.1, -0.4, 0.2, -1.9, 0.1, 1.7, 0.5])


class Arm:
    """A panda at HOME whose tip should move a little; a second group for its elbow."""

    def __init__(self, method=Method.DAMPED_LEAST_SQUARES, damping=0.1, offset=(0.03, -0.05, 0.04), turn=0.2):
        robot = models.load("panda")
        joints = [dof.name for dof in robot.tip.chain().dofs]
        robot.positions = dict(zip(joints, HOME, strict=True))
        self.environment = environment_from_skeleton(robot)
        self.joints = [self.environment.object(name) for name in joints]
        tip = self.environment.object(robot.tip.name)
        self.target = tip.target
        start = tip.full_pose()
        self.target.pose = pin.SE3(
            start.rotation @ pin.exp3(np.array([0.0, turn, 0.0])), start.translation + np.array(offset)
        )
        self.group = self.environment.add_group("hand")
        self.element = self.group.add_element(tip)
        self.element.constraints = Constraint.POSE
        self.group.method, self.group.damping = method, damping
        self.group.max_iterations = 1
        elbow = self.environment.add_dummy("elbow")
        elbow.parent = self.joints[3]
        elbow.target = self.environment.add_dummy("elbow_target")
        elbow.target.pose = pin.SE3(np.eye(3), elbow.full_pose().translation + np.array([0.0, 0.05, 0.02]))
        self.elbow = self.environment.add_group("elbow")
        self.elbow_element = self.elbow.add_element(elbow)
        self.elbow.method, self.elbow.damping = method, damping

    @property
    def q(self):
        return np.array([joint.position for joint in self.joints])

    def handle(self, *groups, callback=None):
        return handle_groups(self.environment, list(groups) or [self.group], callback)
