"""Saving and loading: exact, and suspicious of everything else."""

import logging
import math
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.interfaces.coppelia import Dependency, Environment, JointKind, SaveFileError
from kinetree.kinematics import StructureError
from tests.interfaces.coppelia.scenes import random_environment


def scene(seed, callbacks=False):
    environment, element = random_environment(np.random.default_rng(seed), callbacks)
    group = element.group
    group.method, group.damping, group.max_iterations, group.flags = 1, 0.123, 17, 3 | 64
    element.linear_precision, element.angular_precision = 1e-5, math.inf
    element.weights = (0.5, 2.0, 1.0 / 3.0)
    environment.erase(environment.object("aside"))  # leaves a hole among the handles
    environment.add_group("empty")
    return environment


@pytest.mark.parametrize("seed", range(10))
def test_a_round_trip_is_exact(seed):
    environment = scene(seed)
    data = environment.save()
    twin = Environment.load(data)
    assert twin.save() == data
    assert [each.handle for each in twin.objects] == [each.handle for each in environment.objects]
    for ours, theirs in zip(environment.objects, twin.objects, strict=True):
        assert (ours.full_pose().homogeneous == theirs.full_pose().homogeneous).all()
    assert twin.add_dummy().handle == environment.add_dummy().handle


def test_settings_survive():
    twin = Environment.load(scene(3).save())
    group = twin.group("group")
    assert (group.method, group.damping, group.max_iterations, group.flags) == (1, 0.123, 17, 67)
    assert group.elements[0].weights == (0.5, 2.0, 1.0 / 3.0)
    assert group.elements[0].angular_precision == math.inf
    assert twin.group("empty").elements == ()


def test_limit_margins_survive():
    environment = Environment()
    environment.add_joint(JointKind.PRISMATIC).limit_margin = 0.0123456789
    assert Environment.load(environment.save()).joints[0].limit_margin == 0.0123456789


def test_functions_are_left_out_and_that_is_said(caplog):
    environment = Environment()
    master, slave = (environment.add_joint(JointKind.REVOLUTE) for _ in range(2))
    slave.dependency = Dependency(master, 2.0, 0.1, lambda *_: 0.0)
    with caplog.at_level(logging.WARNING):
        data = environment.save()
    assert "joint1" in caplog.text
    rule = Environment.load(data).joints[1].dependency
    assert (rule.multiplier, rule.offset, rule.callback) == (2.0, 0.1, None)


def test_duplicates_keep_functions_and_limit_hits():
    environment = Environment()
    master, slave = (environment.add_joint(JointKind.REVOLUTE) for _ in range(2))
    slave.dependency = Dependency(master, callback=lambda *_: 0.25)
    environment.add_group()._joint_limit_hits = {master: 0.5}
    twin = environment.duplicate()
    assert twin.joints[1].position == 0.25
    assert twin.groups[0].joint_limit_hits == {twin.joints[0]: 0.5}
    twin.joints[1].dependency = None
    assert environment.joints[1].dependency is not None


def test_loading_needs_an_empty_environment():
    data, target = scene(1).save(), Environment()
    target.load_into(data)
    assert target.save() == data
    assert all(each.environment is target for each in (*target.objects, *target.groups))
    with pytest.raises(StructureError, match="empty"):
        target.load_into(data)


def test_handles_begin_again_after_two_million_and_are_saved_so():
    environment = Environment()
    first, second = environment.add_dummy(), environment.add_dummy()
    first.erase()
    environment._next_object = 2030002
    last, following, another = (environment.add_dummy() for _ in range(3))
    assert [each.handle for each in (second, last, following, another)] == [1, 2030002, 0, 2]
    twin = Environment.load(environment.save())
    assert [each.handle for each in twin.objects] == [1, 2030002, 0, 2]
    assert twin.add_dummy().handle == 3


DATA = scene(0).save()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "mark"),
        (b"PK\x03\x04 something else", "mark"),
        (struct.pack("<ii", 1, 3) + bytes(40), "CoppeliaSim"),
        (DATA[:10], "cut off"),
        (DATA[:-1], "should have"),
        (DATA + b"x", "should have"),
        (DATA[:8] + struct.pack("<I", 9) + DATA[12:], "version 9"),
        ("text", "bytes"),
        (None, "bytes"),
    ],
)
def test_foreign_data(data, message):
    with pytest.raises(SaveFileError, match=message):
        Environment.load(data)


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_a_damaged_byte_is_noticed(place, change):
    damaged = bytearray(DATA)
    damaged[place] ^= change
    with pytest.raises(SaveFileError):
        Environment.load(bytes(damaged))


def sealed(content):
    """Content with a head and a checksum that are right."""
    head = struct.pack("<8sIQ", b"KTREE-IK", 1, len(content)) + content
    return head + struct.pack("<I", zlib.crc32(head))


def test_what_cannot_be_is_refused():
    environment = Environment()
    environment.add_joint(JointKind.SPHERICAL).weight = 3.0
    content, weight = environment.save()[20:-4], struct.pack("<d", 3.0)
    assert Environment.load(sealed(content)).save() == environment.save()
    place = content.index(weight) + 8  # that of the screw lead
    with pytest.raises(SaveFileError, match="cannot be"):
        Environment.load(sealed(content[:place] + weight + content[place + 8 :]))
    environment = Environment()
    environment.add_dummy("a"), environment.add_dummy("b")
    content, second = environment.save()[20:-4], struct.pack("<qqq", 1, 0, 1) + b"b"
    assert second in content
    with pytest.raises(SaveFileError, match="two objects have handle 0"):
        Environment.load(sealed(content.replace(second, struct.pack("<qqq", 0, 0, 1) + b"b")))
    environment = Environment()
    environment.add_joint(JointKind.PRISMATIC)
    environment.joints[0]._position = 7.0
    with pytest.raises(SaveFileError, match="between its limits"):
        Environment.load(environment.save())


@settings(max_examples=300)
@given(st.data())
def test_a_right_checksum_is_not_believed_either(data):
    content = bytearray(DATA[20:-4])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) // 8 - 1)) * 8
        number = data.draw(
            st.one_of(
                st.integers(-(2**63), 2**63 - 1).map(lambda n: struct.pack("<q", n)),
                st.integers(-2, 40).map(lambda n: struct.pack("<q", n)),
                st.floats().map(lambda x: struct.pack("<d", x)),
            )
        )
        content[place : place + 8] = number
    target = Environment()
    try:
        target.load_into(sealed(bytes(content)))
    except SaveFileError:
        assert target.is_empty
    else:
        again = target.save()
        assert Environment.load(again).save() == again
        for each in target.objects:
            assert np.isfinite(each.full_pose().homogeneous).all()
