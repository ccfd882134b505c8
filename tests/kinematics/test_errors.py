"""Exceptions derive from the built-ins that they stand for, and unknown names come with suggestions."""

import pickle

import pytest

from kinetree.kinematics import (
    DependencyCycleError,
    DuplicateNameError,
    InvalidPoseError,
    InvalidValueError,
    KinetreeError,
    ShapeError,
    StructureError,
    UnknownNameError,
    unknown_name,
)


@pytest.mark.parametrize(
    ("error", "built_in"),
    [
        (InvalidPoseError, ValueError),
        (ShapeError, ValueError),
        (InvalidValueError, ValueError),
        (DuplicateNameError, ValueError),
        (StructureError, ValueError),
        (DependencyCycleError, StructureError),
        (UnknownNameError, KeyError),
    ],
)
def test_each_derives_from_ours_and_from_the_built_in(error, built_in):
    assert issubclass(error, KinetreeError)
    assert issubclass(error, built_in)
    assert str(error("what is wrong")) == "what is wrong"
    assert str(pickle.loads(pickle.dumps(error("what is wrong")))) == "what is wrong"


def test_an_unknown_name_is_readable_even_when_empty():
    assert str(UnknownNameError()) == ""


@pytest.mark.parametrize(
    ("asked", "suggested"),
    [("tool", "tool0"), ("TOOL0", "tool0"), ("panda_hnd", "panda_hand"), ("PandaHand", "panda_hand")],
)
def test_a_close_name_is_suggested(asked, suggested):
    error = unknown_name("frame", asked, ["base", "tool0", "panda_hand"], "skeleton 'arm'")
    assert str(error).startswith(f"skeleton 'arm' has no frame {asked!r}; did you mean ")
    assert repr(suggested) in str(error)


def test_several_close_names_are_all_suggested():
    message = str(unknown_name("joint", "joint", ["joint_1", "joint_2"], "it"))
    assert "'joint_1' or 'joint_2'?" in message or "'joint_2' or 'joint_1'?" in message


def test_without_a_close_name_all_are_listed():
    assert str(unknown_name("joint", "zzz", ["a", "b"], "it")) == "it has no joint 'zzz'; there are: a, b"


def test_a_long_list_is_cut():
    message = str(unknown_name("joint", "zzz", [f"name{k}" for k in range(30)], "it"))
    assert message.endswith("name11, ...")


def test_nothing_to_suggest():
    assert str(unknown_name("link", "a", [], "skeleton 's'")) == "skeleton 's' has no link 'a'; there are none"


@pytest.mark.parametrize("asked", [None, 3, ("a",), [1]])
def test_a_name_that_is_no_text_is_shown(asked):
    assert repr(asked) in str(unknown_name("link", asked, ["a"], "it"))
