"""``kinetree solve``: joint values that put a frame at a pose."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...solvers import Solution
from .arguments import DegreesOption, FrameOption, JsonOption, RobotArgument
from .branches import branch_data, in_units, show_branches, show_configurations
from .collisions import distance_data, distance_text
from .find import CLOSED_FORM, DEFAULT_METHOD, METHODS, Found, find
from .output import (
    numbers,
    pose_data,
    print_json,
    print_pose,
    print_text,
)
from .request import Request, checked_attempts, checked_tolerance, read_request
from .surroundings import SceneOption, read_detector
from .typed_target import TargetWords, typed_data, typed_text
from .wrong_use import NOT_SOLVED, wrong_use


def solve(
    robot: RobotArgument,
    position: Annotated[
        tuple[float, float, float] | None,
        typer.Option("--position", metavar="X Y Z", help="Where the frame should be, in metres."),
    ] = None,
    rpy: Annotated[
        tuple[float, float, float] | None,
        typer.Option("--rpy", metavar="R P Y", help="Its rotation about the fixed axes x, y, z, in that order."),
    ] = None,
    quaternion: Annotated[
        tuple[float, float, float, float] | None,
        typer.Option("--quaternion", metavar="X Y Z W", help="Its rotation as a quaternion."),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            help="A target that asks for less than a pose, such as Ray4D; the options below give its values.",
        ),
    ] = None,
    point: Annotated[
        str | None, typer.Option("--point", metavar="X,Y,Z", help="For --type: a point, in metres; x,y for XY types.")
    ] = None,
    direction: Annotated[
        str | None, typer.Option("--direction", metavar="X,Y,Z", help="For --type: a direction, or an axis such as -z.")
    ] = None,
    angle: Annotated[float | None, typer.Option("--angle", metavar="A", help="For --type: an angle.")] = None,
    local: Annotated[
        str | None, typer.Option("--local", metavar="X,Y,Z", help="For --type: a point of the tool, in metres.")
    ] = None,
    tool_direction: Annotated[
        str | None,
        typer.Option(
            "--tool-direction",
            metavar="X,Y,Z",
            help="For --type: the direction of the tool, in the frame; its z when left out.",
        ),
    ] = None,
    degrees: DegreesOption = False,
    frame: FrameOption = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="FRAME",
            help="Give the target relative to this frame, and move only joints beyond it.",
        ),
    ] = None,
    seed_config: Annotated[
        str | None,
        typer.Option(
            "--seed-config",
            metavar="Q",
            help='Where to start: "0 0.1 -0.2" or NAME=VALUE,NAME=VALUE; rest positions when left out.',
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="METHOD",
            help=f"One of {', '.join(METHODS)}, {CLOSED_FORM}; {DEFAULT_METHOD} when left out.",
        ),
    ] = None,
    attempts: Annotated[
        int | None, typer.Option("--attempts", metavar="N", help="Starts from random places at most.")
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option("--tolerance", metavar="T", help="How near is enough, in metres and radians."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All different solutions: every branch of the closed form where there is one.")
    ] = False,
    avoid_collisions: Annotated[
        bool,
        typer.Option(
            "--avoid-collisions",
            help="Refuse solutions at which the robot touches itself, or what is in the --scene (which implies this).",
        ),
    ] = False,
    scene: SceneOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find joint values that put a frame at a position, at a pose, or where another kind of target wants it.

    Exit status: 0 solved, 1 not solved, 2 wrong use.
    """
    with wrong_use(as_json):
        words = TargetWords(position, rpy, quaternion, kind, point, direction, angle, local, tool_direction)
        request = read_request(robot, words, frame, base, seed_config, degrees)
        detector = read_detector(request.robot, scene) if avoid_collisions or scene is not None else None
        found = find(request, method, checked_attempts(attempts), checked_tolerance(tolerance), every, detector)
    if as_json:
        collisions = {} if detector is None else {"scene": scene, **distance_data(detector, found.solution.q)}
        print_json(_as_data(request, found) | collisions)
    else:
        _show(request, found)
        if detector is not None and found.solution.success:
            print_text(f"no collision; {distance_text(detector, found.solution.q)}")
    if not found.solution.success:
        raise typer.Exit(NOT_SOLVED)


def _as_data(request: Request, found: Found) -> dict[str, Any]:
    solution, degrees = found.solution, request.degrees
    target = pose_data(request.target, degrees)
    if request.kind is not None:
        target = typed_data(request.kind, degrees)
    elif not request.oriented:
        target = {key: value if key == "position" else None for key, value in target.items()}
    data = {
        "robot": request.robot.name,
        "frame": request.frame.name,
        "frame_source": request.frame_source,
        "base": request.base_name,
        "target": target,
        "success": solution.success,
        "reason": solution.reason.name.lower(),
        "detail": solution.detail,
        "position_error": solution.position_error if request.placed else None,
        "orientation_error": solution.orientation_error if request.oriented else None,
        "iterations": solution.iterations,
        "attempts": solution.attempts,
        "elapsed": solution.elapsed,
        "angle_unit": "deg" if degrees else "rad",
        "joints": [dof.name for dof in request.robot.dofs],
        "q": in_units(request, solution.q),
        "reached": pose_data(request.reached(solution.q), degrees),
    }
    if found.all is not None:
        data["solutions"] = [in_units(request, q) for q in found.all]
    if found.branches is not None:
        data["closed_form"] = found.why
        branches = [branch_data(request, branch) for branch in found.branches]
        for branch, collision in zip(branches, found.collisions or (), strict=False):
            branch["collision"] = collision.pair
        data["branches"] = branches
    return data


def _show(request: Request, found: Found) -> None:
    solution = found.solution
    asked = f"position {numbers(request.target.translation)} m"
    if request.kind is not None:
        asked = typed_text(request.kind, request.degrees)
    elif request.oriented:
        rpy = pose_data(request.target, request.degrees)["rpy"]
        asked += f", rpy {numbers(rpy)} {'deg' if request.degrees else 'rad'}"
    else:
        asked += ", any rotation"
    moved = f"{request.robot.name}: {request.frame.name} ({request.frame_source})"
    print_text(f"{moved} to {asked} in {request.base_name}")
    print_text(_verdict(request, solution))
    if found.branches:
        show_branches(request, found.branches, found.why, found.collisions)
        if found.free:
            print_text(
                f"each branch goes on along {found.free}: these are the solutions on them that are nearest to the "
                "start (--seed-config); --method levenberg-marquardt samples others"
            )
        if solution.success:
            return
    elif found.all is not None and solution.success:
        print_text(f"{len(found.all)} solution{'' if len(found.all) == 1 else 's'} found")
        show_configurations(request, found.all)
        return
    show_configurations(request, [solution.q])
    print_text("reached" if solution.success else "nearest pose found")
    print_pose(request.reached(solution.q), request.degrees)


def _verdict(request: Request, solution: Solution) -> str:
    if solution.success:
        return str(solution)
    errors = [f"{solution.position_error:.3g} m"] if request.placed else []
    if request.oriented:
        errors.append(f"{solution.orientation_error:.3g} rad")
    how_far = f"nearest pose found is {' and '.join(errors)}"
    effort = f"{solution.attempts} attempt{'' if solution.attempts == 1 else 's'}"
    return f"not solved ({solution.reason}): {solution.detail or how_far + ' off'}; {effort}"
