"""Collisions: a cell around a robot, a grasped part, distances and a safety margin."""

import numpy as np

from kinetree import models
from kinetree.kinematics import Box, Capsule, CollisionDetector, Cylinder, Plane, Shape, SimpleFrame, pose

robot = models.load("panda")
home = {"panda_joint2": -0.785, "panda_joint4": -2.356, "panda_joint6": 1.571, "panda_joint7": 0.785}
robot.positions = {**home, "panda_finger_joint1": 0.03}

detector = CollisionDetector(robot)
print(f"{len(detector.pairs)} pairs of links are checked, {len(detector.excluded)} are not:")
for pair in detector.excluded[:3]:
    print("   ", pair)
print("    ...")

# The cell: a floor, a table, a rack of three shapes that stands on a cart.
cart = SimpleFrame("cart", None, pose([0.0, 0.75, 0.0]))
detector.add("floor", Plane(), pose([0, 0, -0.01]))
detector.add("table", Box(0.6, 1.0, 0.04), pose([0.6, 0, 0.1]))
posts = [Shape(Cylinder(0.02, 1.2), pose([x, 0, 0.6])) for x in (-0.3, 0.3)]
detector.add("rack", [*posts, Shape(Box(0.7, 0.2, 0.02), pose([0, 0, 0.6]))], parent=cart)
print("at home:", detector.check(), "-", detector.distance())

# A part in the hand goes with it. The fingers hold it, so they may touch it.
fingers = ["panda_leftfinger", "panda_rightfinger"]
detector.attach("part", Capsule(0.02, 0.4), "panda_hand_tcp", pose([0, 0, 0.1]), touches=fingers)
print("with the part:", detector.distance())
low = {**home, "panda_joint2": 0.1, "panda_joint4": -2.0}
print("reaching down:", detector.check(low))
for contact in detector.contacts(low):
    print("    ", contact)

# The cart comes nearer; the margin asks for 10 cm of air around all obstacles.
cart.relative_transform = pose([0.3, 0.1, 0.0])
print("the cart moved:", detector.check())
cart.relative_transform = pose([0.3, 0.5, 0.0])
detector.margin = 0.1
print("with a margin:", detector.check())
detector.margin = 0.0

rng = np.random.default_rng(0)
hits = detector.in_collision_many([robot.random_positions(rng) for _ in range(1000)])
print(f"{hits.sum()} of 1000 random configurations collide")
