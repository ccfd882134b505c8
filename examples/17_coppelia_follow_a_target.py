"""CoppeliaSim's inverse kinematics: a 6-axis arm follows a target, also where it cannot quite."""

import numpy as np
import pinocchio as pin

from kinetree import models
from kinetree.interfaces.coppelia import Constraint, Method
from kinetree.interfaces.coppelia.from_skeleton import environment_from_skeleton

robot = models.load("ur5")
joints = [dof.name for dof in robot.tip.chain().dofs]
robot.positions = dict(zip(joints, [0.3, -1.2, 1.6, -1.9, -1.5, 0.2], strict=True))
environment = environment_from_skeleton(robot)
tip = environment.dummy(robot.tip.name)
target = tip.target


def add_group(name, method, damping, iterations):
    group = environment.add_group(name)
    group.method, group.damping, group.max_iterations = method, damping, iterations
    element = group.add_element(tip)
    element.constraints = Constraint.POSE
    return group


# A quick group without damping; a patient one for where the first fails: near a singularity, or out of reach.
undamped = add_group("undamped", Method.UNDAMPED_PSEUDO_INVERSE, 0.0, 6)
damped = add_group("damped", Method.DAMPED_LEAST_SQUARES, 1.0, 99)

start = target.pose
for degrees in range(0, 361, 30):
    angle = np.radians(degrees)
    offset = np.array([0.35 * np.sin(angle), 0.35 * (1.0 - np.cos(angle)), 0.1 * np.sin(2.0 * angle)])
    target.pose = pin.SE3(start.rotation, start.translation + offset)
    result = undamped.handle_or(damped)
    print(f"{degrees:4} deg  {result}")

# Another way to stand at the same place: from random configurations, the nearest to the present one first.
arm = [environment.joint(name) for name in joints]
found = undamped.find_config(arm, count=4, max_time=0.2, callback=lambda q: bool(q[1] < 0.0))
print(found)
for q, distance in zip(found, found.distances, strict=True):
    print(f"  {distance:5.2f} rad away: {q.round(2)}")
