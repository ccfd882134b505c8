from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers.closed_form.mirrored import mirrored
from kinetree.solvers.closed_form.spherical_wrist import SPHERICAL_WRIST, SPHERICAL_WRIST_AT_BASE
from tests.solvers.closed_form.six_joint_arms import (
    SINGULAR,
    Solver,
    apart,
    goals_at,
    ortho_parallel_arm,
    spherical_wrist_arm,
)


def test_the_solutions_are_those_of_the_arm_from_the_other_end():
    rng = np.random.default_rng(1)
    arm = spherical_wrist_arm(rng, "parallel23", False)
    q = rng.uniform(-2.0, 2.0, (20, 6))
    there, _, counts = Solver(SPHERICAL_WRIST, arm).solve(goals_at(arm, q))
    back, _, same = Solver(SPHERICAL_WRIST_AT_BASE, arm.reversed()).solve(goals_at(arm.reversed(), q[:, ::-1].copy()))
    np.testing.assert_array_equal(counts, same)
    for one, other, count in zip(there, back, counts, strict=True):
        np.testing.assert_allclose(apart(one[:count], other[:count, ::-1]), 0.0, atol=1e-8)


def test_free_joints_are_near_their_own_values_in_the_seed():
    rng = np.random.default_rng(3)
    arm = ortho_parallel_arm(rng).reversed()
    q, seed = rng.uniform(-1.0, 1.0, 6), rng.uniform(-1.0, 1.0, 6)
    # The fifth joint seen from the tip: the wrist is in line, and joint 3, the fourth from there, is free.
    q[1] = 0.0
    found, flags = Solver(SPHERICAL_WRIST_AT_BASE, arm).solve_one(goals_at(arm, q)[0], seed)
    assert (flags == SINGULAR).any()
    np.testing.assert_allclose(apart(found[flags == SINGULAR][:, 2], seed[2]), 0.0, atol=1e-9)


def test_it_says_what_is_seen_from_the_tip():
    arm = spherical_wrist_arm(np.random.default_rng(2), "meet12", False)
    assert SPHERICAL_WRIST_AT_BASE.fit(arm.reversed(), None).why.startswith("seen from the tip, axis 6 being the first")
    assert "seen from the tip" in SPHERICAL_WRIST_AT_BASE.fit(arm, None)


def test_goals_that_are_no_pose_have_no_mirror_image():
    with pytest.raises(InvalidValueError, match=r"solves translation_3d; only a family for full poses"):
        mirrored(replace(SPHERICAL_WRIST, target="translation_3d"), "another")
