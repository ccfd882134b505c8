"""Arms with seven joints: the solution nearest to a seed in one call, against a scan of the redundancy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinetree.interfaces.bench import Table, Workload, workload
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry

from ..contest import Outcome, compete
from ..core.figures import Figure, at_least, at_most, table_of
from ..options import Options
from ..peers.catalog import CLOSED_FORM_PEERS, SOLVE_ALL, Peer, chosen
from ..peers.problem import ORIENTATION_TOLERANCE, POSITION_TOLERANCE
from .redundancy_scan import RedundancyScan

Array = NDArray[np.float64]
#: Robot to the place of the joint that the scan holds; what is left has a spherical wrist or shoulder.
ROBOTS = {"iiwa14": 2, "panda": 6}
SAMPLES, QUICK = 2_000, 50
#: Values of the redundancy that are scanned; those that EAIK, which has no seven joints, is given to go through.
VALUES, FEW = 2_000, 17
#: By how much the largest difference from the seed may exceed that of the scan (rad); how often (%), how long (us).
NEAR, REQUIRED, MEDIAN = 1e-3, 99.9, 15.0


def measure(options: Options) -> list[Table]:
    """A row for each robot and library."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "closed_form.seven_axis",
        f"The solution inside the limits that is nearest to a random seed: {count} random reachable poses each, "
        f"against a scan of {VALUES} values of a joint",
        {
            "robot": ("robot", ""),
            "library": ("library", ""),
            "version": ("version", ""),
            "solved": ("solved %", ".2f"),
            "nearest": ("nearest %", ".2f"),
            "nearer": ("nearer %", ".2f"),
            "excess_p99": ("p99 further rad", ".1e"),
            "excess": ("most", ".1e"),
            "median_us": ("median us", ".2f"),
            "mean_us": ("mean us", ".2f"),
            "p99_us": ("p99 us", ".1f"),
            "spread": ("spread %", ".0f"),
            "note": ("", ""),
        },
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        if name not in ROBOTS:
            continue
        work = workload(name, count, options.seed)
        scanned = _scanned(work, ROBOTS[name])
        contestants = [replace(SOLVE_ALL, options={"valid": True}), *chosen(_peers(ROBOTS[name]), options, name)]
        _, outcomes = compete(contestants, work, work.seeds, all_solutions=True)
        rows = [_row(work, outcome, scanned) for outcome in outcomes]
        table.rows += rows
        ours = rows[0]
        note = ours["note"]
        figures.append(
            at_least(f"within {NEAR:g} rad of the scan's nearest, %", REQUIRED, ours.get("nearest"), name, note)
        )
        figures.append(at_most("median for the nearest, us", MEDIAN, ours.get("median_us"), name, note))
    return [table, table_of(table.name, figures)]


def _peers(joint: int) -> list[Peer]:
    """Those that take such arms, in the way that they take them."""
    ways: dict[str, dict[str, Any]] = {"EAIK": {"locked": joint, "values": FEW}, "ssik": {"nearest": True}}
    return [replace(peer, options=ways.get(peer.name, {})) for peer in CLOSED_FORM_PEERS]


def _scanned(work: Workload, joint: int) -> Array:
    """Largest difference (m,) from the seed of what the scan finds; inf where it finds nothing."""
    geometry = ChainGeometry.of(work.robot, work.chain.tip, list(work.chain.dof_indices), work.chain.base)
    seeds = np.ascontiguousarray(work.of_chain(work.seeds))
    found = RedundancyScan(geometry, joint, VALUES).nearest(work.in_base(), seeds)
    away: Array = np.nan_to_num(np.abs(found - seeds).max(axis=1), nan=np.inf)
    return away


def _row(work: Workload, outcome: Outcome, scanned: Array) -> dict[str, Any]:
    """The figures of a library; of several solutions that reach, inside the limits, the nearest one counts."""
    row: dict[str, Any] = {"robot": work.name, "library": outcome.name, "version": outcome.version}
    if outcome.words:
        return {**row, "note": outcome.words}
    assert outcome.verification is not None
    owners = np.repeat(np.arange(len(work)), outcome.counts)
    good = outcome.verification.solved(POSITION_TOLERANCE, ORIENTATION_TOLERANCE)
    away = np.full(len(work), np.inf)
    differences = np.abs(work.of_chain(outcome.q) - work.of_chain(work.seeds)[owners]).max(axis=1, initial=0.0)
    np.minimum.at(away, owners[good], differences[good])
    is_solved, timing = np.isfinite(away), outcome.timing
    comparable = is_solved & np.isfinite(scanned)
    excess = away[comparable] - scanned[comparable]
    return {
        **row,
        "solved": 100.0 * float(is_solved.mean()),
        # Where the scan found nothing every solution is the nearest.
        "nearest": 100.0 * float((is_solved & (away <= scanned + NEAR)).mean()),
        "nearer": 100.0 * float((excess < 0.0).mean()) if len(excess) else None,
        "excess_p99": max(0.0, float(np.quantile(excess, 0.99))) if len(excess) else None,
        "excess": max(0.0, float(excess.max())) if len(excess) else None,
        "scanned": 100.0 * float(np.isfinite(scanned).mean()),
        "median_us": timing.median,
        "mean_us": timing.mean,
        "p99_us": timing.p99,
        "spread": 100.0 * timing.spread,
        "note": outcome.error,
    }
