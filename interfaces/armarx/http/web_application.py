"""`web_application`: what `create_app` makes, in a file that may import FastAPI."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version

from fastapi import APIRouter, FastAPI, Request, Security
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ....kinematics import KinetreeError
from ..robot_ik import RobotIK
from .answers import HealthAnswer
from .desk import Desk
from .docs_page import docs_page
from .errors import ServiceBusyError
from .guard import Guard
from .ik_routes import ik_routes
from .problem import busy, described, problem
from .reachability_routes import reachability_routes
from .server_settings import ServerSettings
from .state_routes import state_routes

_logger = logging.getLogger(__name__)

_ABOUT = """Inverse kinematics of one robot by names: node sets, poses, balance, hierarchies, reachability spaces.

A failure such as a pose that cannot be reached is an answer with status 200, `success` false, and the `reason`.
Statuses from 400 on mean that nothing was done; their body is a problem (RFC 9457) that says why.
"""
#: What any request may be answered with.
_ANY = (400, 408, 413, 415, 421, 422, 429)


def web_application(service: RobotIK, settings: ServerSettings) -> FastAPI:
    """See `create_app`."""
    desk = Desk(service, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.stop()

    app = FastAPI(
        title=f"kinetree: RobotIK of {service.robot_name}",
        version=_version(),
        description=_ABOUT,
        docs_url=None,  # that page would load Swagger UI from the web
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: route.name,
    )
    app.include_router(_health())
    app.include_router(docs_page(app.title))
    needs_token = settings.token is not None
    router = APIRouter(
        prefix="/v1",
        # The guard has looked at the token already; this puts it into the schema.
        dependencies=[Security(HTTPBearer(auto_error=False))] if needs_token else [],
        responses=described(*_ANY, *([401] if needs_token else [])),
    )
    for part in (ik_routes(desk), reachability_routes(desk), state_routes(desk)):
        router.include_router(part)
    app.include_router(router)
    _add_handlers(app)
    app.add_middleware(Guard, settings=settings)
    return app


def _health() -> APIRouter:
    router = APIRouter(tags=["server"])

    @router.get("/health", responses=described(400, 413, 421))
    async def health() -> HealthAnswer:
        """That the server answers; needs no token."""
        return HealthAnswer(status="ok", version=_version())

    return router


def _add_handlers(app: FastAPI) -> None:
    """Every error becomes a problem, without a traceback and without repeating what was sent."""

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        told = []
        for each in error.errors()[:5]:
            why = f": {each['ctx']['error']}" if each["type"] == "json_invalid" else ""
            told.append(f"{'.'.join(map(str, each['loc']))}: {each['msg']}{why}")
        return problem(422, "; ".join(told))

    @app.exception_handler(ServiceBusyError)
    async def too_much(_: Request, error: ServiceBusyError) -> Response:
        return busy(str(error), error.retry_after)

    @app.exception_handler(TimeoutError)
    async def too_late(_: Request, error: TimeoutError) -> Response:
        return busy("the request did not get its turn in time", 1.0)

    @app.exception_handler(KinetreeError)
    async def wrong(_: Request, error: KinetreeError) -> Response:
        # Wrong arguments are ValueErrors and KeyErrors; another error is one of ours.
        if isinstance(error, ValueError | LookupError):
            return problem(422, str(error))
        _logger.error("a request failed", exc_info=error)
        return problem(500, "the server failed; its log says why")

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            # An address may have several routes, and the error comes from one that knows its own method only.
            methods = app.openapi()["paths"].get(request.url.path, {"get": {}})  # the pages of the documentation
            allowed = ", ".join(sorted(each.upper() for each in methods))
            return problem(405, f"it takes {allowed}", headers={"Allow": allowed})
        return problem(error.status_code, str(error.detail), headers=dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        return problem(500, "the server failed; its log says why")


def _version() -> str:
    try:
        return version("kinetree")
    except PackageNotFoundError:
        return "not installed"
