"""Grasping a part that lies in a box: all collision-free branches, ranked by the way to them and by their clearance."""

import numpy as np

from kinetree import models
from kinetree.kinematics import Box, CollisionDetector, Cylinder, pose
from kinetree.solvers import IKMetaSolver, JacobianIKSolver

robot = models.load("panda")
robot.positions = [0.0, -0.4, 0.0, -2.2, 0.0, 1.9, 0.8, 0.03]
detector = CollisionDetector(robot)
detector.add("table", Box(1.2, 1.6, 0.05), pose([0.6, 0, -0.03]))
for name, size, place in [
    ("box_front", [0.02, 0.40, 0.20], [0.36, 0.1, 0.10]),
    ("box_back", [0.02, 0.40, 0.20], [0.74, 0.1, 0.10]),
    ("box_left", [0.40, 0.02, 0.20], [0.55, 0.3, 0.10]),
    ("box_right", [0.40, 0.02, 0.20], [0.55, -0.1, 0.10]),
]:
    detector.add(name, Box(*size), pose(place))
detector.add("bottle", Cylinder(0.03, 0.30), pose([0.62, 0.2, 0.15]))
detector.add("lamp", Box(0.3, 0.1, 0.1), pose([0.45, 0.1, 0.75]))
# These two pass each other at one centimetre and cannot touch; they would hide how near everything else is.
detector.exclude("panda_link5", "panda_link7")
part = [0.52, 0.08, 0.14]  # where the fingers are to close; the part reaches from there to the ground of the box

chain = robot.tip.chain()
meta = IKMetaSolver(JacobianIKSolver(chain), collision_detector=detector)
meta.max_attempts, meta.order = 100, "nearest"
meta.proximity_limit = 0.5  # of the many ways of a redundant arm only those that differ by this (rad) in some joint
base = chain.base.transform()

print("way (rad)  clearance (m)  hand turned by")
branches = []
for degrees in range(0, 180, 30):  # the part may be grasped from any side
    target = base.actInv(pose(part, rpy=[180, 0, degrees], degrees=True))
    found = meta.solve(target, robot.positions)
    branches += [(np.linalg.norm(q - robot.positions), detector.distance(q).value, degrees, q) for q in found]
    for way, clearance, _, _ in branches[-len(found) :][:2] if found else []:
        print(f"{way:9.3f}  {clearance:13.4f}  {degrees:3d} degrees")
    print(f"      {found.report}")

way, clearance, degrees, _ = min(branches, key=lambda each: each[0])
print(
    f"the nearest of {len(branches)}: {way:.2f} rad away, {1e3 * clearance:.1f} mm clear, turned by {degrees} degrees"
)
way, clearance, degrees, q = max(branches, key=lambda each: each[1])
print(f"the one with most room: {way:.2f} rad away, {1e3 * clearance:.1f} mm clear, turned by {degrees} degrees")
print(f"what is nearest there: {detector.distance(q)}")

# The bottle falls over, onto the part: the next call sees it where it is now, and says what is in the way.
detector.move("bottle", pose([0.55, 0.08, 0.18], rpy=[0, 90, 0], degrees=True))
target = base.actInv(pose(part, rpy=[180, 0, degrees], degrees=True))
print(f"with the bottle lying there: {meta.solve(target, q).report}")
