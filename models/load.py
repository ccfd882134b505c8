"""`load`: a robot by its name or from its file."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..kinematics import FixedJoint, FreeJoint, InvalidValueError, Link, PoseLike, Skeleton, as_pose
from ..kinematics.natural_tip import set_tip
from .built_in import robot_info, robots
from .errors import ModelFileError, ModelNotFoundError, UnsupportedFeatureError
from .mesh_paths import PackageDirs
from .robot_xml import XmlElement, parse_xml, read_bytes
from .tips import name_tip
from .urdf_reader import free_name, read_urdf

logger = logging.getLogger(__name__)

#: Root elements of formats that people have and that are not read, with the way out.
_OTHER_FORMATS = {
    "sdf": "an SDF file; convert it to URDF",
    "mujocoinclude": "a part of an MJCF model; load the file that includes it",
    "COLLADA": "a mesh, no robot",
    "model": "a Gazebo model description; give the robot file that it names",
}


def load(
    robot: str | Path,
    *,
    package_dirs: PackageDirs | None = None,
    floating_base: bool = False,
    placement: PoseLike | None = None,
    xacro_arguments: Mapping[str, Any] | None = None,
) -> Skeleton:
    """Loads a robot.

    What a reader had to repair or leave out is in ``skeleton.warnings``, and is logged once per load, as one
    warning. The natural tip (``skeleton.tip``) is set when a frame has a usual name for the tool.

    Args:
        robot: Name of a built-in robot (see `robots`), or path of a URDF, xacro or MJCF file. The kind of a
            file is found out from its content; a file in the working directory goes before a robot of its
            name only when written as a path (``./panda``).
        package_dirs: Where packages of ``package://`` meshes and ``$(find ...)`` are: folders that hold
            packages or are one, or a mapping from package names to folders. The folders above the file,
            ``ROS_PACKAGE_PATH`` and ``AMENT_PREFIX_PATH`` are searched in any case.
        floating_base: Put a free joint between the world and the root link; a massless root link ``world``
            with one link on it stays, and that link floats.
        placement: Where it stands, as a pose of its root in the world: on a pedestal, at a wall. Where its file puts
            it when None; with a floating base, where the free joint has its zero.
        xacro_arguments: Values of the ``<xacro:arg>`` of a xacro file.

    Raises:
        InvalidPoseError: A placement that is no pose.
        ModelNotFoundError: Neither a built-in robot nor a file.
        ModelFileError: The file is empty, broken, or describes no robot.
        DependencyCycleError: Joints of the file mimic each other in a circle.
        UnsupportedFeatureError: Another format, or a package that the format needs is not installed.
        InvalidValueError: A robot that is neither a name nor a path, or arguments of xacro for another kind of file.
    """
    if not isinstance(robot, str | Path) or not str(robot):
        raise InvalidValueError(f"load takes the name of a robot or the path of a file, not {robot!r}")
    where = None if placement is None else as_pose(placement, "placement")
    names = [each.name for each in robots()]
    if isinstance(robot, str) and robot in names:
        info = robot_info(robot)
        skeleton = _read(info.file, package_dirs, xacro_arguments)
        skeleton.source = info.source
        set_tip(skeleton, info.tip, f"the tip that the built-in {robot} names")
    else:
        path = _file(robot, names)
        skeleton = _read(path, package_dirs, xacro_arguments)
        name_tip(skeleton)
    if floating_base:
        _float(skeleton)
    if where is not None:
        root = skeleton.root
        assert root is not None  # every reader makes one
        root.joint.placement = where
    if skeleton.warnings:
        logger.warning("%s: %s", skeleton.source, "; ".join(skeleton.warnings))
    return skeleton


def _file(robot: str | Path, names: Iterable[str]) -> Path:
    if str(robot).lstrip().startswith("<"):
        raise InvalidValueError("load takes a name or a path, not the text of a robot; write it to a file")
    path = Path(robot).expanduser()
    try:
        exists, is_folder = path.exists(), path.is_dir()
    except (OSError, ValueError) as error:
        raise ModelNotFoundError(f"{str(robot)[:80]!r} cannot be the path of a file: {error}") from None
    if not exists:
        raise ModelNotFoundError(_nothing_there(str(robot), names))
    if is_folder:
        raise ModelFileError(f"{path} is a folder; give the robot file in it")
    return path


def _read(path: Path, package_dirs: PackageDirs | None, arguments: Mapping[str, Any] | None) -> Skeleton:
    """Reads a file by what is in it."""
    file = str(path)
    root = parse_xml(read_bytes(path), file)
    if path.suffix.lower() == ".xacro" or _is_xacro(root):
        from .xacro_reader import expand_xacro  # needs a package that is not always there

        root = parse_xml(expand_xacro(path, arguments, package_dirs), f"{file} (expanded)")
    elif arguments:
        raise InvalidValueError(f"{file} is no xacro file, so it takes no xacro_arguments")
    if root.tag == "robot":
        return read_urdf(root, file, path, package_dirs)
    if root.tag == "mujoco":
        from .mjcf_reader import read_mjcf  # likewise

        return read_mjcf(path)
    if root.tag in _OTHER_FORMATS:
        raise UnsupportedFeatureError(f"{file} is {_OTHER_FORMATS[root.tag]}")
    raise ModelFileError(f"{file} is neither URDF (<robot>) nor MJCF (<mujoco>): its root element is <{root.tag}>")


def _is_xacro(root: XmlElement) -> bool:
    return any(element.tag.startswith("xacro:") for element in root.walk())


def _float(skeleton: Skeleton) -> None:
    """Puts a free joint in the place of the base's fixed one; its zero is where the file puts the base."""
    base = _base(skeleton)
    if base.joint.is_moving:
        skeleton.warnings.append(f"link {base.name!r} moves already, so no floating base was added")
        return
    taken = {joint.name for joint in skeleton.joints if joint is not base.joint}
    skeleton.replace_joint(base, FreeJoint(free_name("root_joint", taken)))


def _base(skeleton: Skeleton) -> Link:
    root = skeleton.root
    assert root is not None
    empty = not (root.mass or root.visuals or root.collisions)
    if root.name == "world" and empty and len(root.children) == 1 and isinstance(root.joint, FixedJoint):
        return root.children[0]
    return root


def _nothing_there(name: str, names: Iterable[str]) -> str:
    known = sorted(names)
    close = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5)
    if close:
        hint = f"did you mean {' or '.join(repr(each) for each in close)}?"
    else:
        hint = f"the built-in robots are {', '.join(known)}"
    return f"{name!r} is neither a file nor a built-in robot; {hint}"
