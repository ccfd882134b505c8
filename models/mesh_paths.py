"""`MeshPaths`: finds the mesh files that a robot file names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

#: Folders that hold packages (or are one), or a mapping from package names to their folders.
PackageDirs: TypeAlias = str | Path | Iterable[str | Path] | Mapping[str, str | Path]


class MeshPaths:
    """Resolves ``package://``, ``model://``, ``file://`` and relative names.

    A package is looked for in the given folders, then in the folders above the robot file, then in those of
    ``ROS_PACKAGE_PATH``, and in ``share`` of those of ``AMENT_PREFIX_PATH``.

    Args:
        file: The robot file, or None for a text without one.
        package_dirs: Folders that hold packages or are one, or a mapping from package names to folders.
    """

    def __init__(self, file: Path | None, package_dirs: PackageDirs | None = None) -> None:
        self._folder = None if file is None else file.resolve().parent
        self._named: dict[str, Path] = {}
        self._given: list[Path] = []
        if isinstance(package_dirs, Mapping):
            self._named = {name: Path(folder).expanduser() for name, folder in package_dirs.items()}
        elif isinstance(package_dirs, str | Path):
            self._given = [Path(package_dirs).expanduser()]
        elif package_dirs is not None:
            self._given = [Path(folder).expanduser() for folder in package_dirs]
        self._packages: dict[str, list[Path]] = {}

    def find(self, name: str) -> str | None:
        """The path of a mesh file; None when it is nowhere."""
        return next((str(path) for path in self._candidates(name.strip()) if path.is_file()), None)

    def package(self, name: str) -> Path | None:
        """The folder of a package; None when it is nowhere."""
        return next(iter(self._package_folders(name)), None)

    def _candidates(self, name: str) -> Iterator[Path]:
        scheme, separator, rest = name.partition("://")
        if not separator:
            yield from self._near(name)
        elif scheme in ("package", "model"):
            package, _, inside = unquote(rest).partition("/")
            for folder in self._package_folders(package):
                yield folder / inside
        elif scheme == "file":
            # "file:///absolute" is right; "file://relative" is common.
            yield from self._near(unquote(rest))

    def _near(self, name: str) -> Iterator[Path]:
        path = Path(name)
        if path.is_absolute():
            yield path
        elif self._folder is not None:
            yield self._folder / path

    def _package_folders(self, name: str) -> list[Path]:
        if name not in self._packages:
            self._packages[name] = [each for each in self._possible_folders(name) if each.is_dir()]
        return self._packages[name]

    def _possible_folders(self, name: str) -> Iterator[Path]:
        if name in self._named:
            yield self._named[name]
        for folder in self._given:
            yield from _in_or_itself(folder, name)
        if self._folder is not None:
            for folder in (self._folder, *self._folder.parents):
                yield from _in_or_itself(folder, name)
        for folder in _listed("ROS_PACKAGE_PATH"):
            yield from _in_or_itself(folder, name)
        for folder in _listed("AMENT_PREFIX_PATH"):
            yield folder / "share" / name


def _in_or_itself(folder: Path, name: str) -> Iterator[Path]:
    if folder.name == name:
        yield folder
    yield folder / name


def _listed(variable: str) -> list[Path]:
    return [Path(each) for each in os.environ.get(variable, "").split(os.pathsep) if each]
