"""A server that really listens, and what asks it."""

import functools

import httpx
import pytest

from kinetree import models
from kinetree.interfaces.armarx import RobotIK
from kinetree.interfaces.armarx.http import HttpServer, Limits, RobotIKClient, ServerSettings

#: Where kernels are still to be compiled a first request takes long; what is about time sets its own limits.
PATIENT = {"solve_seconds": 120.0}


@functools.cache
def panda():
    return models.load("panda")


def arm_service(**options):
    """A service for panda, of which it has a copy, with the node set ``arm``."""
    robot = panda()
    service = RobotIK(robot, timeout=60.0, **options)
    chain = robot.tip.chain()
    assert service.define_robot_node_set("arm", [each.name for each in chain.joints], robot.tip.name, chain.base.name)
    return service


@pytest.fixture
def make_service():
    return arm_service


@pytest.fixture(scope="session")
def make_shared_service():
    """The same for fixtures of a wider scope."""
    return arm_service


@pytest.fixture(scope="session")
def stopping():
    """Servers that were told to stop; each takes a third of a second for that, and no test waits for it."""
    servers = []
    yield servers
    for server in servers:
        server.__exit__(None, None, None)


@pytest.fixture
def start(stopping):
    """``start(service, folder=...)``: a server with these settings, told to stop at the end of the test."""
    running = []

    def call(service, **options):
        limits = Limits(**(PATIENT | options.pop("limits", {})))
        server = HttpServer(service, ServerSettings(limits=limits, **options), port=0)
        server.__enter__()
        running.append(server)
        return server

    yield call
    for server in running:
        server._server.should_exit = True
        stopping.append(server)


@pytest.fixture
def service():
    return arm_service()


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "maps"
    path.mkdir()
    return path


@pytest.fixture
def server(start, service, folder):
    return start(service, folder=folder)


@pytest.fixture
def client(server):
    with RobotIKClient(server.url, timeout=150.0) as client:
        yield client


@pytest.fixture(scope="module")
def shared_server():
    """A server for all tests of a file that leave it as it is."""
    with HttpServer(arm_service(), ServerSettings(limits=Limits(**PATIENT)), port=0) as server:
        yield server


@pytest.fixture
def ask(shared_server):
    """``ask(operation, message)``: the plain HTTP response of the shared server."""
    with httpx.Client(base_url=f"{shared_server.url}/v1/", trust_env=False) as plain:

        def call(operation, message=None, **options):
            if message is not None:
                options["json"] = message
            return plain.post(operation, **options)

        yield call
