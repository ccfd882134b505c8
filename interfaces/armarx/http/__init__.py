"""The service over HTTP: an application for a server, and a client with the same twelve methods."""

from .app import create_app
from .errors import (
    ListenError,
    MissingServePackageError,
    RemoteServiceError,
    ServiceBusyError,
    ServiceUnavailableError,
    UnauthorizedError,
)
from .explained_client import ExplainedRobotIKClient
from .http_server import HttpServer
from .limits import Limits
from .robot_ik_client import RobotIKClient
from .server_settings import ServerSettings

__all__ = [
    "ExplainedRobotIKClient",
    "HttpServer",
    "Limits",
    "ListenError",
    "MissingServePackageError",
    "RemoteServiceError",
    "RobotIKClient",
    "ServerSettings",
    "ServiceBusyError",
    "ServiceUnavailableError",
    "UnauthorizedError",
    "create_app",
]
