"""``kinetree info``: what a robot is made of."""

from __future__ import annotations

from typing import Any

from ...kinematics import Joint, KinetreeError, Skeleton
from ...solvers import InverseKinematics
from .arguments import DegreesOption, JsonOption, RobotArgument, load_robot
from .output import in_unit, number, print_json, print_table, print_text, unit_of
from .wrong_use import wrong_use


def info(robot: RobotArgument, degrees: DegreesOption = False, as_json: JsonOption = False) -> None:
    """Show the tree, degrees of freedom, limits and tips of a robot."""
    with wrong_use(as_json):
        skeleton = load_robot(robot)
        data = describe(skeleton, degrees)
    if as_json:
        print_json(data)
        return
    print_text(str(skeleton))
    if skeleton.source:
        print_text(f"source: {skeleton.source}")
    print_text(f"chain to the tip: {' '.join(data['chain'])}")
    print_text(f"closed form: {data['closed_form']}")
    print_text(f"ends of the tree: {', '.join(data['ends'])}")
    print_text("")
    print_table(
        ["degree of freedom", "unit", "lower", "upper", "velocity", "rest"],
        [
            [
                each["name"],
                each["unit"],
                *(number(each[key]) for key in ("lower", "upper", "velocity", "rest")),
            ]
            for each in data["dofs"]
        ],
    )
    for warning in skeleton.warnings:
        print_text(f"note: {warning}")


def describe(robot: Skeleton, degrees: bool) -> dict[str, Any]:
    """What ``kinetree info --json`` prints; angles and angular velocities in the unit of each entry."""
    tip = robot.tip
    return {
        "robot": robot.name,
        "source": robot.source,
        "warnings": robot.warnings,
        "tip": tip.name,
        "tip_source": robot.tip_source,
        "chain": [dof.name for dof in tip.chain().dofs],
        "closed_form": _closed_form(robot),
        "ends": [link.name for link in robot.links if not link.children],
        "frames": [frame.name for frame in robot.frames],
        "mass": robot.mass,
        "dofs": [
            {
                "name": dof.name,
                "joint": dof.joint.name,
                "unit": unit_of(dof, degrees),
                "lower": in_unit(dof, dof.lower, degrees),
                "upper": in_unit(dof, dof.upper, degrees),
                "velocity": in_unit(dof, dof.velocity_limit, degrees),
                "rest": in_unit(dof, dof.rest, degrees),
            }
            for dof in robot.dofs
        ],
        "joints": [_joint_data(joint) for joint in robot.joints],
    }


def _closed_form(robot: Skeleton) -> str:
    """The kind of arm that ends in the natural tip, and why; or why no closed form is known."""
    try:
        return InverseKinematics(robot).analytical_report
    except KinetreeError as error:
        return f"none: {error}"


def _joint_data(joint: Joint) -> dict[str, Any]:
    parent, child, rule = joint.parent_link, joint.child_link, joint.dependence
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": None if parent is None else parent.name,
        "child": None if child is None else child.name,
        "depends_on": None if rule is None else rule.master.name,
    }
