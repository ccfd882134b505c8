"""Runs an adapter in the process of a peer: ``python step_worker.py ADAPTER FOLDER``.

The folder has ``problem.json`` and ``starts.npz``; ``steps.npz`` with the nanoseconds of each step, the length of each
and the version of the library is written to it. An adapter has ``make(problem, starts) -> (version, step)`` with
``step(k)`` going to configuration k and giving the joint velocity there. Nothing of kinetree is imported here.
"""

import gc
import importlib.util
import json
import sys
import time
from pathlib import Path

import numpy as np


def main() -> None:
    """See the module."""
    adapter, folder = Path(sys.argv[1]), Path(sys.argv[2])
    spec = importlib.util.spec_from_file_location("adapter", adapter)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    problem = json.loads((folder / "problem.json").read_text(encoding="utf-8"))
    starts = dict(np.load(folder / "starts.npz"))
    version, step = module.make(problem, starts)
    count = len(starts["values"])
    for k in range(min(count, 10)):
        step(k)
    taken, sizes = np.zeros(count, dtype=np.int64), np.zeros(count)
    gc.collect()
    gc.disable()
    for k in range(count):
        begun = time.perf_counter_ns()
        velocity = step(k)
        taken[k] = time.perf_counter_ns() - begun
        sizes[k] = np.linalg.norm(np.asarray(velocity))
    np.savez(folder / "steps.npz", nanoseconds=taken, sizes=sizes, version=version)


if __name__ == "__main__":
    main()
