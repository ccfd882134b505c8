"""A weld seam around a box: following it from where the robot stands, and the best way through all branches."""

import numpy as np

from kinetree import models
from kinetree.kinematics import CollisionDetector, pose
from kinetree.kinematics.shapes import Box
from kinetree.solvers import InverseKinematics

robot = models.load("ur5")
ik = InverseKinematics(robot)
ik.offset = [0.0, 0.0, 0.15]  # the end of the torch

# Once around the foot of the box; the torch leans outwards by 35 degrees and turns with the corners.
side, gap, lean = 0.2, 0.02, np.radians(35.0)
center = pose([0.5, 0.0, 0.02])
seam = []
for number in range(4):
    edge = center * pose([0.0, 0.0, 0.0], rpy=[0.0, 0.0, number * np.pi / 2.0])
    for s in np.linspace(-0.5 * side, 0.5 * side, 40):
        seam.append(edge * pose([s, -0.5 * side - gap, 0.0], rpy=[np.pi + lean, 0.0, 0.0]))
    for angle in np.linspace(0.0, np.pi / 2.0, 20)[1:-1]:
        corner = edge * pose([0.5 * side, -0.5 * side, 0.0], rpy=[0.0, 0.0, angle])
        seam.append(corner * pose([0.0, -gap, 0.0], rpy=[np.pi + lean, 0.0, 0.0]))
detector = CollisionDetector(robot)
detector.add("box", Box(side - 0.02, side - 0.02, 0.1), center * pose([0.0, 0.0, 0.05]))

# Following begins on the branch that is nearest to where the robot stands, and cannot know where that leads.
start = [0.0, -1.2, 1.6, -1.9, -1.5, -4.0]
followed = ik.solve_path(seam, start, constraint=detector)
print("followed:", followed)

# The graph begins on the branch, and with the turns of the joints, from which the end is reached without a jump.
best = ik.solve_path(seam, constraint=detector, strategy="graph", check_between=1)
print("graph:   ", best)
print("begins at", best.q[0].round(2), "and ends at", best.q[-1].round(2))
print(f"joints move {best.cost:.2f} rad in all; the detector was asked {best.constraint_calls} times")
print("largest step of a joint:", np.abs(np.diff(best.q, axis=0)).max().round(3))

# Where there is no way, the answer says where and why.
detector.add("clamp", Box(0.1, 0.1, 0.4), center * pose([0.0, 0.5 * side + 0.1, 0.2]))
blocked = ik.solve_path(seam, constraint=detector, strategy="graph")
print("with a clamp:", blocked.why)
