"""Reads URDF files into skeletons."""

from __future__ import annotations

from pathlib import Path

from ..kinematics import DependencyCycleError, FixedJoint, KinetreeError, Skeleton
from .errors import ModelFileError
from .mesh_paths import MeshPaths, PackageDirs
from .notes import Notes
from .robot_xml import XmlElement, parse_xml
from .urdf_joints import JointEntry, read_joint
from .urdf_mimics import apply_mimics, check_mimics
from .urdf_shapes import UrdfShapes
from .urdf_tree import links_of, root_of


def read_urdf(
    data: bytes | str | XmlElement,
    file: str,
    path: Path | None = None,
    package_dirs: PackageDirs | None = None,
) -> Skeleton:
    """Builds a skeleton from a URDF document.

    The tree follows the file: parents before children, siblings in the order of their joints. Joints are read
    as `read_joint` says, mimic joints depend on their masters, and what a robot can do without (meshes that
    are nowhere, degenerate shapes) is left out. All that is in ``skeleton.warnings``. Elements of other
    programs (transmission, gazebo, safety controller, ...) are skipped.

    Args:
        data: The document, or its root element.
        file: What to call it in errors.
        path: Where it came from; relative meshes and packages are looked for from there.
        package_dirs: See `MeshPaths`.

    Raises:
        ModelFileError: It is no URDF, or describes no tree; the message has the element and its line.
        DependencyCycleError: Joints mimic each other in a circle.
    """
    robot = data if isinstance(data, XmlElement) else parse_xml(data, file)
    if robot.tag != "robot":
        raise ModelFileError(f"{file} is no URDF: its root element is <{robot.tag}>, not <robot>")
    notes = Notes()
    links = links_of(robot)
    # Some exporters put transmissions with <joint> elements of another meaning elsewhere: only the robot's
    # own count.
    joints = [read_joint(each, notes) for each in robot.all("joint")]
    root = root_of(links, joints, robot.file)
    check_mimics(joints, notes)
    shapes = UrdfShapes(robot, MeshPaths(path, package_dirs), notes)
    skeleton = Skeleton(robot.attributes.get("name", "").strip() or (path.stem if path else "robot"))
    skeleton.source = file
    try:
        _grow(skeleton, root, links, joints, shapes)
        apply_mimics(skeleton, joints)
    except (ModelFileError, DependencyCycleError):
        raise
    except KinetreeError as error:
        raise ModelFileError(f"{robot.file}: {error}") from error
    shapes.finish()
    skeleton.warnings = notes.sentences()
    return skeleton


def _grow(
    skeleton: Skeleton,
    root: str,
    links: dict[str, XmlElement],
    joints: list[JointEntry],
    shapes: UrdfShapes,
) -> None:
    below: dict[str, list[JointEntry]] = {}
    for entry in joints:
        below.setdefault(entry.parent, []).append(entry)
    base = FixedJoint(free_name("root_joint", {entry.name for entry in joints}))
    stack: list[tuple[str, JointEntry | None]] = [(root, None)]
    while stack:
        name, by = stack.pop()
        element = links[name]
        skeleton.add_link(
            name,
            base if by is None else by.joint,
            None if by is None else by.parent,
            None if by is None else by.placement,
            inertia=shapes.inertia(element),
            collisions=shapes.shapes(element, "collision"),
            visuals=shapes.shapes(element, "visual"),
        )
        stack.extend((each.child, each) for each in reversed(below.get(name, [])))


def free_name(wanted: str, taken: set[str]) -> str:
    """The wanted name, or the first of ``name_2``, ``name_3`` ... that is free."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name
