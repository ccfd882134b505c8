"""Maps that are sampled while other things go on, and maps of files."""

import threading

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.viewer.background_map import BackgroundMap, read_map
from kinetree.kinematics import KinetreeError, ReachabilityMap


class Heard:
    def __init__(self):
        self.parts, self.maps, self.failures, self.ended = [], [], [], threading.Event()

    def background(self):
        return BackgroundMap(self.parts.append, self._done, self._failed)

    def _done(self, made):
        self.maps.append(made)
        self.ended.set()

    def _failed(self, error):
        self.failures.append(error)
        self.ended.set()


def test_a_map_is_the_one_of_the_library_though_the_robot_moves():
    robot, heard = models.load("planar3"), Heard()
    work = heard.background()
    work.start(robot.tip, 30_000, step=0.2, turn=1.0)
    robot.positions = [0.5, 0.5, 0.5]
    assert heard.ended.wait(60.0)
    assert not heard.failures
    (made,) = heard.maps
    made.check()
    expected = ReachabilityMap.create(
        models.load("planar3").tip.chain(), step_translation=0.2, step_rotation=1.0, samples=30_000, progress=False
    )
    np.testing.assert_array_equal(made.values, expected.values)
    assert heard.parts[-1] == pytest.approx(1.0)


def test_a_map_that_was_given_up_is_never_heard_of_again():
    robot, heard = models.load("planar3"), Heard()
    work = heard.background()
    work.start(robot.tip, 10**10, step=0.2, turn=1.0)
    assert work.is_running
    work.cancel()
    work._thread.join(60.0)
    assert not work.is_running
    assert not heard.maps
    assert not heard.failures


def test_what_cannot_be_sampled_is_told():
    robot, heard = models.load("planar3"), Heard()
    heard.background().start(robot.tip, 1000, step=-1.0)
    assert heard.ended.wait(60.0)
    assert isinstance(heard.failures[0], KinetreeError)


def test_a_map_of_a_file_is_of_the_robot(tmp_path):
    robot, path = models.load("planar3"), tmp_path / "map.h5"
    ReachabilityMap.create(
        robot.tip.chain(), step_translation=0.3, step_rotation=1.0, samples=5000, progress=False
    ).save(path)
    found = read_map(path, robot)
    assert found.node_set is not None
    assert found.node_set.skeleton is not robot  # it does not go stale when the robot moves
    with pytest.raises(KinetreeError, match="panda"):
        read_map(path, models.load("panda"))
    with pytest.raises(FileNotFoundError):
        read_map(tmp_path / "missing.h5", robot)
