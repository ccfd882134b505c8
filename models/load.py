"""`load`: a robot by its name or from its file."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..kinematics import FreeJoint, InvalidValueError, Skeleton
from ..kinematics.natural_tip import set_tip
from .built_in import robot_info, robots
from .errors import ModelFileError, ModelNotFoundError
from .mesh_paths import PackageDirs
from .tips import name_tip
from .urdf_reader import read_urdf
from .urdf_xml import local_name, parse_xml, read_bytes

logger = logging.getLogger(__name__)


def load(
    robot: str | Path,
    *,
    package_dirs: PackageDirs | None = None,
    floating_base: bool = False,
    xacro_arguments: Mapping[str, Any] | None = None,
) -> Skeleton:
    """Loads a robot.

    What a reader had to repair or leave out is in ``skeleton.warnings``, and is logged once.

    Args:
        robot: Name of a built-in robot (see `robots`), or path of a URDF, xacro or MJCF file. The kind of a file
            is found out from its content.
        package_dirs: Where ``package://`` meshes are: folders, or a mapping from package names.
        floating_base: Put a free joint between the world and the root link.
        xacro_arguments: Arguments of a xacro file.

    Raises:
        ModelNotFoundError: Neither a built-in robot nor a file.
        ModelFileError: The file is empty, broken, or describes no robot.
        UnsupportedFeatureError: A package that the format needs is not installed.
    """
    if not isinstance(robot, str | Path):
        raise InvalidValueError(f"load takes a name or a path, not {type(robot).__name__}")
    built_in = {each.name for each in robots()}
    if isinstance(robot, str) and robot in built_in:
        info = robot_info(robot)
        skeleton = _read(info.file, package_dirs, floating_base, xacro_arguments)
        skeleton.source = info.source
        set_tip(skeleton, info.tip, "the robot's own tool frame")
        return skeleton
    path = Path(robot).expanduser()
    if not path.exists():
        raise ModelNotFoundError(_nothing_there(str(robot), built_in))
    if path.is_dir():
        raise ModelFileError(f"{path} is a folder; give the robot file in it")
    skeleton = _read(path, package_dirs, floating_base, xacro_arguments)
    name_tip(skeleton)
    for note in skeleton.warnings:
        logger.warning("%s: %s", path.name, note)
    return skeleton


def _read(
    path: Path, package_dirs: PackageDirs | None, floating_base: bool, arguments: Mapping[str, Any] | None
) -> Skeleton:
    data = read_bytes(path)
    where = str(path)
    if path.suffix == ".xacro" or (b"http://www.ros.org/wiki/xacro" in data[:4000] and path.suffix != ".urdf"):
        from .xacro_reader import expand_xacro  # needs a package that is not always there

        return read_urdf(expand_xacro(path, arguments), where, path, package_dirs, floating_base)
    if b"\0" in data[:1024] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ModelFileError(f"{where} is a binary file, no robot description")
    tag = local_name(parse_xml(data, where))
    if tag == "mujoco":
        from .mjcf_reader import read_mjcf  # likewise

        skeleton = read_mjcf(path)
        if floating_base:
            _float(skeleton)
        return skeleton
    if tag != "robot":
        raise ModelFileError(f"{where} is neither URDF (<robot>) nor MJCF (<mujoco>): its root element is <{tag}>")
    return read_urdf(data, where, path, package_dirs, floating_base)


def _float(skeleton: Skeleton) -> None:
    """Puts a free joint where the root's fixed one is."""
    root = skeleton.root
    assert root is not None
    if root.joint.is_moving:
        skeleton.warnings.append(f"root link {root.name!r} moves already; no floating base was added")
        return
    names = {joint.name for joint in skeleton.joints}
    skeleton.replace_joint(root, FreeJoint("root_joint" if "root_joint" not in names else "floating_base_joint"))


def _nothing_there(name: str, built_in: set[str]) -> str:
    close = difflib.get_close_matches(name.lower(), built_in, n=2, cutoff=0.5)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"{name!r} is neither a file nor a built-in robot ({', '.join(sorted(built_in))}){hint}"
