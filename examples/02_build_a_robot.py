"""A robot built by hand: links, joints on any axis, a tool frame, a joint that follows another."""

import math

from kinetree.kinematics import PrismaticJoint, RevoluteJoint, Skeleton, pose
from kinetree.solvers import InverseKinematics

arm = Skeleton("arm")
base = arm.add_link("base")
turret = arm.add_link("turret", RevoluteJoint("turn", axis="z"), base, pose([0, 0, 0.3]))
upper = arm.add_link("upper", RevoluteJoint("shoulder", axis="y", limits=(-2, 2)), turret)
fore = arm.add_link("fore", RevoluteJoint("elbow", axis="y", limits=(-2.5, 2.5)), upper, pose([0, 0, 0.4]))
wrist = arm.add_link("wrist", PrismaticJoint("slide", axis="z", limits=(0.0, 0.2)), fore, pose([0, 0, 0.2]))
left = arm.add_link("left", PrismaticJoint("left_finger", axis="y", limits=(0.0, 0.04)), wrist)
right = arm.add_link("right", PrismaticJoint("right_finger", axis="-y"), wrist)
right.joint.depend_on(left.joint)
arm.tip = arm.add_frame("tool", wrist, pose([0, 0, 0.1]))
print(arm)

arm.positions = {"turn": math.radians(90), "elbow": 1.0, "left_finger": 0.03}
print("tool at", arm.tip.transform().translation.round(4))
print("right finger follows:", arm.joint("right_finger").positions)

# Four joints cannot reach any pose, but they reach one that they have been in.
target = arm.tip.transform()
arm.positions = [0.0] * arm.num_dofs
print(InverseKinematics(arm).solve(target))
