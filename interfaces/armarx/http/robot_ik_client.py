"""`RobotIKClient`: the twelve operations of a service on another machine or in another process."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

import pinocchio as pin

from ....kinematics import InvalidValueError, PoseLike
from ..explained_robot_ik import ExplainedRobotIK
from ..plain_robot_ik import PlainRobotIK
from ..robot_state import NodeSetRecord
from .connection import Connection
from .encoding import joint_values_json, pose_json, pose_of
from .explained_client import ExplainedRobotIKClient
from .reading import joint_values_in, list_in, object_in, text_in


class RobotIKClient(PlainRobotIK):
    """The twelve operations of a server that ``kinetree serve`` started, and the state of its robot.

    Arguments, values and the meaning of `last_outcome` are those of `RobotIKInterface`. It may be used from several
    threads at once, and closes its connections when it is used as a context manager.

    Args:
        url: Of the server, such as ``"http://127.0.0.1:8000"``.
        token: What the server asks for, if it does.
        timeout: How long a request may take as a whole (s); longer than the server lets a solve take.
        map_timeout: The same where reachability spaces are made, loaded or saved.

    Raises:
        InvalidValueError: What is no address, no token, or a time that is not positive. The operations raise it for
            what makes no sense, here or on the server.
        MissingServePackageError: httpcore is not installed.
        ServiceBusyError: By an operation, when the server has too much to do; ``retry_after`` says when to come again.
        UnauthorizedError: By an operation, when the server wants another token.
        ServiceUnavailableError: By an operation, when nobody answers, or after `close`.
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
        return self._connection.read("GET", "robot", None, _units)

    @property
    def robot_name(self) -> str:
        """The name of the server's robot, which is the agent of its frames."""
        return self._connection.read("GET", "robot", None, lambda data: text_in(data["robot_name"]))

    @property
    def node_sets(self) -> Mapping[str, NodeSetRecord]:
        """The node sets that the server has now, by name."""
        return self._connection.read("GET", "robot", None, _node_sets)

    @property
    def joint_values(self) -> dict[str, float]:
        """Present values of the joints of the server's robot by name (rad, or the units of the service)."""
        return self._connection.read("GET", "joint_values", None, _joint_values)

    def set_joint_values(self, values: Mapping[str, float]) -> None:
        """Sets joints of the server's robot, all or none of those that are given.

        Args:
            values: By name (rad, or the units of the service); what is left out stays.

        Raises:
            InvalidValueError: A joint that is not there, or a value that is no finite number.
        """
        self._connection.read("PUT", "joint_values", {"joint_values": joint_values_json(values)}, _joint_values)

    @property
    def robot_pose(self) -> pin.SE3:
        """Where the root of the server's robot is in the world; the position in the units of the service."""
        return self._connection.read("GET", "robot_pose", None, _pose)

    def set_robot_pose(self, pose: PoseLike) -> None:
        """Puts the root of the server's robot there.

        Args:
            pose: In the world, in any form of a pose; the position in the units of the service.

        Raises:
            InvalidPoseError: What is no pose.
        """
        self._connection.read("PUT", "robot_pose", {"pose": pose_json(pose)}, _pose)

    def close(self) -> None:
        """Closes connections that are kept open."""
        self._connection.close()

    def __enter__(self) -> RobotIKClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RobotIKClient({self._connection.url!r})"


def _units(data: dict[str, Any]) -> str:
    units = text_in(data["units"])
    if units not in ("m", "mm"):
        raise InvalidValueError(f"units are 'm' or 'mm', not {units!r}")
    return units


def _node_sets(data: dict[str, Any]) -> dict[str, NodeSetRecord]:
    found = {}
    for each in map(object_in, list_in(data["node_sets"])):
        name, tcp, root = (text_in(each[key]) for key in ("name", "tcp", "root"))
        found[name] = NodeSetRecord(name, tuple(text_in(joint) for joint in list_in(each["joints"])), tcp, root)
    return found


def _joint_values(data: dict[str, Any]) -> dict[str, float]:
    return joint_values_in(data["joint_values"])


def _pose(data: dict[str, Any]) -> pin.SE3:
    return pose_of(object_in(data["pose"]))
