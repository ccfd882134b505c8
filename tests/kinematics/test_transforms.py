"""Every accepted form of a pose, every refused one, and rotations up to half a turn."""

import math
from fractions import Fraction

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import (
    InvalidPoseError,
    InvalidValueError,
    KinetreeError,
    ShapeError,
    as_axis,
    as_pose,
    as_vector,
    pose,
    rotation_angle,
    rotation_from_rpy,
    rotation_vector,
    rpy_from_rotation,
)
from tests.kinematics.random_trees import normalised, random_pose, random_rotation, seeds
from tests.kinematics.reference import assert_same_pose, homogeneous, rodrigues

IDENTITY = np.eye(4)
TURNED = pose((0.1, -0.2, 0.3), rpy=(0.4, -0.5, 0.6))


def with_entry(matrix, row, column, value):
    changed = np.array(matrix, dtype=object)
    changed[row, column] = value
    return changed


def quaternion(rotation):
    return pin.Quaternion(rotation).coeffs()


FORMS = {
    "SE3": lambda p: p,
    "4x4": lambda p: p.homogeneous,
    "4x4 in Fortran order": lambda p: np.asfortranarray(p.homogeneous),
    "4x4 list": lambda p: p.homogeneous.tolist(),
    "4x4 view": lambda p: np.kron(p.homogeneous, np.ones((2, 2)))[::2, ::2],
    "pair": lambda p: (p.translation, quaternion(p.rotation)),
    "pair as a list": lambda p: [p.translation.tolist(), quaternion(p.rotation).tolist()],
    "pair, negative quaternion": lambda p: (p.translation, -quaternion(p.rotation)),
    "pair, long quaternion": lambda p: (p.translation, 1e6 * quaternion(p.rotation)),
    "pair, short quaternion": lambda p: (p.translation, 1e-9 * quaternion(p.rotation)),
    "pair, huge quaternion": lambda p: (p.translation, 1e300 * quaternion(p.rotation)),
    "pair, tiny quaternion": lambda p: (p.translation, 1e-290 * quaternion(p.rotation)),
    "7 numbers": lambda p: np.concatenate([p.translation, quaternion(p.rotation)]),
    "7 numbers as a tuple": lambda p: (*p.translation.tolist(), *quaternion(p.rotation).tolist()),
}


@pytest.mark.parametrize("form", FORMS)
@given(seed=seeds)
def test_every_form_of_a_pose_round_trips(form, seed):
    wanted = random_pose(np.random.default_rng(seed), 10.0)
    assert_same_pose(as_pose(FORMS[form](wanted)), wanted, 4e-15)


def test_half_turns_round_trip_in_every_form():
    rng = np.random.default_rng(0)
    for _ in range(20):
        rotation = rodrigues(normalised(rng.normal(size=3)), math.pi)
        for form in FORMS.values():
            assert_same_pose(as_pose(form(pin.SE3(rotation, np.ones(3)))), homogeneous(rotation, np.ones(3)), 1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, bool, object])
def test_other_number_types_are_read(dtype):
    assert_same_pose(as_pose(IDENTITY.astype(dtype)), IDENTITY, 0.0)
    assert_same_pose(as_pose(np.array([0, 0, 0, 0, 0, 0, 1]).astype(dtype)), IDENTITY, 0.0)


def test_fractions_and_ints_are_numbers():
    found = as_pose([Fraction(1, 2), 2, 3.0, 0, 0, 0, 1])
    np.testing.assert_array_equal(found.translation, [0.5, 2.0, 3.0])


@pytest.mark.parametrize("form", FORMS)
def test_the_argument_is_neither_changed_nor_kept(form):
    value = FORMS[form](pin.SE3(TURNED))
    kept = repr(value)
    found = as_pose(value)
    assert found is not value
    found.translation = np.array([7.0, 8.0, 9.0])
    found.rotation = np.eye(3)
    assert repr(value) == kept
    for array in (value,) if isinstance(value, np.ndarray) else ():
        again = as_pose(array)
        array += 1.0
        assert_same_pose(again, TURNED, 1e-14)


def test_a_rotation_within_the_tolerance_is_made_exact():
    rng = np.random.default_rng(1)
    for size in (1e-7, 1e-9, 1e-12, 1e-15):
        matrix = TURNED.homogeneous
        matrix[:3, :3] += size * rng.uniform(-1.0, 1.0, (3, 3))
        matrix[3] += 0.5 * size
        rotation = as_pose(matrix).rotation
        assert np.abs(rotation @ rotation.T - np.eye(3)).max() < 2e-15
        assert np.abs(rotation - TURNED.rotation).max() < 2.0 * size + 1e-15
        assert np.linalg.det(rotation) > 0.0


def test_an_exact_rotation_is_not_touched():
    np.testing.assert_array_equal(as_pose(TURNED.homogeneous).rotation, TURNED.rotation)


def test_far_and_near_positions_are_kept():
    for size in (1e308, 1e150, 1e-150, 1e-310):
        position = np.array([size, -size, size])
        for value in ((position, [0, 0, 0, 1]), pin.SE3(np.eye(3), position), [*position, 0, 0, 0, 1]):
            np.testing.assert_array_equal(as_pose(value).translation, position)


NOT_POSES = {
    "nan in a matrix": with_entry(IDENTITY, 0, 3, math.nan).astype(float),
    "inf in a matrix": with_entry(IDENTITY, 1, 1, math.inf).astype(float),
    "-inf in a position": ([0.0, 0.0, -math.inf], [0, 0, 0, 1]),
    "nan in a quaternion": ([0, 0, 0], [0, 0, math.nan, 1]),
    "inf in 7 numbers": [0, math.inf, 0, 0, 0, 0, 1],
    "SE3 with nan": pin.SE3(np.eye(3), np.array([0.0, math.nan, 0.0])),
    "SE3 with inf in the rotation": pin.SE3(np.diag([1.0, math.inf, 1.0]), np.zeros(3)),
    "SE3 that is no rotation": pin.SE3(2.0 * np.eye(3), np.zeros(3)),
    "scaled rotation": np.diag([1.1, 1.1, 1.1, 1.0]),
    "just beyond the tolerance": np.diag([1.0 + 2e-6, 1.0, 1.0, 1.0]),
    "shear": with_entry(IDENTITY, 0, 1, 0.5).astype(float),
    "reflection": np.diag([1.0, 1.0, -1.0, 1.0]),
    "point reflection": np.diag([-1.0, -1.0, -1.0, 1.0]),
    "zero matrix": np.zeros((4, 4)),
    "zero rotation": np.diag([0.0, 0.0, 0.0, 1.0]),
    "huge rotation": with_entry(IDENTITY, 0, 0, 1e200).astype(float),
    "huge rotation whose product cancels": np.block(
        [[np.array([[1e200, 1e200], [1e200, -1e200]]), np.zeros((2, 2))], [np.zeros((2, 2)), np.eye(2)]]
    ),
    "projective row": with_entry(IDENTITY, 3, 0, 0.1).astype(float),
    "scale in the last entry": np.diag([1.0, 1.0, 1.0, 2.0]),
    "transposed, position in the last row": homogeneous(np.eye(3), np.ones(3)).T,
    "zero quaternion": ([0, 0, 0], [0, 0, 0, 0]),
    "zero quaternion in 7 numbers": [0, 0, 0, 0, 0, 0, 0],
    "all zero": np.zeros(7),
    "position only": [0.1, 0.2, 0.3],
    "six numbers": [0.0] * 6,
    "eight numbers": [0.0] * 8,
    "3x3": np.eye(3),
    "3x4": np.eye(4)[:3],
    "stack of matrices": np.eye(4)[None],
    "stack of 7 numbers": np.array([[0, 0, 0, 0, 0, 0, 1.0]]),
    "empty": [],
    "empty pair": ([], []),
    "ragged": [[1, 2, 3], [0, 0]],
    "pair with a short quaternion": ([0, 0, 0], [0, 0, 1]),
    "pair with a rotation matrix": ([0, 0, 0], np.eye(3)),
    "pair the wrong way round": ([0, 0, 0, 1], [0, 0, 0]),
    "number": 3.0,
    "text": "panda_hand",
    "bytes": b"1234567",
    "texts of numbers": list("0000001"),
    "pair of texts": ("here", "there"),
    "pair of texts of numbers": (["0", "0", "0"], ["0", "0", "0", "1"]),
    "None": None,
    "Nones": [None] * 7,
    "pair of Nones": (None, None),
    "mapping": {"position": [0, 0, 0]},
    "set": {1, 2},
    "object": object(),
    "objects": [object()] * 7,
    "complex": np.array([0, 0, 0, 0, 0, 0, 1 + 1j]),
    "dates": np.zeros(7, dtype="datetime64[s]"),
    "integer beyond floats": [10**400, 0, 0, 0, 0, 0, 1],
    "integer beyond floats in a pair": ([10**400, 0, 0], [0, 0, 0, 1]),
    "integer beyond floats in a matrix": with_entry(IDENTITY, 0, 3, 10**400),
    "class": np.ndarray,
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("what", NOT_POSES)
def test_what_is_no_pose_is_refused_by_name(what):
    with pytest.raises(InvalidPoseError, match="grasp") as raised:
        as_pose(NOT_POSES[what], "grasp")
    assert isinstance(raised.value, KinetreeError)
    assert isinstance(raised.value, ValueError)
    assert len(str(raised.value)) < 400


def test_a_position_alone_gets_advice():
    with pytest.raises(InvalidPoseError, match=r"pose\(position\)"):
        as_pose([1, 2, 3])


def test_the_message_says_what_would_be_right():
    with pytest.raises(InvalidPoseError, match="quaternion xyzw"):
        as_pose("home")
    with pytest.raises(InvalidPoseError, match="a reflection"):
        as_pose(np.diag([1.0, 1.0, -1.0, 1.0]))
    with pytest.raises(InvalidPoseError, match=r"off by 2\.1e-01"):
        as_pose(np.diag([1.1, 1.0, 1.0, 1.0]))


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.complex_numbers(),
        lambda inner: st.lists(inner, max_size=8) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_any_value_is_a_pose_or_a_typed_error(value):
    try:
        found = as_pose(value)
    except InvalidPoseError:
        return
    assert np.isfinite(found.homogeneous).all()
    assert np.abs(found.rotation @ found.rotation.T - np.eye(3)).max() < 1e-14


class TestPose:
    def test_nothing_is_the_identity(self):
        assert_same_pose(pose(), IDENTITY, 0.0)

    @given(seed=seeds)
    def test_every_rotation_argument_says_the_same(self, seed):
        wanted = random_pose(np.random.default_rng(seed))
        roll, pitch, yaw = rpy_from_rotation(wanted.rotation)
        for arguments in (
            {"quaternion": quaternion(wanted.rotation)},
            {"matrix": wanted.rotation},
            {"rpy": (roll, pitch, yaw)},
            {"rpy": np.rad2deg([roll, pitch, yaw]), "degrees": True},
        ):
            assert_same_pose(pose(wanted.translation, **arguments), wanted, 1e-12)

    def test_two_rotations_are_refused(self):
        with pytest.raises(InvalidPoseError, match="not several"):
            pose(rpy=(0, 0, 0), quaternion=(0, 0, 0, 1))

    @pytest.mark.parametrize(
        "arguments",
        [
            {"position": (1, 2)},
            {"position": (math.nan, 0, 0)},
            {"position": "abc"},
            {"quaternion": (0, 0, 0, 0)},
            {"quaternion": (0, 0, 1)},
            {"rpy": (0, 0)},
            {"rpy": (0, 0, math.inf)},
            {"matrix": np.eye(4)},
            {"matrix": -np.eye(3)},
            {"matrix": 2.0 * np.eye(3)},
        ],
    )
    def test_wrong_arguments_are_refused(self, arguments):
        with pytest.raises(InvalidPoseError):
            pose(**arguments)


class TestRotations:
    @given(roll=st.floats(-10, 10), pitch=st.floats(-10, 10), yaw=st.floats(-10, 10))
    def test_rpy_is_about_fixed_axes(self, roll, pitch, yaw):
        x, y, z = np.eye(3)
        wanted = rodrigues(z, yaw) @ rodrigues(y, pitch) @ rodrigues(x, roll)
        found = rotation_from_rpy(roll, pitch, yaw)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-14)
        np.testing.assert_allclose(rotation_from_rpy(*rpy_from_rotation(found)), found, rtol=0, atol=1e-7)

    @pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
    def test_rpy_at_its_singularity(self, pitch):
        found = rotation_from_rpy(0.3, pitch, 0.7)
        np.testing.assert_allclose(rotation_from_rpy(*rpy_from_rotation(found)), found, rtol=0, atol=1e-7)

    @pytest.mark.parametrize(
        "angle",
        [
            0.0,
            1e-300,
            1e-12,
            1e-8,
            1e-4,
            1.0,
            3.0,
            math.pi - 5e-3,
            math.pi - 1e-3,
            math.pi - 1e-6,
            math.pi - 1e-9,
            math.pi - 1e-12,
        ],
    )
    def test_vector_and_angle_are_true_from_nothing_to_half_a_turn(self, angle):
        rng = np.random.default_rng(3)
        for axis in [*np.eye(3), *-np.eye(3), *(normalised(rng.normal(size=3)) for _ in range(20))]:
            rotation = rodrigues(axis, angle)
            found = rotation_vector(rotation)
            np.testing.assert_allclose(found, angle * axis, rtol=0, atol=1e-14)
            assert rotation_angle(rotation) == pytest.approx(angle, rel=1e-12, abs=1e-15)

    def test_half_a_turn_exactly(self):
        rng = np.random.default_rng(4)
        for axis in [*np.eye(3), *(normalised(rng.normal(size=3)) for _ in range(50))]:
            rotation = 2.0 * np.outer(axis, axis) - np.eye(3)
            assert rotation_angle(rotation) == pytest.approx(math.pi, abs=1e-14)
            found = rotation_vector(rotation)
            assert np.linalg.norm(found) == pytest.approx(math.pi, abs=1e-12)
            assert abs(found @ axis) == pytest.approx(math.pi, abs=1e-12)

    @given(seed=seeds)
    def test_vector_inverts_the_exponential(self, seed):
        rotation = random_rotation(np.random.default_rng(seed))
        vector = rotation_vector(rotation)
        angle = np.linalg.norm(vector)
        np.testing.assert_allclose(rodrigues(vector / angle, angle), rotation, rtol=0, atol=4e-15)
        assert rotation_angle(rotation) == pytest.approx(angle, abs=4e-15)


class TestAsVector:
    def test_gives_a_new_array_of_floats(self):
        value = np.arange(3.0)
        found = as_vector(value, 3, "v")
        assert found.dtype == float
        found[0] = 9.0
        assert value[0] == 0.0
        np.testing.assert_array_equal(as_vector((1, 2), 2, "v"), [1.0, 2.0])

    @pytest.mark.parametrize("value", [1.0, [], [1], [1, 2, 3], [[1, 2]], [[1], [2]], np.zeros((2, 1)), "1"])
    def test_another_shape_is_never_broadcast(self, value):
        with pytest.raises((ShapeError, InvalidValueError), match="speeds"):
            as_vector(value, 2, "speeds")

    def test_the_shape_is_named(self):
        with pytest.raises(ShapeError, match=r"speeds must have 2 entries; it has shape \(3,\)"):
            as_vector([1, 2, 3], 2, "speeds")

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize(
        "value",
        [
            [math.nan, 0],
            [0, math.inf],
            ["1", "2"],
            [None, 1],
            [object(), 1],
            [1j, 0],
            np.array([1j, 0]),
            {},
            [10**400, 0],
        ],
    )
    def test_what_is_no_finite_number_is_refused(self, value):
        with pytest.raises(InvalidValueError, match="speeds"):
            as_vector(value, 2, "speeds")


class TestAsAxis:
    @pytest.mark.parametrize(
        ("name", "wanted"),
        [("x", (1, 0, 0)), ("-y", (0, -1, 0)), ("+z", (0, 0, 1)), ("Z", (0, 0, 1)), ("-X", (-1, 0, 0))],
    )
    def test_names(self, name, wanted):
        np.testing.assert_array_equal(as_axis(name), wanted)

    @given(seed=seeds, exponent=st.floats(-300, 300))
    def test_any_length_gives_the_same_direction(self, seed, exponent):
        direction = normalised(np.random.default_rng(seed).normal(size=3))
        np.testing.assert_allclose(as_axis(10.0**exponent * direction), direction, rtol=0, atol=1e-15)

    def test_the_smallest_and_the_largest_numbers(self):
        np.testing.assert_array_equal(as_axis([0, 5e-324, 0]), [0, 1, 0])
        np.testing.assert_array_equal(as_axis([-1.7e308, 0, 0]), [-1, 0, 0])
        np.testing.assert_allclose(as_axis([1.7e308] * 3), [3**-0.5] * 3, rtol=1e-15)
        np.testing.assert_array_equal(as_axis([1e-200, 0, 1e200]), [0, 0, 1])

    def test_a_letter_gives_a_new_array_each_time(self):
        first = as_axis("x")
        first[0] = 5.0
        np.testing.assert_array_equal(as_axis("x"), [1, 0, 0])

    @pytest.mark.parametrize(
        "value", ["w", "", "xy", "--x", [0, 0, 0], [-0.0, 0, 0], [0, math.nan, 1], [math.inf, 0, 0]]
    )
    def test_what_is_no_direction_is_refused(self, value):
        with pytest.raises(InvalidValueError, match="axis of joint 'elbow'"):
            as_axis(value, "axis of joint 'elbow'")

    @pytest.mark.parametrize("value", [[1, 0], [1, 0, 0, 0], 1.0, None])
    def test_another_shape_is_refused(self, value):
        with pytest.raises(KinetreeError, match="hinge"):
            as_axis(value, "hinge")
