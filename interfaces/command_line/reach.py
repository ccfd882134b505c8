"""``kinetree reach``: reachability maps: builds, describes, asks and draws them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from ...kinematics import CollisionDetector, InvalidValueError, ReachabilityMap, Skeleton, pose
from ...kinematics.reachability.memory import size_text
from .arguments import DegreesOption, FrameOption, JsonOption, RobotArgument, find_frame, load_robot
from .degrees_note import note_degrees
from .output import numbers, print_json, print_table, print_text
from .wrong_use import wrong_use

reach = typer.Typer(
    name="reach",
    help="Reachability maps: where the tip of a robot can go.",
    no_args_is_help=True,
)

#: Exit status when the pose that was asked about is not covered.
NOT_COVERED = 1

MapArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A map that `kinetree reach build` wrote.")]
BaseOption = Annotated[
    str | None,
    typer.Option("--base", metavar="FRAME", help="Where the chain begins; where the limb does when left out."),
]


@reach.command()
def build(
    robot: RobotArgument,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the map (HDF5).")],
    frame: FrameOption = None,
    base: BaseOption = None,
    samples: Annotated[int, typer.Option("--samples", min=0, help="Random configurations.")] = 10_000_000,
    step: Annotated[float, typer.Option("--step", metavar="M", help="Edge of a cell, in metres.")] = 0.05,
    turn: Annotated[float, typer.Option("--turn", metavar="DEG", help="The same in the angles, in degrees.")] = 36.0,
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="Reduce the map to four coordinates; for arms whose ends turn freely.")
    ] = False,
    quality: Annotated[str, typer.Option("--quality", metavar="KIND", help="count or manipulability.")] = "count",
    bits: Annotated[int, typer.Option("--bits", help="8 or 16, of a value.")] = 8,
    avoid_collisions: Annotated[
        bool, typer.Option("--avoid-collisions", help="Leave out configurations at which the robot touches itself.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the samples.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Sample a robot and write the map.

    Example: `kinetree reach build panda panda.h5 --symmetric --samples 1000000`
    """
    with wrong_use(as_json):
        skeleton = load_robot(robot)
        tip, _ = find_frame(skeleton, frame)
        made = ReachabilityMap.create(
            tip.chain(None if base is None else skeleton.frame(base)),
            step_translation=step,
            step_rotation=math.radians(turn),
            samples=samples,
            seed=seed,
            quality=quality,
            symmetric=symmetric,
            bits=bits,
            collision_detector=CollisionDetector(skeleton) if avoid_collisions else None,
        )
        made.save(output)
    _show(made, output, as_json)


@reach.command()
def info(file: MapArgument, as_json: JsonOption = False) -> None:
    """Show what a map is of and how it was made."""
    with wrong_use(as_json):
        made = ReachabilityMap.load(file)
    _show(made, file, as_json)


@reach.command()
def query(
    file: MapArgument,
    position: Annotated[
        tuple[float, float, float], typer.Option("--position", metavar="X Y Z", help="Of the tip, in metres.")
    ],
    rpy: Annotated[
        tuple[float, float, float] | None,
        typer.Option("--rpy", metavar="R P Y", help="Its rotation about the fixed axes x, y, z, in that order."),
    ] = None,
    quaternion: Annotated[
        tuple[float, float, float, float] | None,
        typer.Option("--quaternion", metavar="X Y Z W", help="Its rotation as a quaternion."),
    ] = None,
    degrees: DegreesOption = False,
    robot: Annotated[
        str | None, typer.Option("--robot", metavar="ROBOT", help="Also see whether the map is of this robot.")
    ] = None,
    frame: FrameOption = None,
    base: BaseOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask whether a pose in the frame of the map is covered.

    Exit status: 0 covered, 1 not covered, 2 wrong use.
    """
    with wrong_use(as_json):
        if rpy is None and quaternion is None:
            raise InvalidValueError("give the rotation with --rpy or --quaternion; a map is of whole poses")
        made = _load(file, None if robot is None else load_robot(robot), frame, base)
        target = pose(position, rpy=rpy, quaternion=quaternion, degrees=degrees)
        note_degrees("--rpy", rpy or (), degrees)
        value = int(made.counts(target.homogeneous)[0])
    covered = value >= made.least
    data: dict[str, Any] = {"covered": covered, "value": value, "least": made.least, "frame": made.record.frame}
    if made.record.quality == "manipulability":
        data["manipulability"] = value * made.record.scale / made.record.most
    if as_json:
        print_json(data)
    elif not covered:
        few = f": {value} samples, where cells with {made.least} or more are covered" if value else ""
        print_text(f"not covered{few}")
    elif "manipulability" in data:
        print_text(f"covered, manipulability up to {data['manipulability']:.4g}")
    else:
        print_text(f"covered, by {value}{' or more' if value == made.record.most else ''} samples")
    if not covered:
        raise typer.Exit(NOT_COVERED)


@reach.command()
def plot(
    file: MapArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The picture: .png, .svg or .pdf.")],
    plane: Annotated[str, typer.Option("--plane", help="xy, xz or yz, of the slice.")] = "xz",
    at: Annotated[float, typer.Option("--at", metavar="M", help="Where the slice is on the third axis.")] = 0.0,
    space: Annotated[bool, typer.Option("--3d", help="All positions in space instead of a slice.")] = False,
    resolution: Annotated[
        int | None, typer.Option("--resolution", min=1, help="Positions along the longest side.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a slice through a map, or its positions in space."""
    from ...kinematics.reachability import plots

    with wrong_use(as_json):
        made = ReachabilityMap.load(file)
        options: dict[str, Any] = {} if resolution is None else {"resolution": resolution}
        figure = plots.plot_3d(made, **options) if space else plots.plot_slice(made, plane, at, **options)
        if output.suffix.lower() not in (".png", ".svg", ".pdf"):
            raise InvalidValueError(f"the picture must be a .png, .svg or .pdf file, not {output.name!r}")
        figure.savefig(output)
    if as_json:
        print_json({"picture": str(output)})
    else:
        print_text(f"drawn to {output}")


def _load(file: Path, robot: Skeleton | None, frame: str | None, base: str | None) -> ReachabilityMap:
    if robot is None:
        if frame is not None or base is not None:
            raise InvalidValueError("--frame and --base are of the robot: give --robot too")
        return ReachabilityMap.load(file)
    tip, _ = find_frame(robot, frame)
    return ReachabilityMap.load(file, tip.chain(None if base is None else robot.frame(base)))


def describe(made: ReachabilityMap) -> dict[str, Any]:
    """What ``kinetree reach info --json`` prints."""
    record, grid = made.record, made.grid
    return {
        **{name: getattr(record, name) for name in record.__dataclass_fields__},
        "symmetric": grid.kind == "symmetric",
        "coordinates": list(grid.names),
        "units": list(grid.units),
        "lower": grid.cells.lower,
        "upper": grid.cells.upper,
        "steps": grid.cells.steps,
        "cells": list(grid.cells.shape),
        "covered": made.share_covered,
        "least": made.least,
        "bytes": made.nbytes,
    }


def _show(made: ReachabilityMap, file: Path, as_json: bool) -> None:
    data = describe(made)
    if as_json:
        print_json(data)
        return
    record = made.record
    print_text(f"{file}: {record.robot}, {record.tip} in {record.frame}, joints {', '.join(record.joints)}")
    tested = f", {record.rejected} of them in collision" if record.is_tested else ""
    print_text(f"{record.samples} samples of seed {record.seed}{tested}, {record.outside} outside the bounds")
    print_text(
        f"{made.grid.cells.size} cells of {record.quality} ({record.bits} bits, {size_text(made.nbytes)}), "
        f"{made.share_covered:.1%} covered{f', by {made.least} samples or more' if made.least > 1 else ''}"
    )
    if missing := getattr(getattr(made.grid, "symmetry", None), "missing", 0.0):
        print_text(f"{missing:.1%} of the turns of the first and last joint are beyond their limits; taken as reached")
    columns = [data[key] for key in ("coordinates", "units", "lower", "upper", "steps", "cells")]
    print_table(
        ["coordinate", "unit", "from", "to", "step", "cells"],
        [
            [name, unit, *(numbers([value]) for value in rest[:3]), str(rest[3])]
            for name, unit, *rest in zip(*columns, strict=True)
        ],
    )
