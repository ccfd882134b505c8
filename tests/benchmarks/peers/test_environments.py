"""Environments of peers: made once, made again when half made, and a failure is said in words. No network."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.peers import environments
from benchmarks.peers.catalog import CLOSED_FORM_PEERS, PEERS, names
from benchmarks.peers.environments import environments_directory, python_of
from benchmarks.peers.errors import PeerError


@pytest.fixture
def commands(monkeypatch, tmp_path):
    """Makes links to this Python instead of environments, and only notes what would be installed."""
    noted = []

    def create(folder, with_pip):
        assert with_pip
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").symlink_to(sys.executable)

    monkeypatch.setenv("KINETREE_BENCH_DIR", str(tmp_path))
    monkeypatch.setattr(environments.venv, "create", create)
    monkeypatch.setattr(environments.subprocess, "run", lambda command, **_: noted.append(command))
    return noted


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_made_once(commands, tmp_path):
    python = python_of("some-peer", ["some-peer", "numpy"])
    assert tmp_path in python.parents
    assert commands[0][-2:] == ["some-peer", "numpy"]
    assert python_of("some-peer", ["some-peer", "numpy"]) == python
    assert len(commands) == 1
    assert python_of("some-peer", ["some-peer>1", "numpy"]) != python


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_made_again_when_half_made(commands, monkeypatch):
    def fail(command, **_):
        raise subprocess.CalledProcessError(1, command, stderr="WARNING: old\nERROR: no such thing\nnotice")

    with monkeypatch.context() as patched:
        patched.setattr(environments.subprocess, "run", fail)
        with pytest.raises(PeerError, match=r"^cannot be installed: ERROR: no such thing$"):
            python_of("some-peer", ["some-peer"])
    python_of("some-peer", ["some-peer"])
    assert len(commands) == 1


def test_where_they_are(monkeypatch, tmp_path):
    monkeypatch.setenv("KINETREE_BENCH_DIR", str(tmp_path))
    assert environments_directory() == tmp_path
    monkeypatch.delenv("KINETREE_BENCH_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert environments_directory().parent == tmp_path


def test_a_peer_that_cannot_be_started(fake, tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.peers.catalog.python_of", lambda *_: Path(tmp_path / "nothing"))
    with pytest.raises(PeerError, match=r"^cannot be started: "):
        PEERS[0].start()


def test_every_peer_has_an_adapter():
    assert len({peer.name for peer in PEERS}) == len(PEERS) == 14
    assert len(names()) == 19
    for peer in (*PEERS, *CLOSED_FORM_PEERS):
        assert peer.adapter.is_file()
        assert "class Adapter" in peer.adapter.read_text(encoding="utf-8")
        assert peer.requirements
        assert peer.name in peer.requirements
