"""Steps of other libraries, each in an environment and a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from kinetree.interfaces.bench import Timing
from kinetree.kinematics import FreeJoint

from ..options import Options
from ..peers.catalog import is_chosen
from ..peers.environments import python_of
from ..peers.errors import PeerError
from .cases import Case

FOLDER = Path(__file__).parent
#: Seconds for all steps of a case.
PATIENCE = 300.0
ROUNDS = 10


@dataclass(frozen=True)
class StepPeer:
    """A library with its adapter.

    Attributes:
        name: In the table.
        adapter: Its file.
        requirements: What pip installs.
        way: What it solves, for the table.
    """

    name: str
    adapter: str
    requirements: tuple[str, ...]
    way: str


PEERS = (
    StepPeer("placo", "step_placo.py", ("placo", "numpy"), "level 0 hard, others weighted"),
    StepPeer("pin-pink", "step_pink.py", ("pin-pink", "daqp"), "weighted"),
    StepPeer("mink", "step_mink.py", ("mink", "daqp"), "weighted"),
)


def peer_rows(case: Case, count: int, options: Options) -> Iterator[dict[str, Any]]:
    """A row for each library, with a note instead of figures for one that cannot."""
    for peer in (each for each in PEERS if is_chosen(each.name, options)):
        row: dict[str, Any] = {"case": case.name, "library": peer.name, "call": peer.way, "engine": ""}
        try:
            yield row | _measured(peer, case, count)
        except PeerError as error:
            yield row | {"note": str(error)}


def _measured(peer: StepPeer, case: Case, count: int) -> dict[str, Any]:
    python = python_of(peer.name, peer.requirements)
    variables = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    variables.pop("PYTHONPATH", None)  # what we see is not for a peer
    with tempfile.TemporaryDirectory() as folder:
        _write(case, Path(folder), count)
        command = [str(python), "-P", str(FOLDER / "step_worker.py"), str(FOLDER / peer.adapter), folder]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=variables)
        except subprocess.TimeoutExpired:
            raise PeerError(f"took more than {PATIENCE:.0f} s") from None
        if done.returncode:
            raise PeerError(f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
        with np.load(Path(folder) / "steps.npz") as found:
            taken, sizes, version = found["nanoseconds"], found["sizes"], str(found["version"])
    timing = Timing.of(np.array_split(taken, min(ROUNDS, len(taken))))
    return {
        "engine": version,
        "median_us": timing.median,
        "mean_us": timing.mean,
        "p99_us": timing.p99,
        "spread": 100.0 * timing.spread,
        "note": "" if np.median(sizes) > 0.0 else "it does not move",
    }


def _write(case: Case, folder: Path, count: int) -> None:
    """The problem without anything of ours: a URDF file, names, poses as matrices."""
    robot, starts = case.robot, case.starts[:count]
    free = next((joint for joint in robot.joints if isinstance(joint, FreeJoint)), None)
    single = [dof for dof in robot.dofs if dof.joint is not free]
    problem = {
        "urdf": str(files("kinetree.models") / "robots" / f"{case.model}.urdf"),
        "joints": [dof.joint.name for dof in single],
        "floating": free.name if free is not None else "",
        "root": robot.links[0].name,
        "goals": [
            {"frame": goal.frame, "selection": goal.selection, "level": goal.level,
             "target": goal.target.homogeneous.tolist()}
            for goal in case.goals
        ],
        "balance": None if case.balance is None else {"goal": case.balance[0].tolist(), "level": case.balance[1]},
    }  # fmt: skip
    (folder / "problem.json").write_text(json.dumps(problem), encoding="utf-8")
    base = np.zeros((len(starts), 7))
    if free is not None:
        child = free.child_link
        assert child is not None
        base = np.array([pin.SE3ToXYZQUAT(robot.state(q).transform(child)) for q in starts])
    np.savez(folder / "starts.npz", values=starts[:, [dof.index for dof in single]], base=base)
