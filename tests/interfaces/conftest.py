"""Runs the command line inside the test process."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from typer.testing import CliRunner

from kinetree.interfaces.cli import app


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        def refuse(constant):
            raise AssertionError(f"{constant} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def run(monkeypatch):
    """``run("solve panda --position 0 0 1")``, or the words one by one."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*words):
        arguments = words[0].split() if len(words) == 1 else list(words)
        result = CliRunner().invoke(app, arguments)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return call


TWO_LINK = """<robot name="two_link">
  <link name="base"/><link name="upper"/><link name="fore"/><link name="tool0"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="3" effort="10"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="tool [fixed]" type="fixed">
    <parent link="fore"/><child link="tool0"/><origin xyz="0.5 0 0"/>
  </joint>
</robot>
"""


@pytest.fixture
def two_link(tmp_path):
    """Path of a URDF: links of 1 m and 0.5 m in a plane, the elbow without limits."""
    path = tmp_path / "two_link.urdf"
    path.write_text(TWO_LINK, encoding="utf-8")
    return str(path)
