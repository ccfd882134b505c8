"""`ReachabilitySpaces`: the reachability spaces of a service, at most one for a node set."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pinocchio as pin

from .outcome import FailureReason
from .reading_spaces import space_in_file, write_space
from .refusal import Refusal
from .robot_state import RobotState
from .served_robot import ServedRobot
from .space import Space
from .space_request import SpaceRequest

_LOGGER = logging.getLogger(__name__)


class ReachabilitySpaces:
    """Makes, reads, writes and asks the spaces.

    While one is made or read, others can be asked; two callers for the same node set wait for each other.

    Args:
        robot: The service's.
        max_memory: Bytes that a space may take; see `ReachabilityMap.create`.
    """

    def __init__(self, robot: ServedRobot, max_memory: int | None) -> None:
        self._robot = robot
        self._max_memory = max_memory
        self._spaces: dict[str, Space] = {}
        self._making: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def create(self, name: str, request: SpaceRequest, progress: Callable[[int, int], Any] | None) -> bool:
        """Makes the space of a node set unless there is one that holds."""
        self._check_known(name)
        with self._making_of(name):
            if self._has_current(name):
                return True
            robot = self._robot.new_copy()
            robot.follow(self._robot.state)
            made = request.sampled(robot, name, self._max_memory, progress)
            self._spaces[name] = Space(made, robot)
            return True

    def check(self, name: str) -> bool:
        """True when there is a space that holds; refused with the reason when not."""
        self._current(name)
        return True

    def covers(self, name: str, pose: pin.SE3, state: RobotState) -> bool:
        """True when the space covers a world pose (m) in a state; refused with the reason when not."""
        self._check_known(name)
        if not self._space(name).covers(pose, state):
            x, y, z = self._robot.units.pose_of_metres(pose).translation
            raise Refusal(
                FailureReason.NOT_REACHABLE,
                f"the reachability space of {name!r} does not cover the pose at ({x:.4g}, {y:.4g}, {z:.4g}) "
                f"{self._robot.units.name} in the world",
            )
        return True

    def save(self, name: str, path: Path) -> bool:
        """Writes the space of a node set; refused when there is none that holds."""
        write_space(self._current(name).map, path)
        return True

    def load(self, path: Path) -> bool:
        """Reads a space whose node set has none yet."""
        robot = self._robot.new_copy()
        robot.follow(self._robot.state)
        name = space_in_file(path, None, self._max_memory).record.node_set
        self._check_known(name)
        with self._making_of(name):
            if self._has_current(name):
                raise Refusal(
                    FailureReason.EXISTS_ALREADY, f"there is a reachability space for node set {name!r} already"
                )
            read = space_in_file(path, robot.node_set(name), self._max_memory)
            self._spaces[name] = Space(read, robot)
            return True

    # The parts.

    def _check_known(self, name: str) -> None:
        if name not in self._robot.state.node_sets:  # the copy knows how to say so
            with self._robot.borrowed() as robot:
                robot.node_set(name)

    def _making_of(self, name: str) -> threading.Lock:
        with self._lock:
            return self._making.setdefault(name, threading.Lock())

    def _space(self, name: str) -> Space:
        """The space of a node set, whether it holds or not."""
        space = self._spaces.get(name)
        if space is None:
            raise Refusal(
                FailureReason.NO_REACHABILITY_SPACE,
                f"there is no reachability space for node set {name!r}; create or load one",
            )
        return space

    def _current(self, name: str) -> Space:
        """The space of a node set that holds where the robot stands now."""
        self._check_known(name)
        space = self._space(name)
        space.check(self._robot.state)
        return space

    def _has_current(self, name: str) -> bool:
        """Whether a new space is not needed; one that cannot even be asked does not stand in the way of another."""
        try:
            self._current(name)
        except Refusal:
            return False
        except Exception:
            _LOGGER.warning("the reachability space of node set %r cannot be asked any more", name, exc_info=True)
            return False
        return True
