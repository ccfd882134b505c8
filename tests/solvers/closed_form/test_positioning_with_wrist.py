from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.positioning_with_wrist import WRIST_AT_BASE, WRIST_AT_TIP
from tests.solvers.closed_form.small_arms import Solver, Tally, loses_no_root, random_arm, recovers, unit


def with_wrist(rng, letters):
    """Any three joints, and three axes that meet in one point, each with its origin somewhere on its axis."""
    at_base = letters[:3] == "RRR" and letters != "RRRRRR"
    axes = [unit(rng) for _ in range(6)]
    origins = rng.normal(size=(6, 3)) * 0.5
    wrist = range(3) if at_base else range(3, 6)
    centre = rng.normal(size=3) * 0.5
    for k in wrist:
        origins[k] = centre + rng.normal() * 0.1 * axes[k]
    tip = rng.normal(size=3)
    offsets = np.diff(np.vstack([np.zeros(3), origins, tip]), axis=0)
    return random_arm(rng, letters, axes, offsets)


@pytest.mark.parametrize("family", [*WRIST_AT_TIP, *WRIST_AT_BASE[1:]], ids=lambda family: family.name)
def test_random_arms(family):
    rng, tally = np.random.default_rng(1), Tally()
    for k in range(200):
        solver = Solver(family, with_wrist(rng, family.joints))
        recovers(solver, rng, 5, tally)
        if k < 8:
            loses_no_root(solver, rng, 1, tally, starts=40)
    print(family.name, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == 0
    assert tally.roots_missed == 0
    assert tally.worst_error <= 1e-10
