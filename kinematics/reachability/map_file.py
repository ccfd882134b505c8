"""Reachability maps as HDF5 files.

A file has the record of the map, its steps, bounds and numbers of cells as attributes, ``values`` (compressed, in the
shape of the grid, with checksums of its own), the robot as flat arrays in ``plan``, the axes of a reduced map in
``symmetry``, and a checksum of all this.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidValueError, UnknownNameError
from ..frame import Frame
from ..node_set import NodeSet
from ..whole_file import whole_file
from ..world import World
from .arm_symmetry import ArmSymmetry
from .cells import Cells
from .errors import (
    DamagedMapError,
    MissingPackageError,
    ReachabilityError,
    StaleMapError,
    WrongNodeSetError,
    WrongRobotError,
)
from .map_binding import MapBinding
from .map_creation import job_for, moving_joints
from .map_questions import Grid
from .map_record import MapRecord
from .pose_grid import PoseGrid
from .reachability_map import ReachabilityMap
from .sampling_job import RejectsConfigurations
from .sampling_plan import SamplingPlan
from .symmetric_grid import SymmetricGrid

#: What a file says it is.
_FORMAT, _VERSION = "kinetree reachability map", 1
#: How far the base may be from where it was (m, and entries of a rotation).
_TOLERANCE = 1e-9


def save(reachability: ReachabilityMap, path: Path) -> None:
    """See `ReachabilityMap.save`."""
    h5py = _h5py()
    with whole_file(path) as beside, h5py.File(beside, "x") as file:
        _write(reachability, file)
        file.attrs["checksum"] = _checksum(file)


def load(
    path: Path, node_set: NodeSet | None, frame: Frame | None, detector: RejectsConfigurations | None
) -> ReachabilityMap:
    """See `ReachabilityMap.load`."""
    h5py = _h5py()
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        with h5py.File(path, "r") as file:
            _check_format(path, file)
            record, grid, values, plan, frame_T_base = _read(file)
    except (OSError, KeyError, ValueError, TypeError, RuntimeError) as error:
        if isinstance(error, ReachabilityError):
            raise
        raise DamagedMapError(f"{path} is damaged or no reachability map: {error}") from error
    if node_set is None:
        return ReachabilityMap(grid, values, record)
    if plan is None or frame_T_base is None:
        raise WrongNodeSetError(f"{path} was put together from maps of several node sets; load it without one")
    binding = _bind(path, record, plan, frame_T_base, node_set, frame)
    if detector is not None and not record.is_tested:
        raise InvalidValueError(f"no samples were refused in {path}, so it cannot go on with a collision detector")
    can_go_on = not (record.is_union or record.is_refined) and (detector is not None or not record.is_tested)
    symmetry = grid.symmetry if isinstance(grid, SymmetricGrid) else None
    job = job_for(binding, symmetry, detector, grid.cells, record) if can_go_on else None
    return ReachabilityMap(grid, values, record, (binding,), job)


def _write(reachability: ReachabilityMap, file: Any) -> None:
    record, grid = reachability.record, reachability.grid
    file.attrs["format"], file.attrs["version"] = _FORMAT, _VERSION
    for each in fields(MapRecord):
        value = getattr(record, each.name)
        file.attrs[each.name] = list(value) if isinstance(value, tuple) else value
    file.attrs["grid"] = grid.kind
    file.attrs["coordinates"] = list(grid.names)
    for name, value in (("lower", grid.cells.lower), ("upper", grid.cells.upper), ("steps", grid.cells.steps)):
        file.attrs[name] = value
    file.attrs["shape"], file.attrs["turns"] = grid.cells.shape, grid.cells.turns
    file.create_dataset(
        "values", data=reachability.values, compression="gzip", compression_opts=1, shuffle=True, fletcher32=True
    )
    if isinstance(grid, SymmetricGrid):
        for each in fields(ArmSymmetry):
            file[f"symmetry/{each.name}"] = getattr(grid.symmetry, each.name)
    bindings = reachability._bindings
    if bindings and len({binding.plan.digest for binding in bindings}) == 1:
        file["frame_T_base"] = bindings[0].frame_T_base
        for name, value in bindings[0].plan.arrays().items():
            file[f"plan/{name}"] = value


def _checksum(file: Any) -> str:
    """Of all that is in a file but the checksum."""
    digest = hashlib.sha256()
    for name in sorted(file.attrs):
        if name != "checksum":
            digest.update(f"{name}={np.asarray(file.attrs[name]).tolist()!r};".encode())
    found: list[str] = []
    file.visit(found.append)
    for name in sorted(found):
        if hasattr(file[name], "dtype"):
            array = np.ascontiguousarray(file[name][()])
            digest.update(f"{name} {array.dtype.str} {array.shape};".encode() + array.tobytes())
    return digest.hexdigest()


def _check_format(path: Path, file: Any) -> None:
    if file.attrs.get("format") != _FORMAT:
        raise DamagedMapError(f"{path} is an HDF5 file, but no reachability map")
    version = file.attrs.get("version")
    if version != _VERSION:
        raise DamagedMapError(f"{path} is of version {version}; this kinetree reads version {_VERSION}")
    if file.attrs.get("checksum") != _checksum(file):
        raise DamagedMapError(f"{path} is damaged: what is in it does not add up to its checksum")


def _read(file: Any) -> tuple[MapRecord, Grid, Any, SamplingPlan | None, Any]:
    given: dict[str, Any] = {}
    for each in fields(MapRecord):
        value = file.attrs[each.name]
        given[each.name] = tuple(value) if each.name == "joints" else getattr(value, "item", lambda v=value: v)()
    shape = tuple(int(n) for n in file.attrs["shape"])
    cells = Cells(file.attrs["lower"], file.attrs["steps"], shape, tuple(bool(each) for each in file.attrs["turns"]))
    values = file["values"][()]
    if values.shape != cells.shape:
        raise ValueError(f"it has {values.shape} values for {cells.shape} cells")
    grid: Grid = PoseGrid(cells)
    if file.attrs["grid"] == SymmetricGrid.kind:
        parts = {each.name: file[f"symmetry/{each.name}"][()] for each in fields(ArmSymmetry)}
        parts["ranges"] = tuple(parts["ranges"].tolist())
        grid = SymmetricGrid(cells, ArmSymmetry(**parts))
    plan = frame_T_base = None
    if "plan" in file:
        arrays = {each.name: file[f"plan/{each.name}"][()] for each in fields(SamplingPlan)}
        plan, frame_T_base = SamplingPlan(**{**arrays, "tip_frame": int(arrays["tip_frame"])}), file["frame_T_base"][()]
    return MapRecord(**given), grid, values.ravel(), plan, frame_T_base


def _bind(
    path: Path, record: MapRecord, plan: SamplingPlan, frame_T_base: Any, node_set: NodeSet, frame: Frame | None
) -> MapBinding:
    """The robot of a map; raises what is wrong with it."""
    robot = node_set.skeleton.name
    wrong = _other_set(record, node_set)
    if wrong and robot != record.robot:
        raise WrongRobotError(f"{path} is a map of robot {record.robot!r}, not of {robot!r}: {wrong}")
    if wrong:
        raise WrongNodeSetError(f"{path} is a map of node set {record.node_set!r}, not of {node_set.name!r}: {wrong}")
    binding = MapBinding(node_set, _frame_of(path, record, node_set, frame))
    difference = binding.plan.difference(plan)
    if difference:
        raise WrongRobotError(
            f"{path} is a map of another robot {record.robot!r} than this {robot!r}: they differ in {difference} "
            "(joints between base and tip that are not of the set have to stand where they stood)"
        )
    if np.abs(binding.frame_T_base - frame_T_base).max() > _TOLERANCE:
        raise StaleMapError(
            f"the base {record.base!r} is not where it was in the frame {record.frame!r} when {path} was made"
        )
    return binding


def _other_set(record: MapRecord, node_set: NodeSet) -> str:
    joints = moving_joints(node_set)
    if joints != record.joints:
        return f"its joints are {', '.join(record.joints)}, not {', '.join(joints)}"
    for what, wanted, given in (("tip", record.tip, node_set.tip.name), ("base", record.base, node_set.base.name)):
        if wanted != given:
            return f"its {what} is {wanted!r}, not {given!r}"
    return ""


def _frame_of(path: Path, record: MapRecord, node_set: NodeSet, frame: Frame | None) -> Frame:
    if frame is not None:
        return frame
    if record.frame == node_set.base.name:
        return node_set.base
    if record.frame == World().name:
        return World()
    try:
        return node_set.skeleton.frame(record.frame)
    except UnknownNameError:
        raise ReachabilityError(f"{path} is a map in the frame {record.frame!r}; give it as frame=") from None


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise MissingPackageError("maps are saved with h5py; install it with: pip install 'kinetree[reach]'") from None
    return h5py
