"""Expands xacro files to URDF."""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import ModelFileError, UnsupportedFeatureError
from .mesh_paths import MeshPaths, PackageDirs

logger = logging.getLogger(__name__)

#: The package keeps the file that it is at, and more, in module variables.
_one_at_a_time = threading.Lock()


def expand_xacro(
    path: Path, arguments: Mapping[str, Any] | None = None, package_dirs: PackageDirs | None = None
) -> str:
    """The XML text of a xacro file.

    ``$(find package)`` is looked up as packages of meshes are (see `MeshPaths`), so that no ROS is needed.

    Args:
        path: The file.
        arguments: Values of its ``<xacro:arg>``; True and False become ``true`` and ``false``.
        package_dirs: Where packages are.

    Raises:
        UnsupportedFeatureError: The package ``xacro`` is not installed.
        ModelFileError: The file cannot be expanded; the message is xacro's.
    """
    try:
        xacro = importlib.import_module("xacro")
    except ImportError:
        raise UnsupportedFeatureError(
            f"{path} is a xacro file, which needs the package xacro: pip install 'kinetree[xacro]'"
        ) from None
    mappings = {str(name): _as_text(value) for name, value in (arguments or {}).items()}
    said = io.StringIO()
    with _one_at_a_time, _packages_found(MeshPaths(path, package_dirs)), contextlib.redirect_stderr(said):
        try:
            text: str = xacro.process_file(str(path), mappings=mappings).toxml()
        except (Exception, SystemExit) as error:  # xacro raises many kinds, and leaves by itself for some
            reason = " ".join(str(error).split()) or type(error).__name__
            raise ModelFileError(f"{path} cannot be expanded by xacro: {reason}") from error
    if said.getvalue().strip():
        logger.info("%s: xacro says: %s", path, said.getvalue().strip())
    return text


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextlib.contextmanager
def _packages_found(packages: MeshPaths) -> Iterator[None]:
    """Answers xacro's ``$(find ...)``, which else asks a ROS installation."""
    substitution: Any = importlib.import_module("xacro.substitution_args")
    ask_ros = substitution._eval_find

    def find(name: str) -> str:
        folder = packages.package(name)
        if folder is not None:
            return str(folder)
        try:
            return str(ask_ros(name))
        except Exception:
            raise LookupError(f"package {name!r} was not found; package_dirs says where to look") from None

    substitution._eval_find = find
    substitution._eval_dict["find"] = find
    try:
        yield
    finally:
        substitution._eval_find = ask_ros
        substitution._eval_dict["find"] = ask_ros
