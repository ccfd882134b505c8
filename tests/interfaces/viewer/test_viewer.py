"""The viewer from Python, without a browser."""

import subprocess
import sys

import numpy as np
import pytest
import rich

from kinetree import models
from kinetree.interfaces.viewer import MissingViewerPackageError, Viewer, ViewerError, ViewerStoppedError
from kinetree.interfaces.viewer.joint_panel import slider_range
from kinetree.kinematics import InvalidValueError, ReachabilityMap, UnknownNameError

START = [0.3, -1.6, 1.7, -1.6, -1.5, 0.2]


@pytest.fixture
def viewer(viser):
    with Viewer(models.load("ur5e"), q=START, port=0) as viewer:
        yield viewer


def test_it_listens_on_this_machine_alone_unless_asked_otherwise(viewer):
    assert viewer.url.startswith("http://127.0.0.1:")
    sockets = viewer._server.get_host()
    assert sockets == "127.0.0.1"


def test_show_and_move(viewer):
    viewer.show({"elbow_joint": 1.2})
    assert viewer.q[2] == 1.2
    assert viewer._joints.sliders[2].value == pytest.approx(1.2)
    target = viewer.session.target
    target.translation[2] += 0.1
    assert viewer.move_target(target)
    picture = viewer.session.picture()
    assert picture.frame_pose.isApprox(target, 1e-6)
    node = viewer._things._things["wrist_3_link"].node
    np.testing.assert_allclose(node.position, picture.poses["wrist_3_link"].translation)
    assert viewer._scene.gizmo_pose.isApprox(target, 1e-9)
    np.testing.assert_allclose(viewer._target.position.value, target.translation, atol=1e-6)
    assert viewer._target.typed_target().isApprox(target, 1e-4)
    assert "solved" in viewer._status.content


def test_choices(viewer):
    viewer.choose(frame="wrist_1_link", method="halley")
    assert viewer._target.frame.value == "wrist_1_link"
    assert viewer._target.method.value == "halley"
    with pytest.raises(UnknownNameError):
        viewer.choose(frame="wrist")
    viewer.choose(frame="tool0", branches=True)
    assert len(viewer._target.branch.options) == 8
    assert viewer._target.branch.value.startswith(f"{viewer.session.picture().branch + 1}: ")


def test_colours_tell_limits_and_collisions(viewer):
    parts = viewer._things._things["wrist_2_link"].parts
    own = [color for _, color in parts]
    assert [part.color for part, _ in parts] == own
    q = np.array(START)
    q[4] = viewer.session.robot.dofs[4].upper
    viewer.show(q)
    assert {part.color for part, _ in parts} == {(245, 166, 35)}
    viewer.show([0.3, -1.6, 2.7, 0.0, -1.5, 0.2])
    touching = {name for contact in viewer.session.picture().contacts for name in contact.pair}
    assert touching
    for name in touching:
        assert {part.color for part, _ in viewer._things._things[name].parts} == {(224, 45, 45)}
    viewer.show(START)
    assert [part.color for part, _ in parts] == own


def test_a_path_is_played(viewer):
    rows = np.array([START, np.add(START, 0.1), np.add(START, 0.3)])
    viewer.play(rows, duration=0.2)
    np.testing.assert_allclose(viewer.q, rows[-1])
    assert viewer._path.place.value == pytest.approx(1.0)
    viewer._path.place.value = 0.5
    viewer._path._go()
    np.testing.assert_allclose(viewer.q, rows[1])


def test_a_map_is_shown(viser):
    robot = models.load("panda")
    made = ReachabilityMap.create(
        robot.tip.chain(), step_translation=0.2, step_rotation=1.0, samples=20_000, progress=False
    )
    with Viewer(robot, reachability=made, port=0) as viewer:
        panel = viewer._reach
        assert panel.map is made
        assert not panel.place.disabled
        assert panel.place.min < 0.0 < panel.place.max
        np.testing.assert_allclose(viewer._scene._slice.position[1], 0.0, atol=1e-9)
        panel.place.value = 0.25
        panel.draw()
        np.testing.assert_allclose(viewer._scene._slice.position[1], 0.25, atol=1e-9)


def test_obstacles_are_drawn_where_they_are(viser):
    from kinetree.kinematics import Box, CollisionDetector

    robot = models.load("ur5e")
    detector = CollisionDetector(robot)
    detector.add("table", Box(1.0, 1.0, 0.1), ([0.5, 0.0, -0.3], [0, 0, 0, 1]))
    detector.attach("tool", Box(0.05, 0.05, 0.1), "tool0", ([0.0, 0.0, 0.05], [0, 0, 0, 1]))
    with Viewer(robot, detector=detector, q=START, port=0) as viewer:
        things = viewer._things._things
        np.testing.assert_allclose(things["table"].node.position, [0.5, 0.0, -0.3])
        assert viewer._things.lowest(viewer.session.picture().poses) == pytest.approx(-0.35)  # the ground is below it
        tip = viewer.session.picture().frame_pose
        np.testing.assert_allclose(things["tool"].node.position, tip.act(np.array([0.0, 0.0, 0.05])), atol=1e-9)
        detector.move("table", ([0.5, 0.0, -0.4], [0, 0, 0, 1]))
        viewer.refresh()
        np.testing.assert_allclose(things["table"].node.position, [0.5, 0.0, -0.4])


def test_a_stopped_viewer(viser, capfd):
    viewer = Viewer(models.load("planar3"), port=0)
    viewer.stop()
    viewer.stop()
    assert viewer.is_stopped
    assert repr(viewer) == "<Viewer of 'planar3': stopped>"
    with pytest.raises(ViewerStoppedError, match="planar3"):
        viewer.show()
    viewer.wait()  # returns
    assert capfd.readouterr().out == ""  # the library does not print
    assert not rich.get_console().quiet  # others may


def test_what_is_refused():
    for port in (-1, 70000, "80", True):
        with pytest.raises(InvalidValueError, match="port"):
            Viewer(models.load("planar3"), port=port)
    for host in (None, 8080, b"127.0.0.1", ["127.0.0.1"]):
        with pytest.raises(InvalidValueError, match="host must be a text"):
            Viewer(models.load("planar3"), host=host)
    for host in ("no such host", "a\0b", "é" * 80, ""):
        with pytest.raises(ViewerError):
            Viewer(models.load("planar3"), host=host, port=0)


def test_without_viser(monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingViewerPackageError, match=r"kinetree\[view\]"):
        Viewer(models.load("planar3"))


def test_viser_is_imported_late():
    code = "import sys, kinetree.interfaces.viewer, kinetree.interfaces.cli; sys.exit('viser' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_ranges_of_sliders():
    robot = models.load("planar3")
    dof = robot.dofs[0]
    for limits, expected in [
        ((-1.0, 2.0), (-1.0, 2.0)),
        ((-np.inf, np.inf), (-np.pi, np.pi)),
        ((1.0, np.inf), (1.0, 1.0 + np.pi)),
        ((-np.inf, 1.0), (1.0 - np.pi, 1.0)),
    ]:
        dof.limits = limits
        assert slider_range(dof) == pytest.approx(expected)
