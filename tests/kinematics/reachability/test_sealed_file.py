"""Seals: whatever is done to a file is noticed before HDF5 sees it."""

import os
import re

import h5py
import numpy as np
import pytest

from kinetree.kinematics import DamagedMapError, KinetreeError, NotAFileError, ReachabilityMap
from kinetree.kinematics.reachability import MapTooLargeError
from kinetree.kinematics.reachability.sealed_file import HEADER
from tests.kinematics.reachability.arms import slider, small_map


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("maps") / "slider.h5"
    small_map(slider(), samples=1000, step_translation=0.5, step_rotation=2.0).save(path)
    return path


@pytest.fixture
def no_hdf5(monkeypatch):
    """HDF5 may not be asked: with damaged files it hangs or crashes."""

    class HDF5WasAsked(BaseException):  # no Exception: nothing may catch it
        pass

    def refuse(*_, **__):
        raise HDF5WasAsked

    monkeypatch.setattr(h5py, "File", refuse)


def test_a_sealed_file_is_hdf5_and_says_what_it_is(saved):
    with h5py.File(saved) as file:
        assert file.userblock_size == HEADER
        assert file["values"][()].any()
    lines = saved.read_bytes()[:HEADER].rstrip(b"\0").decode().splitlines()
    assert lines[:2] == ["kinetree reachability map", "version 2"]
    assert re.fullmatch("[0-9a-f]{64}", lines[3].removeprefix("sha256 "))


def test_every_changed_byte_is_noticed_without_hdf5(saved, tmp_path, no_hdf5):
    whole = saved.read_bytes()
    rng = np.random.default_rng(0)
    places = [*range(HEADER + 64), *rng.integers(HEADER, len(whole), size=500), len(whole) - 1]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "bad.h5").write_bytes(damaged)
        with pytest.raises(DamagedMapError, match=r"bad\.h5"):
            ReachabilityMap.load(tmp_path / "bad.h5")


@pytest.mark.parametrize("length", [0, 1, 30, 511, 512, 513, -1])
def test_a_file_that_was_cut_off_is_noticed(saved, tmp_path, length, no_hdf5):
    (tmp_path / "cut.h5").write_bytes(saved.read_bytes()[:length])
    with pytest.raises(DamagedMapError, match=r"cut\.h5"):
        ReachabilityMap.load(tmp_path / "cut.h5")


def test_more_bytes_than_there_were_are_noticed(saved, tmp_path, no_hdf5):
    (tmp_path / "long.h5").write_bytes(saved.read_bytes() + b"\0")
    with pytest.raises(DamagedMapError, match="incomplete or was changed"):
        ReachabilityMap.load(tmp_path / "long.h5")


def test_other_versions_are_told(saved, tmp_path, no_hdf5):
    (tmp_path / "new.h5").write_bytes(saved.read_bytes().replace(b"version 2\n", b"version 7\n", 1))
    with pytest.raises(DamagedMapError, match=r"version 7.*reads version 2.*anew"):
        ReachabilityMap.load(tmp_path / "new.h5")


def test_what_an_older_kinetree_wrote_has_to_be_made_anew(tmp_path):
    with h5py.File(tmp_path / "old.h5", "w") as file:  # version 1 had no seal
        file.attrs["format"], file.attrs["version"] = "kinetree reachability map", 1
    with pytest.raises(DamagedMapError, match=r"version 2.*made anew"):
        ReachabilityMap.load(tmp_path / "old.h5")


def test_what_is_no_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.h5")
    for path in (tmp_path, tmp_path / "pipe.h5"):
        with pytest.raises(NotAFileError, match="no file") as caught:
            ReachabilityMap.load(path)
        assert isinstance(caught.value, KinetreeError)


def test_a_file_that_is_longer_than_a_map_may_be_is_not_read(saved, tmp_path, no_hdf5):
    length = 50_000_000
    header = saved.read_bytes()[:HEADER]
    header = re.sub(rb"bytes \d+\n", b"bytes %d\n" % length, header)
    with (tmp_path / "long.h5").open("wb") as stream:
        stream.write(header.rstrip(b"\0").ljust(HEADER, b"\0"))
        stream.truncate(HEADER + length)
    with pytest.raises(MapTooLargeError, match="max_memory"):
        ReachabilityMap.load(tmp_path / "long.h5", max_memory=1_000_000)


def test_the_home_folder_is_known(saved, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    made = ReachabilityMap.load(saved)
    made.save("~/map.h5")
    np.testing.assert_array_equal(ReachabilityMap.load("~/map.h5").values, made.values)
