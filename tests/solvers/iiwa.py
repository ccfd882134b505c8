"""A KUKA LBR iiwa from the offsets, limits and reference positions of RobWork's own tests."""

import numpy as np

from kinetree.kinematics import RevoluteJoint, Skeleton, pose

#: Position (m) and roll (degrees) of each joint in the link before it.
PLACES = [
    ((0, 0, 0.158), 0),
    ((0, 0, 0.182), -90),
    ((0, -0.182, 0), 90),
    ((0, 0, 0.218), 90),
    ((0, 0.182, 0), -90),
    ((0, 0, 0.218), -90),
    ((0, 0, 0), 90),
]
LIMITS = np.radians([170, 120, 170, 120, 170, 120, 175])


def iiwa():
    """Seven joints about z, the tool 0.126 m beyond the last one."""
    arm = Skeleton("iiwa")
    link = arm.add_link("base")
    for number, ((position, roll), limit) in enumerate(zip(PLACES, LIMITS, strict=True), start=1):
        joint = RevoluteJoint(f"joint{number}", axis="z", limits=(-limit, limit))
        link = arm.add_link(f"link{number}", joint, link, pose(position, rpy=(roll, 0, 0), degrees=True))
    arm.tip = arm.add_link("tool", None, link, pose((0, 0, 0.126)))
    return arm
