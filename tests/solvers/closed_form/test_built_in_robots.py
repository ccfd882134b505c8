"""Every built-in robot has a closed form, and it is right, by Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.solvers import InverseKinematics, Validity

KINDS = {
    "dual_arm": "spherical shoulder and a spherical wrist",
    "fr3": "spherical shoulder or wrist",
    "gantry_wrist": "PPP with a spherical wrist",
    "gen3": "7R",
    "humanoid": "spherical shoulder and a spherical wrist",
    "iiwa14": "spherical shoulder and a spherical wrist",
    "iiwa7": "spherical shoulder and a spherical wrist",
    "irb120": "6R with a spherical wrist",
    "irb4600_40_255": "6R with a spherical wrist",
    "kr16": "6R with a spherical wrist",
    "kr6_r900": "6R with a spherical wrist",
    "panda": "spherical shoulder or wrist",
    "planar3": "planar arm",
    "puma560": "6R with a spherical wrist",
    "scara": "planar arm",
    "so101": "short arm RRRRR",
    "stanford_arm": "RRP with a spherical wrist",
    "ur10e": "axes 2, 3 and 4 parallel",
    "ur3e": "axes 2, 3 and 4 parallel",
    "ur5": "axes 2, 3 and 4 parallel",
    "ur5e": "axes 2, 3 and 4 parallel",
    "wam7": "spherical shoulder and a spherical wrist",
    "xarm6": "general 6R",
    "xarm7": "spherical shoulder or wrist",
}


def test_the_list_is_complete():
    assert set(KINDS) == {info.name for info in models.robots()}


@pytest.mark.parametrize("name", KINDS)
def test_kind(name):
    assert KINDS[name] in InverseKinematics(models.load(name)).analytical_report


#: How near to the generating configuration a solution is (rad). The wrist of gen3 misses a point by a fraction of a
#: millimetre: its solutions are exact, but which of a curve of them is nearest is only known to as much.
NEAR = {"gen3": 5e-3}


def solved(name, count, seed):
    """How many targets have their generating configuration among the solutions, and the worst error of any."""
    robot = models.load(name)
    module = InverseKinematics(robot)
    closed = module.analytical()
    base, indices = closed.base, closed.solved_dofs().indices
    rng, hits, worst = np.random.default_rng(seed), 0, 0.0
    for _ in range(count):
        q = robot.random_positions(rng)
        state = robot.state(q)
        target = state.transform(base).actInv(state.transform(module.frame))
        found, validity = closed.solve_all(target, q)
        away = np.abs(found - q[indices]).max(axis=1, initial=0.0)
        hits += bool((away[validity == Validity.VALID] < NEAR.get(name, 1e-6)).any())
        for row in found[validity & Validity.OUT_OF_REACH == 0]:
            full = q.copy()
            full[indices] = row
            moved = robot.state(full)
            reached = moved.transform(base).actInv(moved.transform(module.frame))
            worst = max(worst, np.abs(pin.log6(reached.actInv(target)).vector).max())
    return hits, worst


@pytest.mark.parametrize("name", KINDS)
def test_generating_configurations_are_found(name):
    hits, worst = solved(name, 100, seed=1)
    assert hits >= (95 if name in NEAR else 100)
    assert worst < (1e-9 if name == "xarm6" else 1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_generating_configurations_are_found_at_length(name):
    hits, worst = solved(name, 10_000, seed=2)
    assert hits >= (9_500 if name in NEAR else 9_990)
    assert worst < (1e-9 if name == "xarm6" else 1e-10)
