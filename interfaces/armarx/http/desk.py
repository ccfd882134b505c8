"""`Desk`: hands the work of requests to threads, within the limits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from ..outcome import FailureReason, Outcome
from ..robot_ik import RobotIK
from .errors import FileRefusedError, FileTooLargeError
from .map_folder import MapFolder
from .server_settings import ServerSettings
from .worker_threads import WorkerThreads

T = TypeVar("T")

#: Reachability spaces are made one at a time, as each uses all processors; a file or two may wait for another.
_MAPS_WAITING, _FILES_WAITING = 0, 2
#: What those are told who come while all is taken (s).
_SOON, _LATER = 1.0, 5.0


class Desk:
    """Hands the work of requests to threads, within the limits.

    Solves, maps and files have threads of their own, so that none of them waits for a map.

    Args:
        service: What does the work; it may be called from several threads at once.
        settings: Limits, and the folder for files.
    """

    def __init__(self, service: RobotIK, settings: ServerSettings) -> None:
        self.service = service
        self._limits = settings.limits
        self._folder = MapFolder(settings.folder, settings.limits.files, settings.limits.file_bytes)
        self._solves = WorkerThreads("solves", settings.limits.threads, settings.limits.waiting, _SOON)
        self._maps = WorkerThreads("reachability spaces", 1, _MAPS_WAITING, _LATER)
        self._files = WorkerThreads("files", 1, _FILES_WAITING, _LATER)
        self._is_stopping = False

    def stop(self) -> None:
        """Gives up the reachability space that is being made, if there is one."""
        self._is_stopping = True

    async def run(self, work: Callable[[], T]) -> T:
        """Does something that is quick and always done.

        Raises:
            ServiceBusyError: There is too much to do.
            TimeoutError: It did not get its turn in time.
        """
        return await self._solves.run(work, self._limits.solve_seconds)

    async def solve(self, work: Callable[[], Outcome[T]], nothing: T) -> Outcome[T]:
        """Does an operation that should be over soon.

        Args:
            work: The operation.
            nothing: Its value when time is up.

        Raises:
            ServiceBusyError: There is too much to do.
        """
        return await self._within(self._solves, work, self._limits.solve_seconds, nothing)

    async def make_map(
        self, node_set: str, samples: int, work: Callable[[Callable[[int, int], None]], Outcome[bool]]
    ) -> Outcome[bool]:
        """Makes a reachability space when it is small enough and there is room for one more.

        Args:
            node_set: Whose space.
            samples: How many.
            work: The operation; it is given a function that it has to call now and then, and that ends it.

        Raises:
            ServiceBusyError: Another one is being made.
        """
        if samples > self._limits.samples:
            return _too_large(f"{samples} samples were asked for, and {self._limits.samples} are allowed")

        deadline = time.monotonic() + self._limits.map_seconds

        def progress(done: int, total: int) -> None:
            if self._is_stopping or time.monotonic() > deadline:
                raise TimeoutError(f"given up after {done} of {total} samples")

        def guarded() -> Outcome[bool]:
            refused = self._no_room(node_set)
            return work(progress) if refused is None else refused

        return await self._within(self._maps, guarded, self._limits.map_seconds, False)

    async def load(self, filename: str) -> Outcome[bool]:
        """Loads a reachability space from the folder.

        Raises:
            ServiceBusyError: Too many other files are being read or written.
        """

        def work() -> Outcome[bool]:
            path = self._folder.to_read(filename)
            refused = self._no_room()
            return self.service.explained.load_reachability_space(str(path)) if refused is None else refused

        return await self._file(filename, work)

    async def save(self, node_set: str, filename: str) -> Outcome[bool]:
        """Saves a reachability space to the folder.

        Raises:
            ServiceBusyError: Too many other files are being read or written.
        """

        def work() -> Outcome[bool]:
            return self.service.explained.save_reachability_space(node_set, str(self._folder.to_write(filename)))

        return await self._file(filename, work)

    def define(self, name: str, nodes: list[str], tcp: str, root: str) -> Outcome[bool]:
        """Defines a node set when there is room for one more."""
        known = self.service.node_sets
        if name not in known and len(known) >= self._limits.node_sets:
            return _too_large(f"there are {len(known)} node sets, and {self._limits.node_sets} are allowed")
        return self.service.explained.define_robot_node_set(name, nodes, tcp, root)

    def _no_room(self, node_set: str | None = None) -> Outcome[bool] | None:
        """Why there can be no more reachability spaces; None when there can."""
        ask = self.service.explained.has_reachability_space
        without = (FailureReason.NO_REACHABILITY_SPACE, FailureReason.UNKNOWN_NODE_SET)
        holders = [name for name in self.service.node_sets if ask(name).reason not in without]
        if len(holders) < self._limits.maps or node_set in holders:
            return None
        return _too_large(f"there are {len(holders)} reachability spaces, and {self._limits.maps} are allowed")

    async def _file(self, filename: str, work: Callable[[], Outcome[bool]]) -> Outcome[bool]:
        def told() -> Outcome[bool]:
            try:
                outcome = work()
            except FileRefusedError as error:
                return Outcome(False, FailureReason.FILE_REFUSED, str(error))
            except FileTooLargeError as error:
                return _too_large(str(error))
            except TimeoutError:
                raise
            except OSError as error:
                outcome = Outcome(False, FailureReason.FILE_ERROR, str(error))
            return Outcome(outcome.value, outcome.reason, self._folder.told(filename, outcome))

        return await self._within(self._files, told, self._limits.map_seconds, False)

    async def _within(
        self, threads: WorkerThreads, work: Callable[[], Outcome[T]], seconds: float, nothing: T
    ) -> Outcome[T]:
        try:
            return await threads.run(work, seconds)
        except TimeoutError:
            return Outcome(nothing, FailureReason.TIMEOUT, f"no answer within the {seconds:g} s that the server allows")


def _too_large(detail: str) -> Outcome[bool]:
    return Outcome(False, FailureReason.TOO_LARGE, detail)
