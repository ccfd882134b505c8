import os
import stat

import pytest

from kinetree.kinematics import KinetreeError, NotAFileError
from kinetree.kinematics.whole_file import whole_file


def left_in(folder):
    return sorted(each.name for each in folder.iterdir())


def test_the_file_appears_when_the_block_ends(tmp_path):
    with whole_file(tmp_path / "a.txt") as beside:
        beside.write_text("new")
        assert left_in(tmp_path) == [beside.name]
    assert (tmp_path / "a.txt").read_text() == "new"
    assert left_in(tmp_path) == ["a.txt"]


def test_what_was_there_stays_when_the_block_raises(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), whole_file(path) as beside:
        beside.write_text("new \ud800", encoding="utf-8")
    assert path.read_text() == "old"
    assert left_in(tmp_path) == ["a.txt"]


def test_permissions_stay(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    with whole_file(path) as beside:
        beside.write_text("new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_one(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "a.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    with whole_file(link) as beside:
        beside.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def made_folder(path):
    path.mkdir()


@pytest.mark.parametrize(("make", "kind"), [(os.mkfifo, "pipe"), (made_folder, "folder")])
def test_what_is_no_file_is_left_alone(make, kind, tmp_path):
    path = tmp_path / "a"
    make(path)
    before = path.stat()
    with pytest.raises(NotAFileError, match=f"a' is a {kind}") as caught, whole_file(path):
        raise AssertionError("nothing should be written")
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, KinetreeError)
    assert path.stat().st_ino == before.st_ino
    assert left_in(tmp_path) == ["a"]


def test_a_device_behind_a_link_is_left_alone(tmp_path):
    link = tmp_path / "a"
    link.symlink_to(os.devnull)
    with pytest.raises(NotAFileError, match="device"), whole_file(link):
        raise AssertionError("nothing should be written")


def test_a_long_name_can_be_written(tmp_path):
    path = tmp_path / ("a" * 250)
    with whole_file(path) as beside:
        beside.write_text("new")
    assert path.read_text() == "new"
