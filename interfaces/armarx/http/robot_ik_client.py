"""`RobotIKClient`: the twelve operations of a service on another machine or in another process."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

import pinocchio as pin

from ....kinematics import PoseLike
from ..explained_robot_ik import ExplainedRobotIK
from ..plain_robot_ik import PlainRobotIK
from ..robot_state import NodeSetRecord
from .connection import Connection
from .encoding import pose_json, pose_of
from .explained_client import ExplainedRobotIKClient


class RobotIKClient(PlainRobotIK):
    """The twelve operations of a server that ``kinetree serve`` started, and the state of its robot.

    Arguments, values and the meaning of `last_outcome` are those of `RobotIKInterface`. It may be used from several
    threads at once, and closes its connections when it is used as a context manager.

    Args:
        url: Of the server, such as ``"http://127.0.0.1:8000"``.
        token: What the server asks for, if it does.
        timeout: How long to wait for an answer (s); longer than the server lets a solve take.
        map_timeout: The same where reachability spaces are made, loaded or saved.

    Raises:
        InvalidValueError: What is no address, or a time that is not positive. The operations raise it for what makes
            no sense, here or on the server.
        MissingServePackageError: httpx is not installed.
        ServiceBusyError: By an operation, when the server has too much to do; ``retry_after`` says when to come again.
        UnauthorizedError: By an operation, when the server wants another token.
        ServiceUnavailableError: By an operation, when nobody answers.
        RemoteServiceError: By an operation, when the server answers with another error.
    """

    def __init__(self, url: str, token: str | None = None, timeout: float = 30.0, map_timeout: float = 900.0) -> None:
        super().__init__()
        self._connection = Connection(url, token, timeout)
        self._explained = ExplainedRobotIKClient(self._connection, map_timeout)

    @property
    def explained(self) -> ExplainedRobotIK:
        """The same twelve operations, each with an `Outcome` for a result."""
        return self._explained

    @property
    def units(self) -> str:
        """Units of lengths, ``"m"`` or ``"mm"``."""
        return str(self._robot()["units"])

    @property
    def robot_name(self) -> str:
        """The name of the server's robot, which is the agent of its frames."""
        return str(self._robot()["robot_name"])

    @property
    def node_sets(self) -> Mapping[str, NodeSetRecord]:
        """The node sets that the server has now, by name."""
        return {
            each["name"]: NodeSetRecord(each["name"], tuple(each["joints"]), each["tcp"], each["root"])
            for each in self._robot()["node_sets"]
        }

    @property
    def joint_values(self) -> dict[str, float]:
        """Present values of the joints of the server's robot by name (rad, or the units of the service)."""
        return dict(self._connection.ask("GET", "joint_values")["joint_values"])

    def set_joint_values(self, values: Mapping[str, float]) -> None:
        """Sets joints of the server's robot, all or none of those that are given.

        Args:
            values: By name (rad, or the units of the service); what is left out stays.

        Raises:
            InvalidValueError: A joint that is not there, or a value that is no finite number.
        """
        content = {"joint_values": {name: float(value) for name, value in values.items()}}
        self._connection.ask("PUT", "joint_values", content)

    @property
    def robot_pose(self) -> pin.SE3:
        """Where the root of the server's robot is in the world; the position in the units of the service."""
        return pose_of(self._connection.ask("GET", "robot_pose")["pose"])

    def set_robot_pose(self, pose: PoseLike) -> None:
        """Puts the root of the server's robot there.

        Args:
            pose: In the world, in any form of a pose; the position in the units of the service.

        Raises:
            InvalidPoseError: What is no pose.
        """
        self._connection.ask("PUT", "robot_pose", {"pose": pose_json(pose)})

    def close(self) -> None:
        """Closes connections that are kept open."""
        self._connection.close()

    def __enter__(self) -> RobotIKClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _robot(self) -> dict[str, Any]:
        return self._connection.ask("GET", "robot")

    def __repr__(self) -> str:
        return f"RobotIKClient({self._connection.url!r})"
