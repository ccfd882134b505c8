"""`ServerAddress`: what is an address, and what is none."""

import pytest

from kinetree.interfaces.armarx.http.server_address import ServerAddress
from kinetree.kinematics import InvalidValueError


@pytest.mark.parametrize(
    ("url", "parts", "header"),
    [
        ("http://127.0.0.1:8000", ("http", "127.0.0.1", 8000, ""), "127.0.0.1:8000"),
        ("https://Robot.lab/", ("https", "robot.lab", None, ""), "robot.lab"),
        ("http://[::1]:80//", ("http", "::1", 80, ""), "[::1]:80"),
        ("http://robot/a/b/", ("http", "robot", None, "/a/b"), "robot"),
        ("http://é.example:9", ("http", "xn--9ca.example", 9, ""), "xn--9ca.example:9"),
    ],
)
def test_addresses(url, parts, header):
    address = ServerAddress.of(url)
    assert (address.scheme, address.host, address.port, address.path) == parts
    assert address.url == url.rstrip("/")
    assert address.host_header == header


@pytest.mark.parametrize(
    "url",
    [
        "", None, 5, "127.0.0.1:80", "ftp://host", "http://", "http://a/?b=c", "http://a#b", "http://127.0.0.1:abc",
        "http://127.0.0.1:99999", "http://127.0.0.1:-1", "http://[::1", "http://a..b", "http://" + "a" * 300,
        "http://" + "é" * 80, "http://x\ny", "http://127.0.0.1:9/\0", "http://127.0.0.1:9/a b", "http://\ud800",
        "http://a/é", "http://a\t",
    ],
)  # fmt: skip
def test_what_is_none(url):
    with pytest.raises(InvalidValueError, match=r"127\.0\.0\.1:8000"):
        ServerAddress.of(url)


@pytest.mark.parametrize("url", ["http://me:secret@127.0.0.1:9", "ftp://me:secret@host", "http://me:secret@[::1"])
def test_passwords_are_not_repeated(url):
    with pytest.raises(InvalidValueError) as caught:
        ServerAddress.of(url)
    assert "secret" not in str(caught.value)
