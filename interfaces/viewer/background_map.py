"""`BackgroundMap`: a reachability map that is sampled while the viewer goes on."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...kinematics import Frame, KinetreeError, ReachabilityMap, Skeleton
from ...kinematics.reachability.errors import WrongRobotError


class _CancelledError(Exception):
    """Ends the sampling from within its report of progress."""


def read_map(path: str | Path, robot: Skeleton) -> ReachabilityMap:
    """Reads a map, which must be of the robot.

    Raises:
        FileNotFoundError: There is no such file.
        WrongRobotError: The map is of another robot.
        KinetreeError: The file is damaged.
    """
    record = ReachabilityMap.load(path).record
    if not (robot.has_frame(record.tip) and (record.frame == "world" or robot.has_frame(record.frame))):
        raise WrongRobotError(f"{path} is a map of {record.robot!r}, {record.tip!r}; {robot.name!r} has no such frame")
    # Of a copy: the present positions of the robot may change, and the map is drawn as it is.
    twin = robot.clone()
    base = None if record.base == "world" else twin.frame(record.base)
    return ReachabilityMap.load(path, twin.frame(record.tip).chain(base))


class BackgroundMap:
    """Samples one map at a time in a thread of its own.

    Args:
        progress: Called with the part that is done, from 0 to 1.
        done: Called with the map.
        failed: Called with what went wrong. None of the three is called after `cancel`.
    """

    def __init__(
        self,
        progress: Callable[[float], Any],
        done: Callable[[ReachabilityMap], Any],
        failed: Callable[[Exception], Any],
    ) -> None:
        self._progress, self._done, self._failed = progress, done, failed
        self._cancelled = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """True while a map is sampled."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, frame: Frame, samples: int, step: float = 0.05, turn: float = math.radians(36.0)) -> None:
        """Begins; a map that is being sampled is given up.

        Args:
            frame: What goes there; its robot is copied, and may move meanwhile.
            samples: How many.
            step: Edge of a cell (m).
            turn: The same in the angles (rad).
        """
        self.cancel()
        robot = frame.skeleton
        assert robot is not None
        chain = robot.clone().frame(frame.name).chain()
        cancelled = self._cancelled = threading.Event()

        def report(sampled: int, total: int) -> None:
            if cancelled.is_set():
                raise _CancelledError
            self._progress(sampled / max(1, total))

        def work() -> None:
            try:
                made = ReachabilityMap.create(
                    chain, step_translation=step, step_rotation=turn, samples=samples, progress=report
                )
            except _CancelledError:
                return
            except (KinetreeError, MemoryError) as error:
                if not cancelled.is_set():
                    self._failed(error)
                return
            if not cancelled.is_set():
                self._done(made)

        self._thread = threading.Thread(target=work, name="kinetree map", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Gives up what is being sampled; returns at once."""
        self._cancelled.set()
