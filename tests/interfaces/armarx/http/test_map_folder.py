"""`MapFolder`: no name leads out of it."""

import errno
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.interfaces.armarx import FailureReason, Outcome
from kinetree.interfaces.armarx.http.errors import FileRefusedError, FileTooLargeError
from kinetree.interfaces.armarx.http.map_folder import MapFolder


@pytest.mark.parametrize("name", ["a.h5", "arm_2.left-1.h5", "_x.h5", "A" * 90 + ".h5"])
def test_plain_names_are_inside(tmp_path, name):
    folder = MapFolder(tmp_path, 10, 1000)
    assert folder.to_read(name) == tmp_path / name
    assert folder.to_write(name) == tmp_path / name


@pytest.mark.parametrize(
    "name",
    [
        "", ".", "..", "../a.h5", "/etc/passwd", "/tmp/a.h5", "b/a.h5", "b\\a.h5", "C:a.h5", "~/a.h5", "~.h5",
        ".hidden.h5", "-a.h5", "a.h5\0", "a\0.h5", "a.h5\n", "a\n.h5", " a.h5", "a.h5 ", "a .h5", "a", "a.txt", ".h5",
        "a.H5", "a.h5.", "a.h5/", "a*.h5", "a|b.h5", "é.h5", "ａ.h5", "a\u202e.h5", "%2e%2e.h5", "CON.h5", "nul.x.h5",
        "com1.h5", "A" * 200 + ".h5", "file:a.h5", "http://x/a.h5", "\ud800.h5",
    ],
)  # fmt: skip
def test_other_names_are_refused(tmp_path, name):
    folder = MapFolder(tmp_path, 10, 1000)
    for ask in (folder.to_read, folder.to_write):
        with pytest.raises(FileRefusedError, match="no name of a map"):
            ask(name)


@given(st.text() | st.lists(st.sampled_from(["..", "/", "\\", ".h5", "a", "\0", "."])).map("".join))
def test_no_name_leads_out(tmp_path_factory, name):
    path = tmp_path_factory.getbasetemp()
    try:
        found = MapFolder(path, 10**6, 1000).to_read(name)
    except FileRefusedError:
        return
    assert found.parent == path
    assert os.path.normpath(found) == str(found)


def test_links_and_folders_are_refused(tmp_path):
    outside = tmp_path / "outside.h5"
    outside.write_text("secret")
    inside = tmp_path / "maps"
    inside.mkdir()
    (inside / "link.h5").symlink_to(outside)
    (inside / "dangling.h5").symlink_to(tmp_path / "nothing.h5")
    (inside / "folder.h5").mkdir()
    os.mkfifo(inside / "pipe.h5")
    folder = MapFolder(inside, 100, 1000)
    for name in ("link.h5", "dangling.h5", "folder.h5", "pipe.h5"):
        for ask in (folder.to_read, folder.to_write):
            with pytest.raises(FileRefusedError, match="no ordinary file"):
                ask(name)


def test_no_folder_refuses_all():
    with pytest.raises(FileRefusedError, match="--folder"):
        MapFolder(None, 10, 1000).to_read("a.h5")


def test_number_of_files(tmp_path):
    folder = MapFolder(tmp_path, 2, 1000)
    for name in ("a.h5", "b.h5"):
        folder.to_write(name).touch()
    assert folder.to_write("a.h5")
    assert folder.to_read("c.h5")
    with pytest.raises(FileRefusedError, match="2 files"):
        folder.to_write("c.h5")


def told(folder, detail, reason=FailureReason.FILE_DAMAGED):
    return folder.told("a.h5", Outcome(False, reason, detail))


def test_where_the_folder_is_stays_unsaid(tmp_path):
    folder = MapFolder(tmp_path, 2, 1000)
    assert told(folder, f"{tmp_path}/a.h5 is damaged, in {tmp_path}") == "a.h5 is damaged, in the folder"
    assert told(MapFolder(None, 2, 1000), "as it is") == "as it is"


@pytest.mark.parametrize(
    "detail",
    [
        "Can't close file (unable to write, file descriptor = 8)",
        "failed, buf = 0x7f32a0, total write size = 2048",
        "cannot write '.x.h5.8990c88c591e'",
        "first line\nsecond line",
        "<h5py.File object at 0x7f32a0>",
    ],
)
@pytest.mark.parametrize("reason", [FailureReason.FILE_DAMAGED, FailureReason.FILE_ERROR, FailureReason.FILE_MISMATCH])
def test_insides_of_libraries_go_to_the_log(tmp_path, caplog, detail, reason):
    folder = MapFolder(tmp_path, 2, 1000)
    assert told(folder, detail, reason) == "'a.h5' cannot be read or written: the log of the server says why"
    assert detail in caplog.text
    because = f"[Errno 28] {os.strerror(errno.ENOSPC)}: {detail}"
    assert told(folder, because, reason).endswith(f"written: {os.strerror(errno.ENOSPC)}")


def test_large_files_are_not_opened(tmp_path):
    folder = MapFolder(tmp_path, 2, 1000)
    (tmp_path / "a.h5").write_bytes(bytes(1000))
    assert folder.to_read("a.h5") == tmp_path / "a.h5"
    (tmp_path / "a.h5").write_bytes(bytes(1001))
    with pytest.raises(FileTooLargeError, match="1001 bytes, and 1000 are allowed"):
        folder.to_read("a.h5")
