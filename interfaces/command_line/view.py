"""``kinetree view``: a robot in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from .arguments import DegreesOption, FrameOption, RobotArgument, load_robot, read_configuration, split_words
from .find import CLOSED_FORM, DEFAULT_METHOD, METHODS
from .output import print_text
from .surroundings import SceneOption, read_detector
from .wrong_use import wrong_use

#: Addresses that only programs on this machine reach.
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def view(
    robot: RobotArgument,
    frame: FrameOption = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="Q", help='Where to start: "0 0.1 -0.2" or NAME=VALUE,NAME=VALUE; rest if not.'),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="METHOD", help=f"One of {', '.join(METHODS)}, {CLOSED_FORM}.")
    ] = DEFAULT_METHOD,
    scene: SceneOption = None,
    reachability: Annotated[
        Path | None, typer.Option("--reachability", metavar="FILE", help="A map that `kinetree reach build` wrote.")
    ] = None,
    degrees: DegreesOption = False,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; only this machine when left out.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The next free one when it is taken; any free one with 0.")
    ] = 8080,
    browse: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Show a robot in the browser: drag its target, move its joints, choose solvers and branches.

    It goes on until Ctrl-C.
    """
    from ..viewer import Viewer

    with wrong_use(False):
        skeleton = load_robot(robot)
        chain = (skeleton.tip if frame is None else skeleton.frame(frame)).chain()
        q = read_configuration(skeleton, split_words(at or ""), degrees, chain.dofs, "--at")
        detector = None if scene is None else read_detector(skeleton, scene)
        viewer = Viewer(
            skeleton,
            frame=frame,
            detector=detector,
            reachability=reachability,
            method=method,
            q=q,
            degrees=degrees,
            host=host,
            port=port,
        )
    print_text(f"{skeleton.name} is shown at {viewer.url}; Ctrl-C ends it")
    if host not in _LOOPBACK:
        typer.echo(f"kinetree: whoever reaches {host} over the network can look and drag", err=True)
    if browse:
        webbrowser.open(viewer.url)
    viewer.wait()
