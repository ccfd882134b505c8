"""Every argument of every routine with what it must not be: an answer of false, a message, and nothing changed."""

import math
import tomllib
from pathlib import Path

import pytest

from kinetree.interfaces.coppelia import routines as ik
from kinetree.interfaces.coppelia.save_file import packed
from tests.interfaces.coppelia.routines.arguments import HANDLES, fails
from tests.interfaces.coppelia.routines.calls import RIGHT, WRONG
from tests.interfaces.coppelia.routines.scenes import planar_arm

ROUTINES = tomllib.loads((Path(__file__).parent / "routines.toml").read_text(encoding="utf-8"))


@pytest.fixture
def scene():
    """Environment 1 with more objects than environment 0, where the arm is and everything happens."""
    handles = planar_arm()
    handles["ball"] = ik.ikCreateJoint("ball", ik.ik_jointtype_spherical).jointHandle
    handles["erased"] = ik.ikCreateDummy("erased").dummyHandle
    ik.ikEraseObject(handles["erased"])
    handles["gone group"] = ik.ikCreateGroup("gone").ikGroupHandle
    ik.ikEraseGroup(handles["gone group"])
    home = ik.present_handle()
    ik.ikCreateEnvironment()
    for _ in range(41):
        handles["foreign"] = ik.ikCreateDummy().dummyHandle
    ik.ikSwitchEnvironment(home)
    return handles


def everything():
    """All that could change."""
    environments = ik.session().environments
    return ik.present_handle(), {handle: packed(each) for handle, each in environments.items()}


def right_arguments(name, handles):
    """Strings stand for handles, texts are in tuples."""

    def value(each):
        if isinstance(each, str):
            return handles[each]
        if isinstance(each, tuple):
            return each[0]
        if isinstance(each, list) and each and isinstance(each[0], str):
            return [handles[one] for one in each]
        return each

    return [value(each) for each in RIGHT[name]]


def check_failure(name, arguments):
    """Calls a routine that must fail; returns what it says."""
    ik.ikGetLastError()
    before = everything()
    answer = getattr(ik, name)(*arguments)
    first = answer[0] if isinstance(answer, tuple) else answer
    assert first is False or first is None or (type(first) is int and first == -1), f"{answer} for {arguments}"
    assert everything() == before
    message = ik.ikGetLastError()
    assert message.startswith(f"{name}: ")
    return message


def wrong_values():
    for name, arguments in RIGHT.items():
        for place, argument in enumerate(ROUTINES[name]["in"]):
            if argument not in HANDLES:
                for value in WRONG.get(f"{name} {argument}", WRONG.get(argument, ())):
                    yield pytest.param(name, place, value, id=f"{name}-{argument}-{str(value)[:20]!r}")
        assert len(arguments) == len(ROUTINES[name]["in"])


def test_everything_is_looked_at():
    arguments = {each for routine in ROUTINES.values() for each in routine["in"]}
    assert RIGHT.keys() == ROUTINES.keys() - {"ikGetLastError", "ikReleaseBuffer"}
    named = {each.split()[-1] for each in WRONG} | {"cb", "position", "lead", "maxStepSize", "maxSearchTimeInMs"}
    assert arguments <= HANDLES.keys() | named | {"buffer"}


@pytest.mark.parametrize("name", sorted(RIGHT.keys() - {"ikLoad"}))
def test_right_arguments_are_right(scene, name):
    answer = getattr(ik, name)(*right_arguments(name, scene))
    assert (answer[0] if isinstance(answer, tuple) else answer) not in (False, None, -1), ik.ikGetLastError()


@pytest.mark.parametrize(("name", "place", "value"), list(wrong_values()))
def test_wrong_values(scene, name, place, value):
    arguments = right_arguments(name, scene)
    arguments[place] = value
    check_failure(name, arguments)


WRONG_HANDLES = {
    "unknown": (77, "77"),
    "negative": (-7, "-7"),
    "huge": (2**70, str(2**70)),
    "none": (None, "None"),
    "float": (1.0, "1.0"),
    "true": (True, "True"),
    "nan": (math.nan, "nan"),
    "text": ("tip", "'tip'"),
}


@pytest.mark.parametrize("kind", WRONG_HANDLES)
@pytest.mark.parametrize(
    ("name", "place"),
    [(name, k) for name in RIGHT for k, each in enumerate(ROUTINES[name]["in"]) if each in HANDLES],
)
def test_wrong_handles(scene, name, place, kind):
    value, words = WRONG_HANDLES[kind]
    arguments = right_arguments(name, scene)
    arguments[place] = value
    message = check_failure(name, arguments)
    assert ROUTINES[name]["in"][place] in message
    assert words in message


def objects_wanted():
    for name in RIGHT:
        for place, argument in enumerate(ROUTINES[name]["in"]):
            if HANDLES.get(argument, "group") not in ("group", "element"):
                yield name, place, HANDLES[argument]


@pytest.mark.parametrize(("name", "place", "wanted"), list(objects_wanted()))
def test_handles_of_something_else(scene, name, place, wanted):
    others = [
        ("erased", "was erased from environment 0"),
        ("foreign", "in environment 1"),
        ("group", "is group 'arm' (handle 2030003)"),
    ]
    others += [("tip", "is dummy 'tip' (handle 4), which is no joint")] if wanted == "joint" else []
    others += [("joint1", "is joint 'joint1' (handle 1), which is no dummy")] if wanted == "dummy" else []
    for other, words in others:
        arguments = right_arguments(name, scene)
        arguments[place] = scene[other]
        message = check_failure(name, arguments)
        assert f"handle {scene[other]}" in message
        assert words in message


@pytest.mark.parametrize("name", [name for name in RIGHT if "ikGroupHandle" in ROUTINES[name]["in"]])
def test_handles_of_other_groups_and_elements(scene, name):
    for value, words in ((scene["gone group"], "of a group that was erased"), (scene["tip"], "is dummy 'tip'")):
        arguments = right_arguments(name, scene)
        arguments[0] = value
        assert words in check_failure(name, arguments)
    if "ikElementHandle" in ROUTINES[name]["in"]:
        for value, words in (
            (scene["target"] | ik.ik_handleflag_tipdummy, "no element with tip dummy 'target'"),
            (scene["joint1"] | ik.ik_handleflag_tipdummy, "which is no dummy"),
            (99 | ik.ik_handleflag_tipdummy, "no object with handle 99"),
        ):
            arguments = right_arguments(name, scene)
            arguments[1] = value
            assert words in check_failure(name, arguments)


@pytest.mark.parametrize("name", sorted(RIGHT.keys() - {"ikCreateEnvironment", "ikSwitchEnvironment"}))
def test_no_environment(scene, name):
    arguments = right_arguments(name, scene)
    ik.use(ik.Session())
    assert "there is no present environment" in check_failure(name, arguments)


@pytest.mark.parametrize("create", [lambda name: ik.ikCreateDummy(name), lambda name: ik.ikCreateJoint(name, 10)])
@pytest.mark.parametrize("name", ["tip", "joint1"])
def test_names_used_twice(scene, create, name):
    before = everything()
    assert not create(name).success
    assert f"'{name}'" in ik.ikGetLastError()
    assert everything() == before


@pytest.mark.parametrize("keep", [True, False])
def test_circles_of_parents(scene, keep):
    message = check_failure("ikSetObjectParent", [scene["joint1"], scene["tip"], keep])
    assert "joint 'joint1' (handle 1)" in message
    assert "dummy 'tip' (handle 4)" in message
    check_failure("ikSetObjectParent", [scene["joint1"], scene["joint1"], keep])


def test_circles_of_dependences(scene):
    first, second, third = (scene[f"joint{k}"] for k in (1, 2, 3))
    assert ik.ikSetJointDependency(second, first)
    assert ik.ikSetJointDependency(third, second)
    message = check_failure("ikSetJointDependency", [first, third])
    assert "joint 'joint1' (handle 1)" in message
    assert "joint 'joint3' (handle 3)" in message
    check_failure("ikSetJointDependency", [first, first])
    assert "follows joint 'joint1'" in check_failure("ikSetJointPosition", [second, 0.1])


def test_callbacks_that_raise_are_told_of(scene, caplog):
    assert ik.ikSetJointDependency(scene["joint2"], scene["joint1"], 0.0, 1.0, fails)
    for name, arguments in (
        ("ikGetJointPosition", [scene["joint2"]]),
        ("ikGetObjectMatrix", [scene["tip"], -1]),
        ("ikSetObjectParent", [scene["target"], scene["tip"], True]),
        ("ikEraseObject", [scene["joint2"]]),
        ("ikHandleGroups", [[scene["group"]]]),
        ("ikFindConfig", [scene["group"], 1, [scene["joint1"]], 0.5, 1]),
    ):
        message = check_failure(name, arguments)
        assert "joint 'joint2' (handle 2)" in message
        assert "ZeroDivisionError: on purpose" in message
    assert "in fails" in caplog.text  # the traceback
    assert ik.ikSetJointDependency(scene["joint2"], -1)
    assert ik.ikGetJointPosition(scene["joint2"]).position == 0.3


def test_damaged_content_leaves_the_environment_untouched(scene):
    saved = ik.ikSave()
    assert "must be empty" in check_failure("ikLoad", [saved.data])
    ik.ikCreateEnvironment()
    for data, length, words in (
        (saved.data[:-1], None, "bytes"),
        (saved.data, saved.dataLength - 1, "bytes"),
        (saved.data[:50] + b"\xff" + saved.data[51:], None, "checksum"),
        (b"\x01\0\0\0\x03\0\0\0" + bytes(60), None, "CoppeliaSim"),
    ):
        assert words in check_failure("ikLoad", [data, length])
    assert ik.ikLoad(saved.data + b"more", saved.dataLength)
    assert ik.ikSave() == saved
