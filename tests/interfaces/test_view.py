"""``kinetree view``."""

import os
import signal
import subprocess
import sys
import urllib.request

import pytest

SCENE = """
[[obstacle]]
name = "table"
position = [0.6, 0.0, -0.2]
kind = "box"
size = [0.5, 0.5, 0.1]
"""


@pytest.fixture
def start():
    """``start("view panda ...")`` in a process of its own; gives it and its first line."""
    pytest.importorskip("viser", reason="viser is not installed")
    running = []

    def call(*words):
        command = [sys.executable, "-m", "kinetree.interfaces.cli", *words]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        running.append(process)
        return process, process.stdout.readline()

    yield call
    for process in running:
        process.kill()
        process.communicate()


def test_it_serves_a_page_until_it_is_interrupted(start):
    process, line = start("view", "planar3", "--port", "0", "--at", "joint1=30", "--degrees")
    assert line.startswith("planar3 is shown at http://127.0.0.1:")
    url = line.split()[4].rstrip(";")
    with urllib.request.urlopen(url, timeout=30) as answer:
        assert answer.status == 200
        assert b"<html" in answer.read()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert (out, err) == ("", "")


def test_whoever_is_let_in_from_elsewhere_is_told_of(start):
    process, line = start("view", "planar3", "--port", "0", "--host", "0.0.0.0")
    assert "http://localhost:" in line
    assert "over the network" in process.stderr.readline()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("pandaa",), "panda"),
        (("panda", "--frame", "hand"), "'hand'"),
        (("panda", "--method", "newton"), "newton"),
        (("panda", "--at", "1 2"), "--at"),
        (("panda", "--reachability", "missing.h5"), "missing.h5"),
        (("panda", "--scene", "missing.toml"), "missing.toml"),
        (("planar3", "--host", "192.0.2.1"), "192.0.2.1"),
    ],
)
def test_wrong_use(run, words, told):
    done = run("view", *words)
    assert done.status == 2
    assert told in done.err


def test_a_scene_is_shown(run, tmp_path, monkeypatch):
    viewer = pytest.importorskip("kinetree.interfaces.viewer")
    pytest.importorskip("viser", reason="viser is not installed")
    shown = []

    def look(self):
        shown.append((self.session.detector.obstacles["table"], self._things._things["table"]))
        self.stop()

    monkeypatch.setattr(viewer.Viewer, "wait", look)
    path = tmp_path / "cell.toml"
    path.write_text(SCENE, encoding="utf-8")
    done = run("view", "ur5e", "--scene", str(path), "--port", "0")
    assert done.status == 0, done.err
    ((obstacle, drawn),) = shown
    assert tuple(drawn.node.position) == tuple(obstacle.placement.translation) == (0.6, 0.0, -0.2)
