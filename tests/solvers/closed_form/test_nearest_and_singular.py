"""Goals out of reach, on the boundary, and where a joint is free."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.solvers.closed_form.chain_geometry import ChainGeometry, turn
from tests.solvers.closed_form.small_arms import (
    OUT_OF_REACH,
    SINGULAR,
    Solver,
    difference,
    errors,
    family_for,
    random_arm,
    random_q,
    right_angled_arm,
    rotation,
    unit,
)

#: A shoulder on the base's axis, an elbow, and an offset across: the first three joints of a Puma.
ELBOW_ARM = ChainGeometry.made([[0, 0, 1], [0, 1, 0], [0, 1, 0]], [[0, 0, 0.4], [0, 0, 0], [0.45, 0, 0], [0.4, 0, 0]])


def nearest_by_search(solver, goal, rng, starts=80, steps=60):
    """The least squared error that a search from random configurations ends with."""
    geometry, target, direction = solver.geometry, solver.family.target, solver.direction
    q = random_q(geometry, rng, starts)
    e = errors(target, geometry, q, goal, direction)
    damping = np.full(starts, 1e-2)
    for _ in range(steps):
        J = np.empty((*e.shape, len(geometry)))
        for k in range(len(geometry)):
            shift = np.eye(len(geometry))[k] * 1e-6
            ahead = errors(target, geometry, q + shift, goal, direction)
            J[:, :, k] = (ahead - errors(target, geometry, q - shift, goal, direction)) / 2e-6
        H = np.einsum("mij,mik->mjk", J, J) + damping[:, None, None] * np.eye(len(geometry))
        trial = q - np.linalg.solve(H, np.einsum("mij,mi->mj", J, e)[:, :, None])[:, :, 0]
        trial_e = errors(target, geometry, trial, goal, direction)
        better = (trial_e**2).sum(axis=1) < (e**2).sum(axis=1)
        q, e = np.where(better[:, None], trial, q), np.where(better[:, None], trial_e, e)
        damping = np.where(better, damping * 0.1, damping * 5).clip(1e-12, 1e6)
    return np.linalg.norm(e, axis=1).min()


@pytest.mark.parametrize("letters", ["RRR", "RRP", "PRR", "RPR"])
def test_points_out_of_reach_get_the_nearest(letters):
    rng, seen, beaten = np.random.default_rng(1), 0, 0
    for _ in range(60):
        arm = random_arm(rng, letters)
        solver = Solver(family_for("translation_3d", arm), arm)
        goal = np.concatenate([np.zeros(9), 3.0 * unit(rng)])
        found, flags = solver(goal)
        if not (flags & OUT_OF_REACH).all():
            continue
        seen += 1
        best = nearest_by_search(solver, goal, rng)
        beaten += int(solver.errors(found, goal).min() > best + 1e-3)
    assert seen >= 8
    # The boundary of the space that an arm reaches may have several places that are nearest among their neighbours.
    assert beaten <= 0.05 * seen


@pytest.mark.parametrize("letters", ["RR", "RRR", "RRRR", "RRRRR"])
def test_poses_out_of_reach_come_near(letters):
    rng, beaten = np.random.default_rng(2), 0
    for _ in range(30):
        arm = random_arm(rng, letters)
        solver = Solver(family_for("transform_6d", arm), arm)
        q = random_q(arm, rng)[0]
        goal = solver.goal(q)
        # A little beside a pose that is reached: the nearest is close to q.
        goal[:9] = (goal[:9].reshape(3, 3) @ turn(unit(rng), 1e-3)).ravel()
        goal[9:] += 1e-3 * unit(rng)
        found, flags = solver(goal)
        assert (flags & OUT_OF_REACH).all()
        assert solver.errors(found, goal).min() <= 2e-3
        beaten += int(np.abs(difference(arm, found, q)).max(axis=1).min() > 0.2)
    assert beaten <= 1


@pytest.mark.parametrize("out", [-1e-3, -1e-9, -1e-15, 0.0, 1e-15, 1e-12, 1e-9, 1e-3])
def test_stretched_elbow(out):
    solver = Solver(family_for("translation_3d", ELBOW_ARM), ELBOW_ARM)
    towards = np.array([0.6, 0.48, 0.64])
    goal = np.concatenate([np.zeros(9), [0, 0, 0.4] + (0.85 + out) * towards])
    found, flags = solver(goal)
    assert len(found) >= 2
    assert ((flags & OUT_OF_REACH != 0) == (out >= 1e-9)).all()
    assert solver.errors(found, goal).min() <= max(1e-10, out * 1.0001)
    assert np.abs(np.sin(found[:, 2] / 2)).max() <= np.sqrt(max(0.0, -out) * 0.85 / 0.09) + 1e-6


def test_a_free_first_joint_stays_at_the_seed():
    solver = Solver(family_for("translation_3d", ELBOW_ARM), ELBOW_ARM)
    goal = np.concatenate([np.zeros(9), [0.0, 0.0, 1.0]])
    for first in (-2.0, 0.3, 1.7):
        found, flags = solver(goal, seed=np.array([first, 0.2, 0.2]))
        assert (flags == SINGULAR).all()
        np.testing.assert_allclose(found[:, 0], first)
        assert solver.errors(found, goal).max() <= 1e-10


def test_an_aligned_wrist_stays_at_the_seed():
    arm = ChainGeometry.made([[0, 0, 1], [0, 1, 0], [0, 0, 1]], np.tile([0.0, 0.0, 0.1], (4, 1)))
    solver = Solver(family_for("rotation_3d", arm), arm)
    for q in ([0.4, 0.0, -1.1], [0.4, np.pi, -1.1]):
        goal = solver.goal(np.array(q))
        found, flags = solver(goal, seed=np.array([0.9, 0.0, 0.0]))
        assert (flags & OUT_OF_REACH == 0).all()
        assert solver.errors(found, goal).max() <= 1e-10
        if q[1] == 0.0:
            assert flags[0] == SINGULAR
            assert found[0, 0] == pytest.approx(0.9)


numbers = st.floats(-3.0, 3.0, allow_nan=False) | st.sampled_from(
    [0.0, 1.0, -1.0, 0.5, np.pi, np.pi / 2, 1e-9, 1e-300, 1e6]
)
TARGETS = [
    ("translation_3d", "RRR"),
    ("translation_3d", "PRP"),
    ("translation_local_global_6d", "RRP"),
    ("translation_xy_2d", "RR"),
    ("lookat_3d", "RR"),
    ("rotation_3d", "RRR"),
    ("direction_3d", "RR"),
    ("transform_6d", "RRR"),
    ("transform_6d", "RRRRR"),
    ("transform_6d", "RRPRRR"),
    ("translation_x_axis_angle_4d", "RRRR"),
    ("translation_y_axis_angle_x_norm_4d", "RRRR"),
    ("translation_direction_5d", "RRRRR"),
    ("ray_4d", "RRRR"),
]


@given(
    seed=st.integers(0, 2**16),
    which=st.integers(0, len(TARGETS) - 1),
    point=st.tuples(numbers, numbers, numbers),
    start=numbers,
    aligned=st.booleans(),
)
def test_whatever_is_asked_the_answer_is_finite(seed, which, point, start, aligned):
    rng = np.random.default_rng(seed)
    target, letters = TARGETS[which]
    for _ in range(40):
        arm = right_angled_arm(rng, letters) if seed % 2 else random_arm(rng, letters)
        direction = np.eye(3)[rng.integers(3)]
        family = family_for(target, arm, direction)
        if family is not None:
            break
    else:
        return
    goal = np.concatenate([np.eye(3)[rng.permutation(3)].ravel() if aligned else rotation(rng).ravel(), point])
    if "angle" in target:
        goal[0] = start
    solver = Solver(family, arm, direction)
    found, flags = solver(goal, seed=np.full(len(letters), start))
    assert len(found) > 0
    good = found[flags & OUT_OF_REACH == 0]
    if len(good) and np.abs(goal).max() <= 3.2:
        assert solver.errors(good, goal).max() <= 1e-6
