"""What is said to an arm that has fewer joints than its target fixes coordinates."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.solvers import (
    HierarchicalIK,
    IKMetaSolver,
    InverseKinematics,
    Reason,
    TaskSpaceRegion,
    TranslationDirection5D,
)
from kinetree.solvers.few_joints import fixed_coordinates, too_few_joints
from tests.solvers.conftest import serial


def turned(robot):
    """A pose at a place that the tip gets to, turned in a way that it hardly can be in as well."""
    at = robot.state(robot.random_positions(1)).transform(robot.tip)
    return pose(at.translation, matrix=pose(rpy=(0.3, 0.2, 0.5)).rotation @ at.rotation)


def parallel(count):
    """Axes that are all parallel: however many there are, they set x, y and one angle."""
    return serial("row", [("z", (0.3, 0, 0), (0, 0, 0), (-3.0, 3.0))] * count, (0.3, 0, 0))


@pytest.mark.parametrize(
    ("name", "count", "kinds"),
    [
        ("so101", 5, ["TranslationDirection5D", "Translation3D"]),
        ("scara", 4, ["Translation3D", "TranslationXYOrientation3D"]),
        ("planar3", 3, ["TranslationXYOrientation3D", "TranslationXY2D"]),
    ],
)
@pytest.mark.parametrize("way", ["search", "few attempts", "closed form", "meta solver"])
def test_a_short_arm_is_told_so_and_what_it_reaches(name, count, kinds, way):
    robot = models.load(name)
    ik = InverseKinematics(robot)
    if way == "closed form":
        ik.gradient_method = ik.analytical()
    if way == "meta solver":
        report = IKMetaSolver(ik).solve(turned(robot), robot.positions, 20).report
        detail = report.detail
    else:
        solution = ik.solve(turned(robot), **({"attempts": 3} if way == "few attempts" else {}))
        detail = solution.detail
        assert not solution
        assert "the nearest pose found is" in detail
    assert f"{count} joints reach few of the targets that fix 6 coordinates" in detail
    assert "fix less, with " + kinds[0] in detail
    for kind in kinds:
        assert f"{kind} (" in detail
    assert detail.count("D (") == 2


def test_what_is_named_is_reached():
    robot = models.load("so101")
    ik = InverseKinematics(robot)
    rng = np.random.default_rng(3)
    for _ in range(20):
        at = robot.state(robot.random_positions(rng)).transform(robot.tip)
        assert ik.solve(TranslationDirection5D.from_pose(at))


def test_too_few_attempts_stay_the_reason():
    # The target is one of the few that the arm reaches, and more attempts find it.
    robot = models.load("so101")
    ik = InverseKinematics(robot)
    rng = np.random.default_rng(0)
    for _ in range(50):
        target = robot.state(robot.random_positions(rng)).transform(robot.tip)
        failed = ik.solve(target, attempts=1)
        if not failed and failed.reason is Reason.ITERATIONS:
            break
    assert failed.reason is Reason.ITERATIONS
    assert "allow more" in failed.detail
    assert ", though 5 joints reach few" in failed.detail
    assert ik.solve(target)


def test_joints_that_move_the_frame_alike_do_not_count():
    robot = parallel(6)
    detail = InverseKinematics(robot).solve(turned(robot)).detail
    assert "the joints set 3 of the 6 coordinates that the target fixes" in detail
    assert "TranslationXYOrientation3D" in detail


def test_two_joints_and_a_position():
    robot = Skeleton("two")
    link = robot.add_link("base")
    for k in range(2):
        link = robot.add_link(f"l{k}", RevoluteJoint(f"j{k}", axis="z"), link, pose((0.3 * k, 0, 0)))
    robot.tip = robot.add_link("tool", None, link, pose((0.3, 0, 0)))
    ik = InverseKinematics(robot)
    ik.error_method = TaskSpaceRegion.position_only()
    detail = ik.solve(pose((0.3, 0.1, 0.1))).detail
    assert (
        "2 joints reach few of the targets that fix 3 coordinates; fix less, with TranslationXY2D (x and y)" in detail
    )


@pytest.mark.parametrize(("free", "count"), [(0.0, 6), (1e-6, 6), (0.3, 3), (np.inf, 3)])
def test_bounds_that_leave_room_are_not_fixed(free, count):
    robot = models.load("so101")
    ik = InverseKinematics(robot)
    size = np.array([0.0, 0.0, 0.0, free, free, free])
    ik.error_method = TaskSpaceRegion((-size, size))
    aimed = ik.error_method.aimed_at()
    assert fixed_coordinates(aimed) == count
    assert bool(too_few_joints(ik.active_dofs(), aimed, robot.positions)) == (count == 6)


def test_an_arm_with_enough_joints_is_not_told(arm):
    solution = InverseKinematics(arm).solve(pose((0.0, 0.0, -0.45)), attempts=30)
    assert not solution
    assert "fix less" not in solution.detail


class TestHierarchies:
    def test_a_task_that_fixes_too_much_is_named(self):
        robot = models.load("so101")
        ik = InverseKinematics(robot)
        ik.target = turned(robot)
        hierarchy = HierarchicalIK(robot)
        hierarchy.add(ik, 0)
        detail = hierarchy.solve(attempts=5).detail
        assert "5 joints reach few of the targets that fix 6 coordinates" in detail
        assert "TranslationDirection5D" in detail

    def test_tasks_that_fix_too_much_together(self):
        robot = models.load("panda")
        hand, elbow = robot.tip.ik, InverseKinematics(robot.link("panda_link5"))
        elbow.error_method = TaskSpaceRegion.position_only()
        hand.target, elbow.target = pose((0.4, 0.1, 0.5), rpy=(3.0, 0.0, 0.0)), pose((0.1, 0.3, 0.5))
        hierarchy = HierarchicalIK(robot)
        hierarchy.add(hand, 0)
        hierarchy.add(elbow, 1)
        solution = hierarchy.solve(attempts=3)
        assert not solution
        assert "the tasks fix 9 coordinates: fix less" in solution.detail
