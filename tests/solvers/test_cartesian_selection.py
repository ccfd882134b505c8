"""Parts of a pose by name."""

import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers import CartesianSelection


@pytest.mark.parametrize(
    ("name", "value", "rows"),
    [
        ("x", 1, "100000"),
        ("y", 2, "010000"),
        ("Z", 4, "001000"),
        ("position", 7, "111000"),
        ("orientation", 8, "000111"),
        ("all", 15, "111111"),
        ("x|z", 5, "101000"),
        (" y | orientation", 10, "010111"),
    ],
)
def test_names_values_and_rows(name, value, rows):
    selection = CartesianSelection.of(name)
    assert selection is CartesianSelection(value)
    assert CartesianSelection.of(selection) is selection
    assert "".join("01"[row] for row in selection.rows) == rows


@pytest.mark.parametrize("wrong", ["", "w", "x|", "x y", None, 7, CartesianSelection(0)])
def test_what_is_none(wrong):
    with pytest.raises(InvalidValueError, match="x, y, z, position, orientation, all"):
        CartesianSelection.of(wrong)
