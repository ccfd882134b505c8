"""Arrays that are handed to compiled code by their addresses."""

import gc

import numpy as np
import pytest
from numba import njit

from kinetree.kinematics.core.argument_table import (
    ArgumentTable,
    float_matrix,
    float_vector,
    integer_vector,
    table_at,
)


@njit
def weighted_sum(address):
    table = table_at(address, 3)
    matrix, vector, integers = float_matrix(table[0]), float_vector(table[1]), integer_vector(table[2])
    total = 0.0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            total += matrix[i, j] * vector[j] * integers[i]
    matrix[0, 0] = -1.0
    return total


def test_arrays_are_read_and_written_in_place():
    matrix, vector, integers = np.arange(6.0).reshape(2, 3), np.array([1.0, 2.0, 3.0]), np.array([10, 1])
    table = ArgumentTable(matrix, vector, integers)
    assert weighted_sum(table.address) == pytest.approx(integers @ matrix.clip(0) @ vector, abs=0)
    assert matrix[0, 0] == -1.0


def test_arrays_live_as_long_as_the_table_and_may_be_replaced():
    table = ArgumentTable(np.ones((50, 40)), np.ones(40), np.ones(50, dtype=np.int64))
    gc.collect()
    assert weighted_sum(table.address) == 2000.0
    other = table.copy()
    other.bind(1, np.full(40, 2.0))
    assert weighted_sum(other.address) == 2 * 2000.0 - 4.0  # the first number of the shared matrix is -1 now
    assert weighted_sum(table.address) == 2000.0 - 2.0


@pytest.mark.parametrize(
    "array",
    [np.zeros((4, 4))[:, ::2], np.zeros(3, dtype=np.float32), np.zeros((2, 2, 2)), np.asfortranarray(np.zeros((2, 3)))],
)
def test_other_arrays_are_refused(array):
    with pytest.raises(TypeError):
        ArgumentTable(array)
