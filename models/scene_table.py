"""`SceneTable`: a table of a scene file that knows where it is, so that errors can say so."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import Any

import pinocchio as pin

from ..kinematics import KinetreeError, as_pose, rotation_from_rpy
from .errors import SceneFileError


class SceneTable:
    """Hands out the values of a table, checked, and in the end complains about those that nobody asked for.

    Args:
        values: What the parser made of it.
        file: What to call the file.
        where: What to call the table, for example ``"obstacle 'table'"``.
    """

    def __init__(self, values: Mapping[str, Any], file: str, where: str) -> None:
        self._values = values
        self._asked: set[str] = set()
        self.file = file
        self.where = where

    def error(self, key: str | None, problem: str) -> SceneFileError:
        """The error for a problem with a key, or with the whole table."""
        place = f"{self.file}, {self.where}"
        return SceneFileError(f"{place}: {problem}" if key is None else f"{place}, key {key!r}: {problem}")

    def has(self, key: str) -> bool:
        """True when the key is there."""
        return key in self._values

    def get(self, key: str) -> Any:
        """The value as it is; None when it is not there."""
        self._asked.add(key)
        return self._values.get(key)

    def text(self, key: str) -> str:
        """A text that must be there and not be empty."""
        value = self.get(key)
        if value is None:
            raise self.error(key, "is missing")
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, f"must be a text that is not empty, not {value!r}")
        return value

    def number(self, key: str) -> float | None:
        """A finite number; None when it is not there."""
        value = self.get(key)
        if value is not None and not _is_number(value):
            raise self.error(key, f"must be a finite number, not {value!r}")
        return None if value is None else float(value)

    def needed(self, key: str) -> float:
        """A finite number that must be there."""
        value = self.number(key)
        if value is None:
            raise self.error(key, "is missing; it must be a number")
        return value

    def numbers(self, key: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """A list of finite numbers."""
        value = self.get(key)
        if value is None and default is not None:
            return default
        if value is None:
            raise self.error(key, f"is missing; it must be a list of {count} numbers")
        if not isinstance(value, list) or len(value) != count or not all(_is_number(each) for each in value):
            raise self.error(key, f"must be a list of {count} finite numbers, not {_short(value)}")
        return tuple(float(each) for each in value)

    def names(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty when it is not there."""
        value = self.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise self.error(key, f"must be a list of names, not {_short(value)}")
        return tuple(value)

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """A list of pairs of names; empty when it is not there."""
        value = self.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.error(key, f"must be a list of pairs of names, not {_short(value)}")
        for pair in value:
            good = isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) and each for each in pair)
            if not good or pair[0] == pair[1]:
                raise self.error(key, f"must have pairs of two different names; {_short(pair)} is none")
        return tuple((first, second) for first, second in value)

    def tables(self, key: str) -> list[Mapping[str, Any]]:
        """The tables of ``[[key]]``; none when it is not there."""
        value = self.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.error(key, f"must be tables, each headed [[{key}]]")
        return value

    def pose(self) -> pin.SE3:
        """The pose of ``position`` with ``rpy`` or ``quaternion``; what is left out is zero."""
        position = self.numbers("position", 3, (0.0, 0.0, 0.0))
        if self.has("rpy") and self.has("quaternion"):
            raise self.error("rpy", "is there together with 'quaternion'; give one of them")
        if not self.has("quaternion"):
            return as_pose(_homogeneous(self.numbers("rpy", 3, (0.0, 0.0, 0.0)), position))
        try:
            return as_pose((position, self.numbers("quaternion", 4)))
        except KinetreeError as error:
            if isinstance(error, SceneFileError):
                raise
            raise self.error("quaternion", str(error)) from None

    def finish(self) -> None:
        """Refuses keys that mean nothing here."""
        for key in self._values:
            if key not in self._asked:
                close = difflib.get_close_matches(key, self._asked, n=1, cutoff=0.6)
                hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(sorted(self._asked))}"
                raise self.error(key, f"is unknown; {hint}")


def _homogeneous(rpy: tuple[float, ...], position: tuple[float, ...]) -> Any:
    pose = pin.SE3.Identity()
    pose.rotation = rotation_from_rpy(*rpy)
    pose.translation[:] = position
    return pose.homogeneous


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # TOML has whole numbers of any size
        return False


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
