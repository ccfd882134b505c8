import pytest

from kinetree.solvers import IkType, target_class
from kinetree.solvers.targets import TARGET_CLASSES
from kinetree.solvers.targets.ik_type import VELOCITY_BIT, is_velocity
from tests.solvers.targets.samples import CLASSES

#: As generated code returns them.
NUMBERS = {
    "Transform6D": 0x67000001,
    "Rotation3D": 0x34000002,
    "Translation3D": 0x33000003,
    "Direction3D": 0x23000004,
    "Ray4D": 0x46000005,
    "Lookat3D": 0x23000006,
    "TranslationDirection5D": 0x56000007,
    "TranslationXY2D": 0x22000008,
    "TranslationXYOrientation3D": 0x33000009,
    "TranslationLocalGlobal6D": 0x3600000A,
    "TranslationXAxisAngle4D": 0x4400000B,
    "TranslationYAxisAngle4D": 0x4400000C,
    "TranslationZAxisAngle4D": 0x4400000D,
    "TranslationXAxisAngleZNorm4D": 0x4400000E,
    "TranslationYAxisAngleXNorm4D": 0x4400000F,
    "TranslationZAxisAngleYNorm4D": 0x44000010,
}


def test_there_are_sixteen_and_the_unknown():
    assert len(IkType) == 17
    assert [each.index for each in IkType] == list(range(17))
    assert list(NUMBERS) == [kind.__name__ for kind in CLASSES] == [kind.__name__ for kind in TARGET_CLASSES.values()]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name):
    own = IkType.from_id(NUMBERS[name])
    assert own.class_name == name
    assert own.id == own == NUMBERS[name]
    assert TARGET_CLASSES[own].__name__ == name
    assert TARGET_CLASSES[own].ik_type is own
    assert not is_velocity(own.id)
    assert is_velocity(own.velocity_id)
    assert own.velocity_id == NUMBERS[name] | VELOCITY_BIT
    assert IkType.from_id(own.velocity_id) is own


def test_what_the_numbers_say():
    assert (IkType.TRANSFORM_6D.degrees_of_freedom, IkType.TRANSFORM_6D.num_values) == (6, 7)
    assert (IkType.RAY_4D.degrees_of_freedom, IkType.RAY_4D.num_values) == (4, 6)
    assert (IkType.LOOKAT_3D.degrees_of_freedom, IkType.LOOKAT_3D.num_values) == (2, 3)
    local = IkType.TRANSLATION_LOCAL_GLOBAL_6D
    assert (local.degrees_of_freedom, local.num_values) == (3, 6)


@pytest.mark.parametrize("number", [0, -1, 0x34000001, 0x67000002, 17, 1 << 40])
def test_unknown_numbers(number):
    assert IkType.from_id(number) is IkType.UNKNOWN


def test_the_unknown():
    assert IkType.UNKNOWN.id == IkType.UNKNOWN.velocity_id == 0
    assert IkType.UNKNOWN.class_name == "Unknown"
    assert IkType.UNKNOWN not in TARGET_CLASSES


@pytest.mark.parametrize("name", ["Ray4D", "ray4d", "ray_4d", "RAY_4D", "ray-4d", " Ray 4D"])
def test_names_however_they_are_written(name):
    assert target_class(name).__name__ == "Ray4D"


def test_every_name_is_found():
    for own, kind in TARGET_CLASSES.items():
        assert target_class(own.name) is target_class(kind.__name__.lower()) is kind


def test_a_wrong_name_lists_what_there_is():
    with pytest.raises(KeyError, match="did you mean 'Lookat3D'") as caught:
        target_class("look_at")
    assert all(kind.__name__ in str(caught.value) for kind in CLASSES)
