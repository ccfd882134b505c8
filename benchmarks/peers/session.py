"""`Session`: a conversation with the process of a peer."""

from __future__ import annotations

import os
import selectors
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from .errors import PeerError
from .problem import Problem
from .worker import pack, unpack

WORKER = Path(__file__).with_name("worker.py")
#: Seconds for loading the library and the robot; a first compilation counts too.
OPENING = 120.0
#: Seconds for a round of targets: so many at least, and so many more for each target.
ROUND, EACH = 60.0, 0.5
#: Seconds that are no limit: so long that every target is asked for.
ENDLESS = 1e6
#: Bytes of an answer; more is no answer.
LARGEST = 1 << 30


@dataclass(frozen=True)
class Answers:
    """What a library answered to m targets.

    Attributes:
        q: Configurations (m, n) of the chain, nan where it found none; of all solutions (k, n), target by target.
            Fewer rows than targets when the seconds were over before.
        nanoseconds: Time of each call: (m,), or (1,) when one call solved all.
        error: The first error that a call raised; empty when none did.
        counts: How many solutions each target has (m,) when all were asked for, else None.
    """

    q: NDArray[np.float64]
    nanoseconds: NDArray[np.int64]
    error: str = ""
    counts: NDArray[np.int64] | None = None


class Session:
    """A process that runs `worker.py` with an adapter.

    Args:
        python: The interpreter.
        adapter: The adapter's file.
        variables: Environment of the process.
    """

    def __init__(self, python: Path, adapter: Path, variables: Mapping[str, str]) -> None:
        self.version = ""
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            self._process = subprocess.Popen(
                # -P: the adapters next to the worker must not hide the libraries of the same names.
                [str(python), "-P", str(WORKER), str(adapter)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                env=dict(variables),
            )
        except OSError as error:
            self._said.close()
            raise PeerError(f"cannot be started: {error}") from error

    def open(self, problem: Problem, timeout: float = OPENING) -> None:
        """Hands over a robot.

        Raises:
            PeerError: The library refuses it, crashes or hangs.
        """
        try:
            self.version = str(self._request(problem.message(), timeout)["version"])
        except _FailedError as failure:
            raise PeerError(f"refused: {failure}") from failure

    def measure(
        self,
        targets: NDArray[np.float64],
        seeds: NDArray[np.float64],
        *,
        together: bool = False,
        all_solutions: bool = False,
        seconds: float = ENDLESS,
        timeout: float | None = None,
    ) -> Answers:
        """Solves targets.

        Args:
            targets: Poses (m, 4, 4) of the tip in the base.
            seeds: Configurations (m, n).
            together: All in one call, which is timed as a whole, instead of one by one.
            all_solutions: Every solution of each target instead of one.
            seconds: Calls one by one stop when they took so long; the rest of the targets is left out.
            timeout: Seconds for all of them.

        Raises:
            PeerError: It crashed, hung, or gave something that is no answer.
        """
        what = f"measure{'_all' if together else ''}{'_solutions' if all_solutions else ''}"
        request = {"do": what, "targets": targets, "seeds": seeds, "seconds": seconds}
        try:
            answer = self._request(request, ROUND + EACH * len(targets) if timeout is None else timeout)
        except _FailedError as failure:
            raise PeerError(f"failed: {failure}") from failure
        return Answers(answer["q"], answer["nanoseconds"], answer["error"], answer.get("counts"))

    def close(self) -> None:
        """Ends the process."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._said):
            if stream is not None and not stream.closed:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(self, message: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        deadline = time.monotonic() + timeout
        try:
            self._process.stdin.write(pack(message))
            self._process.stdin.flush()
        except OSError as error:
            raise PeerError(self._death()) from error
        size = struct.unpack("<Q", self._read(8, deadline, timeout))[0]
        try:
            if size > LARGEST:
                raise ValueError(f"a message of {size} bytes")
            answer: dict[str, Any] = unpack(self._read(size, deadline, timeout))
        except (ValueError, KeyError, OSError, BadZipFile) as error:
            self.close()
            raise PeerError(f"garbled its answer: {error}") from error
        if "failure" in answer:
            raise _FailedError(answer["failure"])
        return answer

    def _read(self, size: int, deadline: float, timeout: float) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        content = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while len(content) < size:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    self.close()
                    raise PeerError(f"timed out: no answer within {timeout:.0f} s")
                piece = os.read(descriptor, size - len(content))
                if not piece:
                    raise PeerError(self._death())
                content += piece
        return bytes(content)

    def _death(self) -> str:
        """Why the process ended, in words."""
        try:
            code = self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            return "crashed: it closed its output"
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        how = f"signal {-code}" if code < 0 else f"exit status {code}"
        return f"crashed: {how}{', ' + lines[-1][:200] if lines else ''}"


class _FailedError(Exception):
    """The adapter raised; the process lives."""
