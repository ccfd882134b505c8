"""`refine_boundary`: asks inverse kinematics about the cells that sampling is least sure of."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...kinematics import InvalidValueError, QConstraint, ReachabilityError, ReachabilityMap
from ..inverse_kinematics import InverseKinematics
from ..option_checks import as_random_seed
from ..request import Constraint

#: Poses that are solved for at once: what they take stays small.
_AT_ONCE = 1 << 16


def refine_boundary(
    reachability: ReachabilityMap,
    *,
    poses: int = 4,
    share: float = 0.5,
    attempts: int = 20,
    constraint: QConstraint | Constraint | None = None,
    max_cells: int = 1_000_000,
    seed: int = 0,
) -> ReachabilityMap:
    """Decides by inverse kinematics about the cells on the boundary of a map.

    These are the covered cells beside one that is not, and the other way round. In each of them some random poses are
    solved for: with enough solutions the cell is covered, else it is not. So cells that the tip only just gets into
    are taken out, and those that no sample has hit although it could are put in. A cell that is put in has the value 1.

    Args:
        reachability: A map that knows its robot. A plain map of six coordinates is sparse, and most of its cells are
            on the boundary: this is for reduced maps, or for plain ones with several samples a cell.
        poses: How many in each cell.
        share: The least part of them with a solution for a cell to be covered.
        attempts: Of the solver for each pose; it also gives up what is unreachable after so many.
        constraint: Refuses configurations; see `InverseKinematics.solve`.
        max_cells: Refuse more cells than these.
        seed: Of the poses.

    Returns:
        A new map, which cannot go on sampling.

    Raises:
        ReachabilityError: The map does not know its robot, or more cells than ``max_cells`` are on the boundary.
        StaleMapError: The robot is not as it was.
        InvalidValueError: Numbers that make no sense.
    """
    if isinstance(poses, bool) or poses < 1 or not 0.0 < share <= 1.0:
        raise InvalidValueError(f"there must be at least one pose and a share up to 1, not {poses} and {share}")
    rng = np.random.default_rng(as_random_seed("seed", seed))
    node_set = reachability.node_set
    if node_set is None:
        raise ReachabilityError("this map does not know its robot; load it with its node set")
    reachability.check()
    cells = boundary(reachability)
    if len(cells) > max_cells:
        raise ReachabilityError(
            f"{len(cells)} of {reachability.grid.cells.size} cells are on the boundary, which is more than "
            f"max_cells={max_cells}; sample more, take larger cells or a symmetric map"
        )
    module = InverseKinematics(node_set.tip)
    module.set_dofs([dof.name for dof in node_set.dofs])
    world_T_frame = reachability.frame.transform().homogeneous
    values = np.array(reachability.values).ravel()
    values[values < reachability.least] = 0  # not covered, and away from the boundary nobody asks again
    least = math.ceil(share * poses - 1e-9)
    for start in range(0, len(cells), max(1, _AT_ONCE // poses)):
        some = cells[start : start + max(1, _AT_ONCE // poses)]
        targets = world_T_frame @ reachability.grid.poses(np.repeat(some, poses), rng)
        found = module.solve_batch(targets, attempts=attempts, constraint=constraint)
        solved = found.success.reshape(-1, poses).sum(axis=1) >= least
        values[some] = np.where(solved, np.maximum(values[some], 1), 0)
    return reachability.refined(values.reshape(reachability.grid.cells.shape))


def boundary(reachability: ReachabilityMap) -> NDArray[np.int64]:
    """Cells (m,) that are covered beside one that is not, or the other way round."""
    covered = reachability.values >= reachability.least
    found = np.zeros(covered.shape, dtype=bool)
    cells = reachability.grid.cells
    for axis, count in enumerate(cells.shape):
        if count < 2:
            continue
        before, after = [slice(None)] * covered.ndim, [slice(None)] * covered.ndim
        before[axis], after[axis] = slice(None, -1), slice(1, None)
        differ = covered[tuple(before)] != covered[tuple(after)]
        found[tuple(before)] |= differ
        found[tuple(after)] |= differ
        if cells.turns[axis] and abs(count * cells.steps[axis] - 2.0 * math.pi) < 1e-9:
            before[axis], after[axis] = slice(-1, None), slice(0, 1)
            differ = covered[tuple(before)] != covered[tuple(after)]
            found[tuple(before)] |= differ
            found[tuple(after)] |= differ
    return np.flatnonzero(found)
