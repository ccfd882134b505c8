from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.point_and_angle import LAST_JOINT_TURNS_TOOL, PARALLEL_AXES
from tests.solvers.closed_form.small_arms import (
    NORMAL_ANGLE,
    Solver,
    Tally,
    across,
    loses_no_root,
    random_arm,
    recovers,
    unit,
)


def tip_on_last_axis(rng, letters):
    axes = [unit(rng) for _ in letters]
    offsets = rng.normal(size=(5, 3)) * 0.4
    offsets[4] = rng.normal() * 0.3 * axes[3]
    return random_arm(rng, letters, axes, offsets)


def parallel_run(rng, letters="RRRR"):
    normal = unit(rng)
    axes = [unit(rng), *(rng.choice([-1.0, 1.0]) * normal for _ in range(3)), *(unit(rng) for _ in letters[4:])]
    return random_arm(rng, letters, axes)


@pytest.mark.parametrize(
    "family", [each for each in LAST_JOINT_TURNS_TOOL if each.target not in NORMAL_ANGLE], ids=lambda f: f.name
)
def test_tip_on_the_last_axis(family):
    rng, tally = np.random.default_rng(1), Tally()
    for k in range(200):
        solver = Solver(family, tip_on_last_axis(rng, family.joints), unit(rng))
        recovers(solver, rng, 3, tally)
        if k < 8:
            loses_no_root(solver, rng, 1, tally, starts=40)
    print(family.name, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == tally.roots_missed == 0
    assert tally.worst_error <= 1e-10


@pytest.mark.parametrize(
    "family", [each for each in PARALLEL_AXES if each.target not in NORMAL_ANGLE], ids=lambda f: f.name
)
def test_three_parallel_axes(family):
    rng, tally = np.random.default_rng(2), Tally()
    for k in range(200):
        solver = Solver(family, parallel_run(rng), unit(rng))
        recovers(solver, rng, 5, tally)
        if k < 20:
            loses_no_root(solver, rng, 1, tally, starts=40)
    print(family.name, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == tally.roots_missed == 0
    assert tally.worst_error <= 1e-10


@pytest.mark.parametrize(
    "family", [each for each in PARALLEL_AXES if each.target in NORMAL_ANGLE], ids=lambda f: f.name
)
def test_direction_in_a_plane_of_the_base(family):
    # An arm whose tool keeps to the plane: pitch axes along its normal, the first axis somewhere in it.
    rng, tally = np.random.default_rng(3), Tally()
    first, second = NORMAL_ANGLE[family.target]
    normal = np.cross(first, second)
    for _ in range(200):
        arm = random_arm(rng, "RRRR", [across(rng, normal), *(rng.choice([-1.0, 1.0]) * normal for _ in range(3))])
        tool = across(rng, normal)
        solver = Solver(family, arm, arm.tip_rotation.T @ tool)
        # With the first joint at zero, or half a turn, the direction is in the plane.
        q = rng.uniform(-np.pi, np.pi, 4)
        q[0] = 0.0
        goal = solver.goal(q)
        found, flags = solver(goal)
        good = found[flags == 0]
        tally.worst_error = max(tally.worst_error, solver.errors(good, goal).max())
        gap = (good - q + np.pi) % (2 * np.pi) - np.pi
        tally.missed += int(np.abs(gap).max(axis=1).min() > 1e-6)
    assert tally.missed == 0
    assert tally.worst_error <= 1e-10
