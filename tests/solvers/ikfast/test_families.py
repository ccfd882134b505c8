"""Which member of a family of solutions is taken."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import PrismaticJoint, RevoluteJoint
from kinetree.solvers.active_dofs import ActiveDofs
from kinetree.solvers.ikfast.families import representatives
from kinetree.solvers.ikfast.raw_solutions import RawSolutions
from tests.solvers.ikfast.generated_code import serial

UNTURNED = [0, 0, 0, 1]


def joints(*limits, kind=RevoluteJoint):
    arm = serial("arm", [(kind, f"j{k}", "z", [0, 0, 0], each) for k, each in enumerate(limits)], ([0, 0, 0], UNTURNED))
    return ActiveDofs(arm, range(len(limits)))


def family(offsets, factors, sources=None):
    sources = [0 if each else -1 for each in factors] if sources is None else sources
    return RawSolutions(np.array([offsets], float), np.array([factors], float), np.array([sources], dtype=np.int8))


def test_nothing_open_is_left_alone():
    found = RawSolutions.of([np.array([0.1, 0.2]), np.array([0.3, 0.4])], 2)
    assert np.array_equal(representatives(found, joints(None, None), np.zeros(2)), found.offsets)
    assert representatives(RawSolutions.of([], 2), joints(None, None), np.zeros(2)).shape == (0, 2)


def test_the_change_is_shared_between_joints():
    values = representatives(family([0.0, 1.0], [1.0, -1.0]), joints(None, None), np.array([0.0, 0.0]))
    assert values[0] == pytest.approx([0.5, 0.5])


def test_sliding_joints_make_no_turns():
    values = representatives(
        family([0.0, 10.0], [1.0, -1.0]), joints((-20, 20), (-20, 20), kind=PrismaticJoint), np.zeros(2)
    )
    assert values[0] == pytest.approx([5.0, 5.0])


def test_two_choices_in_one_solution():
    found = family([0.0, 1.0, 0.0, -1.0], [1.0, -1.0, 1.0, 1.0], [0, 0, 1, 1])
    dofs = joints(None, None, None, None)
    (values,) = representatives(found, dofs, np.zeros(4))
    assert dofs.nearest(values, np.zeros(4)) == pytest.approx([0.5, 0.5, 0.5, -0.5])


def test_a_factor_of_zero_chooses_nothing():
    assert representatives(family([0.3, 0.4], [0.0, 0.0], [0, -1]), joints(None, None), np.ones(2))[0] == pytest.approx(
        [0.3, 0.4]
    )


@given(
    angle=st.floats(-3.0, 3.0),
    bounds=st.tuples(*[st.tuples(st.floats(-3.0, 3.0), st.floats(0.05, 3.0))] * 2),
    sign=st.sampled_from([-1.0, 1.0]),
)
def test_inside_limits_if_any_is_and_then_nearest(angle, bounds, sign):
    limits = [(low, low + width) for low, width in bounds]
    near = np.array([low + 0.3 * (high - low) for low, high in limits])
    dofs = joints(*limits)
    (values,) = representatives(family([0.0, angle], [1.0, sign]), dofs, near)
    turned = dofs.nearest(values, near)
    # Whatever was chosen is a member.
    assert math.remainder(values[1] - angle - sign * values[0], 2 * math.pi) == pytest.approx(0.0, abs=1e-9)
    best = math.inf
    for c, turns in itertools.product(np.linspace(*limits[0], 400), (-2, -1, 0, 1, 2)):
        other = angle + sign * c + 2 * math.pi * turns
        if limits[1][0] + 1e-9 <= other <= limits[1][1] - 1e-9:
            best = min(best, max(abs(c - near[0]), abs(other - near[1])))
    if best < math.inf:
        assert ((turned >= dofs.lower - 1e-9) & (turned <= dofs.upper + 1e-9)).all()
        assert np.abs(turned - near).max() <= best + 1e-9
