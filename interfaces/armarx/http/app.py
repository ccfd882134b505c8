"""`create_app`: the twelve operations as a web application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..robot_ik import RobotIK
from .packages import require_packages
from .server_settings import ServerSettings

if TYPE_CHECKING:
    from fastapi import FastAPI


def create_app(service: RobotIK, settings: ServerSettings | None = None) -> FastAPI:
    """The twelve operations and the state of the robot over HTTP, as an ASGI application.

    Each operation is a POST to ``/v1/`` and its name, with a JSON object for its arguments. ``/docs`` shows them in a
    browser, ``/openapi.json`` is their schema.

    Args:
        service: What answers; it is asked from several threads at once.
        settings: Who may ask, and how much; without a token, folder, and other hosts than this machine when None.

    Raises:
        MissingServePackageError: FastAPI, or the package with its page, is not installed.
    """
    require_packages("fastapi", "fastapi_offline")
    from .web_application import web_application

    return web_application(service, ServerSettings() if settings is None else settings)
