"""Rotation vectors and quaternions, exact from nothing to half a turn."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import InvalidValueError
from kinetree.kinematics.rotation_coordinates import (
    quaternion_from_vector,
    random_rotation_vector,
    turn_between,
    turned,
    vector_from_quaternion,
)
from tests.kinematics.random_trees import normalised, seeds
from tests.kinematics.reference import rodrigues

ANGLES = [0.0, 1e-300, 1e-160, 1e-20, 1e-12, 0.99e-4, 1.01e-4, 1e-3, 1.0, 3.0, math.pi - 1e-9, math.pi - 1e-15, math.pi]


@pytest.mark.parametrize("angle", [*ANGLES, 3.5, 6.0, 2 * math.pi, 50.0])
def test_the_quaternion_is_the_rotation(angle):
    rng = np.random.default_rng(0)
    for axis in [*np.eye(3), *(normalised(rng.normal(size=3)) for _ in range(20))]:
        q = quaternion_from_vector(angle * axis)
        assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
        np.testing.assert_allclose(q, [*(math.sin(angle / 2) * axis), math.cos(angle / 2)], rtol=0, atol=1e-14)
        np.testing.assert_allclose(pin.Quaternion(q).toRotationMatrix(), rodrigues(axis, angle), rtol=0, atol=2e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_the_vector_comes_back(angle):
    rng = np.random.default_rng(1)
    for axis in [*np.eye(3), *(normalised(rng.normal(size=3)) for _ in range(20))]:
        found = vector_from_quaternion(quaternion_from_vector(angle * axis))
        if angle == math.pi:
            found = found * np.sign(found @ axis)
        np.testing.assert_allclose(found, angle * axis, rtol=2e-15, atol=1e-15 * angle)


@given(seed=seeds, scale=st.floats(1e-100, 1e100), sign=st.sampled_from([-1.0, 1.0]))
def test_length_and_sign_of_a_quaternion_do_not_matter(seed, scale, sign):
    q = normalised(np.random.default_rng(seed).normal(size=4))
    np.testing.assert_allclose(vector_from_quaternion(sign * scale * q), vector_from_quaternion(q), rtol=0, atol=1e-14)


@given(seed=seeds)
def test_steps_turn_in_the_turned_axes(seed):
    rng = np.random.default_rng(seed)
    start, by = rng.uniform(-4, 4, 3), rng.uniform(-1.5, 1.5, 3)
    end = turned(start, by)
    assert np.linalg.norm(end) <= math.pi + 1e-14
    np.testing.assert_allclose(pin.exp3(end), pin.exp3(start) @ pin.exp3(by), rtol=0, atol=1e-14)
    np.testing.assert_allclose(turn_between(start, end), by, rtol=0, atol=1e-14)


def test_random_vectors_depend_on_the_generator_only():
    first = random_rotation_vector(np.random.default_rng(3))
    np.testing.assert_array_equal(first, random_rotation_vector(np.random.default_rng(3)))
    assert not np.array_equal(first, random_rotation_vector(np.random.default_rng(4)))


@pytest.mark.parametrize("vector", [(1e160, 0.0, 0.0), (0.0, -1e200, 3e199), (1e307, 1e307, 1e307)])
def test_huge_coordinates_are_a_rotation(vector):
    q = quaternion_from_vector(np.array(vector))
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
    angle = math.hypot(*vector)
    np.testing.assert_allclose(q[:3], math.sin(angle / 2) * np.array(vector) / angle, atol=1e-15)


def test_coordinates_whose_angle_is_no_number_are_refused():
    with pytest.raises(InvalidValueError, match="no angle"):
        quaternion_from_vector(np.full(3, 1.7e308))
