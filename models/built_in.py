"""The robots that come with kinetree."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from .errors import ModelNotFoundError


@dataclass(frozen=True)
class RobotInfo:
    """A built-in robot.

    Attributes:
        name: What `load` takes.
        description: One line.
        source: Where its numbers come from.
        tip: The natural tip.
        dofs: Number of degrees of freedom of the whole file.
        file: The URDF file.
    """

    name: str
    description: str
    source: str
    tip: str
    dofs: int
    file: Path


def robots() -> list[RobotInfo]:
    """All built-in robots, by name."""
    return [robot_info(name) for name in sorted(_table())]


def robot_info(name: str) -> RobotInfo:
    """One built-in robot.

    Raises:
        ModelNotFoundError: There is none of that name.
    """
    table = _table()
    if name not in table:
        raise ModelNotFoundError(f"no built-in robot {name!r}; there are: {', '.join(sorted(table))}")
    entry = table[name]
    return RobotInfo(
        name,
        entry["description"],
        entry["source"],
        entry["tip"],
        int(entry["dofs"]),
        _folder() / f"{name}.urdf",
    )


def _folder() -> Path:
    return Path(str(resources.files(__package__).joinpath("robots")))


@functools.cache
def _table() -> dict[str, Any]:
    # Read once: the file is part of the package and does not change.
    with (_folder() / "robots.toml").open("rb") as file:
        return tomllib.load(file)
