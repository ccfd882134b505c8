"""``kinetree ikfast``: builds code that IKFast generated, describes it, and compares it with a robot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...solvers import IkType, InverseKinematics, SharedLibraryIkFast
from ...solvers.ikfast.build import build_library
from ...solvers.ikfast.library import IkFastLibrary
from .arguments import FrameOption, JsonOption, RobotArgument, find_frame, load_robot
from .output import print_json, print_text
from .wrong_use import wrong_use

ikfast = typer.Typer(
    name="ikfast",
    help="Closed forms that IKFast generated: build a library of them, see what is in it.",
    no_args_is_help=True,
)

LibraryArgument = Annotated[Path, typer.Argument(metavar="LIBRARY", help="A shared library of generated code.")]


@ikfast.command()
def build(
    source: Annotated[Path, typer.Argument(metavar="FILE.cpp", help="What IKFast generated.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The library; FILE.so when left out.")
    ] = None,
    single: Annotated[bool, typer.Option("--float", help="Compute in single precision.")] = False,
    include: Annotated[
        list[Path] | None,
        typer.Option("--include", "-I", metavar="FOLDER", help="A folder of headers; repeatable."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compile generated code to a shared library that SharedLibraryIkFast loads.

    The compiler is that of the environment variable CXX, else c++, g++ or clang++; CXXFLAGS and LDFLAGS are honoured.

    Example: `kinetree ikfast build ikfast0x1000004a.Transform6D.0_1_2_3_4_5.cpp -o libarm.so`
    """
    with wrong_use(as_json):
        library = build_library(source, output, real="float" if single else "double", includes=include or [])
        data = describe(library)
    _show(data, as_json)


@ikfast.command()
def info(library: LibraryArgument, as_json: JsonOption = False) -> None:
    """Show what a library solves: kind of target, joints, free ones, version, hash."""
    with wrong_use(as_json):
        data = describe(IkFastLibrary(library))
    _show(data, as_json)


@ikfast.command()
def check(
    library: LibraryArgument,
    robot: RobotArgument,
    frame: FrameOption = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base", metavar="FRAME", help="What its poses are relative to; else what the first joint stands on."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """See whether a library is for a robot: compares the forward kinematics of both.

    Exit status 2 and a message that names frames that fit, if there are any, when it is not.
    """
    with wrong_use(as_json):
        skeleton = load_robot(robot)
        tip, why = find_frame(skeleton, frame)
        method = SharedLibraryIkFast(library, base=base)
        InverseKinematics(tip).gradient_method = method
        data = {
            **describe(method.library),
            "robot": skeleton.name,
            "frame": tip.name,
            "frame_source": why,
            "base": method.base.name,
            "solved": list(method.solved_joints),
            "free": list(method.free_joints),
        }
    _show(data, as_json)
    if not as_json:
        print_text(f"it is for {data['robot']}: {data['frame']} ({data['frame_source']}) relative to {data['base']}")
        print_text(f"solved: {' '.join(data['solved'])}")
        print_text(f"free: {' '.join(data['free']) or 'none'}")


def describe(library: IkFastLibrary) -> dict[str, Any]:
    """What ``kinetree ikfast info --json`` prints."""
    return {
        "library": str(library.path),
        "type": IkType.from_id(library.ik_type).class_name,
        "type_id": library.ik_type,
        "num_joints": library.num_joints,
        "free_parameters": list(library.free_parameters),
        "real": {4: "float", 8: "double"}[library.real_size],
        "ikfast_version": library.version,
        "kinematics_hash": library.kinematics_hash,
        "built_by_kinetree": library.is_ours,
    }


def _show(data: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(data)
        return
    free = data["free_parameters"]
    which = f", number {', '.join(map(str, free))} (from 0) free" if free else ", none free"
    print_text(data["library"])
    print_text(f"  target   {data['type']} ({data['type_id']:#x})")
    print_text(f"  joints   {data['num_joints']}{which}")
    print_text(f"  numbers  {data['real']}")
    print_text(f"  version  {data['ikfast_version'] or 'unknown'}")
    print_text(f"  hash     {data['kinematics_hash'] or 'none'}")
