from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.directed_lines import RAY_4D, TRANSLATION_DIRECTION_5D
from tests.solvers.closed_form.small_arms import Solver, Tally, loses_no_root, random_arm, recovers, unit


@pytest.mark.parametrize("family", [TRANSLATION_DIRECTION_5D, RAY_4D], ids=lambda family: family.target)
def test_general_arms(family):
    rng, tally = np.random.default_rng(1), Tally()
    for k in range(200):
        solver = Solver(family, random_arm(rng, family.joints), unit(rng))
        recovers(solver, rng, 5, tally)
        if k < 20:
            loses_no_root(solver, rng, 1, tally, starts=100)
    print(family.name, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == tally.roots_missed == 0
    assert tally.worst_error <= 1e-10
