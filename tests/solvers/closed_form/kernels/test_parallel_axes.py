from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.kernels.parallel_axes import candidates_in_lanes
from kinetree.solvers.closed_form.parallel_axes import THREE_PARALLEL
from tests.solvers.closed_form.six_joint_arms import Solver, check_lanes, lanes_driver, middle_parallel_arm

WIDTH = 4


@pytest.fixture(scope="module")
def many():
    return lanes_driver(candidates_in_lanes, "parallel axes", WIDTH)


@pytest.mark.parametrize("right_angles", [True, False])
def test_lanes_give_what_one_goal_at_a_time_gives(many, right_angles):
    rng = np.random.default_rng(1)
    for _ in range(5):
        check_lanes(Solver(THREE_PARALLEL, middle_parallel_arm(rng, True, right_angles)), many, WIDTH, rng)
