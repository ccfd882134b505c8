"""Configurations: by number and by name, random draws, steps, wrapping and clamping."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kinetree.kinematics import (
    InvalidValueError,
    KinetreeError,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    ShapeError,
    Skeleton,
    UnknownNameError,
)
from kinetree.kinematics.configuration import nearest_equivalent
from tests.kinematics.random_trees import MOVING, build, seeds, trees
from tests.kinematics.reference import assert_same_pose, refused

PI = math.pi
TURN = 2.0 * math.pi


def arm():
    robot = Skeleton("arm")
    robot.add_link("base")
    robot.add_link("a", RevoluteJoint("shoulder", limits=(-PI, 2 * PI)), "base")
    robot.add_link("b", RevoluteJoint("elbow"), "a")
    robot.add_link("c", PrismaticJoint("slide", limits=(-0.5, 0.5)), "b")
    robot.add_link("d", ScrewJoint("drive", lead=0.1, limits=(-1.0, 1.0)), "c")
    return robot


class TestPositions:
    def test_are_a_copy(self):
        robot = arm()
        before = robot.positions
        given_q = np.array([0.1, 0.2, 0.3, 0.4])
        robot.positions = given_q
        given_q[0] = 9.0
        assert robot.positions.tolist() == [0.1, 0.2, 0.3, 0.4]
        assert before.tolist() == [0.0] * 4

    @pytest.mark.parametrize("name", ["positions", "lower_limits", "upper_limits", "velocity_limits", "rest_positions"])
    def test_writing_to_the_copy_is_an_error(self, name):
        robot = arm()
        values = getattr(robot, name)
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 5.0
        own = values.copy()
        own[0] = 0.25
        robot.positions = own.clip(-0.25, 0.25)
        assert robot.positions[0] == 0.25

    def test_by_name_leaves_the_rest(self):
        robot = build(["free", "revolute", "spherical"])
        before = robot.positions
        robot.positions = {"joint1": 0.5, "joint2": [0.1, 0.2, 0.3], "joint0.y": 7}
        wanted = before.copy()
        wanted[[1, 6]] = 7.0, 0.5
        wanted[7:] = 0.1, 0.2, 0.3
        np.testing.assert_array_equal(robot.positions, wanted)
        robot.positions = {"joint1": [0.25], "joint2.ry": 0.75}
        assert robot.dof("joint1").position == 0.25
        assert robot.dof("joint2.ry").position == 0.75
        robot.positions = {}
        assert robot.dof("joint1").position == 0.25

    @pytest.mark.parametrize(
        ("bad", "error", "message"),
        [
            ([1, 2], ShapeError, "positions must have 4 entries.*shoulder, elbow, slide, drive"),
            ([[1, 2, 3, 4]], ShapeError, "shape"),
            (1.0, ShapeError, "4 entries"),
            ([], ShapeError, "4 entries"),
            ([0, 0, 0, math.nan], InvalidValueError, "not finite"),
            ([0, 0, math.inf, 0], InvalidValueError, "not finite"),
            ("abcd", InvalidValueError, "4 numbers"),
            (["1", "2", "3", "4"], InvalidValueError, "4 numbers"),
            ([None] * 4, InvalidValueError, "positions"),
            ([10**400, 0, 0, 0], InvalidValueError, "positions"),
            ({"sholder": 1}, UnknownNameError, "skeleton 'arm' has no joint .*'sholder'; did you mean 'shoulder'"),
            ({3: 1}, UnknownNameError, "no joint or degree of freedom 3"),
            ({"shoulder": [1, 2]}, ShapeError, r"positions\['shoulder'\] must have 1 entries"),
            ({"shoulder": math.nan}, InvalidValueError, r"positions\['shoulder'\]"),
            ({"shoulder": "far"}, InvalidValueError, r"positions\['shoulder'\]"),
            ({"elbow": 0.5, "shoulder": None}, InvalidValueError, r"positions\['shoulder'\]"),
            ({"base_joint": 1}, InvalidValueError, "'base_joint' is fixed"),
        ],
    )  # fmt: skip
    def test_wrong_ones_change_nothing(self, bad, error, message):
        robot = arm()
        robot.positions = [0.1, 0.2, 0.3, 0.4]
        with pytest.raises(error, match=message):
            robot.as_configuration(bad, name="positions")
        refused(robot, error, lambda: setattr(robot, "positions", bad))

    def test_a_dependent_joint_has_no_number(self):
        robot = arm()
        robot.joint("elbow").depend_on(robot.joint("shoulder"))
        message = refused(robot, InvalidValueError, lambda: setattr(robot, "positions", {"elbow": 1.0}))
        assert "'elbow' depends on joint 'shoulder'; give that one's value" in message

    def test_as_configuration_with_a_base(self):
        robot = arm()
        robot.positions = [0.1, 0.2, 0.3, 0.4]
        base = np.arange(4.0)
        np.testing.assert_array_equal(robot.as_configuration({"elbow": 9}, base), [0, 9, 2, 3])
        np.testing.assert_array_equal(base, np.arange(4.0))
        np.testing.assert_array_equal(robot.as_configuration({"elbow": 9}), [0.1, 9, 0.3, 0.4])
        np.testing.assert_array_equal(robot.as_configuration(None), [0.1, 0.2, 0.3, 0.4])
        np.testing.assert_array_equal(robot.as_configuration([1, 2, 3, 4]), [1, 2, 3, 4])
        with pytest.raises(ShapeError, match="base of seed must have 4 entries"):
            robot.as_configuration({"elbow": 9}, [0.0], name="seed")


def test_arrays_of_limits_and_rests():
    robot = arm()
    np.testing.assert_array_equal(robot.lower_limits, [-PI, -math.inf, -0.5, -1.0])
    np.testing.assert_array_equal(robot.upper_limits, [2 * PI, math.inf, 0.5, 1.0])
    np.testing.assert_array_equal(robot.velocity_limits, [math.inf] * 4)
    robot.dof("slide").rest = 0.2
    np.testing.assert_array_equal(robot.rest_positions, [0, 0, 0.2, 0])


class TestRandomPositions:
    @given(robot=trees(kinds=MOVING), seed=seeds)
    def test_inside_the_limits_and_repeatable(self, robot, seed):
        q = robot.random_positions(seed)
        np.testing.assert_array_equal(q, robot.random_positions(np.random.default_rng(seed)))
        assert (q >= robot.lower_limits).all()
        assert (q <= robot.upper_limits).all()
        for dof, value in zip(robot.dofs, q, strict=True):
            if not dof.is_limited:
                assert abs(value) <= (PI if dof.is_angular else 1.0)

    def test_one_missing_limit(self):
        robot = arm()
        robot.dof("shoulder").limits = (5.0, math.inf)
        robot.dof("slide").limits = (-math.inf, -3.0)
        drawn = np.array([robot.random_positions(seed) for seed in range(200)])
        assert 5.0 <= drawn[:, 0].min() < 5.5 < 10.5 < drawn[:, 0].max() <= 5.0 + TURN
        assert -5.0 <= drawn[:, 2].min() < -4.8 < -3.2 < drawn[:, 2].max() <= -3.0

    def test_the_default_seed_is_fixed_and_the_skeleton_stays(self):
        robot = arm()
        before = robot.positions
        np.testing.assert_array_equal(robot.random_positions(), robot.random_positions(0))
        np.testing.assert_array_equal(robot.positions, before)

    def test_some_only(self):
        robot = build(["free", "revolute", "spherical"])
        before = robot.positions
        for dofs in ([6], [0, 7], np.array([8, 9]), range(3), []):
            q = robot.random_positions(1, dofs)
            changed = set(np.flatnonzero(q != before).tolist())
            assert changed == {int(index) for index in dofs}
        base = np.zeros(10)
        q = robot.random_positions(1, [6], base)
        assert set(np.flatnonzero(q).tolist()) == {6}


class TestIntegrate:
    @given(robot=trees(kinds=MOVING), seed=seeds)
    def test_there_and_back(self, robot, seed):
        rng = np.random.default_rng(seed)
        q, v = robot.random_positions(rng), rng.uniform(-1.0, 1.0, robot.num_dofs)
        after = robot.integrate(q, v)
        np.testing.assert_allclose(robot.difference(q, after), v, rtol=0, atol=1e-9)
        np.testing.assert_allclose(robot.difference(after, q), -v, rtol=0, atol=1e-9)
        np.testing.assert_allclose(robot.integrate(q, np.zeros(robot.num_dofs)), q, rtol=0, atol=1e-14)
        robot.positions = q
        start = [link.transform() for link in robot.links]
        robot.positions = robot.integrate(after, -v)
        for link, pose in zip(robot.links, start, strict=True):
            assert_same_pose(link.transform(), pose, 1e-11)

    def test_plain_joints_add(self):
        robot = arm()
        np.testing.assert_array_equal(robot.integrate([1, 2, 3, 4], [10, 20, 30, 40]), [11, 22, 33, 44])
        np.testing.assert_array_equal(robot.difference([1, 2, 3, 4], [11, 22, 33, 44]), [10, 20, 30, 40])

    @pytest.mark.parametrize("bad", [[1, 2], [math.nan] * 4, "abcd", None])
    def test_wrong_arguments(self, bad):
        robot = arm()
        good = np.zeros(4)
        for use in (robot.integrate, robot.difference):
            for arguments in ((bad, good), (good, bad)):
                with pytest.raises(KinetreeError):
                    use(*arguments)

    def test_arguments_are_not_changed(self):
        robot = build(["free", "spherical", "planar", "revolute"])
        q, v = robot.positions, np.full(13, 0.1)
        kept = q.copy()
        robot.integrate(q, v), robot.difference(q, v), robot.wrap(q, v), robot.clamp(q)
        np.testing.assert_array_equal(q, kept)
        np.testing.assert_array_equal(v, np.full(13, 0.1))


# DART's table (wrapCyclicSolution); where DART answers that there is none, the angle comes back unchanged.
@pytest.mark.parametrize(
    ("near", "lower", "upper", "angle", "wanted"),
    [
        (-PI / 2, -PI, PI, -3 * PI, -PI),
        (-PI / 2, -0.75 * PI, PI, -3 * PI, PI),
        (-PI / 2, -0.9 * PI, 0.9 * PI, -3 * PI, -3 * PI),
        (PI / 2, -PI, PI, 3 * PI, PI),
        (PI / 2, -PI, 0.75 * PI, 3 * PI, -PI),
        (PI / 2, -0.9 * PI, 0.9 * PI, 3 * PI, 3 * PI),
        (-5 * PI, -4 * PI, 4 * PI, -9 * PI, -3 * PI),
        (-5 * PI, -4 * PI, -3.1 * PI, -9 * PI, -9 * PI),
        (5 * PI, -4 * PI, 4 * PI, 9 * PI, 3 * PI),
        (5 * PI, 3.1 * PI, 4 * PI, 9 * PI, 9 * PI),
        # dartsim/dart#1449: an angle of -pi where only its equivalent +pi is allowed.
        (0.0, PI / 8, 2 * PI, -PI, PI),
        # Without limits: the value nearest to what it should be near to.
        (20 * PI, -math.inf, math.inf, 0.5, 20 * PI + 0.5),
        (-7.0, -math.inf, math.inf, 0.0, -TURN),
        (0.0, 2.0, math.inf, 1.0, 1.0 + TURN),
        (0.0, -math.inf, -2.0, 1.0, 1.0 - TURN),
        # Inside already and nearest already.
        (0.0, -1.0, 1.0, 0.5, 0.5),
        (3.0, -4.0, 4.0, 3.5, 3.5),
        # Both ends of a range of one turn.
        (-3.0, -PI, PI, PI, -PI),
        (3.0, -PI, PI, -PI, PI),
        # A single allowed value.
        (0.0, 1.0, 1.0, 1.0 - 3 * TURN, 1.0),
    ],
)
def test_nearest_equivalent(near, lower, upper, angle, wanted):
    assert nearest_equivalent(angle, near, lower, upper) == pytest.approx(wanted, abs=1e-12)
    robot = Skeleton()
    robot.add_link("l", RevoluteJoint("j", limits=(lower, upper)))
    np.testing.assert_allclose(robot.wrap([angle], [near]), [wanted], rtol=0, atol=1e-12)
    robot.positions = [near]
    np.testing.assert_allclose(robot.wrap([angle]), [wanted], rtol=0, atol=1e-12)


angles = st.floats(-100.0, 100.0)


@given(angle=angles, near=angles, lower=angles, width=st.floats(0.0, 30.0))
@example(angle=0.5, near=0.5 + PI, lower=-50.0, width=100.0)
@example(angle=PI, near=0.0, lower=-PI, width=TURN)
def test_an_equivalent_is_inside_the_same_and_the_nearest(angle, near, lower, width):
    upper = lower + width
    found = nearest_equivalent(angle, near, lower, upper)
    equivalents = angle + TURN * np.arange(-60, 61)
    inside = equivalents[(equivalents >= lower) & (equivalents <= upper)]
    # Too close to a limit to say on which side an equivalent is.
    assume(np.abs(np.concatenate([equivalents - lower, equivalents - upper])).min() > 1e-10 or width == 0.0)
    turns = (found - angle) / TURN
    assert abs(turns - round(turns)) < 1e-11
    if inside.size == 0:
        if width > 0.0:
            assert found == angle
        return
    assert lower <= found <= upper
    assert abs(found - near) <= np.abs(inside - near).min() + 1e-11


@given(angle=angles, near=angles)
def test_without_limits_it_is_within_half_a_turn(angle, near):
    found = nearest_equivalent(angle, near, -math.inf, math.inf)
    assert abs(found - near) <= PI + 1e-12


def test_of_two_equally_near_the_lower_one():
    assert nearest_equivalent(PI, 0.0, -10.0, 10.0) == pytest.approx(-PI)
    assert nearest_equivalent(-PI, 0.0, -10.0, 10.0) == pytest.approx(-PI)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_rounding_error_outside_is_moved_onto_the_limit(sign):
    for turns in range(4):
        angle = sign * (PI + 4e-16 + turns * TURN)
        found = nearest_equivalent(angle, 0.0, -PI, PI)
        assert -PI <= found <= PI
        assert abs(found) == pytest.approx(PI, abs=1e-12)


class TestWrapAndClamp:
    def test_only_what_is_periodic_wraps(self):
        robot = arm()
        q = np.array([0.5 + TURN, 0.25 + 3 * TURN, 0.7, 0.3 + TURN])
        np.testing.assert_allclose(robot.wrap(q, np.zeros(4)), [0.5, 0.25, 0.7, 0.3 + TURN], rtol=0, atol=1e-12)
        np.testing.assert_allclose(
            robot.wrap(q, [6.0, 20.0, 0, 0]), [0.5, 0.25 + 3 * TURN, 0.7, 0.3 + TURN], atol=1e-12
        )

    def test_near_by_name(self):
        robot = arm()
        found = robot.wrap([0.0, 0.0, 0.0, 0.0], {"elbow": 2 * TURN})
        np.testing.assert_allclose(found, [0, 2 * TURN, 0, 0], atol=1e-12)

    def test_a_master_keeps_its_turns(self):
        robot = arm()
        robot.joint("drive").depend_on(robot.joint("elbow"), 0.5)
        np.testing.assert_array_equal(robot.wrap([0.0, 9.0, 0.0], np.zeros(3)), [0.0, 9.0, 0.0])

    def test_clamp_wraps_before_it_cuts(self):
        robot = arm()
        robot.dof("shoulder").limits = (PI / 8, 2 * PI)
        np.testing.assert_allclose(robot.clamp([-PI, 40.0, 3.0, -3.0]), [PI, 40.0, 0.5, -1.0], atol=1e-12)
        robot.dof("shoulder").limits = (-0.5, 0.5)
        np.testing.assert_allclose(robot.clamp([2.0, 0, 0, 0]), [0.5, 0, 0, 0], atol=1e-12)
        np.testing.assert_allclose(robot.clamp([TURN - 0.25, 0, 0, 0]), [-0.25, 0, 0, 0], atol=1e-12)

    @given(robot=trees(kinds=MOVING), seed=seeds)
    def test_always_inside_and_idempotent(self, robot, seed):
        rng = np.random.default_rng(seed)
        q = rng.uniform(-15, 15, robot.num_dofs)
        clamped = robot.clamp(q)
        assert (clamped >= robot.lower_limits).all()
        assert (clamped <= robot.upper_limits).all()
        np.testing.assert_array_equal(robot.clamp(clamped), clamped)
        inside = robot.random_positions(rng)
        np.testing.assert_array_equal(robot.clamp(inside), inside)

    @given(robot=trees(kinds=MOVING), seed=seeds)
    def test_wrapping_changes_no_pose(self, robot, seed):
        rng = np.random.default_rng(seed)
        q, near = rng.uniform(-15, 15, (2, robot.num_dofs))
        state = robot.state(q)
        before = [state.transform(link) for link in robot.links]
        state.set(robot.wrap(q, near))
        for link, pose in zip(robot.links, before, strict=True):
            assert_same_pose(state.transform(link), pose, 1e-12)

    @pytest.mark.parametrize("bad", [[0.0], [math.nan] * 4, "abcd"])
    def test_wrong_arguments(self, bad):
        robot = arm()
        for use in (lambda: robot.wrap(bad), lambda: robot.wrap(np.zeros(4), bad), lambda: robot.clamp(bad)):
            with pytest.raises(KinetreeError):
                use()


def test_positions_and_random_positions_refuse_what_means_nothing():
    robot = Skeleton("one")
    robot.add_link("base")
    robot.add_link("a", RevoluteJoint("j"), "base")
    robot.positions = [0.5]
    with pytest.raises(InvalidValueError, match="not None"):
        robot.positions = None
    with pytest.raises(InvalidValueError, match="between 0 and 0"):
        robot.random_positions(0, dofs=[99])
    np.testing.assert_array_equal(robot.positions, [0.5])
