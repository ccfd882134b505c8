"""`Space`: a reachability space of a service."""

from __future__ import annotations

import threading

import numpy as np
import pinocchio as pin

from ...kinematics import ReachabilityMap, StaleMapError, StructureError
from ...kinematics.transforms import Array
from .outcome import FailureReason
from .refusal import Refusal
from .robot_copy import RobotCopy
from .robot_state import RobotState


class Space:
    """A map with the robot that it is of: one that moves along with the service's, so the map sees what has changed.

    Whether the map holds is looked up once for each state: a state never changes, and nobody else has the robot.
    May be asked from several threads.

    Args:
        reachability: The cells.
        robot: Its node set is the map's; used by nobody else.

    Attributes:
        map: As given.
    """

    def __init__(self, reachability: ReachabilityMap, robot: RobotCopy) -> None:
        self.map = reachability
        self._robot = robot
        self._lock = threading.Lock()
        self._values = reachability.values.reshape(-1)
        self._least = reachability.least
        self._seen: RobotState | None = None
        self._stale = ""
        self._map_T_world: Array = np.eye(4)

    def check(self, state: RobotState) -> None:
        """Refused with the reason when the map does not hold for a state."""
        with self._lock:
            self._look(state)

    def covers(self, pose: pin.SE3, state: RobotState) -> bool:
        """Whether the map covers a world pose (m) in a state; refused when it does not hold for that."""
        with self._lock:
            self._look(state)
            map_T_world = self._map_T_world
        cell = int(self.map.grid.index((map_T_world @ pose.homogeneous)[np.newaxis])[0])
        return cell >= 0 and bool(self._values[cell] >= self._least)

    def _look(self, state: RobotState) -> None:
        if self._seen is not state:
            self._robot.follow(state)
            try:
                self.map.check()
                self._map_T_world = self.map.frame.transform().inverse().homogeneous
                self._stale = ""
            except (StaleMapError, StructureError) as error:
                self._stale = self._robot.units.told(str(error))
            self._seen = state
        if self._stale:
            raise Refusal(FailureReason.STALE_REACHABILITY_SPACE, self._stale)
