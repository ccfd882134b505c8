from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.spherical_wrist import SPHERICAL_WRIST, SPHERICAL_WRIST_AT_BASE
from tests.solvers.closed_form.six_joint_arms import (
    OUT_OF_REACH,
    SINGULAR,
    Solver,
    Tally,
    apart,
    check_no_root_missing,
    check_recovery,
    errors,
    forward,
    goals_at,
    newton,
    ortho_parallel_arm,
    spherical_wrist_arm,
)

KINDS = ["general", "parallel12", "parallel23", "meet12", "meet23"]


def arm_of(rng, kind, right_angles):
    return ortho_parallel_arm(rng) if kind == "ortho-parallel" else spherical_wrist_arm(rng, kind, right_angles)


CLASSES = [(kind, right) for kind in KINDS for right in (False, True)] + [("ortho-parallel", True)]


def reports(tally, name):
    distances = np.array(tally.distances)
    print(
        f"{name}: {tally.goals} goals, {tally.solutions / tally.goals:.2f} solutions each, worst error "
        f"{tally.worst_error:.1e}, q found to {np.median(distances):.1e} (median) {np.sort(distances)[-3:]}, "
        f"{tally.along_singular} along singular directions, {len(tally.missed)} missed"
    )


@pytest.mark.parametrize(("kind", "right_angles"), CLASSES)
def test_random_arms(kind, right_angles):
    rng, tally = np.random.default_rng(1), Tally()
    for _ in range(200):
        check_recovery(Solver(SPHERICAL_WRIST, arm_of(rng, kind, right_angles)), rng, 50, tally)
    reports(tally, f"{kind} {right_angles}")
    assert not tally.missed
    assert tally.worst_error <= 1e-10
    assert np.quantile(tally.distances, 0.99) <= 1e-9


@pytest.mark.parametrize(("kind", "right_angles"), CLASSES)
def test_no_root_is_missing(kind, right_angles):
    rng = np.random.default_rng(2)
    roots = [
        check_no_root_missing(Solver(SPHERICAL_WRIST, arm_of(rng, kind, right_angles)), rng, 150) for _ in range(20)
    ]
    assert max(roots) >= 4


@pytest.mark.parametrize("kind", ["general", "parallel23"])
def test_the_mirror_image(kind):
    rng, tally = np.random.default_rng(3), Tally()
    for _ in range(40):
        check_recovery(
            Solver(SPHERICAL_WRIST_AT_BASE, spherical_wrist_arm(rng, kind, False).reversed()), rng, 25, tally
        )
    assert not tally.missed
    assert tally.worst_error <= 1e-10
    check_no_root_missing(Solver(SPHERICAL_WRIST_AT_BASE, spherical_wrist_arm(rng, kind, False).reversed()), rng, 100)


def test_a_real_arm_by_pinocchio():
    robot = models.load("kr6_r900")
    base = robot.root
    geometry = ChainGeometry.of(robot, robot.tip, range(6), base)
    solver = Solver(SPHERICAL_WRIST, geometry)
    assert "axes 2 and 3 are parallel" in solver.fit.why
    rng = np.random.default_rng(4)
    data, frame = robot.model.createData(), robot.model.getFrameId(robot.tip.name)
    for _ in range(200):
        q = rng.uniform(-np.pi, np.pi, 6)
        pin.framesForwardKinematics(robot.model, data, q)
        pose = data.oMf[frame]
        found, flags = solver.solve_one(np.concatenate([pose.rotation.ravel(), pose.translation]))
        assert np.abs(apart(found, q)).max(axis=1).min() < 1e-8
        for each in found[flags == 0]:
            pin.framesForwardKinematics(robot.model, data, each)
            assert np.linalg.norm(pin.log6(pose.actInv(data.oMf[frame])).vector) < 1e-10


def test_axes_that_nearly_meet_are_near_enough_to_polish():
    rng = np.random.default_rng(5)
    for _ in range(20):
        exact = ortho_parallel_arm(rng)
        offsets = np.array(exact.offsets)
        offsets[5] += 0.35e-3 * np.cross(exact.axes[3], exact.axes[4])
        geometry = ChainGeometry.made(exact.axes, offsets, exact.tip_rotation)
        solver = Solver(SPHERICAL_WRIST, geometry)
        assert "nearly meet" in solver.fit.why
        q = rng.uniform(-2.5, 2.5, 6)
        goal = goals_at(geometry, q)[0]
        found, _ = solver.solve_one(goal)
        polished, _ = newton(geometry, found, goal, 8)
        assert np.abs(apart(polished, q)).max(axis=1).min() < 1e-7


def test_gen3_with_a_joint_held_has_a_wrist_that_nearly_meets():
    robot = models.load("gen3")
    whole = ChainGeometry.of(robot, robot.tip, range(7), robot.root)
    rng = np.random.default_rng(9)
    for held in (0.0, 0.6):
        geometry = whole.locked(2, held)
        solver = Solver(SPHERICAL_WRIST, geometry)
        assert "nearly meet" in solver.fit.why
        for q in rng.uniform(-2.0, 2.0, (50, 6)):
            goal = goals_at(geometry, q)[0]
            polished, error = newton(geometry, solver.solve_one(goal)[0], goal, 10)
            assert np.abs(apart(polished, q)).max(axis=1).min() < 1e-6
            # Checked with the whole arm by Pinocchio.
            data, frame = robot.model.createData(), robot.model.getFrameId(robot.tip.name)
            for each in polished[error < 1e-12]:
                pin.framesForwardKinematics(robot.model, data, np.insert(each, 2, held))
                pose = data.oMf[frame]
                np.testing.assert_allclose(np.concatenate([pose.rotation.ravel(), pose.translation]), goal, atol=1e-10)


def usual():
    x, y, z = np.eye(3)
    return ChainGeometry.made(
        [z, y, y, x, y, x], [0.4 * z, 0.025 * x, 0.455 * z, 0.035 * z + 0.42 * x, 0.0 * x, 0.0 * x, 0.08 * x]
    )


@pytest.mark.parametrize("middle", [0.0, np.pi])
@pytest.mark.parametrize("right_angles", [True, False])
def test_a_wrist_in_line_takes_joint_4_from_the_seed(middle, right_angles):
    rng = np.random.default_rng(6)
    for _ in range(20):
        geometry = usual()
        if not right_angles:
            # Twists of 60 and 60 (or 120) degrees: axes 4 and 6 are in line at 0 (or half a turn) of joint 5.
            arm, turn = spherical_wrist_arm(rng, "parallel23", False), np.cos(middle)
            axes = np.array(arm.axes)
            axes[5] = turn * (2.0 * (axes[3] @ axes[4]) * axes[4] - axes[3]) if middle else axes[3]
            geometry = ChainGeometry.made(axes, arm.offsets, arm.tip_rotation)
        q, seed = rng.uniform(-1.0, 1.0, 6), rng.uniform(-1.0, 1.0, 6)
        q[4] = middle
        goal = goals_at(geometry, q)[0]
        found, flags = Solver(SPHERICAL_WRIST, geometry).solve_one(goal, seed)
        singular = flags == SINGULAR
        assert singular.any()
        at_seed = np.abs(apart(found[singular][:, 3], seed[3])) < 1e-9
        assert at_seed.any()
        assert np.abs(errors(geometry, found[singular], np.tile(goal, (singular.sum(), 1)))).max() < 1e-9


def test_a_wrist_over_the_first_axis_takes_joint_1_from_the_seed():
    geometry = usual()
    # Joint 3 such that the centre of the wrist is over axis 1.
    goal = np.concatenate([np.eye(3).ravel(), [0.08, 0.0, 0.9]])
    seed = np.array([0.7, 0.1, 0.2, 0.3, 0.4, 0.5])
    found, flags = Solver(SPHERICAL_WRIST, geometry).solve_one(goal, seed)
    assert (flags == SINGULAR).all()
    assert np.abs(apart(found[:, 0], 0.7)).min() < 1e-12
    assert np.abs(errors(geometry, found, np.tile(goal, (len(found), 1)))).max() < 1e-12


def test_stretched_elbows_give_the_double_root():
    geometry = usual()
    rng = np.random.default_rng(7)
    stretched = -np.arctan2(0.42, 0.035)
    for _ in range(200):
        q = rng.uniform(-1.5, 1.5, 6)
        # Away from the wrist's own singularity, beside which half the digits of the elbow are not enough.
        q[2], q[4] = stretched, rng.uniform(0.3, 2.5)
        goal = goals_at(geometry, q)[0]
        found, flags = Solver(SPHERICAL_WRIST, geometry).solve_one(goal)
        assert np.abs(apart(found, q)).max(axis=1).min() < 1e-6
        assert np.abs(errors(geometry, found[flags == 0], np.tile(goal, ((flags == 0).sum(), 1)))).max() < 1e-10


@pytest.mark.parametrize("beyond", [1e-6, 1e-2, 1.0])
def test_goals_out_of_reach_give_the_nearest(beyond):
    geometry = usual()
    q = np.array([0.3, 0.5, -np.arctan2(0.42, 0.035), 0.2, 0.7, 0.4])
    goal = goals_at(geometry, q)[0]
    rotation, tip, _ = forward(geometry, q[None])
    centre = tip[0] - rotation[0] @ geometry.offsets[6]
    shoulder = np.array([0.025 * np.cos(0.3), 0.025 * np.sin(0.3), 0.4])
    outwards = (centre - shoulder) / np.linalg.norm(centre - shoulder)
    away = goal.copy()
    away[9:] += beyond * outwards
    found, flags = Solver(SPHERICAL_WRIST, geometry).solve_one(away)
    assert (flags & OUT_OF_REACH).all()
    distances = np.linalg.norm(errors(geometry, found, np.tile(away, (len(found), 1))), axis=1)
    assert distances.min() == pytest.approx(beyond, rel=1e-6)
    assert np.abs(apart(found, q)).max(axis=1).min() < 1e-6


def test_what_does_not_reach_is_left_out_when_something_does():
    geometry = usual()
    # In front, so far that the arm turned to the back does not reach.
    q = np.array([0.0, 0.5, -np.arctan2(0.42, 0.035) + 0.02, 0.2, 0.7, 0.4])
    found, flags = Solver(SPHERICAL_WRIST, geometry).solve_one(goals_at(geometry, q)[0])
    assert len(found) == 4
    assert (flags == 0).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda h, p: p.__setitem__((5, 1), 0.2), "miss a common point"),
        (lambda h, p: h.__setitem__(5, h[4]), "parallel"),
        (lambda h, p: p.__setitem__(3, 0.0), "goes through the centre"),
        (lambda h, p: h.__setitem__(0, h[1]), "parallel"),
    ],
)
def test_arms_of_other_kinds_are_told_why_not(change, words):
    geometry = usual()
    h, p = np.array(geometry.axes), np.array(geometry.offsets)
    change(h, p)
    said = SPHERICAL_WRIST.fit(ChainGeometry.made(h, p), None)
    assert isinstance(said, str)
    assert words in said


def test_extreme_goals_are_finite():
    solver = Solver(SPHERICAL_WRIST, usual())
    rng = np.random.default_rng(8)
    goals = goals_at(usual(), rng.uniform(-3.0, 3.0, (200, 6)))
    goals[:50, 9:] *= 1e6
    goals[50:100, 9:] = 0.0
    goals[100:150, 9:12] = [0.0, 0.0, 0.4]
    goals[150:, :9] = np.eye(3).ravel()
    solver.solve(goals)
