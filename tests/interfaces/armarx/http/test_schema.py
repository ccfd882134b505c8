"""What Schemathesis makes of the OpenAPI schema: no server error, and no answer that the schema does not promise."""

import subprocess
import sys

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.config import ChecksConfig, PositiveDataAcceptanceConfig, ProjectConfig, ProjectsConfig

from kinetree.interfaces.armarx import RobotIKInterface
from kinetree.interfaces.armarx.http import HttpServer, Limits, ServerSettings
from tests.interfaces.armarx.http.conftest import arm_service

TOKEN = "a-token-of-the-tests"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
#: 422 also means what no schema can say, such as a quaternion of zeros or a lower bound above the upper one.
ACCEPTED = ["2xx", "422"]
CONFIG = schemathesis.Config(
    seed=1,
    projects=ProjectsConfig(
        default=ProjectConfig(
            headers=AUTHORIZED,
            checks=ChecksConfig(positive_data_acceptance=PositiveDataAcceptanceConfig(expected_statuses=ACCEPTED)),
        )
    ),
)
#: What is put in for names, so that not every question ends at an unknown one.
KNOWN = {"node_set": "arm", "tcp": "panda_hand", "coordinate_system": "panda_link0", "filename": "map.h5"}

TWELVE = sorted(RobotIKInterface.__abstractmethods__ - {"last_outcome"})
STATE = ["robot", "joint_values", "robot_pose"]
OPERATIONS = [
    *(("POST", f"/v1/{name}") for name in TWELVE),
    *(("GET", f"/v1/{name}") for name in STATE),
    *(("PUT", f"/v1/{name}") for name in STATE[1:]),
    ("GET", "/health"),
]
OPTIONS = {"suppress_health_check": list(HealthCheck), "phases": [Phase.explicit, Phase.generate], "deadline": None}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    limits = Limits(samples=5000, node_sets=20, solve_seconds=120.0)
    settings = ServerSettings(token=TOKEN, folder=tmp_path_factory.mktemp("maps"), limits=limits)
    with HttpServer(arm_service(max_memory=10_000_000, attempts=20), settings, port=0) as server:
        yield server


@pytest.fixture(scope="module")
def schema(server):
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json", config=CONFIG)
    found = [(each.ok().method.upper(), each.ok().path) for each in schema.get_all_operations()]
    assert sorted(found) == sorted(OPERATIONS)
    return schema


def with_known_names(value):
    if isinstance(value, dict):
        return {
            key: KNOWN[key] if key in KNOWN and isinstance(each, str) else with_known_names(each)
            for key, each in value.items()
        }
    return [with_known_names(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    # Where nothing is sent, nothing can be wrong.
    [(*each, mode) for each in OPERATIONS for mode in GenerationMode if mode.is_positive or each[0] != "GET"],
)
def test_sample(schema, method, path, mode):
    operation = schema[path][method]

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=10, **OPTIONS)
    def check(case):
        case.call_and_validate(timeout=150)
        if mode.is_positive and isinstance(case.body, dict):
            case.body = with_known_names(case.body)
            case.call_and_validate(timeout=150)

    check()


@pytest.mark.slow
def test_all(server, tmp_path):
    """The command of Schemathesis with all of its checks and phases."""
    (tmp_path / "schemathesis.toml").write_text(f"[checks]\npositive_data_acceptance.expected-statuses = {ACCEPTED}\n")
    words = [f"{server.url}/openapi.json", "-H", f"Authorization: Bearer {TOKEN}", "--max-examples", "100"]
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", *words, "--seed", "1", "--no-color"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_schema_has_the_twelve(shared_server):
    document = httpx.get(f"{shared_server.url}/openapi.json", trust_env=False).json()
    names = [each["post"]["operationId"] for each in document["paths"].values() if "post" in each]
    assert sorted(names) == TWELVE
    assert len(names) == 12
    assert "security" not in str(document)


def test_the_schema_says_that_a_token_is_needed(server):
    document = httpx.get(f"{server.url}/openapi.json", trust_env=False).json()
    assert document["components"]["securitySchemes"]["HTTPBearer"] == {"type": "http", "scheme": "bearer"}
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert ("security" in operation) is path.startswith("/v1/")
            assert ("401" in operation["responses"]) is path.startswith("/v1/")
