"""Routines that calculate, by the text of the API and beside the object layer."""

import math

import numpy as np
import pytest

from kinetree.interfaces.coppelia import routines as ik


def test_handling_groups(arm):
    twin = ik.present().duplicate()
    done = ik.ikHandleGroups([arm["group"]])
    assert done.success
    assert done.result == ik.ik_calc_stepstoobig  # told also where largest steps do not count
    assert 0.0 < done.precision[0] < 0.0005
    assert done.precision[1] == 0.0
    ours = twin.group("arm").solve()
    assert (ours.result, ours.precision) == done[1:]
    for joint in twin.joints:
        assert ik.ikGetJointPosition(joint.handle).position == joint.position


@pytest.mark.parametrize("which", [None, [], [ik.ik_handle_all], ()])
def test_handling_all_groups(arm, which):
    assert not ik.ikHandleGroups(which).result & ik.ik_calc_notwithintolerance
    tip, target = (ik.ikGetObjectTransformation(arm[name], -1).transf for name in ("tip", "target"))
    np.testing.assert_allclose(tip[:2], target[:2], atol=0.0005)


def test_handling_nothing(arm):
    ik.ikSetGroupFlags(arm["group"], ik.ik_group_ignoremaxsteps)
    assert ik.ikHandleGroups([arm["group"]]) == (True, ik.ik_calc_notperformed | ik.ik_calc_notwithintolerance, (0, 0))


@pytest.mark.parametrize("method", range(4))
def test_numbers_without_measure(arm, method):
    """What is finite is taken; squares that are not are no exception."""
    for damping, place in ((1e308, 0.5), (0.0, 1e308), (0.1, 1e200)):
        assert ik.ikSetGroupCalculation(arm["group"], method, damping, 5)
        assert ik.ikSetObjectTransformation(arm["target"], -1, [place, 0, 0, 0, 0, 0, 1])
        assert ik.ikHandleGroups([arm["group"]]).result & ik.ik_calc_notwithintolerance
        assert np.isfinite(positions(handles_of(arm))).all()


def test_limits_that_were_hit(arm):
    ik.ikSetJointInterval(arm["joint2"], False, [0.0, 0.4])
    assert ik.ikGetGroupJointLimitHits(arm["group"]).jointHandles == []
    assert ik.ikHandleGroups([arm["group"]]).result & ik.ik_calc_limithit
    success, handles, overshots = ik.ikGetGroupJointLimitHits(arm["group"])
    assert success
    assert handles == [arm["joint2"]]
    assert overshots.shape == (1,)


def test_jacobians(arm):
    jacobian, error = ik.ikComputeGroupJacobian(arm["group"])[1:]
    assert (jacobian.shape, error.shape) == ((2, 3), (2,))
    tip, target = (ik.ikGetObjectTransformation(arm[name], -1).transf for name in ("tip", "target"))
    np.testing.assert_allclose(error, (target - tip)[:2], atol=1e-12)
    position = ik.ik_constraint_x | ik.ik_constraint_y
    by_chain = ik.ikComputeJacobian(-1, arm["joint3"], position, tip, target)
    np.testing.assert_allclose(by_chain.jacobian, jacobian, atol=1e-12)
    np.testing.assert_allclose(by_chain.errorVect, error, atol=1e-12)
    # The target is the tip when there is none.
    np.testing.assert_allclose(ik.ikComputeJacobian(-1, arm["joint3"], position, tip).errorVect, 0.0, atol=1e-12)
    turned = ik.ikComputeJacobian(-1, arm["joint3"], position, tip, target, [0, 0, 0, 0, 0, 1, 0])
    np.testing.assert_allclose(turned.errorVect, -error, atol=1e-12)
    count = len(ik.present().objects)
    assert not ik.ikComputeJacobian(-1, arm["joint3"], 0, tip).success
    assert "constraints" in ik.ikGetLastError()
    assert not ik.ikComputeJacobian(arm["joint3"], arm["joint1"], position, tip).success
    assert "'joint1'" in ik.ikGetLastError()
    assert len(ik.present().objects) == count


def handles_of(arm):
    return [arm[f"joint{k}"] for k in (1, 2, 3)]


def positions(handles):
    return [ik.ikGetJointPosition(each).position for each in handles]


def test_finding_a_configuration(arm):
    handles = handles_of(arm)
    before = positions(handles)
    result, found = ik.ikFindConfig(arm["group"], 3, handles, 0.3, 500)
    assert result == 1
    assert positions(handles) == before
    for handle, value in zip(handles, found, strict=True):
        ik.ikSetJointPosition(handle, value)
    tip, target = (ik.ikGetObjectTransformation(arm[name], -1).transf for name in ("tip", "target"))
    np.testing.assert_allclose(tip[:2], target[:2], atol=1e-6)


def test_finding_several_the_nearest_first(arm):
    handles = handles_of(arm)
    result, found = ik.ikFindConfig(arm["group"], 3, handles, 0.3, 500, seed=3, count=4)
    assert result == 1
    assert found.shape == (4, 3)
    away = np.linalg.norm(np.remainder(found - positions(handles) + np.pi, math.tau) - np.pi, axis=1)
    assert (np.diff(away) >= 0.0).all()


def test_finding_nothing_is_no_error(arm):
    ik.ikSetObjectTransformation(arm["target"], -1, [9, 0, 0, 0, 0, 0, 1])
    assert ik.ikFindConfig(arm["group"], 3, handles_of(arm), 0.3, 5) == (0, None)
    assert ik.ikFindConfig(arm["group"], 3, handles_of(arm), 0.3, 0) == (0, None)
    assert ik.ikGetLastError() == ""


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"jointCnt": 2}, "jointCnt"),
        ({"jointHandles": [], "jointCnt": 0}, "jointCnt"),
        ({"jointHandles": "abc"}, "jointHandles"),
        ({"thresholdDist": math.nan}, "thresholdDist"),
        ({"maxSearchTimeInMs": -1}, "maxSearchTimeInMs"),
        ({"metric": [1, 1, 1]}, "metric"),
        ({"metric": [1, 1, 1, -1]}, "metric"),
        ({"validationCallback": 3}, "validationCallback"),
        ({"seed": "lucky"}, "seed"),
        ({"count": 0}, "count"),
        ({"count": 1.5}, "count"),
    ],
)
def test_bad_arguments_of_a_search(arm, change, word):
    arguments = {
        "ikGroupHandle": arm["group"],
        "jointCnt": 3,
        "jointHandles": handles_of(arm),
        "thresholdDist": 0.3,
        "maxSearchTimeInMs": 5,
    }
    assert ik.ikFindConfig(**(arguments | change)) == (-1, None)
    assert word in ik.ikGetLastError()


def test_a_callback_refuses_configurations(arm):
    handles, seen = handles_of(arm), []
    accepted = ik.ikFindConfig(arm["group"], 3, handles, 0.3, 500, None, lambda q: seen.append(q) or bool(q[1] < 0.0))
    assert accepted.result == 1
    assert accepted.retConfig[1] < 0.0
    assert seen[0].shape == (3,)


@pytest.mark.parametrize("limit", [20_000, -500])
def test_the_deprecated_search(arm, limit):
    """By samples, or by milliseconds when it is negative."""
    result, found = ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, limit)
    assert result == 1
    assert found.shape == (3,)
    assert ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, 0) == (0, None)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_ranges_choose_among_solutions(arm, side):
    """With its rotation fixed, the arm has two solutions; the elbow bends to the side that is drawn from."""
    ik.ikSetElementConstraints(arm["group"], arm["element"], 3 | ik.ik_constraint_orientation)
    low = 0.5 if side > 0.0 else -2.5
    found = ik.ikGetConfigForTipPose(
        *(arm["group"], 3, handles_of(arm), 0.3, 100_000),
        lowLimits=[0.0, low, 0.0],
        ranges=[0.0, 2.0, 0.0],
    )
    assert found.result == 1
    assert side * found.retConfig[1] > 0.3


def test_what_is_drawn_from(arm, monkeypatch):
    """Low limit and range; the joint's own limits when the range is 0; about where it is when that is negative."""
    drawn = {}

    def look(group, joints, *, intervals, **options):
        drawn.update({joint.name: interval for joint, interval in intervals.items()})
        return ()

    monkeypatch.setattr(ik.solving, "find_config", look)
    ik.ikSetJointInterval(arm["joint2"], False, [-2.0, 4.0])
    ik.ikSetJointInterval(arm["joint3"], False, [-2.0, 4.0])

    def intervals(options, low_limits, ranges):
        drawn.clear()
        found = ik.ikGetConfigForTipPose(
            arm["group"], 3, handles_of(arm), 0.3, 1, None, None, options, low_limits, ranges
        )
        assert found.result == 0, ik.ikGetLastError()
        return {name: tuple(np.round(interval, 12)) for name, interval in drawn.items()}

    assert intervals(None, [1.0, 1.0, 1.0], None) == {}
    assert intervals(None, [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]) == {}
    assert intervals(None, [0.5, 7.0, -0.5], [0.25, 0.0, 9.0]) == {"joint1": (0.5, 0.75), "joint3": (-0.5, 2.0)}
    assert intervals(None, None, [-0.5, 1.0, -9.0]) == {
        "joint1": (0.05, 0.55),
        "joint2": (-2.0, -1.0),
        "joint3": (-2.0, 2.0),
    }
    assert intervals([0, 1, 2], [0.0, 0.0, 0.0], [0.5, 0.5, 0.5]) == {"joint1": (0.0, 0.5), "joint3": (0.0, 0.5)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jointOptions", [0, 0]),
        ("jointOptions", [0, 0, 0.5]),
        ("lowLimits", [0.0, math.nan, 0.0]),
        ("lowLimits", 3),
        ("ranges", [1.0, 1.0]),
        ("ranges", [1.0, math.inf, 1.0]),
        ("maxIterations", 1.5),
    ],
)
def test_bad_arguments_of_the_deprecated_search(arm, name, value):
    arguments = {"maxIterations": 10, "lowLimits": [0.0] * 3, "ranges": [1.0] * 3} | {name: value}
    assert ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, **arguments) == (-1, None)
    assert name in ik.ikGetLastError()
    if name in ("jointOptions", "lowLimits"):  # looked at also where there is nothing to do with them
        assert ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, 10, **{name: value}).result == -1


def test_what_ranges_leave_nothing_of(arm):
    ik.ikSetJointInterval(arm["joint2"], False, [-1.0, 2.0])
    found = ik.ikGetConfigForTipPose(
        arm["group"], 3, handles_of(arm), 0.3, 100, None, None, None, [0.0, 5.0, 0.0], [1.0, 1.0, 1.0]
    )
    assert found == (-1, None)
    assert "'joint2'" in ik.ikGetLastError()
