"""CoppeliaSim's inverse kinematics: two arms on a trunk, and a camera that looks on in their null space."""

import numpy as np
import pinocchio as pin

from kinetree.interfaces.coppelia import Constraint, Environment, JointKind, Method

X, Y, Z = np.eye(3)
environment = Environment()


def hang(scene_object, parent, position, axis=Z):
    """Puts an object under another one, its z axis along an axis."""
    scene_object.parent = parent
    turn = pin.Quaternion.FromTwoVectors(Z, axis).toRotationMatrix()
    scene_object.pose = pin.SE3(turn, np.array(position))
    return scene_object


def add_chain(name, parent, steps):
    """Joints in dummies: each step is where it is and the axis that it turns about."""
    for k, (position, axis) in enumerate(steps):
        joint = hang(environment.add_joint(JointKind.REVOLUTE, f"{name}{k + 1}"), parent, position, axis)
        parent = hang(environment.add_dummy(f"{name}{k + 1}_link"), joint, [0, 0, 0])
        parent.pose = joint.pose.inverse() * pin.SE3(np.eye(3), joint.pose.translation)
    return parent


chest = add_chain("trunk", None, [([0, 0, 0.4], Z), ([0, 0, 0.2], Y), ([0, 0, 0.3], X)])
hands = environment.add_group("hands")
hands.method, hands.damping, hands.max_iterations = Method.DAMPED_LEAST_SQUARES, 0.03, 10
for side, sign in (("left", 1.0), ("right", -1.0)):
    steps = [([0, 0.2 * sign, 0], Y), ([0, 0, 0], X), ([0, 0, 0], Z), ([0.3, 0, 0], Y), ([0.25, 0, 0], X)]
    wrist = add_chain(f"{side}_arm", chest, steps)
    hand = hang(environment.add_dummy(f"{side}_hand"), wrist, [0.1, 0, 0])
    for k, bend in ((1, 0.6), (4, 0.9)):
        environment.joint(f"{side}_arm{k}").position = bend
    hand.target = environment.add_dummy(f"{side}_target")
    hand.target.pose = hand.full_pose()
    hands.add_element(hand).constraints = Constraint.POSITION

# The camera looks along its z axis; alpha and beta turn it there, and its roll is left free.
camera = hang(environment.add_dummy("camera"), chest, [0.1, 0, 0.2], X)
camera.target = environment.add_dummy("line_of_sight")
look = environment.add_group("look")
look.method = Method.DAMPED_LEAST_SQUARES
look.add_element(camera).constraints = Constraint.ALPHA_BETA

for groups in ([hands], [hands, look]):
    for step in range(30):
        thing = np.array([0.9, 0.5 * np.sin(0.1 * step), 0.7])
        for element in hands.elements:
            target = element.tip.target
            target.pose = pin.SE3(np.eye(3), target.pose.translation + np.array([0.002, 0, 0.001]))
        line = thing - camera.full_pose().translation
        camera.target.pose = pin.SE3(pin.Quaternion.FromTwoVectors(Z, line).toRotationMatrix(), thing)
        environment.handle_groups(groups)
    names = " and ".join(group.name for group in groups)
    off, angle = (np.linalg.norm(group.jacobian().error) for group in (hands, look))
    print(f"{names:15} hands off by {off:.0e} m, line of sight off by {np.degrees(angle):4.1f} deg")
