"""`ServerSettings` and `Limits`: what makes no safe server is refused."""

import pytest

from kinetree.interfaces.armarx.http import Limits, ServerSettings
from kinetree.interfaces.armarx.http.server_settings import is_loopback
from kinetree.kinematics import InvalidValueError


def test_defaults():
    settings = ServerSettings()
    assert settings.allowed_hosts == ("localhost", "127.0.0.1", "[::1]")
    assert settings.token is settings.folder is None
    assert settings.limits == Limits()


@pytest.mark.parametrize("token", ["", "short", "fifteen-letters", "with a space in it", "é" * 20, "line\nbreak" * 3])
def test_weak_tokens(token):
    with pytest.raises(InvalidValueError, match="token_urlsafe"):
        ServerSettings(token=token)


def test_a_token_is_not_shown():
    assert "secret" not in repr(ServerSettings(token="a-secret-of-sixteen"))


def test_any_host_needs_a_token():
    with pytest.raises(InvalidValueError, match="needs a token"):
        ServerSettings(allowed_hosts=None)
    assert ServerSettings(token="a" * 16, allowed_hosts=None).allowed_hosts is None


def test_the_folder(tmp_path):
    with pytest.raises(InvalidValueError, match="must exist"):
        ServerSettings(folder=tmp_path / "none")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert ServerSettings(folder=tmp_path / "link").folder == (tmp_path / "real").resolve()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True),
        ("0.0.0.0", False), ("::", False), ("", False), ("192.168.1.5", False), ("robot.local", False),
        ("localhost.evil.org", False), ("127.0.0.1.evil.org", False),
    ],
)  # fmt: skip
def test_loopback(host, expected):
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"threads": 0},
        {"samples": -1},
        {"body_seconds": 0},
        {"map_seconds": float("inf")},
        {"maps": 1.5},
        {"files": True},
    ],
)
def test_limits(wrong):
    with pytest.raises(InvalidValueError, match=next(iter(wrong))):
        Limits(**wrong)
    assert Limits(waiting=0).waiting == 0
