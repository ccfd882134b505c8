"""Compiles MJCF files with the package mujoco, also when files that they name are missing."""

from __future__ import annotations

import contextlib
import importlib
import logging
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import ModelFileError, UnsupportedFeatureError
from .notes import Notes

logger = logging.getLogger(__name__)

#: Mass (kg) and moment of inertia given to bodies that lost theirs with a missing mesh; the smallest that
#: MuJoCo takes is 1e-15.
STAND_IN_MASS = 1e-12
#: Each round removes all files known to be missing and the one that stopped the compiler.
_ROUNDS = 40


def compile_mjcf(path: Path, notes: Notes) -> Any:
    """The ``mujoco.MjModel`` of a file.

    Meshes whose files are missing are left out, with one note for all; so are textures and height fields
    then.

    Raises:
        UnsupportedFeatureError: The package mujoco is not installed.
        ModelFileError: mujoco cannot compile the file; the message is mujoco's.
    """
    try:
        mujoco = importlib.import_module("mujoco")
    except ImportError:
        raise UnsupportedFeatureError(
            f"{path} is an MJCF file, which needs the package mujoco: pip install 'kinetree[mjcf]'"
        ) from None
    with _warnings_logged(mujoco, path):
        try:
            return _compile(mujoco, path, notes)
        except (ValueError, RuntimeError, FileNotFoundError) as error:
            raise ModelFileError(f"{path} cannot be read by mujoco: {_one_line(error)}") from error


def _compile(mujoco: Any, path: Path, notes: Notes) -> Any:
    spec = mujoco.MjSpec.from_file(str(path.absolute()))
    # Both would take away links and shapes that the file has.
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    try:
        return spec.compile()
    except ValueError as error:
        if _unopened(error) is None:
            raise
        return _without_missing_files(spec, path, error, notes)


def _without_missing_files(spec: Any, path: Path, error: ValueError, notes: Notes) -> Any:
    spec.compiler.boundmass = max(spec.compiler.boundmass, STAND_IN_MASS)
    spec.compiler.boundinertia = max(spec.compiler.boundinertia, STAND_IN_MASS)
    for material in list(spec.materials):
        material.textures = [""] * len(material.textures)
    for texture in list(spec.textures):
        _delete(spec, texture)
    missing: dict[str, None] = {}
    for _ in range(_ROUNDS):
        name = _unopened(error)
        if name is None:
            raise error
        _remove_meshes(spec, path, name, missing)
        try:
            model = spec.compile()
        except ValueError as next_error:
            if str(next_error) == str(error) and Path(name).suffix:
                raise
            error = next_error
            continue
        _note(missing, notes)
        return model
    raise error


def _remove_meshes(spec: Any, path: Path, unopened: str, missing: dict[str, None]) -> None:
    """Removes the meshes and height fields with a given file, and every mesh whose file is not there."""
    folder = path.resolve().parent / (spec.meshdir or "")
    gone = set()
    for mesh in list(spec.meshes):
        if mesh.file and (unopened.endswith(mesh.file) or not (folder / mesh.file).is_file()):
            missing[mesh.file] = None
            # A mesh without a name is called after its file.
            gone.add(mesh.name or Path(mesh.file).stem)
            _delete(spec, mesh)
    fields = set()
    for field in list(spec.hfields):
        if field.file and unopened.endswith(field.file):
            fields.add(field.name or Path(field.file).stem)
            _delete(spec, field)
    for geom in list(spec.geoms):
        if geom.meshname in gone or geom.hfieldname in fields:
            _delete(spec, geom)


def _note(missing: dict[str, None], notes: Notes) -> None:
    if missing:
        names = list(missing)
        listed = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        plural = "s were" if len(names) > 1 else " was"
        notes.add(f"{len(names)} mesh file{plural} not found and left out: {listed}")


@contextlib.contextmanager
def _warnings_logged(mujoco: Any, path: Path) -> Iterator[None]:
    """Logs what mujoco warns about, which it else prints and writes to a file in the working directory."""
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: logger.info("%s: mujoco says: %s", path, text))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the same texts once more
            yield
    finally:
        mujoco.set_mju_user_warning(before)


def _delete(spec: Any, element: Any) -> None:
    if hasattr(spec, "delete"):
        spec.delete(element)
    else:
        element.delete()  # mujoco before 3.3


def _unopened(error: ValueError) -> str | None:
    """The file that the compiler did not find, if that is what the error says."""
    found = re.search(r"(?:opening|open|find) file '([^']+)'", str(error))
    return found[1] if found else None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
