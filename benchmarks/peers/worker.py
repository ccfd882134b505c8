"""Runs in a library's own Python: loads its adapter, answers requests from standard input, times every call.

It imports the standard library and numpy alone. An adapter is a file with a class ``Adapter``::

    class Adapter:
        version: str                               # of the library; may be a property
        def __init__(self, problem): ...           # raises, with a reason, when it cannot take the robot
        def query(self, target, seed): ...         # a tuple of arguments for `solve`; not timed
        def solve(self, *query): ...               # one call of the library, from Python; timed
        def answer(self, result): ...              # configuration (n,), or None for no solution; not timed

An adapter that can take many targets in one call has, instead of or besides the last three, ``query_all(targets,
seeds)``, ``solve_all(*query)`` and ``answer_all(result)``, which returns configurations (m, n) with nan for no
solution.

An adapter of a library that gives all solutions of a pose has ``answers(result)`` instead of ``answer``, which returns
configurations (k, n) of the solutions that the library calls exact; for many targets in one call
``answers_all(result)`` instead of ``answer_all``, which returns the configurations of all targets together, target by
target, and their number for each target (m,).

``problem`` has ``robot`` (name), ``urdf`` (path of a file that holds nothing but the chain), ``base`` and ``tip``
(link names), ``joints`` (names), ``lower`` and ``upper`` (n,), ``continuous`` (n,) bool, ``position_tolerance`` (m),
``orientation_tolerance`` (rad), ``attempts`` (restarts of libraries without restarts of their own),
``restarts`` (attempts, n) random configurations inside the limits to restart from, ``axes`` (n, 3), ``offsets``
(n + 1, 3) and ``tip_rotation`` (3, 3), which are the chain as a product of exponentials, and ``options`` of the peer.
``pose_at(q)`` gives the tip's pose (4, 4) at a configuration, worked out from those. ``target`` is a pose (4, 4) of
the tip in the base, ``seed`` a configuration (n,).

Messages are numpy archives with a length of eight bytes before them; what is no array is JSON in ``"text"``.
"""

from __future__ import annotations

import gc
import importlib.util
import io
import json
import os
import struct
import sys
import time
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np

#: Calls before the timed ones of each request, and seconds for them at most: measured is a loop, not what comes
#: after others had the caches.
WARM_UP, WARM_SECONDS = 200, 0.5


def pack(message):
    """A message as bytes: arrays as they are, everything else as JSON."""
    arrays = {key: value for key, value in message.items() if isinstance(value, np.ndarray)}
    rest = {key: value for key, value in message.items() if key not in arrays}
    buffer = io.BytesIO()
    np.savez(buffer, text=np.array(json.dumps(rest)), **arrays)
    content = buffer.getvalue()
    return struct.pack("<Q", len(content)) + content


def unpack(content):
    """The inverse of `pack`, without the length."""
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        arrays = {key: archive[key] for key in archive.files if key != "text"}
        return {**json.loads(str(archive["text"])), **arrays}


def measure(adapter, targets, seeds, seconds):
    """One timed call for each target, in order, for as long as there are seconds left.

    Returns:
        ``q`` (k, n) with nan for no solution, ``nanoseconds`` (k,) of the k targets that were asked for, and the
        first error that a call raised.
    """
    results, nanoseconds, error = _timed(adapter, targets, seeds, seconds)
    q = np.full((len(results), seeds.shape[1]), np.nan)
    for k, result in enumerate(results):
        found = None if isinstance(result, Exception) else adapter.answer(result)
        if found is not None:
            q[k] = found
    return {"q": q, "nanoseconds": nanoseconds, "error": error}


def measure_solutions(adapter, targets, seeds, seconds):
    """One timed call for each target, which gives all of its solutions, for as long as there are seconds left.

    Returns:
        ``q`` (k, n) of all targets, ``counts`` (m,) how many of them belong to each, ``nanoseconds`` (m,), and the
        first error that a call raised.
    """
    results, nanoseconds, error = _timed(adapter, targets, seeds, seconds)
    none = np.empty((0, seeds.shape[1]))
    q = [none]
    for result in results:
        found = none if isinstance(result, Exception) else np.asarray(adapter.answers(result), dtype=float)
        q.append(found if len(found) else none)
    counts = np.array([len(each) for each in q[1:]], np.int64)
    return {"q": np.concatenate(q), "counts": counts, "nanoseconds": nanoseconds, "error": error}


def _timed(adapter, targets, seeds, seconds):
    """What the calls returned or raised, their times (k,), and the first error in words."""
    queries = [adapter.query(target, seed) for target, seed in zip(targets, seeds, strict=True)]
    solve, clock = adapter.solve, time.perf_counter_ns
    results = []
    nanoseconds = np.zeros(len(queries), np.int64)
    gc.collect()  # before the calls that are not timed: it empties the caches
    gc.disable()
    try:
        _warm_up(solve, queries, seconds)
        end = clock() + int(1e9 * seconds)
        for k, query in enumerate(queries):
            begun = clock()
            try:
                result = solve(*query)
            except Exception as raised:
                result = raised
            ended = clock()
            nanoseconds[k] = ended - begun
            results.append(result)
            if ended > end:
                break
    finally:
        gc.enable()
    raised = [result for result in results if isinstance(result, Exception)]
    return results, nanoseconds[: len(results)], words_of(raised[0]) if raised else ""


def _warm_up(solve, queries, seconds):
    """Calls that are not timed; the first one may compile, and its time is no measure of how many others there are."""
    end = None
    for query in islice(cycle(queries), WARM_UP):
        _quietly(solve, query)
        end = end or time.perf_counter_ns() + int(1e9 * min(WARM_SECONDS, seconds))
        if time.perf_counter_ns() >= end:
            break


def measure_all(adapter, targets, seeds, seconds):
    """One timed call for all targets; ``nanoseconds`` has a single entry."""
    result, nanoseconds = _timed_together(adapter, targets, seeds)
    return {"q": np.asarray(adapter.answer_all(result)), "nanoseconds": nanoseconds, "error": ""}


def measure_all_solutions(adapter, targets, seeds, seconds):
    """One timed call for all solutions of all targets; as `measure_solutions`, with one time."""
    result, nanoseconds = _timed_together(adapter, targets, seeds)
    q, counts = adapter.answers_all(result)
    return {"q": np.asarray(q), "counts": np.asarray(counts), "nanoseconds": nanoseconds, "error": ""}


def _timed_together(adapter, targets, seeds):
    query = adapter.query_all(targets, seeds)
    adapter.solve_all(*adapter.query_all(targets[:WARM_UP], seeds[:WARM_UP]))
    gc.collect()
    gc.disable()
    try:
        begun = time.perf_counter_ns()
        result = adapter.solve_all(*query)
        nanoseconds = time.perf_counter_ns() - begun
    finally:
        gc.enable()
    return result, np.array([nanoseconds])


def pose_at(problem, q):
    """Where the tip is (4, 4) at a configuration (n,), from the axes: in no call that is timed."""
    pose = np.eye(4)
    pose[:3, 3] = problem.offsets[0]
    for axis, angle, offset in zip(problem.axes, q, problem.offsets[1:], strict=True):
        x, y, z = axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turn = np.eye(4)
        turn[:3, :3] += np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
        turn[:3, 3] = turn[:3, :3] @ offset
        pose = pose @ turn
    pose[:3, :3] = pose[:3, :3] @ problem.tip_rotation
    return pose


def words_of(error):
    """An exception in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]


def _quietly(solve, query):
    try:
        solve(*query)
    except Exception:
        return


def _load(path):
    spec = importlib.util.spec_from_file_location("adapter", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Adapter


def _answer(request, state):
    if request["do"] == "open":
        problem = SimpleNamespace(**{key: value for key, value in request.items() if key != "do"})
        problem.pose_at = partial(pose_at, problem)
        state["adapter"] = _load(state["path"])(problem)
        return {"version": str(state["adapter"].version)}
    return ACTS[request["do"]](state["adapter"], request["targets"], request["seeds"], request["seconds"])


#: What can be asked of an opened adapter.
ACTS = {act.__name__: act for act in (measure, measure_all, measure_solutions, measure_all_solutions)}


def main():
    """Answers until standard input ends."""
    incoming = sys.stdin.buffer
    # Libraries print to standard output; the answers go through a descriptor that only this file knows.
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    state = {"path": Path(sys.argv[1])}
    while len(head := incoming.read(8)) == 8:
        request = unpack(incoming.read(struct.unpack("<Q", head)[0]))
        try:
            message = _answer(request, state)
        except BaseException as error:  # a Rust panic is no Exception
            message = {"failure": words_of(error)}
        outgoing.write(pack(message))
        outgoing.flush()


if __name__ == "__main__":
    main()
