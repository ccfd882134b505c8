import numpy as np
import pinocchio as pin
import pytest

from kinetree.solvers.tasks.rotation_vector_derivative import rotation_vector_derivative


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-5, 9e-5, 1.1e-4, 1e-3, 0.3, 1.5, 3.0, 3.14])
def test_it_is_the_derivative_of_the_logarithm(angle, rng):
    for _ in range(10):
        axis = rng.normal(size=3)
        vector = angle * axis / np.linalg.norm(axis)
        velocity, step = rng.normal(size=3), 1e-6
        rotation = pin.exp3(vector)
        ahead = pin.log3(pin.exp3(step * velocity) @ rotation)
        behind = pin.log3(pin.exp3(-step * velocity) @ rotation)
        if np.linalg.norm(ahead - behind) > 1.0:
            continue  # the two are on either side of half a turn
        numeric = (ahead - behind) / (2 * step)
        np.testing.assert_allclose(rotation_vector_derivative(vector) @ velocity, numeric, atol=5e-7)


def test_a_rotation_vector_is_taken_to_itself(rng):
    vector = rng.normal(size=3)
    np.testing.assert_allclose(rotation_vector_derivative(vector) @ vector, vector, atol=1e-14)
