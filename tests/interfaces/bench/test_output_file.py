"""Whether files can be written, seen beforehand."""

import os
from pathlib import Path

import pytest

from kinetree.interfaces.bench.output_file import check_different, check_output
from kinetree.kinematics import InvalidValueError


def test_what_is_there_and_what_is_not_stay_so(tmp_path):
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text("old", encoding="utf-8")
    check_output(old, "it")
    check_output(new, "it")
    assert old.read_text(encoding="utf-8") == "old"
    assert sorted(tmp_path.iterdir()) == [old]


def test_a_link_to_nothing_stays_one(tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "later.json")
    check_output(link, "it")
    assert link.is_symlink()
    assert not (tmp_path / "later.json").exists()


def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    check_output(tmp_path / "pipe", "it")


@pytest.mark.parametrize(
    "name", ["", ".", "/proc/no_such_file.json", "/proc/version/x", "no/such/a.json", "a" * 300, "a\0"]
)
def test_what_cannot_be_written_is_refused(name):
    if name.startswith("/proc") and not Path("/proc/version").exists():
        pytest.skip("no /proc here")
    with pytest.raises(InvalidValueError):
        check_output(Path(name), "it")


def test_one_file_under_two_names_is_refused(tmp_path):
    one, hard = tmp_path / "a.svg", tmp_path / "b.svg"
    (tmp_path / "sub").mkdir()
    check_different(one, hard)
    with pytest.raises(InvalidValueError, match="same file"):
        check_different(one, tmp_path / "sub" / ".." / "a.svg")
    one.write_text("", encoding="utf-8")
    hard.hardlink_to(one)
    with pytest.raises(InvalidValueError, match="same file"):
        check_different(one, hard)
