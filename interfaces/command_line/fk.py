"""``kinetree fk``: where a frame is for given joint values."""

from __future__ import annotations

from typing import Annotated

import typer

from .arguments import (
    DegreesOption,
    FrameOption,
    JsonOption,
    RobotArgument,
    find_frame,
    load_robot,
    read_configuration,
)
from .output import in_unit, pose_data, print_json, print_pose, print_text
from .wrong_use import wrong_use


def fk(
    robot: RobotArgument,
    q: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[Q]...",
            help="Joint values in the robot's order (or of the chain to the frame), or NAME=VALUE pairs; "
            "what is left out stays at its rest position.",
        ),
    ] = None,
    frame: FrameOption = None,
    base: Annotated[
        str | None,
        typer.Option("--base", metavar="FRAME", help="Give the pose relative to this frame, not the world."),
    ] = None,
    degrees: DegreesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Print the pose of a frame for given joint values.

    Examples: `kinetree fk panda 0 -0.7 0 -2.3 0 1.6 0.8`, `kinetree fk ur5 elbow_joint=90 --degrees`
    """
    with wrong_use(as_json):
        skeleton = load_robot(robot)
        tip, why = find_frame(skeleton, frame)
        reference = None if base is None else skeleton.frame(base)
        configuration = read_configuration(skeleton, q or [], degrees, tip.chain().dofs, "q")
        skeleton.positions = configuration
        pose = tip.transform(reference)
    origin = "world" if reference is None else reference.name
    if as_json:
        print_json(
            {
                "robot": skeleton.name,
                "frame": tip.name,
                "frame_source": why,
                "base": origin,
                "angle_unit": "deg" if degrees else "rad",
                "joints": [dof.name for dof in skeleton.dofs],
                "q": [in_unit(dof, value, degrees) for dof, value in zip(skeleton.dofs, configuration, strict=True)],
                **pose_data(pose, degrees),
            }
        )
        return
    print_text(f"{skeleton.name}: {tip.name} ({why}) relative to {origin}")
    print_pose(pose, degrees)
