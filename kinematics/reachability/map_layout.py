"""What is where in the HDF5 file of a map.

A file has the record of the map, its steps, bounds and numbers of cells as attributes, ``values`` in the shape of the
grid, the robot as flat arrays in ``plan`` with ``frame_T_base``, and the axes of a reduced map in ``symmetry``.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidPoseError
from ..transforms import Array
from .arm_symmetry import ArmSymmetry
from .cells import Cells
from .errors import DamagedMapError
from .map_questions import Grid
from .map_record import JOINED, MapRecord
from .memory import check_loaded
from .packed_values import read_values, write_values
from .pose_arrays import as_poses
from .pose_grid import PoseGrid
from .reachability_map import ReachabilityMap
from .sampling_plan import FOLLOWS, SamplingPlan
from .sealed_file import VERSION
from .symmetric_grid import SymmetricGrid
from .typed_reader import TypedReader

_FORMAT = "kinetree reachability map"
_RECORD = tuple(each.name for each in fields(MapRecord))
_ATTRIBUTES = {"format", "version", "grid", "coordinates", "lower", "upper", "steps", "shape", "turns", *_RECORD}
#: Kinds and shapes of the arrays of a `SamplingPlan`; None is any length.
_PLAN: dict[str, tuple[str, tuple[int | None, ...]]] = {
    "steps": ("i", (None, 3)),
    "constants": ("f", (None, 15)),
    "entries": ("i", (None, 3)),
    "rates": ("f", (None, 2)),
    "carries": ("i", (None,)),
    "tip_frame": ("i", ()),
    "tip_pose": ("f", (12,)),
    "lower": ("f", (None,)),
    "upper": ("f", (None,)),
    "draws": ("i", (None,)),
}
#: How the parts of a record that are several are put in one text: an attribute has room for few, a text for many.
_LINES = "\n"
_HASHES = re.compile(r"[0-9a-f]{64}(?:" + re.escape(JOINED) + r"[0-9a-f]{64})*")
_PARTS = re.compile(r"[0-9a-f]{64} \d{1,19}")


class Contents(NamedTuple):
    """What a file has.

    Attributes:
        record: What the map is of.
        grid: Its cells.
        values: (size,) of them.
        plan: The robot; None where there is none, or several.
        frame_T_base: (4, 4) where its base was in the frame of the map; None without a robot.
    """

    record: MapRecord
    grid: Grid
    values: NDArray[Any]
    plan: SamplingPlan | None
    frame_T_base: Array | None


def write_contents(reachability: ReachabilityMap, file: Any, text_type: Any) -> None:
    """Fills an empty ``h5py.File``; ``text_type`` is HDF5's type of texts."""
    record, grid = reachability.record, reachability.grid
    attributes = file.attrs
    attributes["format"], attributes["version"] = _FORMAT, VERSION
    for name in _RECORD:
        value = getattr(record, name)
        if name == "parts":
            value = _LINES.join(value)
        attributes.create(name, value, dtype=text_type if isinstance(value, str | tuple) else None)
    attributes["grid"] = grid.kind
    attributes.create("coordinates", list(grid.names), dtype=text_type)
    for name, value in (("lower", grid.cells.lower), ("upper", grid.cells.upper), ("steps", grid.cells.steps)):
        attributes[name] = value
    attributes["shape"], attributes["turns"] = grid.cells.shape, grid.cells.turns
    write_values(file, reachability._values, grid.cells.shape)
    if isinstance(grid, SymmetricGrid):
        for each in fields(ArmSymmetry):
            file[f"symmetry/{each.name}"] = getattr(grid.symmetry, each.name)
    bindings = reachability._bindings
    if bindings and len({binding.plan.digest for binding in bindings}) == 1:
        file["frame_T_base"] = bindings[0].frame_T_base
        for name, value in bindings[0].plan.arrays().items():
            file[f"plan/{name}"] = value


def read_contents(reader: TypedReader, size: int, max_memory: int | None) -> Contents:
    """Reads a file of ``size`` bytes; see `ReachabilityMap.load` for ``max_memory``.

    Raises:
        DamagedMapError: Something is missing, of another type, or contradicts itself.
        MapTooLargeError: The cells would take too much memory; they were not read.
    """
    reader.check_attributes(_ATTRIBUTES)
    reader.choice("format", [_FORMAT])
    reader.whole("version", VERSION, VERSION)
    record = _record(reader)
    kind = reader.choice("grid", [PoseGrid.kind, SymmetricGrid.kind])
    has_robot = "plan" in reader.members()
    robot = {"plan", "frame_T_base"} if has_robot else set()
    reader.check_members("/", {"values"} | robot | ({"symmetry"} if kind == SymmetricGrid.kind else set()))
    grid = _grid(reader, kind)
    value_type = np.uint8 if record.bits == 8 else np.uint16
    check_loaded(grid.cells, np.dtype(value_type).itemsize, max_memory)
    plan = _plan(reader) if has_robot else None
    frame_T_base = _pose(reader, "frame_T_base") if has_robot else None
    values = read_values(reader, value_type, grid.cells.shape, size)
    _check_values(record, values)
    return Contents(record, grid, values, plan, frame_T_base)


def _record(reader: TypedReader) -> MapRecord:
    quality = reader.choice("quality", ["count", "manipulability"])
    parts = reader.text("parts")
    record = MapRecord(
        robot=reader.text("robot"),
        robot_hash=reader.text("robot_hash"),
        node_set=reader.text("node_set"),
        joints=reader.texts("joints"),
        tip=reader.text("tip"),
        base=reader.text("base"),
        frame=reader.text("frame"),
        quality=quality,
        bits=reader.whole("bits", 8, 16),
        scale=reader.number("scale"),
        seed=reader.whole("seed"),
        samples=reader.whole("samples"),
        outside=reader.whole("outside"),
        rejected=reader.whole("rejected"),
        is_tested=reader.flag("is_tested"),
        is_union=reader.flag("is_union"),
        is_refined=reader.flag("is_refined"),
        parts=tuple(parts.split(_LINES)) if parts else (),
    )
    reason = _why_impossible(record)
    if reason:
        raise DamagedMapError(reason)
    return record


def _why_impossible(record: MapRecord) -> str:
    if record.bits not in (8, 16):
        return f"bits are {record.bits}, and must be 8 or 16"
    if not _HASHES.fullmatch(record.robot_hash):
        return f"robot_hash is {record.robot_hash!r}, which is no hash"
    if record.num_robots > 1 and not record.is_union:
        return f"it is of {record.num_robots} robots, but was not put together"
    if not (record.joints and all(record.joints)):
        return "it has no joints"
    if (record.scale > 0.0) != (record.quality == "manipulability") or record.scale < 0.0:
        return f"scale is {record.scale} for a map of {record.quality}"
    if record.outside + record.rejected > record.samples or (record.rejected and not record.is_tested):
        return f"of {record.samples} samples {record.outside} were outside and {record.rejected} refused"
    if not all(_PARTS.fullmatch(each) for each in record.parts) or bool(record.parts) > record.is_union:
        return "parts are none of samples"
    return ""


def _check_values(record: MapRecord, values: NDArray[Any]) -> None:
    """Raises for counts of more samples than there were."""
    if record.quality == "count" and not record.is_refined:
        inside = record.samples - record.outside - record.rejected
        if int(values.sum(dtype=np.uint64)) > inside:
            raise DamagedMapError(f"{inside} samples were inside the bounds, and the cells hold more")


def _grid(reader: TypedReader, kind: str) -> Grid:
    grid_type = PoseGrid if kind == PoseGrid.kind else SymmetricGrid
    count = len(grid_type.names)
    if reader.texts("coordinates") != grid_type.names:
        raise DamagedMapError(f"coordinates are {reader.texts('coordinates')}, and must be {grid_type.names}")
    lower, upper, steps = (reader.numbers(name, count) for name in ("lower", "upper", "steps"))
    shape, turns = reader.wholes("shape", count), reader.flags("turns", count)
    if min(shape) < 1:
        raise DamagedMapError(f"shape is {shape}, and must be of numbers from 1 on")
    if not (steps > np.finfo(float).tiny).all():
        raise DamagedMapError(f"steps are {steps}, and must be positive")
    if any(turn and unit != "rad" for turn, unit in zip(turns, grid_type.units, strict=True)):
        raise DamagedMapError(f"turns are {turns}, but not all of these are angles")
    cells = Cells(lower, steps, shape, turns)
    with np.errstate(over="ignore"):
        if not np.allclose(cells.upper, upper, rtol=1e-9, atol=1e-12):
            raise DamagedMapError(f"upper is {upper}, but the cells end at {cells.upper}")
    return PoseGrid(cells) if kind == PoseGrid.kind else SymmetricGrid(cells, _symmetry(reader))


def _symmetry(reader: TypedReader) -> ArmSymmetry:
    reader.check_members("symmetry", {each.name for each in fields(ArmSymmetry)})
    first, last = reader.array("symmetry/ranges", "f", (2,)).tolist()
    if not (0.0 < first < 7.0 and 0.0 < last < 7.0):
        raise DamagedMapError(f"symmetry/ranges are {first} and {last}, and must be up to a turn")
    return ArmSymmetry(
        base=_pose(reader, "symmetry/base"),
        tool=_pose(reader, "symmetry/tool"),
        canonical_pose=reader.array("symmetry/canonical_pose", "f", (12,)),
        ranges=(first, last),
    )


def _plan(reader: TypedReader) -> SamplingPlan:
    reader.check_members("plan", set(_PLAN))
    arrays: dict[str, Any] = {name: reader.array(f"plan/{name}", *wanted) for name, wanted in _PLAN.items()}
    plan = SamplingPlan(**{**arrays, "tip_frame": int(arrays["tip_frame"])})
    lengths = [[len(arrays[name]) for name in names] for names in _ALIKE]
    if any(len(set(each)) > 1 for each in lengths) or not 1 <= plan.tip_frame <= len(plan.steps):
        raise DamagedMapError("plan has arrays that do not fit each other")
    if (plan.lower > plan.upper).any() or ((plan.draws < 0) | (plan.draws > FOLLOWS)).any():
        raise DamagedMapError("plan has limits the wrong way round, or unknown kinds of joints")
    return plan


#: Arrays of a plan that have a row for each of the same things.
_ALIKE = (("steps", "constants"), ("entries", "rates"), ("lower", "upper", "draws"))


def _pose(reader: TypedReader, name: str) -> Array:
    matrix = reader.array(name, "f", (4, 4)).astype(float)
    try:
        pose: Array = as_poses(matrix, name)[0]
    except InvalidPoseError as error:
        raise DamagedMapError(str(error)) from None
    return pose
