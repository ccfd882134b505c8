from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.directed_points import PARALLEL_AXES, TWO_AXIS_WRIST
from tests.solvers.closed_form.small_arms import Solver, Tally, loses_no_root, random_arm, recovers, unit
from tests.solvers.closed_form.test_point_and_angle import parallel_run


def two_axis_wrist(rng, letters):
    axes = [unit(rng) for _ in letters]
    origins = rng.normal(size=(5, 3)) * 0.5
    centre, tool = rng.normal(size=3) * 0.5, unit(rng)
    for k in (3, 4):
        origins[k] = centre + rng.normal() * 0.1 * axes[k]
    offsets = np.diff(np.vstack([np.zeros(3), origins, centre + rng.normal() * tool]), axis=0)
    arm = random_arm(rng, letters, axes, offsets)
    return arm, arm.tip_rotation.T @ tool


@pytest.mark.parametrize("family", TWO_AXIS_WRIST, ids=lambda family: family.joints)
def test_two_axis_wrist(family):
    rng, tally = np.random.default_rng(1), Tally()
    for k in range(200):
        solver = Solver(family, *two_axis_wrist(rng, family.joints))
        recovers(solver, rng, 5, tally)
        if k < 8:
            loses_no_root(solver, rng, 1, tally, starts=40)
    print(family.name, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == tally.roots_missed == 0
    assert tally.worst_error <= 1e-10


@pytest.mark.parametrize("tool", ["any", "on the roll axis", "along the roll axis", "is the roll axis"])
def test_three_parallel_axes(tool):
    rng, tally = np.random.default_rng(2), Tally()
    for k in range(200):
        arm, direction = parallel_run(rng, "RRRRR"), unit(rng)
        offsets = arm.offsets.copy()
        if tool in ("on the roll axis", "is the roll axis"):
            offsets[5] = rng.normal() * 0.3 * arm.axes[4]
        if tool in ("along the roll axis", "is the roll axis"):
            direction = arm.tip_rotation.T @ arm.axes[4]
        solver = Solver(PARALLEL_AXES, random_arm(rng, "RRRRR", arm.axes, offsets), direction)
        if tool == "along the roll axis" or tool == "is the roll axis":
            direction = solver.geometry.tip_rotation.T @ arm.axes[4]
            solver = Solver(PARALLEL_AXES, solver.geometry, direction)
        recovers(solver, rng, 5, tally)
        if k < 20:
            loses_no_root(solver, rng, 1, tally, starts=60)
    print(tool, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == tally.roots_missed == 0
    assert tally.worst_error <= 1e-10
