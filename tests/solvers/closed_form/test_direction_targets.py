from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.direction_targets import DIRECTION_3D, ROTATION_3D
from tests.solvers.closed_form.small_arms import (
    OUT_OF_REACH,
    Solver,
    Tally,
    loses_no_root,
    random_arm,
    recovers,
    rotation,
    unit,
)


@pytest.mark.parametrize("family", [ROTATION_3D, DIRECTION_3D], ids=lambda family: family.target)
def test_random_arms(family):
    rng, tally = np.random.default_rng(1), Tally()
    for k in range(200):
        solver = Solver(family, random_arm(rng, family.joints), unit(rng))
        recovers(solver, rng, 5, tally)
        if k < 20:
            loses_no_root(solver, rng, 1, tally, starts=30)
    assert tally.missed == 0
    assert tally.roots_missed == 0
    assert tally.worst_error <= 1e-10


def test_unreachable_rotation_gets_the_nearest():
    # No turn of the three joints comes nearer: 20000 random ones do not.
    rng, seen = np.random.default_rng(2), 0
    for _ in range(40):
        solver = Solver(ROTATION_3D, random_arm(rng, "RRR"))
        goal = np.concatenate([rotation(rng).ravel(), np.zeros(3)])
        found, flags = solver(goal)
        if flags[0] & OUT_OF_REACH:
            seen += 1
            others = rng.uniform(-np.pi, np.pi, (20000, 3))
            assert solver.errors(found, goal).min() <= solver.errors(others, goal).min() + 1e-9
    assert seen > 10
