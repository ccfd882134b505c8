"""Whatever goes wrong with the file of a reachability space is an outcome, without what only we can make sense of."""

import os
import re

import pytest

from kinetree.interfaces.armarx import FailureReason, RobotIK
from kinetree.kinematics import ReachabilityMap
from tests.interfaces.armarx.services import ARM, panda_service


@pytest.fixture(scope="module")
def service():
    made = panda_service("mm")
    assert made.create_reachability_space("arm", "panda_link0", 200.0, 0.8, samples=1000)
    return made


def checked(outcome, reason):
    assert outcome.value is False
    assert outcome.reason is reason, outcome
    assert outcome.detail
    assert "0x" not in outcome.detail
    assert not re.search(r"\.[0-9a-f]{12}\b", outcome.detail)  # the file that would have taken the place of the other
    assert len(outcome.detail) < 500
    return outcome.detail


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a/" * 3000, FailureReason.FILE_ERROR),
        ("a" * 3000, FailureReason.FILE_ERROR),
        ("/proc/x.h5", FailureReason.FILE_ERROR),
        ("/dev/null", FailureReason.FILE_ERROR),
        (".", FailureReason.FILE_ERROR),
        ("", FailureReason.FILE_REFUSED),
        ("a\0b", FailureReason.FILE_REFUSED),
        ("\ud800", FailureReason.FILE_REFUSED),
    ],
)
def test_where_nothing_can_be_written(service, name, reason):
    checked(service.explained.save_reachability_space("arm", name), reason)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a/" * 3000, FailureReason.FILE_ERROR),
        ("/proc/x.h5", FailureReason.FILE_NOT_FOUND),
        ("/dev/null", FailureReason.FILE_ERROR),
        ("/dev/zero", FailureReason.FILE_ERROR),
        ("\ud800", FailureReason.FILE_REFUSED),
    ],
)
def test_where_nothing_can_be_read(service, name, reason):
    checked(service.explained.load_reachability_space(name), reason)


def test_a_pipe_is_neither_waited_for_nor_replaced(service, tmp_path):
    pipe = tmp_path / "map.h5"
    os.mkfifo(pipe)
    checked(service.explained.load_reachability_space(str(pipe)), FailureReason.FILE_ERROR)
    checked(service.explained.save_reachability_space("arm", str(pipe)), FailureReason.FILE_ERROR)
    assert pipe.is_fifo()


@pytest.mark.parametrize("raised", [
    ValueError("embedded null byte"), RuntimeError("object at 0x7f00 is closed"), UnicodeError("half a character"),
    OSError("cannot open '/somewhere/.map.h5.0123456789ab' at 0x7F2EC0FDDFC0"),
])  # fmt: skip
def test_no_failure_of_a_file_gets_through(service, raised, tmp_path, monkeypatch):
    def fails(*_, **__):
        raise raised

    monkeypatch.setattr(ReachabilityMap, "save", fails)
    monkeypatch.setattr(ReachabilityMap, "load", fails)
    file = str(tmp_path / "map.h5")
    assert "map.h5" in checked(service.explained.save_reachability_space("arm", file), FailureReason.FILE_ERROR)
    assert "map.h5" in checked(service.explained.load_reachability_space(file), FailureReason.FILE_ERROR)


def test_a_file_larger_than_what_a_service_may_take_is_refused(service, tmp_path):
    file = str(tmp_path / "map.h5")
    assert service.save_reachability_space("arm", file)
    small = panda_service(max_memory=1000)
    checked(small.explained.load_reachability_space(file), FailureReason.TOO_LARGE)
    assert panda_service(max_memory=10**8).load_reachability_space(file)


@pytest.mark.parametrize("name", ["\0", "a\0b", "\ud800"])
def test_names_that_no_file_can_hold_are_no_names_of_node_sets(name):
    service = panda_service()
    outcome = service.explained.define_robot_node_set(name, ARM, "panda_hand", "panda_link0")
    checked(outcome, FailureReason.INVALID_INPUT)
    assert name not in service.node_sets


def test_a_set_of_such_a_name_that_the_robot_brings_along_is_not_saved(tmp_path):
    robot = panda_service().skeleton
    robot.define_node_set("\ud800", ARM, "panda_hand")
    service = RobotIK(robot)
    assert service.create_reachability_space("\ud800", "panda_link0", 0.2, 0.8, samples=1000)
    checked(service.explained.save_reachability_space("\ud800", str(tmp_path / "map.h5")), FailureReason.FILE_ERROR)
    assert not list(tmp_path.iterdir())
