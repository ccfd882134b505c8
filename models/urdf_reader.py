"""Reads URDF files into skeletons."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from ..kinematics import DependencyCycleError, FixedJoint, FreeJoint, KinetreeError, Skeleton
from .errors import ModelFileError
from .mesh_paths import MeshPaths, PackageDirs
from .urdf_joints import JointEntry, read_joint
from .urdf_shapes import inertia, materials, shapes
from .urdf_xml import children, local_name, parse_xml, required


def read_urdf(
    data: bytes | str,
    where: str,
    file: Path | None = None,
    package_dirs: PackageDirs | None = None,
    floating_base: bool = False,
) -> Skeleton:
    """Builds a skeleton from the text of a URDF file.

    The tree follows the file: children in the order of their joints. What had to be repaired or left out is in
    ``skeleton.warnings``.

    Args:
        data: The document.
        where: What to call it in errors.
        file: Where it came from; relative meshes are looked for from there.
        package_dirs: See `MeshPaths`.
        floating_base: Put a free joint between the world and the root link.

    Raises:
        ModelFileError: It is no URDF, or describes no tree; the message names the element.
    """
    robot = parse_xml(data, where)
    if local_name(robot) != "robot":
        raise ModelFileError(f"{where} is no URDF: its root element is <{robot.tag}>, not <robot>")
    notes: list[str] = []
    links = _links(robot, where)
    joints = [read_joint(each, where, notes) for each in children(robot, "joint")]
    root = _root(links, joints, where)
    skeleton = Skeleton(robot.get("name", "").strip() or (file.stem if file is not None else "robot"))
    skeleton.source = where
    meshes = MeshPaths(file, package_dirs)
    colors = materials(robot, where)
    below: dict[str, list[JointEntry]] = {}
    for entry in joints:
        below.setdefault(entry.parent, []).append(entry)
    base = (FreeJoint if floating_base else FixedJoint)(
        _free_name("root_joint", {entry.joint.name for entry in joints})
    )
    try:
        stack: list[tuple[str, JointEntry | None]] = [(root, None)]
        while stack:
            name, entry = stack.pop()
            here = f"{where}: link {name!r}"
            skeleton.add_link(
                name,
                base if entry is None else entry.joint,
                None if entry is None else entry.parent,
                None if entry is None else entry.placement,
                inertia=inertia(links[name], here, name, notes),
                collisions=shapes(links[name], "collision", here, meshes, colors),
                visuals=shapes(links[name], "visual", here, meshes, colors),
            )
            stack.extend((each.child, each) for each in reversed(below.get(name, [])))
        _apply_mimics(skeleton, joints, where, notes)
    except ModelFileError:
        raise
    except KinetreeError as error:
        if isinstance(error, DependencyCycleError):
            raise
        raise ModelFileError(f"{where}: {error}") from error
    if meshes.missing:
        shown = ", ".join(meshes.missing[:3]) + (", ..." if len(meshes.missing) > 3 else "")
        notes.append(f"{len(meshes.missing)} mesh files were not found and are skipped: {shown}")
    skeleton.warnings = notes
    return skeleton


def _links(robot: Element, where: str) -> dict[str, Element]:
    result: dict[str, Element] = {}
    for element in children(robot, "link"):
        name = required(element, "name", f"{where}: a link")
        if name in result:
            raise ModelFileError(f"{where} has two links named {name!r}")
        result[name] = element
    if not result:
        raise ModelFileError(f"{where} describes no robot: it has no links")
    return result


def _root(links: dict[str, Element], joints: list[JointEntry], where: str) -> str:
    """The one link without a parent, after checking that the joints make a tree of the links."""
    names: set[str] = set()
    parents: dict[str, str] = {}
    for entry in joints:
        name = entry.joint.name
        if name in names:
            raise ModelFileError(f"{where} has two joints named {name!r}")
        names.add(name)
        for end in (entry.parent, entry.child):
            if end not in links:
                raise ModelFileError(f"{where}: joint {name!r} names the link {end!r}, which does not exist")
        if entry.child in parents:
            raise ModelFileError(
                f"{where}: link {entry.child!r} has two parents, {parents[entry.child]!r} and {entry.parent!r}; "
                "closed loops cannot be written in URDF"
            )
        parents[entry.child] = entry.parent
    roots = [name for name in links if name not in parents]
    if len(roots) == 1:
        unreachable = _in_a_circle(parents)
        if unreachable:
            raise ModelFileError(f"{where}: links hang on each other in a circle: {', '.join(unreachable)}")
        return roots[0]
    if not roots:
        raise ModelFileError(f"{where} has no root: its links hang on each other in a circle")
    shown = ", ".join(map(repr, roots[:8])) + (", ..." if len(roots) > 8 else "")
    raise ModelFileError(f"{where} has {len(roots)} root links, {shown}; join them with fixed joints to one")


def _in_a_circle(parents: dict[str, str]) -> list[str]:
    for start in parents:
        seen = [start]
        while seen[-1] in parents:
            above = parents[seen[-1]]
            if above in seen:
                return seen[seen.index(above) :]
            seen.append(above)
    return []


def _apply_mimics(skeleton: Skeleton, joints: list[JointEntry], where: str, notes: list[str]) -> None:
    known = {entry.joint.name for entry in joints}
    for entry in joints:
        if entry.mimic is None:
            continue
        master, multiplier, offset = entry.mimic
        if master not in known:
            raise ModelFileError(f"{where}: joint {entry.joint.name!r} mimics {master!r}, which does not exist")
        if not entry.joint.is_moving:
            notes.append(f"fixed joint {entry.joint.name!r} mimics {master!r}; ignored")
            continue
        if not skeleton.joint(master).is_moving:
            # The master never moves, so the follower stands at its offset.
            notes.append(f"joint {entry.joint.name!r} mimics the fixed joint {master!r}; ignored")
            continue
        entry.joint.depend_on(skeleton.joint(master), multiplier, offset)


def _free_name(wanted: str, taken: set[str]) -> str:
    name = wanted
    while name in taken:
        name = f"_{name}"
    return name
