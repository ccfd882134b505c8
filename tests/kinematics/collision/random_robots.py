"""Random robots with shapes, for tests of collisions."""

import numpy as np
import pinocchio as pin

from kinetree.kinematics import (
    Box,
    Capsule,
    Cylinder,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Shape,
    Skeleton,
    Sphere,
)


def along(x, y=0.0, z=0.0):
    return pin.SE3(np.eye(3), np.array([x, y, z]))


def random_robot(rng):
    """A tree of up to six bodies with shapes, joints of several kinds and narrow or wide limits."""
    robot = Skeleton("random")
    robot.add_link("l0", collisions=random_shapes(rng))
    for index in range(1, int(rng.integers(3, 7))):
        kind = rng.integers(4)
        axis = rng.normal(size=3)
        middle, half = rng.uniform(-1, 1), rng.uniform(0.1, 2.0)
        name = f"j{index}"
        if kind == 0:
            joint = PrismaticJoint(name, axis=axis, limits=(0.2 * (middle - half), 0.2 * (middle + half)))
        elif kind == 1:
            joint = ScrewJoint(name, axis=axis, lead=rng.uniform(-0.4, 0.4), limits=(middle - half, middle + half))
        else:
            joint = RevoluteJoint(name, axis=axis, limits=(middle - half, middle + half))
        place = pin.SE3(pin.exp3(rng.normal(size=3)), rng.normal(size=3) * 0.4)
        parent = f"l{rng.integers(max(0, index - 2), index)}"
        robot.add_link(f"l{index}", joint, parent, place, child_placement=along(*rng.normal(size=3) * 0.1),
                       collisions=random_shapes(rng))  # fmt: skip
    return robot


def random_shapes(rng):
    sizes = rng.uniform(0.04, 0.3, size=3)
    kinds = [Box(*sizes), Sphere(sizes[0]), Cylinder(sizes[0], sizes[1]), Capsule(sizes[0], sizes[1])]
    place = pin.SE3(pin.exp3(rng.normal(size=3)), rng.normal(size=3) * 0.1)
    return [Shape(kinds[rng.integers(4)], place)]
