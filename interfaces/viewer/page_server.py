"""Starting and stopping viser's server without a word on the terminal."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Any

from ...kinematics import InvalidValueError
from .errors import MissingViewerPackageError, ViewerError


def start_server(host: str, port: int, label: str) -> Any:
    """A ``viser.ViserServer``.

    Raises:
        MissingViewerPackageError: It is not installed.
        ViewerError: The host is no address of this machine.
        InvalidValueError: The host is no text.
    """
    try:
        import viser
    except ImportError:
        raise MissingViewerPackageError(
            "robots are drawn in the browser with viser; install it with: pip install 'kinetree[view]'"
        ) from None
    _check_host(host)
    with _quiet():
        server = viser.ViserServer(host=host, port=port, label=label, verbose=False)
    # Its logo and its button are for sending scenes to a public server.
    server.gui.configure_theme(control_width="large", show_logo=False, show_share_button=False)
    server.gui.main_panel.dock_right()
    return server


def stop_server(server: Any) -> None:
    """Stops it."""
    with _quiet():
        server.stop()


def _check_host(host: str) -> None:
    """Where viser cannot listen it would wait for ever."""
    if not isinstance(host, str):
        raise InvalidValueError(f"host must be a text such as '127.0.0.1', not {host!r}")
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, number) as trial:
            trial.bind(address)
    except (OSError, ValueError) as error:
        raise ViewerError(
            f"the viewer cannot listen at {host!r} ({error}); 127.0.0.1 is this machine alone, 0.0.0.0 any network"
        ) from None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What viser tells goes through the console that rich has for everybody."""
    from rich import get_console

    console = get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
