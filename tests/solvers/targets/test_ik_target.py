"""Making targets, and what they say of themselves."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import InvalidPoseError, InvalidValueError, KinetreeError, ShapeError, SimpleFrame, pose
from kinetree.solvers import (
    Direction3D,
    InverseKinematics,
    Lookat3D,
    Ray4D,
    Rotation3D,
    Transform6D,
    Translation3D,
    TranslationDirection5D,
    TranslationLocalGlobal6D,
    TranslationXAxisAngle4D,
    TranslationXAxisAngleZNorm4D,
    TranslationXY2D,
    TranslationXYOrientation3D,
    TranslationYAxisAngleXNorm4D,
    TranslationZAxisAngle4D,
    TranslationZAxisAngleYNorm4D,
)
from tests.solvers.targets.samples import CLASSES, fulfilled, misses

#: A target of each kind with the translation and the nine numbers that IKFast packs it into.
R = pose(rpy=[0.3, -0.2, 0.9]).rotation
PACKED = [
    (Transform6D(pose([1, 2, 3], matrix=R)), [1, 2, 3], R.ravel()),
    (Rotation3D(R), [0, 0, 0], R.ravel()),
    (Translation3D([1, 2, 3]), [1, 2, 3], None),
    (Direction3D([0, 0, 2]), [0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0, 0]),
    (Ray4D([1, 2, 3], "-x"), [1, 2, 3], [-1, 0, 0, 0, 0, 0, 0, 0, 0]),
    (Lookat3D([1, 2, 3]), [1, 2, 3], None),
    (TranslationDirection5D([1, 2, 3], [0, 3, 4]), [1, 2, 3], [0, 0.6, 0.8, 0, 0, 0, 0, 0, 0]),
    (TranslationXY2D([1, 2]), [1, 2, 0], None),
    (TranslationXYOrientation3D([1, 2], 0.5), [1, 2, 0], [0.5, 0, 0, 0, 0, 0, 0, 0, 0]),
    (TranslationLocalGlobal6D([4, 5, 6], [1, 2, 3]), [1, 2, 3], [4, 0, 0, 0, 5, 0, 0, 0, 6]),
    (TranslationXAxisAngle4D([1, 2, 3], 0.5), [1, 2, 3], [0.5, 0, 0, 0, 0, 0, 0, 0, 0]),
    (TranslationZAxisAngle4D([1, 2, 3], math.pi), [1, 2, 3], [math.pi, 0, 0, 0, 0, 0, 0, 0, 0]),
    (TranslationXAxisAngleZNorm4D([1, 2, 3], -2.5), [1, 2, 3], [-2.5, 0, 0, 0, 0, 0, 0, 0, 0]),
]


@pytest.mark.parametrize("case", PACKED, ids=lambda case: type(case[0]).__name__)
def test_packing(case):
    target, trans, rot = case
    eetrans, eerot = target.pack()
    np.testing.assert_allclose(eetrans, trans, atol=1e-15)
    assert (eerot is None) == (rot is None)
    if rot is not None:
        np.testing.assert_allclose(eerot, rot, atol=1e-15)
    again = type(target).unpack(eetrans, eerot)
    assert repr(again) == repr(target)
    np.testing.assert_allclose(again.goal, target.goal, atol=1e-15)


@pytest.mark.parametrize("kind", CLASSES)
def test_unpacking_is_the_inverse_of_packing(kind, rng):
    table = SimpleFrame("table", None, pose([0.1, 0.2, 0.3]))
    for _ in range(20):
        target = fulfilled(kind, pin.SE3.Random(), rng, reference=table)
        options = {"tool_direction": target.tool_direction} if kind.has_tool_direction() else {}
        again = kind.from_ikfast(*target.pack(), reference=table, **options)
        np.testing.assert_allclose(again.goal, target.goal, atol=1e-14)
        assert again.has_tool_of(target) or np.allclose(again.tool_direction, target.tool_direction, atol=1e-15)
        assert again.reference is table


@pytest.mark.parametrize("kind", CLASSES)
def test_unpacking_needs_what_the_kind_has(kind):
    numbers = pose().rotation.ravel()
    if kind in (Rotation3D, Direction3D):
        np.testing.assert_array_equal(kind.from_ikfast(None, numbers).pack()[0], np.zeros(3))
    else:
        with pytest.raises(InvalidValueError, match=f"{kind.__name__} needs eetrans"):
            kind.from_ikfast(None, numbers)
    if kind in (Translation3D, Lookat3D, TranslationXY2D):
        kind.from_ikfast([1.0, 2.0, 3.0])
    else:
        with pytest.raises(InvalidValueError, match=f"{kind.__name__} needs eerot"):
            kind.from_ikfast([1.0, 2.0, 3.0])
    with pytest.raises(KinetreeError, match="eetrans"):
        kind.from_ikfast([1.0, 2.0])
    with pytest.raises(KinetreeError, match="eerot"):
        kind.from_ikfast([1.0, 2.0, 3.0], [math.nan] * 9)


@pytest.mark.parametrize("kind", CLASSES)
def test_from_pose_is_what_the_pose_fulfils(kind, rng):
    for _ in range(50):
        at = pin.SE3.Random()
        target = fulfilled(kind, at, rng)
        away, turned = misses(target, at)
        assert away < 1e-14
        assert turned < 1e-7  # the chord between two rotations
        other = pin.SE3(pin.exp3(rng.normal(size=3)), rng.normal(size=3)) * at
        assert max(misses(target, other)) > 1e-3


def test_directions_have_unit_length_and_names():
    target = Ray4D([0, 0, 0], [0, 0, -1e-200], tool_direction="x")
    np.testing.assert_array_equal(target.direction, [0, 0, -1])
    np.testing.assert_array_equal(target.tool_direction, [1, 0, 0])
    np.testing.assert_array_equal(Direction3D("-y").direction, [0, -1, 0])
    np.testing.assert_array_equal(Direction3D("-y").tool_direction, [0, 0, 1])
    np.testing.assert_array_equal(TranslationXYOrientation3D([0, 0], 0.0).tool_direction, [1, 0, 0])


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Direction3D([0, 0, 0]), InvalidValueError, "direction is zero"),
        (lambda: Direction3D("w"), InvalidValueError, "direction is 'w'"),
        (lambda: Ray4D([0, 0, 0], "x", tool_direction=[0, 0, 0]), InvalidValueError, "tool_direction is zero"),
        (lambda: Ray4D([0, 0], "x"), ShapeError, "point must have 3 entries"),
        (lambda: Ray4D([0, 0, math.inf], "x"), InvalidValueError, "point has entries that are not finite"),
        (lambda: TranslationXY2D([0, 0, 0]), ShapeError, "point must have 2 entries"),
        (lambda: TranslationLocalGlobal6D([0, math.nan, 0], [0, 0, 0]), InvalidValueError, "local has entries"),
        (lambda: TranslationZAxisAngle4D([0, 0, 0], -0.1), InvalidValueError, r"angle is -0.1 rad.*\[0, pi\]"),
        (lambda: TranslationZAxisAngle4D([0, 0, 0], 3.2), InvalidValueError, r"angle is 3.2 rad.*\[0, pi\]"),
        (lambda: TranslationXAxisAngleZNorm4D([0, 0, 0], math.nan), InvalidValueError, "angle"),
        (lambda: TranslationXYOrientation3D([0, 0], [1, 2]), ShapeError, "angle"),
        (lambda: Rotation3D(2 * np.eye(3)), InvalidPoseError, "rotation"),
        (lambda: Rotation3D([0, 0, 0, 0]), InvalidPoseError, "quaternion"),
        (lambda: Rotation3D("x"), InvalidPoseError, "matrix"),
        (lambda: Transform6D([1, 2, 3]), InvalidPoseError, "pose"),
        (lambda: Lookat3D([1, 2, 3], reference="world"), InvalidValueError, "reference must be a frame"),
        (lambda: Lookat3D.from_pose(pose(), distance=0.0), InvalidValueError, "in front"),
        (lambda: Ray4D.from_pose(np.eye(3)), InvalidPoseError, "pose"),
        (lambda: TranslationXAxisAngleZNorm4D.from_pose(pose()), InvalidValueError, "out of the plane.*to z"),
        (lambda: TranslationYAxisAngleXNorm4D.from_pose(pose(), "-x"), InvalidValueError, "out of the plane.*to x"),
        (lambda: TranslationZAxisAngleYNorm4D.from_pose(pose(), "y"), InvalidValueError, "out of the plane.*to y"),
        (lambda: TranslationXYOrientation3D.from_pose(pose(), "z"), InvalidValueError, "along z"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(make, error, words):
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize(
    ("kind", "tool", "angle"),
    [
        # Seen along the norm, from its tip: counter-clockwise from the named axis.
        (TranslationXAxisAngleZNorm4D, "y", math.pi / 2),
        (TranslationXAxisAngleZNorm4D, "-y", -math.pi / 2),
        (TranslationYAxisAngleXNorm4D, "z", math.pi / 2),
        (TranslationZAxisAngleYNorm4D, "x", math.pi / 2),
        (TranslationZAxisAngleYNorm4D, [1, 0, 1], math.pi / 4),
    ],
)
def test_sense_of_the_angle_in_a_plane(kind, tool, angle):
    assert kind.from_pose(pose(), tool).angle == pytest.approx(angle, abs=1e-15)


def test_angles_that_differ_by_whole_turns_are_the_same():
    assert TranslationXYOrientation3D([0, 0], 7.0).angle == pytest.approx(7.0 - 2 * math.pi)
    assert TranslationXAxisAngleZNorm4D([0, 0, 0], -4.0).angle == pytest.approx(2 * math.pi - 4.0)
    assert TranslationZAxisAngle4D([0, 0, 0], math.pi + 1e-12).angle == math.pi


def test_a_lookat_target_from_a_pose_is_in_front():
    at = pose([1, 0, 0], rpy=[0, math.pi / 2, 0])
    np.testing.assert_allclose(Lookat3D.from_pose(at).point, [2, 0, 0], atol=1e-15)
    np.testing.assert_allclose(Lookat3D.from_pose(at, "x", distance=0.5).point, [1, 0, -0.5], atol=1e-15)


def test_rotations_by_quaternion():
    np.testing.assert_allclose(Rotation3D(pin.Quaternion(R).coeffs()).rotation, R, atol=1e-15)


def test_reprs():
    assert repr(Ray4D([0.4, 0, 0.5], "-z")) == "Ray4D(point=[0.4, 0, 0.5], direction=[0, 0, -1])"
    table = SimpleFrame("table", None, pose())
    assert repr(Lookat3D([1, 2, 3], tool_direction="x", reference=table)) == (
        "Lookat3D(point=[1, 2, 3], tool_direction=[1, 0, 0], reference='table')"
    )
    assert repr(TranslationXYOrientation3D([1, 2], 0.5)) == "TranslationXYOrientation3D(point=[1, 2], angle=0.5)"
    assert repr(Transform6D(pose([1, 2, 3]))) == "Transform6D(pose=([1, 2, 3], [0, 0, 0, 1]))"
    assert repr(Rotation3D(np.eye(3))) == "Rotation3D(rotation=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])"


@pytest.mark.parametrize("kind", CLASSES)
def test_what_is_read_cannot_be_changed(kind, rng):
    target = fulfilled(kind, pin.SE3.Random(), rng)
    before = target.goal
    for value in kind.values:
        own = getattr(target, value.name)
        if isinstance(own, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                own[:] = 7.0
    with pytest.raises(ValueError, match="read-only"):
        target.tool_direction[:] = 7.0
    target.goal[:] = 7.0  # the packed numbers are a copy to work with
    np.testing.assert_array_equal(target.goal, before)
    with pytest.raises(AttributeError):
        target.goal = before


def test_what_was_given_can_be_changed_without_harm():
    point = np.array([1.0, 2.0, 3.0])
    target = Translation3D(point)
    point[:] = 7.0
    np.testing.assert_array_equal(target.point, [1, 2, 3])


def test_rows():
    rows = [6, 3, 3, 2, 4, 2, 5, 2, 3, 3, 5, 5, 5, 5, 5, 5]
    kinds = dict(zip(CLASSES, rows, strict=True))
    for kind, count in kinds.items():
        assert fulfilled(kind, pin.SE3.Random(), np.random.default_rng(0)).rows == count


@given(st.floats(0.0, 1.0))
def test_on_the_way_between_two(fraction):
    a, b = Ray4D([0, 0, 0], "x"), Ray4D([2, 0, 0], "y")
    between = a.with_goal(a.between(a.goal, b.goal, fraction))
    np.testing.assert_allclose(between.point, [2 * fraction, 0, 0], atol=1e-15)
    turned = fraction * math.pi / 2
    np.testing.assert_allclose(between.direction, [math.cos(turned), math.sin(turned), 0], atol=1e-15)
    opposite = a.with_goal(a.between(a.goal, Ray4D([0, 0, 0], "-x").goal, fraction))
    assert np.linalg.norm(opposite.direction) == pytest.approx(1.0, abs=1e-14)
    assert opposite.direction[0] == pytest.approx(math.cos(fraction * math.pi), abs=1e-12)
    c, d = TranslationXAxisAngleZNorm4D([0, 0, 0], 3.0), TranslationXAxisAngleZNorm4D([0, 0, 0], -3.0)
    short = 2 * math.pi - 6.0  # by way of half a turn
    assert c.between(c.goal, d.goal, fraction)[0, 0] % (2 * math.pi) == pytest.approx(3.0 + fraction * short)
    t = Transform6D(pose([0, 0, 0]))
    half = t.with_goal(t.between(t.goal, Transform6D(pose([0, 0, 1], rpy=[0, 0, 1])).goal, fraction)).pose
    assert np.arctan2(half.rotation[1, 0], half.rotation[0, 0]) == pytest.approx(fraction, abs=1e-12)
    r = Rotation3D(np.eye(3))
    np.testing.assert_allclose(r.between(r.goal, r.goal, fraction), r.goal, atol=1e-15)


def test_a_target_belongs_to_one_module(arm):
    target = Ray4D([0.4, 0, 0.5], "-z")
    assert not target.is_bound
    first, second = InverseKinematics(arm), InverseKinematics(arm)
    first.error_method = target
    assert second.solve(target)  # a call works on a copy
    with pytest.raises(InvalidValueError, match="clone"):
        second.error_method = target
    second.error_method = target.clone()
    assert first.clone().error_method.direction.tolist() == [0, 0, -1]
