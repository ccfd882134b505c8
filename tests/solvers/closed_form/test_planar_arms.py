from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.planar_arms import AXIS_ANGLE_4D, TRANSFORM_6D, TRANSLATION_XY_ORIENTATION_3D
from tests.solvers.closed_form.small_arms import Solver, Tally, across, loses_no_root, random_arm, recovers, unit


def planar(rng, letters, normal, across_at=None):
    """Random offsets; axes along the normal either way, slides in the plane but for the one across it."""
    axes = [
        across(rng, normal) if letter == "P" and k != across_at else rng.choice([-1.0, 1.0]) * normal
        for k, letter in enumerate(letters)
    ]
    return random_arm(rng, letters, axes)


def check(family, arms, rng):
    tally = Tally()
    for k, (arm, direction) in enumerate(arms):
        solver = Solver(family, arm, direction)
        recovers(solver, rng, 5, tally)
        if k < 8:
            loses_no_root(solver, rng, 1, tally, starts=30)
    print(family.name, {k: v for k, v in vars(tally).items() if k != "examples"})
    assert tally.missed == 0
    assert tally.roots_missed == 0
    assert tally.worst_error <= 1e-10


@pytest.mark.parametrize("family", TRANSLATION_XY_ORIENTATION_3D, ids=lambda family: family.joints)
def test_planar_arms(family):
    rng = np.random.default_rng(1)
    check(family, ((planar(rng, family.joints, np.array([0.0, 0.0, 1.0])), unit(rng)) for _ in range(200)), rng)


SCARA = [
    (letters, k)
    for letters in sorted({family.joints for family in AXIS_ANGLE_4D})
    for k, letter in enumerate(letters)
    if letter == "P"
]


@pytest.mark.parametrize(("letters", "at"), SCARA)
def test_scara_poses(letters, at):
    rng = np.random.default_rng(2)
    check(TRANSFORM_6D, ((planar(rng, letters, unit(rng), at), unit(rng)) for _ in range(200)), rng)


@pytest.mark.parametrize("letters", ["R", "RR", "RP", "PR", "RRR", "RPR", "PRR"])
def test_poses_of_smaller_arms(letters):
    rng = np.random.default_rng(3)
    check(TRANSFORM_6D, ((planar(rng, letters, unit(rng)), unit(rng)) for _ in range(200)), rng)


@pytest.mark.parametrize(
    "family", [each for each in AXIS_ANGLE_4D if each.joints in ("RRRP", "PRRR", "RRPP", "RPPP")], ids=lambda f: f.name
)
def test_an_angle_and_a_place(family):
    # The normal kinds ask for a direction in a plane of the base: the tool keeps to it, and the arm stands so.
    rng = np.random.default_rng(4)
    normals = {"z_norm": 2, "x_norm": 0, "y_norm": 1}
    wanted = next((k for name, k in normals.items() if name in family.target), None)
    letters = family.joints
    at = letters.rindex("P")

    def arms():
        for _ in range(200):
            normal = unit(rng) if wanted is None else np.eye(3)[wanted] * rng.choice([-1.0, 1.0])
            arm = planar(rng, letters, normal, at)
            tool = unit(rng) if wanted is None else across(rng, normal)
            yield arm, arm.tip_rotation.T @ tool

    check(family, arms(), rng)
