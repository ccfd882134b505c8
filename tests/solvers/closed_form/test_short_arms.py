from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.short_arms import SHORT_ARMS
from tests.solvers.closed_form.small_arms import Solver, Tally, loses_no_root, random_arm, recovers
from tests.solvers.closed_form.test_directed_points import two_axis_wrist
from tests.solvers.closed_form.test_point_and_angle import parallel_run

GENERAL = [
    *("R", "P", "RR", "RP", "PR", "PP"),
    *("RRR", "RRP", "RPR", "PRR", "PPR", "RPP", "PRP", "PPP"),
    *("RRRR", "RRPR", "PRRR", "RPRR", "RRRP", "PPRR"),
    "RRRRR",
]


def family_of(letters):
    return next(each for each in SHORT_ARMS if each.joints == letters)


def check(letters, arms, rng, roots=10):
    tally = Tally()
    for k, arm in enumerate(arms):
        solver = Solver(family_of(letters), arm)
        recovers(solver, rng, 5, tally)
        if k < roots:
            loses_no_root(solver, rng, 1, tally, starts=40)
    print(letters, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == tally.roots_missed == 0
    assert tally.worst_error <= 1e-10


@pytest.mark.parametrize("letters", GENERAL)
def test_general_arms(letters):
    rng = np.random.default_rng(1)
    check(letters, (random_arm(rng, letters) for _ in range(200)), rng)


def test_three_parallel_axes_between():
    rng = np.random.default_rng(2)
    check("RRRRR", (parallel_run(rng, "RRRRR") for _ in range(200)), rng)
    check("RRRR", (parallel_run(rng, "RRRR") for _ in range(200)), rng)


@pytest.mark.parametrize("letters", ["RRRRR", "RRPRR", "PPPRR", "PRRRR"])
def test_two_axis_wrist(letters):
    rng = np.random.default_rng(3)
    check(letters, (two_axis_wrist(rng, letters)[0] for _ in range(200)), rng)
