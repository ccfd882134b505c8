"""What a library takes before it gives a first answer: room on the disk, and time from the start of a process."""

from __future__ import annotations

import json
import subprocess
import time
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import kinetree.interfaces
import kinetree.kinematics
import kinetree.models
import kinetree.solvers
from kinetree.interfaces.bench import Table, Workload, workload

from .options import Options
from .peers.catalog import CLOSED_FORM_PEERS, PEERS, SOLVE, Peer, chosen
from .peers.environments import python_of
from .peers.errors import PeerError
from .peers.problem import problem_of

ROOT = Path(__file__).parents[1]
#: Starts of each; the median counts. The first one, which fills the caches of the disk, is not among them.
REPEATS, QUICK = 5, 2
#: Solved by all but a few, which get another.
ROBOT, OTHERS = "ur5", {"frankik": "panda", "py-opw-kinematics": "kr6_r900"}
#: They give all solutions and have no call for one.
CLOSED = tuple({peer.name for peer in CLOSED_FORM_PEERS} - {peer.name for peer in PEERS})
OURS = "kinetree"
#: What every environment has before anything is installed.
BEFORE = ("pip", "setuptools")
MEASURE = f"""
import json, pathlib
from importlib.metadata import distributions
sizes = {{}}
for each in distributions():
    name = each.metadata["Name"].lower()
    if name not in {BEFORE!r}:
        files = [pathlib.Path(each.locate_file(file)) for file in each.files or ()]
        sizes[name] = sum(file.stat().st_size for file in files if file.suffix != ".pyc" and file.is_file())
print(json.dumps(sizes))
"""


def measure(options: Options) -> list[Table]:
    """A row for each library, and one for ours without compiled kernels."""
    count = options.count(REPEATS, QUICK)
    table = Table(
        "footprint",
        f"What pip installs (files of Python and of the system, without compiled Python), and seconds from the start "
        f"of a process to the first answer, {count} starts each",
        {
            "library": ("library", ""),
            "version": ("version", ""),
            "own": ("own MB", ".1f"),
            "size": ("with dependencies MB", ".0f"),
            "packages": ("packages", "d"),
            "robot": ("robot", ""),
            "start_s": ("first answer s", ".2f"),
            "note": ("", ""),
        },
    )
    table.rows.append(_row(SOLVE, count, options.seed))
    table.rows[0]["library"] = OURS
    with TemporaryDirectory() as folder:
        empty = replace(SOLVE, variables={"KINETREE_CACHE_DIR": folder})
        table.rows.append(_row(empty, 0, options.seed) | {"library": f"{OURS}, kernels not yet compiled"})
    peers = {peer.name: peer for peer in (*PEERS, *CLOSED_FORM_PEERS)}
    table.rows += [_row(peer, count, options.seed) for peer in chosen(list(peers.values()), options)]
    return [table]


def _row(peer: Peer, count: int, seed: int) -> dict[str, Any]:
    """Of one library; ``count`` starts after a first one, or that one alone when 0."""
    robot = OTHERS.get(peer.name, ROBOT)
    row: dict[str, Any] = {"library": peer.name, "robot": robot, "note": ""}
    try:
        sizes = _sizes(peer)
        work = workload(robot, 1, seed)
        starts = [_start(peer, work) for _ in range(1 + count)]
    except PeerError as error:
        return row | {"note": str(error)}
    taken = [seconds for seconds, _ in starts]
    return row | {
        "version": starts[0][1],
        "own": sizes.get(peer.name.lower(), 0) / 1e6,
        "size": sum(sizes.values()) / 1e6,
        "packages": len(sizes),
        "start_s": float(np.median(taken[1:] or taken)),
    }


def _sizes(peer: Peer) -> dict[str, int]:
    """Bytes of each distribution in its environment; for ours, in one that has what the package depends on."""
    if peer.requirements is not None:
        return _installed(peer.name, peer.requirements)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sizes = _installed(OURS, project["dependencies"])
    return sizes | {OURS: _of_files(kinetree.kinematics, kinetree.models, kinetree.solvers, kinetree.interfaces)}


def _installed(name: str, requirements: Iterable[str]) -> dict[str, int]:
    python = python_of(name, tuple(requirements))
    done = subprocess.run([str(python), "-P", "-c", MEASURE], check=False, capture_output=True, text=True)
    if done.returncode:
        raise PeerError(f"cannot be measured: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    sizes: dict[str, int] = json.loads(done.stdout)
    return sizes


def _of_files(*packages: Any) -> int:
    folders = [Path(folder) for package in packages for folder in package.__path__]
    files = [file for folder in folders for file in folder.rglob("*")]
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")


def _start(peer: Peer, work: Workload) -> tuple[float, str]:
    """Seconds from the start of a process to its first answer, and the version that it said."""
    with problem_of(work) as problem:
        begun = time.perf_counter()
        with peer.start() as session:
            session.open(problem.with_options(peer.options), peer.patience)
            closed = peer.name in CLOSED
            answers = session.measure(work.in_base(), work.of_chain(work.seeds), all_solutions=closed, seconds=0.0)
            # A call goes before the measured one: it is the first.
            seconds = time.perf_counter() - begun - 1e-9 * float(answers.nanoseconds[0])
            return seconds, session.version
