"""Making an empty map that is ready to be sampled."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InvalidValueError, StructureError
from ..frame import Frame, check_frame
from ..node_set import NodeSet
from ..transforms import Array
from .arm_symmetry import ArmSymmetry
from .cells import Cells, cells_between
from .map_binding import MapBinding
from .map_questions import Grid
from .map_record import MapRecord
from .memory import check_memory
from .pose_arrays import poses_from_rows
from .pose_grid import PoseGrid
from .reachability_map import ReachabilityMap
from .sampling_job import RejectsConfigurations, SamplingJob
from .symmetric_grid import SymmetricGrid

#: Samples that bounds and the greatest manipulability are found by, and their seed. They are the same whatever the
#: samples of the map are, so that maps with different seeds have the same cells.
_TRIALS, _TRIAL_SEED = 1 << 17, 20240


def new_map(
    node_set: NodeSet,
    steps: tuple[float, float],
    bounds: Any,
    frame: Frame | None,
    seed: int,
    quality: str,
    symmetric: bool,
    bits: int,
    detector: RejectsConfigurations | None,
    max_memory: int | None,
) -> ReachabilityMap:
    """An empty map; see `ReachabilityMap.create`."""
    _check_options(node_set, frame, steps, seed, quality, bits, detector)
    frame = node_set.base if frame is None else frame
    binding = MapBinding(node_set, frame)
    symmetry = ArmSymmetry.of(binding.plan.seen_from(binding.base_T_frame)) if symmetric else None
    trial = job_for(binding, symmetry, detector)
    grid = _grid(trial, symmetry, bounds, steps)
    check_memory(grid.cells, bits // 8, max_memory, steps)
    scale = 0.0
    if quality == "manipulability":
        scale = float(replace(trial, scale=1.0).samples(0, _TRIALS).qualities.max())
        if not scale > 0.0:
            raise StructureError(f"{node_set!r} cannot move its tip in all directions anywhere: no manipulability")
    record = MapRecord(
        robot=node_set.skeleton.name,
        robot_hash=binding.plan.digest,
        node_set=node_set.name,
        joints=moving_joints(node_set),
        tip=node_set.tip.name,
        base=node_set.base.name,
        frame=frame.name,
        quality=quality,
        bits=bits,
        scale=scale,
        seed=int(seed),
        is_tested=detector is not None,
    )
    values = np.zeros(grid.cells.size, dtype=np.uint8 if bits == 8 else np.uint16)
    return ReachabilityMap(grid, values, record, (binding,), job_for(binding, symmetry, detector, grid.cells, record))


def job_for(
    binding: MapBinding,
    symmetry: ArmSymmetry | None,
    detector: RejectsConfigurations | None,
    cells: Cells | None = None,
    record: MapRecord | None = None,
) -> SamplingJob:
    """The job of a map; without cells that of trial samples."""
    plan = binding.plan.seen_from(binding.base_T_frame)
    if symmetry is not None:
        plan = plan.seen_from(symmetry.base)
    if cells is None:
        size = 4 if symmetry is not None else 6
        cells = cells_between([0.0] * size, [1.0] * size, [1.0] * size, [False] * size)
    return SamplingJob(
        plan=plan,
        canonical_pose=plan.tip_pose if symmetry is None else symmetry.canonical_pose,
        is_reduced=symmetry is not None,
        cells=cells,
        seed=_TRIAL_SEED if record is None else record.seed,
        scale=None if record is None or record.quality == "count" else record.scale,
        most=255 if record is None else record.most,
        detector=detector,
        rest=binding.node_set.skeleton.positions,
        columns=binding.node_set.dof_indices,
    )


def moving_joints(node_set: NodeSet) -> tuple[str, ...]:
    """Names of the joints of a set that have a degree of freedom of their own."""
    return tuple(joint.name for joint in node_set.joints if joint.is_moving and not joint.is_dependent)


def _grid(trial: SamplingJob, symmetry: ArmSymmetry | None, bounds: Any, steps: tuple[float, float]) -> Grid:
    if symmetry is not None:
        if bounds is not None:
            return SymmetricGrid.between(bounds, *steps, symmetry)
        return SymmetricGrid.around(_poses(trial.samples(0, _TRIALS).canonical), *steps, symmetry)
    if bounds is not None:
        return PoseGrid.between(bounds, *steps)
    return PoseGrid.around(_poses(trial.samples(0, _TRIALS).poses), *steps)


def _poses(rows: Array) -> Array:
    return poses_from_rows(np.ascontiguousarray(rows))


def _check_options(
    node_set: Any, frame: Any, steps: tuple[float, float], seed: Any, quality: str, bits: int, detector: Any
) -> None:
    if not isinstance(node_set, NodeSet):
        raise InvalidValueError(f"a map is of a NodeSet such as frame.chain(), not of {type(node_set).__name__}")
    if frame is not None:
        check_frame(frame, "frame")
    for name, step in zip(("step_translation", "step_rotation"), steps, strict=True):
        if isinstance(step, bool) or not isinstance(step, int | float | np.number) or not 0.0 < step < math.inf:
            raise InvalidValueError(f"{name} must be a positive number, not {step!r}")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**63:
        raise InvalidValueError(f"the seed must be a whole number from 0 on, not {seed!r}")
    if quality not in ("count", "manipulability"):
        raise InvalidValueError(f"quality must be 'count' or 'manipulability', not {quality!r}")
    if bits not in (8, 16):
        raise InvalidValueError(f"bits must be 8 or 16, not {bits!r}")
    if detector is not None and not callable(getattr(detector, "in_collision_many", None)):
        raise InvalidValueError(f"a collision detector needs a method in_collision_many, not {type(detector).__name__}")
