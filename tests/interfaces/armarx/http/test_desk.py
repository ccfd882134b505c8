"""`Desk`, through a real server: whatever happens below, there is a clean answer, and then others are answered."""

import errno
import os
import shutil

import httpx
import pytest

from kinetree.interfaces.armarx import FailureReason, Outcome
from kinetree.interfaces.armarx.http import HttpServer, Limits, RobotIKClient, ServerSettings
from kinetree.kinematics import KinetreeError

POSE = {"position": [0.4, 0.1, 0.4]}
QUESTIONS = {
    "compute_ik_global_pose": {"node_set": "arm", "pose": POSE},
    "compute_com_ik": {"node_set": "arm", "descriptor": {"gx": 0, "gy": 0}},
    "create_reachability_space": {"node_set": "arm"},
    "save_reachability_space": {"node_set": "arm", "filename": "a.h5"},
    "load_reachability_space": {"filename": "a.h5"},
    "is_pose_reachable": {"node_set": "arm", "pose": POSE},
}
SECRET = "<Space object at 0x7f32a0c1>"


@pytest.fixture(scope="module")
def place(tmp_path_factory, make_shared_service):
    """A server with a folder, and the service whose operations the tests replace."""
    folder = tmp_path_factory.mktemp("desk") / "maps"
    folder.mkdir()
    service = make_shared_service()
    settings = ServerSettings(folder=folder, limits=Limits(solve_seconds=5.0, map_seconds=5.0, file_bytes=100_000))
    with HttpServer(service, settings, port=0) as server, RobotIKClient(server.url) as client:
        yield server, service, client, folder


class StrangeError(BaseException):
    """What is not even an `Exception`."""


@pytest.mark.parametrize("operation", QUESTIONS)
@pytest.mark.parametrize(
    "error",
    [
        ValueError(SECRET), KeyError(SECRET), TypeError(SECRET), AttributeError(SECRET), OSError(8, SECRET),
        RecursionError(SECRET), MemoryError(SECRET), FloatingPointError(SECRET), StopIteration(SECRET),
        KinetreeError(SECRET), SystemExit(3), KeyboardInterrupt(), GeneratorExit(), StrangeError(SECRET),
    ],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_errors_below_end_in_an_answer(place, monkeypatch, operation, error):
    server, service, client, _ = place

    def fail(*_, **__):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(service.explained, operation, fail)
        answer = httpx.post(f"{server.url}/v1/{operation}", json=QUESTIONS[operation], trust_env=False, timeout=20)
    assert "0x" not in answer.text
    assert "object" not in answer.text
    if operation.startswith(("save", "load")) and isinstance(error, OSError):
        assert (answer.status_code, answer.json()["reason"]) == (200, "file error")
    else:
        assert answer.status_code == 500
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["reason"] == "internal_error"
    # The node set is as usable as before, and so are the threads.
    assert client.explained.has_reachability_space("arm").reason is FailureReason.NO_REACHABILITY_SPACE
    assert client.explained.load_reachability_space("none.h5").reason is FailureReason.FILE_NOT_FOUND


@pytest.mark.parametrize("operation", ["save_reachability_space", "load_reachability_space"])
def test_what_is_told_of_a_full_disk(place, monkeypatch, operation):
    server, service, _, folder = place
    detail = (
        f"[Errno 28] Can't close file (file write failed: errno = 28, error message = '{os.strerror(errno.ENOSPC)}', "
        f"filename = '{folder}/.a.h5.8990c88c591e', file descriptor = 8, buf = 0x7f32a0)"
    )
    monkeypatch.setattr(service.explained, operation, lambda *_: Outcome(False, FailureReason.FILE_ERROR, detail))
    answer = httpx.post(f"{server.url}/v1/{operation}", json=QUESTIONS[operation], trust_env=False).json()
    assert answer["reason"] == "file error"
    assert answer["detail"] == f"'a.h5' cannot be read or written: {os.strerror(errno.ENOSPC)}"


def test_large_files_are_not_opened(place):
    *_, client, folder = place
    (folder / "large.h5").write_bytes(bytes(100_001))
    outcome = client.explained.load_reachability_space("large.h5")
    (folder / "large.h5").unlink()
    assert outcome.reason is FailureReason.TOO_LARGE
    assert "100001 bytes" in outcome.detail


@pytest.mark.parametrize("is_file", [False, True])
def test_a_folder_that_is_gone(place, is_file):
    _, _, client, folder = place
    assert client.create_reachability_space("arm", "panda_link0", 0.3, samples=1000)
    shutil.rmtree(folder)
    if is_file:
        folder.write_text("")
    try:
        for outcome in (
            client.explained.save_reachability_space("arm", "a.h5"),
            client.explained.load_reachability_space("a.h5"),
        ):
            assert outcome.value is False
            assert outcome.reason in (FailureReason.FILE_ERROR, FailureReason.FILE_NOT_FOUND)
            assert str(folder) not in outcome.detail
    finally:
        folder.unlink(missing_ok=True)
        folder.mkdir()
    assert client.save_reachability_space("arm", "a.h5")
