"""The object that C++ sees, called as C++ calls it: through the table of its virtual functions."""

import ctypes

import numpy as np
import pytest

from kinetree.solvers.ikfast.solution_list import SolutionList

#: Places in the table, as ikfast.h declares the functions; the first two are the destructors.
DESTROY, DELETE, ADD, GET, COUNT, CLEAR = range(6)


def virtual(solutions, place, *arguments):
    table = ctypes.c_size_t.from_address(solutions.address).value
    address = ctypes.c_size_t.from_address(table + place * ctypes.sizeof(ctypes.c_size_t)).value
    prototype = ctypes.CFUNCTYPE(ctypes.c_size_t, *[ctypes.c_void_p] * (len(arguments) + 1))
    return prototype(address)(solutions.address, *arguments)


def add(solutions, records):
    """Calls AddSolution with a std::vector of them."""
    begin = records.ctypes.data
    vector = (ctypes.c_size_t * 3)(begin, begin + records.nbytes, begin + records.nbytes)
    nothing = (ctypes.c_size_t * 3)(0, 0, 0)
    return virtual(solutions, ADD, ctypes.addressof(vector), ctypes.addressof(nothing))


def records(real, *rows):
    """IkSingleDOFSolutionBase objects: two numbers, then eight bytes."""
    kind = np.dtype([("fmul", real), ("foffset", real), ("freeind", "i1"), ("rest", "u1", (7,))])
    result = np.zeros(len(rows), kind)
    for record, row in zip(result, rows, strict=True):
        record["fmul"], record["foffset"], record["freeind"] = row
    return result


@pytest.mark.parametrize(("real", "size"), [("f8", 8), ("f4", 4)])
def test_what_is_added_is_there(real, size):
    solutions = SolutionList(2, size)
    assert virtual(solutions, COUNT) == 0
    assert add(solutions, records(real, (0.0, 0.25, -1), (0.0, 0.5, -1))) == 0
    assert add(solutions, records(real, (1.0, 0.75, 0), (-1.0, 1.5, 0))) == 1
    assert virtual(solutions, COUNT) == 2
    found = solutions.take("why")
    assert found.offsets.tolist() == [[0.25, 0.5], [0.75, 1.5]]
    assert found.factors.tolist() == [[0.0, 0.0], [1.0, -1.0]]
    assert found.sources.tolist() == [[-1, -1], [0, 0]]
    assert found.trouble == "why"
    assert len(solutions.take()) == 0


def test_cleared_by_the_code():
    solutions = SolutionList(1, 8)
    add(solutions, records("f8", (0.0, 0.25, -1)))
    virtual(solutions, CLEAR)
    assert virtual(solutions, COUNT) == 0
    assert len(solutions.take()) == 0


def test_solutions_of_another_length_are_left_out():
    solutions = SolutionList(2, 8)
    add(solutions, records("f8", (0.0, 0.25, -1)))
    assert len(solutions.take()) == 0


def test_being_destroyed_by_the_code_does_nothing():
    solutions = SolutionList(1, 8)
    virtual(solutions, DESTROY)
    virtual(solutions, DELETE)
    assert add(solutions, records("f8", (0.0, 0.25, -1))) == 0
