"""What a library takes before its first answer."""

import subprocess
import sys

import pytest

from benchmarks import footprint
from benchmarks.options import Options
from benchmarks.peers.errors import PeerError
from benchmarks.runner import run


def test_sizes_are_of_this_environment(monkeypatch):
    monkeypatch.setattr(footprint, "python_of", lambda *_: sys.executable)
    sizes = footprint._installed("any", ("numpy",))
    assert "pip" not in sizes
    assert 10e6 < sizes["numpy"] < 300e6


def test_start_is_longer_than_a_python_that_loads_numpy(fake):
    begun = footprint._start(fake("pause"), footprint.workload("ur5", 1))
    assert 0.02 < begun[0] < 60.0
    assert begun[1] == "1.2.3"


def test_a_library_that_cannot_be_had_is_a_note(monkeypatch):
    def refuse(*_):
        raise PeerError("cannot be installed: no network")

    monkeypatch.setattr(footprint, "python_of", refuse)
    row = footprint._row(footprint.PEERS[0], 1, 0)
    assert row["note"] == "cannot be installed: no network"
    assert "size" not in row


@pytest.mark.slow
def test_ours(monkeypatch):
    monkeypatch.setattr(footprint, "_installed", lambda *_: {"numpy": 10_000_000})
    (table,) = run("footprint", Options(samples=1))
    ready, fresh = table.rows
    assert ready["library"] == "kinetree"
    assert ready["size"] > 10.0
    assert ready["start_s"] < fresh["start_s"]


def test_what_measures_is_a_program():
    done = subprocess.run([sys.executable, "-c", footprint.MEASURE], check=True, capture_output=True, text=True)
    assert '"numpy"' in done.stdout
