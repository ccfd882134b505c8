"""Routines for elements, by the text of the API and beside the object layer."""

import math

import pytest

from kinetree.interfaces.coppelia import routines as ik


def test_elements(arm):
    group, element, base = arm["group"], arm["element"], arm["base"]
    second = ik.ikAddElement(group, arm["tip"]).ikElementHandle
    assert second == element + 1
    assert ik.ikGetElementBase(group, second) == (True, -1, -1)
    assert ik.ikSetElementBase(group, second, base)
    assert ik.ikGetElementBase(group, second) == (True, base, -1)
    assert ik.ikSetElementBase(group, second, base, arm["target"])
    assert ik.ikGetElementBase(group, second) == (True, base, arm["target"])
    assert ik.ikSetElementBase(group, second, -1)
    assert ik.ikGetElementBase(group, second) == (True, -1, -1)
    assert ik.ikGetElementConstraints(group, second).constraints == ik.ik_constraint_position
    assert ik.ikSetElementConstraints(group, second, ik.ik_constraint_pose)
    assert ik.ikGetElementConstraints(group, second).constraints == 31
    assert ik.ikGetElementPrecision(group, second) == (True, 0.0005, math.radians(0.1))
    assert ik.ikSetElementPrecision(group, second, 1e-5, 1e-4)
    assert ik.ikGetElementPrecision(group, second) == (True, 1e-5, 1e-4)
    assert ik.ikGetElementWeights(group, second) == (True, 1.0, 1.0, 1.0)
    assert ik.ikSetElementWeights(group, second, 0.5, 0.25, 2.0)
    assert ik.ikGetElementWeights(group, second) == (True, 0.5, 0.25, 2.0)
    assert ik.ikSetElementFlags(group, second, 0)
    assert ik.ikGetElementFlags(group, second).flags == 0
    assert ik.ikEraseElement(group, second)
    assert not ik.ikGetElementFlags(group, second).success
    assert ik.ikGetElementFlags(group, element).flags == 1


@pytest.mark.parametrize(("linear", "angular"), [(1e-5, math.nan), (math.nan, 1e-5), (1e-5, -1.0), (1e-5, "small")])
def test_a_bad_precision_does_not_change_half_of_it(arm, linear, angular):
    before, version = ik.ikSave().data, ik.present().structure_version
    assert not ik.ikSetElementPrecision(arm["group"], arm["element"], linear, angular)
    assert ik.ikGetLastError().startswith("ikSetElementPrecision: ")
    assert (ik.ikSave().data, ik.present().structure_version) == (before, version)


def test_elements_by_their_tip(arm):
    """The tip with a bit in place of the handle; the first element with that tip."""
    group, by_tip = arm["group"], arm["tip"] | ik.ik_handleflag_tipdummy
    ik.ikSetElementConstraints(group, ik.ikAddElement(group, arm["tip"]).ikElementHandle, ik.ik_constraint_z)
    assert ik.ikGetElementConstraints(group, by_tip).constraints == 3
    assert ik.ikSetElementWeights(group, by_tip, 0.5, 1.0, 1.0)
    assert ik.ikGetElementWeights(group, arm["element"]).linearWeight == 0.5
    assert not ik.ikGetElementFlags(group, arm["target"] | ik.ik_handleflag_tipdummy).success
    assert "'target'" in ik.ikGetLastError()
    assert not ik.ikGetElementFlags(group, arm["joint1"] | ik.ik_handleflag_tipdummy).success
    assert "no dummy" in ik.ikGetLastError()
    assert ik.ikEraseElement(group, by_tip)
    assert ik.ikGetElementConstraints(group, by_tip).constraints == ik.ik_constraint_z
