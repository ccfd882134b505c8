from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.parallel_axes import (
    FIRST_THREE_PARALLEL,
    LAST_THREE_PARALLEL,
    THREE_PARALLEL,
    THREE_PARALLEL_MIRRORED,
)
from tests.solvers.closed_form.six_joint_arms import (
    OUT_OF_REACH,
    SINGULAR,
    Solver,
    Tally,
    apart,
    check_no_root_missing,
    check_recovery,
    errors,
    first_parallel_arm,
    goals_at,
    middle_parallel_arm,
    newton,
)

CLASSES = {
    "2-3-4 general": (THREE_PARALLEL, lambda rng: middle_parallel_arm(rng, False)),
    "2-3-4 right angles": (THREE_PARALLEL, lambda rng: middle_parallel_arm(rng, False, True)),
    "2-3-4, 5 and 6 meet": (THREE_PARALLEL, lambda rng: middle_parallel_arm(rng, True)),
    "2-3-4, 5 and 6 meet, right angles": (THREE_PARALLEL, lambda rng: middle_parallel_arm(rng, True, True)),
    "3-4-5": (THREE_PARALLEL_MIRRORED, lambda rng: middle_parallel_arm(rng, False).reversed()),
    "1-2-3 general": (FIRST_THREE_PARALLEL, first_parallel_arm),
    "1-2-3 right angles": (FIRST_THREE_PARALLEL, lambda rng: first_parallel_arm(rng, True)),
    "4-5-6": (LAST_THREE_PARALLEL, lambda rng: first_parallel_arm(rng).reversed()),
}


@pytest.mark.parametrize("name", CLASSES)
def test_random_arms(name):
    family, make = CLASSES[name]
    rng, tally = np.random.default_rng(1), Tally()
    for _ in range(200):
        check_recovery(Solver(family, make(rng)), rng, 50, tally)
    print(
        f"{name}: {tally.goals} goals, {tally.solutions / tally.goals:.2f} solutions each, worst error "
        f"{tally.worst_error:.1e}, q found to {np.sort(tally.distances)[-3:]}, "
        f"{tally.along_singular} along singular directions, {len(tally.missed)} missed"
    )
    assert not tally.missed
    assert tally.worst_error <= 1e-10
    assert np.quantile(tally.distances, 0.99) <= 1e-9


@pytest.mark.parametrize("name", CLASSES)
def test_no_root_is_missing(name):
    family, make = CLASSES[name]
    rng = np.random.default_rng(2)
    roots = [check_no_root_missing(Solver(family, make(rng)), rng, 150) for _ in range(20)]
    assert max(roots) >= 4


def test_a_real_arm_by_pinocchio():
    robot = models.load("ur5")
    base = robot.root
    solver = Solver(THREE_PARALLEL, ChainGeometry.of(robot, robot.tip, range(6), base))
    assert "axes 5 and 6 meet" in solver.fit.why
    rng = np.random.default_rng(4)
    data, frame = robot.model.createData(), robot.model.getFrameId(robot.tip.name)
    for _ in range(200):
        q = rng.uniform(-np.pi, np.pi, 6)
        pin.framesForwardKinematics(robot.model, data, q)
        pose = data.oMf[frame]
        found, flags = solver.solve_one(np.concatenate([pose.rotation.ravel(), pose.translation]))
        assert np.abs(apart(found, q)).max(axis=1).min() < 1e-7
        for each in found[flags == 0]:
            pin.framesForwardKinematics(robot.model, data, each)
            assert np.linalg.norm(pin.log6(pose.actInv(data.oMf[frame])).vector) < 1e-10


def usual():
    y, z = np.eye(3)[1:]
    x = np.eye(3)[0]
    return ChainGeometry.made(
        [z, y, y, y, -z, y],
        [0.09 * z, 0.13 * y, 0.42 * x - 0.02 * y, 0.39 * x, 0.0 * x, -0.095 * z, 0.08 * y],
    )


@pytest.mark.parametrize("fifth", [0.0, np.pi])
def test_axis_6_along_the_parallel_ones_takes_joint_6_from_the_seed(fifth):
    geometry, rng = usual(), np.random.default_rng(5)
    for _ in range(20):
        q, seed = rng.uniform(-1.0, 1.0, 6), rng.uniform(-1.0, 1.0, 6)
        q[4] = fifth
        goal = goals_at(geometry, q)[0]
        found, flags = Solver(THREE_PARALLEL, geometry).solve_one(goal, seed)
        singular = flags == SINGULAR
        assert singular.any()
        # As near to the seed as the other joints reach: at the seed, or with the elbow stretched or folded.
        away = np.abs(apart(found[singular][:, 5], seed[5]))
        elbow = np.abs(np.sin(found[singular][:, 2]))
        assert ((away < 1e-12) | (elbow < 1e-6)).all()
        assert np.abs(errors(geometry, found[singular], np.tile(goal, (singular.sum(), 1)))).max() < 1e-9


@pytest.mark.parametrize("against", [False, True])
def test_axis_5_along_the_parallel_ones_takes_joint_5_from_the_seed(against):
    rng, seen = np.random.default_rng(6), 0
    for _ in range(20):
        arm = first_parallel_arm(rng)
        axes = np.array(arm.axes)
        # Half a turn of joint 4 brings axis 5 to where it is along the first three.
        axes[4] = 2.0 * (axes[2] @ axes[3]) * axes[3] - axes[2]
        axes[4] = -axes[4] if against else axes[4]
        geometry = ChainGeometry.made(axes, arm.offsets, arm.tip_rotation)
        solver = Solver(FIRST_THREE_PARALLEL, geometry)
        q, seed = rng.uniform(-2.0, 2.0, 6), rng.uniform(-1.0, 1.0, 6)
        q[3] = np.pi
        goal = goals_at(geometry, q)[0]
        found, flags = solver.solve_one(goal, seed)
        free = np.abs(apart(found[:, 3], np.pi)) < 1e-6
        assert (flags[free] == SINGULAR).any()
        assert np.abs(errors(geometry, found[free], np.tile(goal, (free.sum(), 1)))).max() < 1e-8
        away = np.abs(apart(found[free][:, 4], seed[4]))
        assert ((away < 1e-6) | (np.abs(np.sin(found[free][:, 1] - found[free][0, 1])) < 1e-3)).all()
        seen += int(free.sum())
    assert seen >= 20


@pytest.mark.parametrize("beyond", [1e-5, 1e-2])
def test_inside_the_cylinder_about_axis_1_is_out_of_reach(beyond):
    geometry = usual()
    # The origin of axis 6 is never nearer to axis 1 than 0.13 - 0.02.
    goal = np.concatenate([np.eye(3).ravel(), [0.0, 0.11 - beyond + 0.08, 0.5]])
    found, flags = Solver(THREE_PARALLEL, geometry).solve_one(goal)
    assert (flags & OUT_OF_REACH).all()
    nearest = np.linalg.norm(errors(geometry, found, np.tile(goal, (len(found), 1))), axis=1).min()
    assert nearest == pytest.approx(beyond, rel=1e-3)


def test_on_the_cylinder_about_axis_1_is_a_double_root():
    geometry = usual()
    goal = np.concatenate([np.eye(3).ravel(), [0.0, 0.11 + 0.08, 0.5]])
    found, flags = Solver(THREE_PARALLEL, geometry).solve_one(goal)
    assert (flags & OUT_OF_REACH == 0).all()
    assert np.abs(errors(geometry, found, np.tile(goal, (len(found), 1)))).max() < 1e-10


def test_nearly_parallel_axes_are_near_enough_to_polish():
    rng = np.random.default_rng(6)
    for _ in range(20):
        geometry = usual()
        axes = np.array(geometry.axes) + 3e-4 * rng.normal(size=(6, 3))
        geometry = ChainGeometry.made(axes, geometry.offsets, geometry.tip_rotation)
        solver = Solver(THREE_PARALLEL, geometry)
        assert "nearly parallel" in solver.fit.why
        q = rng.uniform(-2.5, 2.5, 6)
        goal = goals_at(geometry, q)[0]
        polished, _ = newton(geometry, solver.solve_one(goal)[0], goal, 10)
        assert np.abs(apart(polished, q)).max(axis=1).min() < 1e-6


def test_arms_of_other_kinds_are_told_why_not():
    geometry = usual()
    axes = np.array(geometry.axes)
    axes[3] = [1.0, 0.0, 0.0]
    said = THREE_PARALLEL.fit(ChainGeometry.made(axes, geometry.offsets), None)
    assert said == "axes 2, 3 and 4 are not parallel (90 degrees)"
    assert "seen from the tip" in THREE_PARALLEL_MIRRORED.fit(ChainGeometry.made(axes, geometry.offsets), None)
    assert "not parallel" in FIRST_THREE_PARALLEL.fit(geometry, None)


def test_extreme_goals_are_finite():
    geometry, rng = usual(), np.random.default_rng(8)
    goals = goals_at(geometry, rng.uniform(-3.0, 3.0, (200, 6)))
    goals[:50, 9:] *= 1e6
    goals[50:100, 9:] = 0.0
    goals[100:150, 9:12] = [0.0, 0.0, 0.4]
    goals[150:, :9] = np.eye(3).ravel()
    Solver(THREE_PARALLEL, geometry).solve(goals)
    for make, family in (
        (lambda r: middle_parallel_arm(r, False), THREE_PARALLEL),
        (first_parallel_arm, FIRST_THREE_PARALLEL),
    ):
        Solver(family, make(rng)).solve(goals)
