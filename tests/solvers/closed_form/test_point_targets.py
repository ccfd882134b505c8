from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.point_targets import (
    LOOKAT_3D,
    TRANSLATION_3D,
    TRANSLATION_LOCAL_GLOBAL_6D,
    TRANSLATION_XY_2D,
)
from tests.solvers.closed_form.small_arms import Solver, Tally, loses_no_root, random_arm, recovers, unit

ALL = [*TRANSLATION_3D, *TRANSLATION_LOCAL_GLOBAL_6D, *LOOKAT_3D, *TRANSLATION_XY_2D]


@pytest.mark.parametrize("family", ALL, ids=lambda family: f"{family.target}-{family.joints}")
def test_random_arms(family):
    rng, tally = np.random.default_rng(1), Tally()
    for k in range(200):
        solver = Solver(family, random_arm(rng, family.joints), unit(rng))
        recovers(solver, rng, 5, tally)
        if k < 20:
            loses_no_root(solver, rng, 1, tally, starts=30)
    print(family.target, family.joints, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == 0
    assert tally.roots_missed == 0
    assert tally.worst_error <= 1e-10
