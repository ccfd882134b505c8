"""The axes of the built-in arms: what closed forms rely on, exact up to rounding in every configuration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Skeleton
from kinetree.models import load


class Line:
    """A joint's axis in the base: unit direction (3,), a point (3,), None for a slide."""

    def __init__(self, direction: np.ndarray, point: np.ndarray | None) -> None:
        self.direction, self.point = direction, point


def axis_lines(robot: Skeleton, q: np.ndarray) -> list[Line]:
    """The axes in a configuration, from the columns of Pinocchio's Jacobian of the tip."""
    model, data = robot.model, robot.model.createData()
    position = robot.to_pinocchio(q)
    pin.computeJointJacobians(model, data, position)
    pin.updateFramePlacements(model, data)
    frame = model.getFrameId(robot.tip.name)
    jacobian = pin.getFrameJacobian(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    tip, lines = data.oMf[frame].translation, []
    for linear, angular in zip(jacobian[:3].T, jacobian[3:].T, strict=True):
        if np.linalg.norm(angular) < 0.5:
            lines.append(Line(linear, None))
        else:  # linear = angular x (tip - foot), where foot is the axis' point nearest to the tip
            lines.append(Line(angular, tip - np.cross(linear, angular)))
    return lines


def apart(one: Line, two: Line) -> float:
    """Distance of two lines (m)."""
    normal, between = np.cross(one.direction, two.direction), two.point - one.point
    if np.linalg.norm(normal) < 1e-7:
        return float(np.linalg.norm(np.cross(one.direction, between)))
    return float(abs(normal @ between) / np.linalg.norm(normal))


def nearest(line: Line, point: np.ndarray) -> np.ndarray:
    return line.point + line.direction * (line.direction @ (point - line.point))


def meeting_point(lines: list[Line]) -> np.ndarray:
    """The point of least distance to all the lines."""
    across = [np.eye(3) - np.outer(line.direction, line.direction) for line in lines]
    return np.linalg.solve(sum(across), sum(a @ line.point for a, line in zip(across, lines, strict=True)))


def configurations(robot: Skeleton) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [np.zeros(robot.num_dofs), *(robot.random_positions(rng) for _ in range(10))]


#: Joints, counted from 0, whose axes meet in one point: spherical wrists, spherical shoulders, pairs.
WRISTS = {
    "irb120": (3, 4, 5), "irb4600_40_255": (3, 4, 5), "kr16": (3, 4, 5), "puma560": (3, 4, 5),
    "stanford_arm": (3, 4, 5), "gantry_wrist": (3, 4, 5), "iiwa7": (4, 5, 6), "wam7": (4, 5, 6),
}  # fmt: skip
SHOULDERS = {"iiwa7": (0, 1, 2), "wam7": (0, 1, 2), "fr3": (0, 1, 2), "xarm7": (0, 1, 2)}
PAIRS = {
    "ur3e": [(0, 1), (3, 4), (4, 5)], "ur5e": [(0, 1), (3, 4), (4, 5)], "ur10e": [(0, 1), (3, 4), (4, 5)],
    "irb120": [(0, 1)], "puma560": [(0, 1)], "stanford_arm": [(0, 1)], "iiwa7": [(2, 3), (3, 4)],
    "fr3": [(4, 5)], "xarm6": [(0, 1), (3, 4)], "xarm7": [(4, 5)], "so101": [(3, 4)],
}  # fmt: skip
MEETINGS = [
    *((name, joints) for table in (WRISTS, SHOULDERS) for name, joints in table.items()),
    *((name, pair) for name, pairs in PAIRS.items() for pair in pairs),
]
PARALLELS = [
    ("ur3e", (1, 2, 3)), ("ur5e", (1, 2, 3)), ("ur10e", (1, 2, 3)), ("so101", (1, 2, 3)),
    ("irb120", (1, 2)), ("irb4600_40_255", (1, 2)), ("kr16", (1, 2)), ("puma560", (1, 2)), ("xarm6", (1, 2)),
    ("stanford_arm", (2, 3)),
]  # fmt: skip
#: Distances of neighbouring axes that do not meet (m): offsets of elbows and wrists.
OFFSETS = [
    ("irb120", (2, 3), 0.07), ("irb4600_40_255", (0, 1), 0.175), ("irb4600_40_255", (2, 3), 0.175),
    ("kr16", (0, 1), 0.26), ("kr16", (2, 3), 0.035), ("puma560", (2, 3), 0.0203),
    ("wam7", (2, 3), 0.045), ("wam7", (3, 4), 0.045),
    ("fr3", (2, 3), 0.0825), ("fr3", (3, 4), 0.0825), ("fr3", (5, 6), 0.088),
    ("xarm6", (2, 3), 0.0775), ("xarm6", (4, 5), 0.076),
    ("xarm7", (2, 3), 0.0525), ("xarm7", (3, 4), 0.0775), ("xarm7", (5, 6), 0.076),
    ("ur3e", (1, 2), 0.24355), ("ur3e", (2, 3), 0.2132), ("ur5e", (1, 2), 0.425), ("ur5e", (2, 3), 0.3922),
    ("ur10e", (1, 2), 0.6127), ("ur10e", (2, 3), 0.57155), ("so101", (0, 1), 0.0303992),
]  # fmt: skip


@pytest.mark.parametrize(("name", "joints"), MEETINGS)
def test_axes_meet_exactly(name: str, joints: tuple[int, ...]) -> None:
    robot = load(name)
    for q in configurations(robot):
        lines = [axis_lines(robot, q)[i] for i in joints]
        if max(np.linalg.norm(np.cross(a.direction, b.direction)) for a, b in combinations(lines, 2)) < 0.1:
            continue  # all in one line: no point to speak of
        point = meeting_point(lines)
        for line in lines:
            assert np.linalg.norm(nearest(line, point) - point) < 2e-14


@pytest.mark.parametrize(("name", "joints"), PARALLELS)
def test_axes_are_exactly_parallel(name: str, joints: tuple[int, ...]) -> None:
    robot = load(name)
    for q in configurations(robot):
        lines = axis_lines(robot, q)
        for one, two in combinations(joints, 2):
            assert np.linalg.norm(np.cross(lines[one].direction, lines[two].direction)) < 4e-15


@pytest.mark.parametrize(("name", "joints", "distance"), OFFSETS)
def test_axes_that_do_not_meet_are_as_far_apart_as_published(
    name: str, joints: tuple[int, int], distance: float
) -> None:
    robot = load(name)
    for q in configurations(robot):
        lines = axis_lines(robot, q)
        assert apart(lines[joints[0]], lines[joints[1]]) == pytest.approx(distance, abs=1e-14)


def test_slides_are_at_right_angles() -> None:
    gantry = load("gantry_wrist")
    slides = axis_lines(gantry, np.full(6, 0.3))[:3]
    assert all(each.point is None for each in slides)
    assert all(abs(a.direction @ b.direction) < 1e-15 for a, b in combinations(slides, 2))
    stanford = load("stanford_arm")
    for q in configurations(stanford):
        lines = axis_lines(stanford, q)
        assert lines[2].point is None
        assert abs(lines[1].direction @ lines[2].direction) < 4e-15


def test_the_wrists_of_ur_and_xarm_are_not_spherical() -> None:
    for name, offset in {"ur3e": 0.08535, "ur5e": 0.0997, "ur10e": 0.11985, "xarm6": 0.076}.items():
        robot = load(name)
        # With joint 5 at zero axes 4 and 6 are parallel, and this far apart.
        lines = axis_lines(robot, np.zeros(robot.num_dofs))
        assert apart(lines[3], lines[5]) == pytest.approx(offset, abs=1e-14)


@pytest.mark.parametrize(
    ("name", "reach"), [("irb120", 0.580), ("irb4600_40_255", 2.552), ("kr16", 1.611), ("iiwa7", 0.800)]
)
def test_reach_of_the_wrist_is_the_published_one(name: str, reach: float) -> None:
    """Horizontally from axis 1 (iiwa: from the shoulder) to the wrist's centre, arm stretched."""
    assert stretched(name) == pytest.approx(reach, abs=5e-4)


def stretched(name: str) -> float:
    """Largest distance of the wrist from axis 1, by the lengths between the axes."""
    lines = axis_lines(load(name), np.zeros(load(name).num_dofs))
    wrist = meeting_point([lines[i] for i in WRISTS[name]])
    shoulder, elbow = (lines[1], lines[2]) if name != "iiwa7" else (lines[1], lines[3])
    upper, fore = apart(shoulder, elbow), float(np.linalg.norm(nearest(elbow, wrist) - wrist))
    return float(np.hypot(*shoulder.point[:2] * (1 - np.abs(shoulder.direction[:2])))) + upper + fore
