"""``kinetree collisions``: which pairs are checked, and what touches."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...kinematics import CollisionDetector, Skeleton
from .arguments import Array, DegreesOption, JsonOption, RobotArgument, load_robot, read_configuration, split_words
from .output import in_unit, print_json, print_table, print_text
from .surroundings import SceneOption, read_detector
from .wrong_use import IN_COLLISION, wrong_use


def collisions(
    robot: RobotArgument,
    scene: SceneOption = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="Q", help='Tell what touches there: "0 0.1 -0.2" or NAME=VALUE,NAME=VALUE ("rest" at rest).'
        ),
    ] = None,
    degrees: DegreesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show which pairs of links, carried things and obstacles are checked against each other, and what touches.

    Exit status: 0 done, 1 something collides at --at, 2 wrong use.
    """
    with wrong_use(as_json):
        skeleton = load_robot(robot)
        q = None if at is None else _configuration(skeleton, at, degrees)
        detector = read_detector(skeleton, scene)
        data = describe(detector, scene, q, degrees)
    if as_json:
        print_json(data)
    else:
        _show(detector, data, q)
    if data.get("in_collision"):
        raise typer.Exit(IN_COLLISION)


def _configuration(robot: Skeleton, text: str, degrees: bool) -> Array:
    words = [] if text.strip() == "rest" else split_words(text)
    return read_configuration(robot, words, degrees, robot.tip.chain().dofs, "--at")


def describe(detector: CollisionDetector, scene: str | None, q: Array | None, degrees: bool) -> dict[str, Any]:
    """What ``kinetree collisions --json`` prints."""
    robot = detector.skeleton
    data: dict[str, Any] = {
        "robot": robot.name,
        "scene": scene,
        "obstacles": list(detector.obstacles),
        "attached": list(detector.attached),
        "margin": detector.margin,
        "self_margin": detector.self_margin,
        "checked": [list(pair) for pair in detector.pairs],
        "excluded": [each._asdict() for each in detector.excluded],
    }
    if q is not None:
        data |= {
            "angle_unit": "deg" if degrees else "rad",
            "joints": [dof.name for dof in robot.dofs],
            "q": [in_unit(dof, value, degrees) for dof, value in zip(robot.dofs, q, strict=True)],
            "in_collision": detector.in_collision(q),
            "contacts": [
                {"pair": list(each.pair), "depth": each.depth, "points": each.points} for each in detector.contacts(q)
            ],
            **distance_data(detector, q),
        }
    return data


def distance_data(detector: CollisionDetector, q: Array) -> dict[str, Any]:
    """The smallest distance at q (n,), and that to an obstacle, as JSON has them."""
    distance, away = detector.distance(q), detector.distance(q, obstacles_only=True)
    return {
        "distance": distance.value,
        "nearest": None if distance.pair is None else list(distance.pair),
        "obstacle_distance": None if away.pair is None else away.value,
        "nearest_obstacle": None if away.pair is None else list(away.pair),
    }


def distance_text(detector: CollisionDetector, q: Array) -> str:
    """The same in words."""
    text, away = f"nearest: {detector.distance(q)}", detector.distance(q, obstacles_only=True)
    return text if away.pair is None else f"{text}; nearest obstacle: {away}"


def _show(detector: CollisionDetector, data: dict[str, Any], q: Array | None) -> None:
    where = "alone" if data["scene"] is None else f"in {data['scene']}"
    around = ", ".join(data["obstacles"]) or "none"
    carried = ", ".join(data["attached"]) or "nothing"
    print_text(f"{data['robot']} {where}; obstacles: {around}; carries: {carried}")
    if data["margin"] or data["self_margin"]:
        print_text(f"margins: {data['margin']:g} m to obstacles, {data['self_margin']:g} m to itself")
    print_text(f"{len(data['checked'])} pairs are checked, {len(data['excluded'])} are not")
    rows = [[*pair, "yes"] for pair in data["checked"]]
    rows += [[each["first"], each["second"], f"no: {each['reason']}"] for each in data["excluded"]]
    print_table(["one", "other", "checked"], rows)
    if q is None:
        return
    print_text("")
    contacts = detector.contacts(q)
    if not contacts:
        print_text("nothing collides")
    for each in contacts:
        print_text(str(each))
    print_text(distance_text(detector, q))
