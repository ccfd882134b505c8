"""The drawing of a tree."""

from kinetree.kinematics import (
    FixedJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Skeleton,
    SphericalJoint,
    UniversalJoint,
)

WANTED = """\
zoo: 9 links, 9 degrees of freedom
base
├─ upper  [shoulder: revolute, -90° to 45°]
│  └─ tool  <- tip
├─ slide  [rail: prismatic, -0.25 m to inf m]
│  └─ turn  [spin: revolute, unlimited]
├─ drive  [drive: screw, unlimited]
├─ ball  [ball: spherical, unlimited]
├─ cross  [cross: universal, -180° to 180°]
└─ copy  [copy: revolute = -0.5 * shoulder + 0.1]
frames: camera on base
tip: tool (set by hand)"""


def zoo():
    robot = Skeleton("zoo")
    robot.add_link("base")
    robot.add_link("upper", RevoluteJoint("shoulder", limits=(-1.5707963267948966, 0.7853981633974483)), "base")
    robot.add_link("tool", FixedJoint("weld"), "upper")
    robot.add_link("slide", PrismaticJoint("rail", limits=(-0.25, float("inf"))), "base")
    robot.add_link("turn", RevoluteJoint("spin"), "slide")
    robot.add_link("drive", ScrewJoint("drive"), "base")
    robot.add_link("ball", SphericalJoint("ball"), "base")
    robot.add_link("cross", UniversalJoint("cross", limits=(None, (-3.141592653589793, 3.141592653589793))), "base")
    robot.add_link("copy", RevoluteJoint("copy"), "base")
    robot.joint("copy").depend_on(robot.joint("shoulder"), -0.5, 0.1)
    robot.add_frame("camera", "base")
    robot.tip = "tool"
    return robot


def test_every_kind_of_joint_limit_and_dependence():
    assert str(zoo()) == WANTED


def test_other_dependences():
    robot = zoo()
    robot.joint("copy").depend_on(robot.joint("shoulder"), 2.0, -0.25)
    assert "[copy: revolute = 2 * shoulder - 0.25]" in str(robot)
    robot.joint("copy").depend_on(robot.joint("shoulder"), 2.0)
    assert "[copy: revolute = 2 * shoulder]" in str(robot)
    robot.joint("copy").depend_on(robot.joint("shoulder"), function=abs)
    assert "[copy: revolute = f(shoulder)]" in str(robot)


def test_small_skeletons():
    robot = Skeleton("one")
    assert str(robot) == "one: 0 links, 0 degrees of freedom"
    robot.add_link("base", RevoluteJoint("j"))
    assert str(robot).splitlines() == [
        "one: 1 link, 1 degree of freedom",
        "base  [j: revolute, unlimited]  <- tip",
        "tip: base (end of the longest chain)",
    ]


def test_a_tip_that_is_no_link_is_named_below():
    robot = zoo()
    robot.tip = "camera"
    assert "<- tip" not in str(robot)
    assert str(robot).endswith("tip: camera (set by hand)")
