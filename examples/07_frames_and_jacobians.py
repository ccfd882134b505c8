"""Where frames are, how fast they move, and moving along a line with the Jacobian alone."""

import numpy as np

from kinetree import models
from kinetree.kinematics import SimpleFrame, pose

robot = models.load("panda")
robot.positions = robot.rest_positions
hand = robot.tip

# A frame that hangs on the hand moves with it.
pointer = SimpleFrame("pointer", hand, pose([0, 0, 0.1]))
print("pointer in the world:", pointer.transform().translation.round(4))
print("pointer in the hand: ", pointer.transform(relative_to=hand).translation.round(4))

# Rows: linear, then angular velocity, along world axes; columns: all degrees of freedom of the robot.
jacobian = hand.jacobian()
print("Jacobian:", jacobian.shape, "along the hand's own axes:", hand.jacobian(axes="local").shape)

# Columns agree with what small motions do.
step = 1e-6
q = robot.positions
for column in range(3):
    moved = robot.state(q + step * np.eye(robot.num_dofs)[column]).transform(hand)
    slope = (moved.translation - hand.transform().translation) / step
    print(f"column {column}: {jacobian[:3, column].round(4)}, by difference {slope.round(4)}")

# Ten centimetres along x in 50 steps, with the hand's rotation kept.
start = hand.transform()
wanted = np.array([0.1, 0, 0, 0, 0, 0])
for _ in range(50):
    velocity = np.linalg.pinv(hand.jacobian()) @ wanted
    robot.positions = robot.integrate(robot.positions, velocity / 50)
print("moved by", (hand.transform().translation - start.translation).round(4))
