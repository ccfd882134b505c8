"""Joint limits, and angles that are equal but for whole turns."""

import numpy as np
import pytest

from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.solvers import InverseKinematics, TaskSpaceRegion
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def test_limits_are_kept_when_the_way_leads_through_them(arm, rng, inside):
    ik = InverseKinematics(arm)
    for _ in range(30):
        q = np.where(rng.random(7) < 0.5, arm.lower_limits, arm.random_positions(rng))
        solution = ik.solve(arm.state(q).transform(arm.tip), seed=arm.upper_limits)
        assert inside(arm, solution.q)
        assert solution, solution


def test_a_joint_at_its_limit_is_not_stranded(arm):
    # Single attempts from a corner of the limits; where steps are merely cut off there, 8 of 60 get away.
    ik = InverseKinematics(arm)
    ik.problem.strikes = 6
    rng = np.random.default_rng(0)
    solved = 0
    for _ in range(60):
        corner = np.where(rng.random(7) < 0.5, arm.lower_limits, arm.upper_limits)
        solved += ik.solve(reachable(arm, rng), seed=corner, attempts=1, iterations=50).success
    assert solved >= 20


def test_a_limit_does_not_hold_back_the_others():
    # Three parallel joints; the first one cannot go where the shortest step leads, the others make up for it.
    skeleton = Skeleton("three")
    link = skeleton.add_link("base")
    for number, limits in enumerate([(0.0, 3.0), (-3.0, 3.0), (-3.0, 3.0)]):
        link = skeleton.add_link(
            f"l{number}",
            RevoluteJoint(f"j{number}", limits=limits),
            link,
            pose((1.0 if number else 0.0, 0, 0)),
        )
    tip = skeleton.add_link("tip", None, link, pose((1, 0, 0)))
    ik = InverseKinematics(tip)
    ik.error_method = TaskSpaceRegion.position_only()
    seed = [0.0, 0.5, 0.5]
    target = skeleton.state([0.0, -0.4, 1.2]).transform(tip)
    solution = ik.solve(target, seed=seed, attempts=1)
    assert solution, solution
    assert solution.q[0] >= 0.0


def test_limits_may_be_ignored(planar):
    planar.dof("j1").limits = (-0.1, 0.1)
    ik = InverseKinematics(planar)
    ik.error_method = TaskSpaceRegion.position_only()
    target = planar.state([0.3, 1.5]).transform(planar.tip)
    assert not ik.solve(target)
    ik.problem.respect_limits = False
    assert ik.solve(target)


def wheel(limits):
    skeleton = Skeleton("wheel")
    base = skeleton.add_link("base")
    skeleton.tip = skeleton.add_link("wheel", RevoluteJoint("spin", limits=limits), base)
    return skeleton


@pytest.mark.parametrize(
    ("limits", "seed", "angle", "expected"),
    [
        (None, 7.0, 1.0, 1.0 + 2 * np.pi),
        (None, -7.0, 1.0, 1.0 - 2 * np.pi),
        (None, 0.0, 3.0, 3.0),
        ((-2 * np.pi, 2 * np.pi), -5.0, 1.0, 1.0 - 2 * np.pi),
        ((-2 * np.pi, 2 * np.pi), 5.0, -1.0, 2 * np.pi - 1.0),
        ((np.pi / 8, 2 * np.pi), 0.5, -np.pi + 0.01, np.pi + 0.01),
        ((3.1 * np.pi, 4 * np.pi), 3.5 * np.pi, -0.5, 4 * np.pi - 0.5),
    ],
)
def test_angles_come_back_as_the_equivalent_nearest_the_seed(limits, seed, angle, expected):
    skeleton = wheel(limits)
    solution = InverseKinematics(skeleton).solve(pose(rpy=(0, 0, angle)), seed=[seed])
    assert solution, solution
    assert solution.q[0] == pytest.approx(expected, abs=2e-6)


def test_an_angle_goes_through_the_gap_between_its_limits():
    # From 169 to -169 degrees: 22 degrees through the gap are no way, but the equivalent is inside.
    skeleton = wheel((np.deg2rad(-170), np.deg2rad(170)))
    solution = InverseKinematics(skeleton).solve(pose(rpy=(0, 0, np.deg2rad(-169))), seed=[np.deg2rad(169)])
    assert solution
    assert solution.q[0] == pytest.approx(np.deg2rad(-169), abs=1e-6)


def test_other_joints_keep_their_value(arm, rng):
    ik = InverseKinematics(arm, dofs=["j0", "j1", "j2", "j3"])
    ik.error_method = TaskSpaceRegion.position_only()
    seed = arm.random_positions(rng)
    seed[4:] += 0.01
    solution = ik.solve([0.3, 0.1, 0.6], seed=seed)
    assert solution
    np.testing.assert_array_equal(solution.q[4:], seed[4:])


def test_a_wheel_without_limits_restarts_in_one_turn(rng, engine):
    skeleton = wheel(None)
    starts = []
    ik = InverseKinematics(skeleton)
    ik.solve(pose(rpy=(0, 0, 1.0)), constraint=lambda q: starts.append(q[0]) or False, attempts=50)
    assert len(starts) == 1  # all lead to the one solution, which is asked about once
    assert np.abs(starts).max() <= np.pi + 1.0 + 1e-9
