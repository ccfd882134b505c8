"""``kinetree serve``: ArmarX's operations for a robot over HTTP."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer

from ...kinematics import CollisionDetector, InvalidValueError
from ..armarx import RobotIK
from ..armarx.http import HttpServer, Limits, ServerSettings
from ..armarx.http.server_settings import LOOPBACK_NAMES, is_loopback
from ..armarx.http.warm_up import warm_up
from .arguments import RobotArgument, load_robot
from .output import print_text
from .surroundings import SceneOption, read_detector
from .wrong_use import wrong_use

#: Where the token is when there is no file for it.
TOKEN_VARIABLE = "KINETREE_TOKEN"
#: Bytes of a file with a token, so that a device that never ends is not read to its end.
_LONGEST_TOKEN = 4096

_LIMITS = Limits()


def serve(
    robot: RobotArgument,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; others than loopback need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="TCP port; 0 takes a free one.")] = 8000,
    units: Annotated[str, typer.Option("--units", metavar="UNIT", help="m or mm, of all lengths.")] = "m",
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="DIR", help="Where reachability spaces are saved and loaded."),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help=f"File with the token to ask for; else ${TOKEN_VARIABLE}."),
    ] = None,
    allowed_hosts: Annotated[
        list[str] | None,
        typer.Option("--allowed-host", metavar="NAME", help="Another name of this server; may be repeated."),
    ] = None,
    srdf: Annotated[
        Path | None, typer.Option("--srdf", metavar="FILE", help="SRDF file whose groups become node sets.")
    ] = None,
    scene: SceneOption = None,
    avoid_collisions: Annotated[
        bool, typer.Option("--avoid-collisions", help="Take no solution at which the robot touches itself.")
    ] = False,
    time_limit: Annotated[float, typer.Option("--time-limit", metavar="S", help="Of a solve, in seconds.")] = 5.0,
    max_samples: Annotated[
        int, typer.Option("--max-samples", min=1, help="Of a reachability space.")
    ] = _LIMITS.samples,
    max_cells: Annotated[
        int, typer.Option("--max-cells", min=1, help="Of a reachability space; each takes a byte.")
    ] = 200_000_000,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Requests worked on at once; the number of processors.")
    ] = None,
) -> None:
    """Answer ArmarX's twelve RobotIK operations over HTTP with JSON, until Ctrl-C.

    The address is printed when it is ready, and the node sets: a robot that comes without any has one called
    'default', the chain to its natural tip. ADDRESS/docs shows the operations in a browser.

    Exit status: 0 stopped, 2 wrong use.
    """
    with wrong_use(False):
        limits = Limits(
            solve_seconds=2.0 * _checked(time_limit) + 1.0,  # also waits for its turn
            samples=max_samples,
            file_bytes=max_cells + max_cells // 4 + 10_000_000,  # a byte for each cell, packed as badly as can be
            threads=_LIMITS.threads if threads is None else threads,
        )
        token = _token(token_file)
        names = _names(host, allowed_hosts, token is not None)
        settings = ServerSettings(token=token, folder=folder, allowed_hosts=names, limits=limits)
        skeleton = load_robot(robot)
        detector: CollisionDetector | None = None
        if avoid_collisions or scene is not None:
            detector = read_detector(skeleton, scene)
        service = RobotIK(
            skeleton,
            units=units,
            srdf=srdf,
            collision_detector=detector,
            timeout=time_limit,
            max_memory=max_cells,
        )
        # It listens from here on: an address that cannot be had is told before the compiling.
        server = HttpServer(service, settings, host, port)
        begun = time.perf_counter()
        warm_up(skeleton)
    print_text(f"solvers ready after {time.perf_counter() - begun:.1f} s")
    for name, each in service.node_sets.items():
        print_text(f"node set {name!r}: {len(each.joints)} joints, {each.root!r} to {each.tcp!r}")
    print_text(f"{skeleton.name} on {server.url} (lengths in {units}); {server.url}/docs shows how; Ctrl-C stops it")
    server.run()
    print_text("stopped")


def _checked(time_limit: float) -> float:
    if not 0.0 < time_limit < 1e6:
        raise InvalidValueError(f"--time-limit must be a positive number of seconds, not {time_limit!r}")
    return time_limit


def _token(file: Path | None) -> str | None:
    """The token of a file or of the environment; None without one."""
    if file is not None:
        with file.open("rb") as opened:
            content = opened.read(_LONGEST_TOKEN + 1)
        if len(content) > _LONGEST_TOKEN or not content.isascii():
            raise InvalidValueError(
                f"{file} is no file with a token: it has more than {_LONGEST_TOKEN} bytes or no ASCII"
            )
        return content.decode("ascii").strip()
    return os.environ.get(TOKEN_VARIABLE, "").strip() or None


def _names(host: str, others: list[str] | None, has_token: bool) -> tuple[str, ...] | None:
    """What a request may have in its Host header; None for anything."""
    if is_loopback(host):
        return (*LOOPBACK_NAMES, host, *(others or ()))
    # The token keeps strangers out there; names are looked at when some are given.
    return None if has_token and not others else (host, *(others or ()))
