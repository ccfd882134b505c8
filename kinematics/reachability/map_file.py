"""Reachability maps as files; see `map_layout` for what is in them and `sealed_file` for how they are checked."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidValueError, UnknownNameError
from ..frame import Frame
from ..node_set import NodeSet
from ..whole_file import whole_file
from ..world import World
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
from .map_layout import Contents, read_contents, write_contents
from .map_record import MapRecord
from .reachability_map import ReachabilityMap
from .sampling_job import RejectsConfigurations
from .sampling_plan import SamplingPlan
from .sealed_file import HEADER, read_sealed, write_sealed
from .symmetric_grid import SymmetricGrid
from .typed_reader import TypedReader

#: How far the base may be from where it was (m, and entries of a rotation).
_TOLERANCE = 1e-9


def save(reachability: ReachabilityMap, path: Path) -> None:
    """See `ReachabilityMap.save`."""
    h5py = _h5py()
    with whole_file(path) as beside, beside.open("xb") as stream:
        write_sealed(stream, _packed(h5py, reachability).getbuffer())


def load(
    path: Path,
    node_set: NodeSet | None,
    frame: Frame | None,
    detector: RejectsConfigurations | None,
    max_memory: int | None,
) -> ReachabilityMap:
    """See `ReachabilityMap.load`."""
    h5py = _h5py()
    path = path.expanduser()
    contents = _unpacked(h5py, path, max_memory)
    record, grid, values, plan, frame_T_base = contents
    if node_set is None:
        return ReachabilityMap(grid, values, record)
    if plan is None or frame_T_base is None:
        raise WrongNodeSetError(
            f"{path} does not know its robot: it was put together from maps of several node sets, or of one that did "
            "not know it; load it without one"
        )
    binding = _bind(path, record, plan, frame_T_base, node_set, frame)
    if detector is not None and not record.is_tested:
        raise InvalidValueError(f"no samples were refused in {path}, so it cannot go on with a collision detector")
    can_go_on = not (record.is_union or record.is_refined) and (detector is not None or not record.is_tested)
    symmetry = grid.symmetry if isinstance(grid, SymmetricGrid) else None
    job = job_for(binding, symmetry, detector, grid.cells, record) if can_go_on else None
    return ReachabilityMap(grid, values, record, (binding,), job)


def _packed(h5py: Any, reachability: ReachabilityMap) -> BytesIO:
    """The HDF5 file of a map, made in memory, with room for its seal in front.

    HDF5 does not get over a disk that is full: it keeps the file open, and the process crashes when it ends.
    """
    made = BytesIO()
    with reachability._counting, h5py.File(made, "w", userblock_size=HEADER) as file:
        write_contents(reachability, file, h5py.string_dtype())
    return made


def _unpacked(h5py: Any, path: Path, max_memory: int | None) -> Contents:
    content = read_sealed(path, max_memory)
    try:
        # Of the very bytes that were checked, whatever happens to the file meanwhile.
        with h5py.File(BytesIO(content), "r") as file:
            return read_contents(TypedReader(h5py, file, len(content)), len(content), max_memory)
    except MemoryError:
        raise
    except Exception as error:  # HDF5 and zlib have many kinds
        raise DamagedMapError(f"{path} is damaged or no reachability map: {error}") from error


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
