"""IKFast's interface in Python: a formula of one's own, checked against the robot, with every solution verified."""

import math

import numpy as np

from kinetree.kinematics import PrismaticJoint, RevoluteJoint, Skeleton
from kinetree.solvers import IkFast, IkType, InverseKinematics, TranslationXYOrientation3D

INNER, OUTER, TOOL = 0.5, 0.4, 0.1


class PlanarHand(IkFast):
    """Three parallel axes: a place in the plane, and a heading."""

    num_joints = 3
    ik_type = IkType.TRANSLATION_XY_ORIENTATION_3D

    def compute_ik(self, eetrans, eerot, free):
        angle = eerot[0]
        x, y = eetrans[0] - TOOL * math.cos(angle), eetrans[1] - TOOL * math.sin(angle)
        cosine = (x * x + y * y - INNER**2 - OUTER**2) / (2 * INNER * OUTER)
        if abs(cosine) <= 1.0:
            for elbow in (math.acos(cosine), -math.acos(cosine)):
                shoulder = math.atan2(y, x) - math.atan2(OUTER * math.sin(elbow), INNER + OUTER * math.cos(elbow))
                yield [shoulder, elbow, angle - shoulder - elbow]

    def compute_fk(self, joints):
        """Optional: with it a wrong robot is found out when the method is bound."""
        a, b, c = np.cumsum(joints)
        x = INNER * math.cos(a) + OUTER * math.cos(b) + TOOL * math.cos(c)
        y = INNER * math.sin(a) + OUTER * math.sin(b) + TOOL * math.sin(c)
        return [x, y, 0.0], [c] + [0.0] * 8


arm = Skeleton("arm on a lift")
arm.add_link("floor")
arm.add_link("carriage", PrismaticJoint("lift", axis="z", limits=(0.0, 1.0)), parent="floor")
arm.add_link("upper", RevoluteJoint("shoulder", axis="z", limits=(-2.5, 2.5)), parent="carriage")
for name, joint, place in (("fore", "elbow", INNER), ("hand", "wrist", OUTER)):
    arm.add_link(name, RevoluteJoint(joint, axis="z", limits=(-3.0, 3.0)), parent=arm.links[-1],
                 placement=([place, 0, 0], [0, 0, 0, 1]))  # fmt: skip
arm.add_frame("tool", "hand", ([TOOL, 0, 0], [0, 0, 0, 1]))

ik = InverseKinematics(arm.frame("tool"), dofs=["shoulder", "elbow", "wrist"])
ik.gradient_method = PlanarHand()
target = TranslationXYOrientation3D([0.6, 0.3], angle=0.5)
for branch in ik.gradient_method.get_solutions(target):
    print(branch)
solution = ik.solve(target)
print(solution)
assert solution.success
