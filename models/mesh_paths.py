"""Finds the mesh files that a robot file names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlparse

PackageDirs = Iterable[str | Path] | Mapping[str, str | Path]


class MeshPaths:
    """Resolves ``package://``, ``model://``, ``file://`` and relative names.

    Packages are looked for in the given directories (each either a package itself or a folder of packages, or a
    mapping from package names to folders), in the folders above the robot file, then in ``ROS_PACKAGE_PATH``
    and ``AMENT_PREFIX_PATH``.

    Args:
        file: The robot file, or None for a text without one.
        package_dirs: See above.
    """

    def __init__(self, file: Path | None, package_dirs: PackageDirs | None = None) -> None:
        self._folder = None if file is None else file.resolve().parent
        self._named: dict[str, Path] = {}
        self._roots: list[Path] = []
        if isinstance(package_dirs, Mapping):
            self._named = {name: Path(folder) for name, folder in package_dirs.items()}
        elif package_dirs is not None:
            given = [package_dirs] if isinstance(package_dirs, str | Path) else package_dirs
            self._roots = [Path(folder) for folder in given]
        #: Names that were not found, in the order in which they were asked for.
        self.missing: list[str] = []

    def find(self, name: str) -> str:
        """The path of a mesh; the name itself, noted in `missing`, when there is no such file."""
        for candidate in self._candidates(name.strip()):
            if candidate.is_file():
                return str(candidate)
        if name not in self.missing:
            self.missing.append(name)
        return name

    def _candidates(self, name: str) -> Iterable[Path]:
        parsed = urlparse(name)
        if parsed.scheme in ("package", "model"):
            package, _, rest = name.split("://", 1)[1].partition("/")
            yield from self._in_packages(unquote(package), unquote(rest))
        elif parsed.scheme == "file":
            yield Path(unquote(parsed.path))
            yield from self._near(unquote(name.split("://", 1)[1]))
        else:
            yield from self._near(name)

    def _near(self, name: str) -> Iterable[Path]:
        path = Path(name)
        if path.is_absolute():
            yield path
        elif self._folder is not None:
            yield self._folder / path

    def _in_packages(self, package: str, rest: str) -> Iterable[Path]:
        if package in self._named:
            yield self._named[package] / rest
        for root in self._roots:
            yield root / package / rest
            if root.name == package:
                yield root / rest
        if self._folder is not None:
            for folder in (self._folder, *self._folder.parents):
                yield folder / package / rest
                if folder.name == package:
                    yield folder / rest
        for folder in _listed("ROS_PACKAGE_PATH"):
            yield folder / package / rest
            if folder.name == package:
                yield folder / rest
        for folder in _listed("AMENT_PREFIX_PATH"):
            yield folder / "share" / package / rest


def _listed(variable: str) -> list[Path]:
    return [Path(each) for each in os.environ.get(variable, "").split(os.pathsep) if each]
