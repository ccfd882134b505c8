"""Routines for groups, by the text of the API and beside the object layer."""

import math

import pytest

from kinetree.interfaces.coppelia import routines as ik


def test_groups():
    ik.ikCreateEnvironment()
    first = ik.ikCreateGroup().ikGroupHandle
    second = ik.ikCreateGroup("arm").ikGroupHandle
    assert ik.ikGetGroupHandle("ikGroup0").ikGroupHandle == first
    assert (ik.ikDoesGroupExist("arm"), ik.ikDoesGroupExist("Arm")) == (True, False)
    assert not ik.ikCreateGroup("arm").success
    assert "'arm'" in ik.ikGetLastError()
    assert ik.ikGetGroupCalculation(second) == (True, ik.ik_method_pseudo_inverse, 0.1, 3)
    assert ik.ikSetGroupCalculation(second, ik.ik_method_jacobian_transpose, 0.25, 17)
    assert ik.ikGetGroupCalculation(second) == (True, 2, 0.25, 17)
    assert ik.ikGetGroupFlags(second).flags == ik.ik_group_enabled | ik.ik_group_ignoremaxsteps
    every = 1 | 2 | 4 | 8 | 16 | 64
    assert ik.ikSetGroupFlags(second, every)
    assert ik.ikGetGroupFlags(second).flags == every
    for flags in (32, 128, -1):
        assert not ik.ikSetGroupFlags(second, flags)
        assert "'arm'" in ik.ikGetLastError()
    assert ik.ikGetGroupFlags(second).flags == every
    assert ik.ikEraseGroup(first)
    assert not ik.ikGetGroupFlags(first).success
    assert "erased" in ik.ikGetLastError()


@pytest.mark.parametrize(
    ("method", "damping", "iterations"),
    [(4, 0.1, 3), (0, -1.0, 3), (0, math.nan, 3), (0, 0.1, -1), (0, 0.1, 2**31)],
)
def test_a_bad_calculation_changes_nothing(arm, method, damping, iterations):
    before, version = ik.ikSave().data, ik.present().structure_version
    assert not ik.ikSetGroupCalculation(arm["group"], method, damping, iterations)
    assert "'arm'" in ik.ikGetLastError()
    assert (ik.ikSave().data, ik.present().structure_version) == (before, version)


def test_joints_of_a_group(arm):
    assert ik.ikGetGroupJoints(arm["group"]).jointHandles == [arm[f"joint{k}"] for k in (1, 2, 3)]
    ik.ikSetJointMode(arm["joint2"], ik.ik_jointmode_passive)
    assert ik.ikGetGroupJoints(arm["group"]).jointHandles == [arm["joint1"], arm["joint3"]]
    ik.ikSetElementFlags(arm["group"], arm["element"], 0)
    assert ik.ikGetGroupJoints(arm["group"]) == (True, [])
