import math
from math import inf, nan, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import InvalidValueError, RevoluteJoint, Skeleton
from kinetree.solvers.active_dofs import ActiveDofs
from kinetree.solvers.inv_kin_solvers.wrap_cyclic import wrap_cyclic_solution

ANGLES = st.floats(-50.0, 50.0)


@pytest.mark.parametrize(
    ("current", "lower", "upper", "value", "expected"),
    [
        (0.0, 1.0, -1.0, 0.5, None),
        (-pi / 2, -pi, pi, -3 * pi, -pi),
        (-pi / 2, -0.75 * pi, pi, -3 * pi, pi),
        (-pi / 2, -0.9 * pi, 0.9 * pi, -3 * pi, None),
        (pi / 2, -pi, pi, 3 * pi, pi),
        (pi / 2, -pi, 0.75 * pi, 3 * pi, -pi),
        (-5 * pi, -4 * pi, 4 * pi, -9 * pi, -3 * pi),
        (-5 * pi, -4 * pi, -3.1 * pi, -9 * pi, None),
        (5 * pi, -4 * pi, 4 * pi, 9 * pi, 3 * pi),
        (5 * pi, 3.1 * pi, 4 * pi, 9 * pi, None),
        # From users: limits that leave out the angle as it was computed, but not its equivalent.
        (1.0, pi / 8, 2 * pi, -pi, pi),
        (0.0, -inf, inf, 2 * pi + 0.5, 0.5),
        (0.0, inf, inf, 0.5, None),
        (0.0, -inf, -inf, 0.5, None),
        (0.0, 0.5, 0.5, 0.5 - 4 * pi, 0.5),
    ],
)
def test_table(current, lower, upper, value, expected):
    wrapped = wrap_cyclic_solution(current, lower, upper, value)
    assert wrapped == (None if expected is None else pytest.approx(expected, abs=1e-12))
    assert wrapped is None or lower <= wrapped <= upper


def test_a_tie_goes_to_the_lower_one():
    assert wrap_cyclic_solution(0.0, -4.0, 4.0, pi) == pytest.approx(-pi)


@pytest.mark.parametrize("bad", [(nan, -1, 1, 0), (0, nan, 1, 0), (0, -1, nan, 0), (0, -1, 1, inf)])
def test_what_is_no_number_is_refused(bad):
    with pytest.raises(InvalidValueError, match="wrap"):
        wrap_cyclic_solution(*bad)


@given(current=ANGLES, lower=ANGLES, upper=ANGLES, value=ANGLES)
def test_finds_the_nearest_of_all_equivalents_inside(current, lower, upper, value):
    wrapped = wrap_cyclic_solution(current, lower, upper, value)
    equivalents = value + 2 * pi * np.arange(-40, 41)
    inside = equivalents[(equivalents >= lower) & (equivalents <= upper)]
    if wrapped is None:
        # Rounding decides at the limits themselves.
        assert not ((inside > lower + 1e-9) & (inside < upper - 1e-9)).any()
        return
    assert lower <= wrapped <= upper
    turns = (wrapped - value) / (2 * pi)
    assert math.isclose(turns, round(turns), abs_tol=1e-9)
    assert not (np.abs(inside - current) < abs(wrapped - current) - 1e-9).any()


@given(current=ANGLES, bounds=st.tuples(ANGLES, ANGLES).map(sorted), value=ANGLES)
def test_closed_forms_wrap_by_the_same_rule(current, bounds, value):
    arm = Skeleton("arm")
    arm.add_link("base")
    arm.add_link("link", RevoluteJoint("turn", limits=bounds), parent="base")
    wrapped = wrap_cyclic_solution(current, *bounds, value)
    nearest = ActiveDofs(arm, [0]).nearest(np.array([value]), np.array([current]))[0]
    if wrapped is None:
        assert nearest == value
    else:
        assert nearest == wrapped
