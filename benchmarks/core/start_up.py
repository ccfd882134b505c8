"""How long the first call takes: on a machine that never ran kinetree, and in a later process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from tempfile import TemporaryDirectory

import numpy as np

from kinetree.interfaces.bench import Table

from ..options import Options
from .figures import at_least, at_most, table_of

SAMPLES, QUICK = 5, 2
#: Seconds.
FRESH, LATER = 12.0, 1.5
#: What an empty kernel cache makes a first call say on standard error.
MESSAGE = "compiling"
#: A pose of the panda's hand that is easy to reach.
POSITION, QUATERNION = ("0.4", "0.1", "0.5"), ("1", "0", "0", "0")
COMMAND = [
    sys.executable, "-m", "kinetree.interfaces.cli", "solve", "panda",
    "--position", *POSITION, "--quaternion", *QUATERNION,
]  # fmt: skip
FIRST_CALL = f"""
import time
from kinetree import models
from kinetree.solvers import InverseKinematics
ik = InverseKinematics(models.load("panda"))
begun = time.perf_counter()
assert ik.solve(({[float(x) for x in POSITION]}, {[float(x) for x in QUATERNION]}))
print(time.perf_counter() - begun)
"""


def measure(options: Options) -> list[Table]:
    """A row for a fresh cache, and one for ``kinetree solve`` with a warm one."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "core.start_up",
        "The first call: seconds",
        {
            "what": ("what", ""),
            "median_s": ("median", ".2f"),
            "least_s": ("least", ".2f"),
            "most_s": ("most", ".2f"),
            "repeats": ("repeats", "d"),
        },
    )
    with TemporaryDirectory() as folder:
        variables = {**os.environ, "KINETREE_CACHE_DIR": folder}
        first, message = _first_call(variables)
        table.rows.append(_row("first solve with an empty kernel cache", [first]))
        _command(variables)  # compiles what the command needs besides
        later = [_command(variables) for _ in range(count)]
    table.rows.append(_row("`kinetree solve`, process and all, warm cache", later))
    figures = [
        at_most("first call on a fresh machine, s", FRESH, first),
        at_least("messages that say why it takes long", 1, float(message)),
        at_most("`kinetree solve` from process start, s", LATER, float(np.median(later))),
    ]
    return [table, table_of(table.name, figures)]


def _first_call(variables: Mapping[str, str]) -> tuple[float, bool]:
    """Seconds of the first call, and whether it said why it takes long."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL], env=dict(variables), check=True, capture_output=True, text=True
    )
    return float(done.stdout.split()[-1]), MESSAGE in done.stderr


def _command(variables: Mapping[str, str]) -> float:
    """Seconds of ``kinetree solve`` from the start of its process to the end."""
    begun = time.perf_counter()
    subprocess.run(COMMAND, env=dict(variables), check=True, capture_output=True)
    return time.perf_counter() - begun


def _row(what: str, seconds: list[float]) -> dict[str, object]:
    return {
        "what": what,
        "median_s": float(np.median(seconds)),
        "least_s": min(seconds),
        "most_s": max(seconds),
        "repeats": len(seconds),
    }
