"""The rule itself: values and slopes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import Dependence, InvalidValueError, RevoluteJoint

MASTER = RevoluteJoint("master")
number = st.floats(-10.0, 10.0)


@given(q=number, multiplier=number, offset=number)
def test_linear(q, multiplier, offset):
    rule = Dependence(MASTER, multiplier, offset)
    assert rule.is_linear
    assert rule.position(q) == multiplier * q + offset
    assert rule.slope(q) == multiplier


@given(q=number)
def test_a_derivative_is_used_when_given_and_estimated_when_not(q):
    exact = Dependence(MASTER, function=math.sin, derivative=math.cos)
    estimated = Dependence(MASTER, function=math.sin)
    assert not exact.is_linear
    assert exact.position(q) == estimated.position(q) == math.sin(q)
    assert exact.slope(q) == math.cos(q)
    assert estimated.slope(q) == pytest.approx(math.cos(q), abs=1e-9)


def test_the_linear_form_is_ignored_beside_a_function():
    assert Dependence(MASTER, 5.0, 7.0, lambda q: q).position(2.0) == 2.0


@pytest.mark.parametrize("answer", [math.nan, -math.inf, None, "x", (1,)])
def test_answers_that_are_no_numbers(answer):
    with pytest.raises(InvalidValueError, match=r"function of a joint that depends on 'master' gave .* at 0\.25"):
        Dependence(MASTER, function=lambda q: answer).position(0.25)
    with pytest.raises(InvalidValueError, match="derivative of a joint that depends on 'master' gave"):
        Dependence(MASTER, function=math.sin, derivative=lambda q: answer).slope(0.25)
    with pytest.raises(InvalidValueError, match="function"):
        Dependence(MASTER, function=lambda q: answer).slope(0.25)
