"""All solutions of many poses in one call."""

from __future__ import annotations

from typing import Any

from kinetree.interfaces.bench import Table, Workload, workload

from ..contest import Outcome, compete
from ..core.figures import Figure, at_most, table_of
from ..options import Options
from ..peers.catalog import CLOSED_FORM_PEERS, SOLVE_MANY, chosen
from .branches import judge

ROBOTS = ("kr6_r900", "irb120", "puma560", "ur5")
SAMPLES, QUICK = 50_000, 2_000
#: So many that the median of them is one of quiet moments; each is still a large batch.
ROUNDS = 20
#: Microseconds for a pose, where the wrist is spherical.
EACH = 0.5
SPHERICAL = ("kr6_r900", "irb120", "puma560")
#: Libraries that take many poses in one call and give all solutions.
PEERS = ("EAIK", "py-opw-kinematics")


def measure(options: Options) -> list[Table]:
    """A row for each robot and library; one thread."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "closed_form.batch",
        f"All solutions of many poses in one call: {count} random reachable poses each, in {ROUNDS} calls, one thread",
        {
            "robot": ("robot", ""),
            "library": ("library", ""),
            "version": ("version", ""),
            "solutions": ("solutions", ".2f"),
            "found": ("has q %", ".3f"),
            "wrong": ("wrong", "d"),
            "pose_us": ("us / pose", ".3f"),
            "rate": ("poses / s", ".0f"),
            "spread": ("spread %", ".0f"),
            "note": ("", ""),
        },
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        work = workload(name, count, options.seed)
        contestants = [SOLVE_MANY, *(peer for peer in chosen(CLOSED_FORM_PEERS, options, name) if peer.name in PEERS)]
        _, outcomes = compete(contestants, work, work.seeds, together=True, all_solutions=True, rounds=ROUNDS)
        rows = [_row(work, outcome) for outcome in outcomes]
        table.rows += rows
        if name in SPHERICAL:
            figures.append(at_most("batch, us a pose", EACH, rows[0].get("pose_us"), name, rows[0]["note"]))
    return [table, table_of(table.name, figures)]


def _row(work: Workload, outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"robot": work.name, "library": outcome.name, "version": outcome.version}
    if outcome.words:
        return {**row, "note": outcome.words}
    assert outcome.verification is not None
    branches = judge(work, outcome.q, outcome.counts, outcome.verification)
    each = outcome.timing.median / (len(work) / len(outcome.rounds))
    return {
        **row,
        "solutions": branches.per_target,
        "found": 100.0 * float((~branches.missing).mean()),
        "wrong": branches.wrong,
        "pose_us": each,
        "rate": 1e6 / each,
        "spread": 100.0 * outcome.timing.spread,
        "note": outcome.error,
    }
