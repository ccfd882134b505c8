"""Random arms have the structure that they are named after, as robots too."""

import numpy as np
import pytest

from benchmarks.closed_form import arms
from kinetree.interfaces.bench import workload_of

SEEDS = range(5)


def made(make):
    return [make(np.random.default_rng(seed)) for seed in SEEDS]


@pytest.mark.parametrize(
    ("make", "joints"),
    [
        (arms.spherical_wrist, (3, 4, 5)),
        (arms.spherical_wrist_two_parallel, (3, 4, 5)),
        (arms.spherical_wrist_two_meeting, (3, 4, 5)),
        (arms.spherical_wrist_at_base, (0, 1, 2)),
        (arms.spherical_shoulder_and_wrist, (4, 5, 6)),
        (arms.spherical_shoulder_and_wrist, (0, 1, 2)),
        (arms.spherical_shoulder_offset_wrist, (0, 1, 2)),
    ],
)
def test_axes_that_meet(make, joints):
    assert all(geometry.meet(joints) for geometry in made(make))


@pytest.mark.parametrize(
    ("make", "joints"),
    [
        (arms.spherical_wrist_two_parallel, (1, 2)),
        (arms.middle_parallel, (1, 3)),
        (arms.middle_parallel_at_base, (2, 4)),
        (arms.first_parallel, (0, 2)),
        (arms.offset_wrist, (1, 2)),
    ],
)
def test_axes_that_are_parallel(make, joints):
    assert all(geometry.are_parallel(*joints) for geometry in made(make))


def test_others_have_no_structure():
    for geometry in made(arms.general):
        assert not geometry.meet((3, 4, 5), 1e-3)
        assert not any(geometry.are_parallel(k, k + 1, 0.1) for k in range(5))
        assert not any(geometry.intersect(k, k + 1, 1e-4) for k in range(5))
    assert not any(geometry.meet((4, 5, 6), 1e-3) for geometry in made(arms.spherical_shoulder_offset_wrist))
    assert all(geometry.intersect(3, 4) for geometry in made(arms.offset_wrist))
    assert all(geometry.intersect(0, 1) for geometry in made(arms.spherical_wrist_two_meeting))


@pytest.mark.parametrize("make", [arms.general, arms.spherical_shoulder_offset_wrist])
def test_the_robot_has_the_geometry(make):
    for geometry in made(make):
        robot = arms.robot_of(geometry, "arm")
        work = workload_of(robot, "arm", 3)
        for q, target in zip(work.witnesses, work.in_base(), strict=True):
            rotation, position = geometry.forward(q)
            np.testing.assert_allclose(target[:3, :3], rotation, atol=1e-12)
            np.testing.assert_allclose(target[:3, 3], position, atol=1e-12)


def test_the_general_arm_is_the_same_each_time():
    first, again = (arms.arm_workload(arms.GENERAL, 3) for _ in range(2))
    np.testing.assert_array_equal(first.targets, again.targets)
    assert not np.array_equal(first.targets, arms.arm_workload(arms.GENERAL, 3, 1).targets)
    assert arms.arm_workload("ur5", 2).name == "ur5"
