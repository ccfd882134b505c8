from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.kernels.spherical_wrist import candidates_in_lanes
from kinetree.solvers.closed_form.spherical_wrist import SPHERICAL_WRIST
from tests.solvers.closed_form.six_joint_arms import (
    Solver,
    check_lanes,
    lanes_driver,
    ortho_parallel_arm,
    spherical_wrist_arm,
)

WIDTH = 4


@pytest.fixture(scope="module")
def many():
    return lanes_driver(candidates_in_lanes, "spherical wrists", WIDTH)


@pytest.mark.parametrize("kind", ["ortho-parallel", "parallel12", "parallel23", "meet12", "meet23"])
def test_lanes_give_what_one_goal_at_a_time_gives(many, kind):
    rng = np.random.default_rng(1)
    for right_angles in (True, False):
        geometry = ortho_parallel_arm(rng) if kind == "ortho-parallel" else spherical_wrist_arm(rng, kind, right_angles)
        check_lanes(Solver(SPHERICAL_WRIST, geometry), many, WIDTH, rng)
