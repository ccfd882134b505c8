"""The pairs that are left out, against brute force: what is excluded as 'never' must never be seen to touch."""

import itertools

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    Box,
    Capsule,
    CollisionDetector,
    Cylinder,
    Mesh,
    PrismaticJoint,
    RevoluteJoint,
    Shape,
    Skeleton,
    Sphere,
    SphericalJoint,
)
from kinetree.kinematics.collision import excluded_pairs as reasons
from tests.kinematics.collision.random_robots import along, random_robot

SEED = 20240611


def excluded(robot, reason=None, **options):
    found = CollisionDetector(robot, **options).excluded
    return {frozenset(each[:2]) for each in found if reason is None or each.reason == reason}


def pairs(*names):
    return {frozenset(each) for each in names}


def touching(robot, first, second, q):
    """By Pinocchio's own loop over all pairs of shapes; nothing of the search is in it."""
    import coal

    state = robot.state(q)
    for one, other in itertools.product(robot.link(first).collisions, robot.link(second).collisions):
        result = coal.CollisionResult()
        places = [
            state.transform(robot.link(name)) * shape.placement for name, shape in ((first, one), (second, other))
        ]
        transforms = [coal.Transform3s(at.rotation, at.translation) for at in places]
        coal.collide(solid(one), transforms[0], solid(other), transforms[1], coal.CollisionRequest(), result)
        if result.isCollision():
            return True
    return False


def solid(shape):
    import coal

    match shape.geometry:
        case Box(x, y, z):
            return coal.Box(x, y, z)
        case Sphere(radius):
            return coal.Sphere(radius)
        case Cylinder(radius, length):
            return coal.Cylinder(radius, length)
        case Capsule(radius, length):
            return coal.Capsule(radius, length)
        case Mesh(path, scale):
            return coal.MeshLoader().load(path, np.array(scale))
    raise AssertionError(shape)


def configurations(robot, count, rng):
    """Random ones, half of the values at a limit: that is where links come near to each other."""
    for _ in range(count):
        q = robot.random_positions(rng)
        ends = np.where(rng.random(len(q)) < 0.5, robot.lower_limits, robot.upper_limits)
        at_an_end = (rng.random(len(q)) < 0.5) & np.isfinite(ends)
        yield np.where(at_an_end, ends, q)


def bar(length=1.0):
    return [Shape(Box(length, 0.1, 0.1), pin.SE3(np.eye(3), np.array([0.5 * length, 0.0, 0.0])))]


def three_bars(limits=(-1.0, 1.0)):
    robot = Skeleton("bars")
    robot.add_link("a", collisions=bar())
    robot.add_link("b", RevoluteJoint("first", axis="z", limits=limits), "a", along(1.1), collisions=bar())
    robot.add_link("c", RevoluteJoint("second", axis="z", limits=limits), "b", along(1.1), collisions=bar())
    return robot


def test_bodies_that_are_welded_together():
    robot = three_bars()
    robot.add_link("tool", None, "c", along(1.0), collisions=bar(0.1))
    assert excluded(robot, reasons.WELDED) == pairs(("c", "tool"))
    assert pairs(("b", "tool"), ("b", "c"), ("a", "b")) <= excluded(robot, reasons.ADJACENT)


def test_neighbours_across_one_joint():
    robot = three_bars((-3.0, 3.0))
    assert excluded(robot) == pairs(("a", "b"), ("b", "c"))


def shoulder(offset=0.0, solid_middle=False, slide=False):
    robot = Skeleton("shoulder")
    robot.add_link("body", collisions=bar())
    middle = [Shape(Sphere(0.02))] if solid_middle else []
    first = PrismaticJoint("j1", axis="x", limits=(-2, 2)) if slide else RevoluteJoint("j1", axis="x", limits=(-2, 2))
    robot.add_link("m1", first, "body", along(0.5, 0.0, 0.4), collisions=middle)
    robot.add_link("m2", RevoluteJoint("j2", axis="y", limits=(-2, 2)), "m1", along(0.0, offset))
    robot.add_link("arm", RevoluteJoint("j3", axis="z", limits=(-2, 2)), "m2", collisions=bar())
    return robot


def test_joints_at_one_point_with_nothing_between_make_neighbours():
    assert excluded(shoulder(), reasons.ADJACENT) == pairs(("body", "arm"))
    assert pairs(("body", "arm")).isdisjoint(excluded(shoulder(solid_middle=True)))
    assert excluded(shoulder(offset=0.01)) == set()
    assert excluded(shoulder(slide=True)) == set()


def always(limits=(-1.0, 1.0)):
    robot = three_bars(limits)
    for name in ("a", "c"):
        robot.link(name).collisions.append(Shape(Sphere(1.2 if name == "a" else 1.3)))
    return robot


def test_links_that_touch_in_every_sample():
    assert excluded(always(), reasons.ALWAYS) == pairs(("a", "c"))
    assert pairs(("a", "c")).isdisjoint(excluded(always(), samples=0))
    rng = np.random.default_rng(SEED)
    assert all(touching(always(), "a", "c", q) for q in configurations(always(), 50, rng))


def test_links_that_touch_in_most_samples_are_checked():
    robot = Skeleton("gap")
    robot.add_link("a", collisions=[Shape(Box(0.9, 1.0, 1.0))])
    robot.add_link("b", PrismaticJoint("out", axis="x", limits=(0.0, 1.0)), "a")
    robot.add_link("c", RevoluteJoint("turn", axis="x"), "b", collisions=[Shape(Box(1.0, 0.1, 0.1))])
    assert 0 < sum(touching(robot, "a", "c", q) for q in configurations(robot, 50, np.random.default_rng(1))) < 50
    assert excluded(robot) == set()


def test_the_same_seed_finds_the_same_pairs():
    robot = models.load("humanoid")
    assert CollisionDetector(robot, samples=20).excluded == CollisionDetector(robot, samples=20).excluded


def test_links_that_can_never_touch_depend_on_the_limits():
    assert excluded(three_bars(), reasons.NEVER) == pairs(("a", "c"))
    wide = three_bars((-2.9, 2.9))
    assert excluded(wide, reasons.NEVER) == set()
    q = [2.7, 2.7]
    assert touching(wide, "a", "c", q)
    detector = CollisionDetector(three_bars())
    for dof in detector.skeleton.dofs:  # nothing stale: the limits may be changed afterwards
        dof.limits = (-2.9, 2.9)
    assert ("a", "c") in detector.pairs
    assert detector.in_collision(q)


def test_joints_without_limits():
    sliding = three_bars()
    sliding.replace_joint("b", PrismaticJoint("first", axis="z"))
    assert excluded(sliding, reasons.NEVER) == set()
    turning = Skeleton("turning")
    turning.add_link("a", collisions=[Shape(Sphere(0.1))])
    turning.add_link("b", RevoluteJoint("j1", axis="z"), "a", collisions=bar(0.5))
    turning.add_link("c", RevoluteJoint("j2", axis="z"), "b", along(1.0), collisions=bar(0.5))
    turning.add_link("d", SphericalJoint("j3"), "c", along(5.0), collisions=bar(0.5))
    assert excluded(turning, reasons.NEVER) == pairs(("a", "c"))  # and nothing is claimed across a spherical joint
    turning.link("c").collisions[:] = bar(0.95)
    assert excluded(turning, reasons.NEVER) == set()


@pytest.mark.parametrize("multiplier", [1.0, 1.5])
def test_dependent_joints_take_the_values_of_their_masters(multiplier):
    robot = three_bars((-1.0, 1.0))
    robot.joint("second").dofs[0].limits = (-0.1, 0.1)  # of no account: the master decides
    robot.joint("second").depend_on(robot.joint("first"), multiplier=multiplier)
    robot.dof("first").limits = (-2.0, 2.0)
    never = excluded(robot, reasons.NEVER)
    reached = any(touching(robot, "a", "c", [q]) for q in np.linspace(-2.0, 2.0, 200))
    assert never == (set() if reached else pairs(("a", "c")))
    assert reached == (multiplier > 1.4)


@pytest.mark.parametrize("multiplier", [3.0, 0.5])
def test_a_slide_that_depends_on_an_unlimited_turn_may_be_anywhere(multiplier):
    robot = Skeleton("jack")
    robot.add_link("a", collisions=[Shape(Sphere(0.1))])
    robot.add_link("b", RevoluteJoint("turn", axis="z"), "a", collisions=[Shape(Sphere(0.1))])
    robot.add_link("c", PrismaticJoint("lift", axis="z"), "b", along(0, 0, 20.0), collisions=[Shape(Sphere(0.1))])
    robot.joint("lift").depend_on(robot.joint("turn"), multiplier=multiplier)
    assert excluded(robot, reasons.NEVER) == set()


def check_never(robot, count, rng):
    never = excluded(robot, reasons.NEVER)
    for q in configurations(robot, count if never else 0, rng):
        for first, second in never:
            assert not touching(robot, first, second, q), (first, second, q)
    return len(never)


def test_brute_force_never_contradicts_never_on_random_robots():
    rng = np.random.default_rng(SEED)
    assert sum(check_never(random_robot(rng), 30, rng) for _ in range(40)) > 30


@pytest.mark.slow
def test_brute_force_never_contradicts_never_on_many_random_robots():
    rng = np.random.default_rng(SEED + 1)
    assert sum(check_never(random_robot(rng), 300, rng) for _ in range(400)) > 300


@pytest.mark.parametrize("name", ["panda", "ur5", "scara"])
def test_brute_force_never_contradicts_never_on_arms(name):
    check_never(models.load(name), 60, np.random.default_rng(SEED))


@pytest.mark.slow
@pytest.mark.parametrize("name", [info.name for info in models.robots()])
def test_brute_force_never_contradicts_never_on_every_built_in_robot(name):
    check_never(models.load(name), 1000, np.random.default_rng(SEED))


def test_an_arm_is_left_with_the_pairs_that_matter():
    detector = CollisionDetector(models.load("panda"))
    assert len(detector.pairs) + len(detector.excluded) == 55
    assert ("panda_link0", "panda_hand") in detector.pairs
    assert ("panda_link2", "panda_link7") in detector.pairs
    assert pairs(("panda_link0", "panda_link1"), ("panda_link0", "panda_link2")) <= excluded(detector.skeleton)


def test_meshes_are_treated_as_their_hulls(tmp_path):
    lines = ["o cube"]
    corners = list(itertools.product((-0.5, 0.5), repeat=3))
    lines += [f"v {x} {y} {z}" for x, y, z in corners]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines += [f"f {a} {b} {c}\nf {a} {c} {d}" for a, b, c, d in faces]
    (tmp_path / "cube.obj").write_text("\n".join(lines))
    robot = three_bars()
    for name in ("a", "c"):
        mesh = Mesh(str(tmp_path / "cube.obj"), (1.0, 0.1, 0.1))
        robot.link(name).collisions[:] = [Shape(mesh, along(0.5))]
    assert excluded(robot, reasons.NEVER) == pairs(("a", "c"))
    assert excluded(three_bars((-2.9, 2.9)), reasons.NEVER) == set()
