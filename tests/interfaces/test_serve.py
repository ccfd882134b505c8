"""``kinetree serve``: the command as a process of its own, asked by the client, and stopped as Ctrl-C does."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kinetree.interfaces.armarx.http import RobotIKClient, UnauthorizedError
from kinetree.kinematics import pose

TOKEN = "a-token-of-the-tests"


@pytest.fixture
def serve(tmp_path):
    """``serve(words)``: the process and its address, once it answers; ``serve.told`` is what it said until then."""
    started = []

    def call(*words, **environment):
        process = subprocess.Popen(
            [sys.executable, "-m", "kinetree.interfaces.cli", "serve", *words, "--port", "0"],
            cwd=tmp_path, env=os.environ | environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        started.append(process)
        lines = []
        for line in process.stdout:
            lines.append(line)
            call.told = "".join(lines)
            if found := re.search(r" on (http://\S+) ", line):
                return process, found[1]
        raise AssertionError("".join(lines) + process.stderr.read())

    yield call
    for process in started:
        process.kill()
        process.communicate()


SRDF = """<robot name="two_link">
  <group name="all"><chain base_link="base" tip_link="tool0"/></group>
</robot>
"""


def test_a_server_is_asked_and_stops(serve, two_link, tmp_path):
    (tmp_path / "two_link.srdf").write_text(SRDF)
    (tmp_path / "maps").mkdir()
    (tmp_path / "token").write_text(TOKEN + "\n")
    words = ["--units", "mm", "--srdf", "two_link.srdf", "--folder", "maps", "--token-file", "token"]
    process, url = serve(two_link, *words, "--max-cells", "100000", "--max-samples", "50000")
    with RobotIKClient(url, TOKEN) as client:
        assert client.units == "mm"
        assert set(client.node_sets) == {"all"}
        found = client.compute_ik_global_pose("all", pose((1200.0, 300.0, 0.0)), "x|y")
        assert set(found) == {"shoulder", "elbow"}
        assert not client.create_reachability_space("all", samples=50_001)
        assert not client.create_reachability_space("all", "base", step_translation=1.0, samples=1000)
        assert "memory" in client.last_outcome.detail
        assert client.create_reachability_space("all", "base", 300.0, step_rotation=3.0, samples=50_000)
        assert client.save_reachability_space("all", "all.h5")
    assert (tmp_path / "maps" / "all.h5").is_file()
    with RobotIKClient(url) as stranger, pytest.raises(UnauthorizedError):
        _ = stranger.units
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert out.endswith("stopped\n")
    assert "Traceback" not in err
    assert TOKEN not in out + err


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_a_long_map(serve, tmp_path):
    process, url = serve("panda", "--max-samples", "1000000000")
    with RobotIKClient(url, map_timeout=1.0) as client:
        joints = [f"panda_joint{k}" for k in range(1, 8)]
        assert client.define_robot_node_set("arm", joints, "panda_hand", "panda_link0")
        with pytest.raises(ConnectionError, match="in time"):
            client.create_reachability_space("arm", "panda_link0", 0.1, samples=1_000_000_000)
        assert client.units == "m"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert out == "stopped\n"
    assert "Traceback" not in err


def test_the_token_may_come_from_the_environment(run, monkeypatch):
    monkeypatch.setenv("KINETREE_TOKEN", "short")
    done = run("serve", "panda", "--port", "0")
    assert done.status == 2
    assert "16 or more" in done.err


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["pandaa"], "did you mean 'panda'"),
        (["panda", "--host", "0.0.0.0"], "needs a token"),
        (["panda", "--host", "0.0.0.0", "--allowed-host", "robot.local"], "needs a token"),
        (["panda", "--units", "ft"], "'m' or 'mm'"),
        (["panda", "--folder", "nowhere"], "must exist"),
        (["panda", "--token-file", "nowhere"], "nowhere"),
        (["panda", "--srdf", "nowhere"], "nowhere"),
        (["panda", "--time-limit", "0"], "--time-limit"),
        (["panda", "--host", "robot.invalid", "--token-file", "TOKEN"], "cannot listen on 'robot.invalid'"),
    ],
)
def test_wrong_use(run, tmp_path, monkeypatch, words, what):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KINETREE_TOKEN", raising=False)
    (tmp_path / "TOKEN").write_text(TOKEN)
    done = run("serve", *words)
    assert done.status == 2
    assert what in done.err


@pytest.mark.parametrize("content", [b"a-token-of-the-tests\xff", b"a" * 10_000, b"private private private", b""])
def test_a_file_that_holds_no_token(run, tmp_path, monkeypatch, content):
    monkeypatch.delenv("KINETREE_TOKEN", raising=False)
    (tmp_path / "token").write_bytes(content)
    done = run("serve", "panda", "--port", "0", "--token-file", str(tmp_path / "token"))
    assert done.status == 2
    assert "token" in done.err
    assert "private" not in done.err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no file that never ends")
def test_a_file_that_never_ends(run):
    assert run("serve", "panda", "--port", "0", "--token-file", "/dev/zero").status == 2


@pytest.mark.parametrize("host", ["é" * 80, "a..b", "a" * 300, "-", "", "[::1", "\udcff"])
def test_hosts_that_are_none(run, monkeypatch, host):
    monkeypatch.setenv("KINETREE_TOKEN", TOKEN)
    done = run("serve", "panda", "--port", "0", "--host", host)
    assert done.status == 2
    assert "cannot listen" in done.err or "host" in done.err


def test_a_missing_package(run, monkeypatch):
    monkeypatch.setattr("kinetree.interfaces.armarx.http.packages.find_spec", lambda name: None)
    done = run("serve", "panda", "--port", "0")
    assert done.status == 2
    assert "pip install 'kinetree[serve]'" in done.err


def test_the_node_sets_are_told_and_can_be_asked_at_once(serve, two_link, tmp_path):
    _, url = serve("panda", "--units", "mm")
    assert "node set 'default': 7 joints, 'panda_link0' to 'panda_hand'\n" in serve.told
    with RobotIKClient(url) as client:
        assert client.compute_ik_global_pose("default", pose((400.0, 100.0, 500.0), quaternion=(1, 0, 0, 0)))
    (tmp_path / "two_link.srdf").write_text(SRDF)
    serve(two_link, "--srdf", "two_link.srdf")
    assert "node set 'all': 3 joints" in serve.told
    assert "'default'" not in serve.told
