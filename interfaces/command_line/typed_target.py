"""Targets of a kind, as ``kinetree solve --type`` takes and shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import Frame, InvalidValueError, ShapeError, as_vector, pose
from ...solvers import IkTarget, target_class
from .arguments import read_numbers
from .degrees_note import note_degrees
from .output import numbers, pose_data


@dataclass(frozen=True)
class TargetWords:
    """What was written about a target; None for each option that was left out.

    Attributes:
        position: Three numbers.
        rpy: Three angles.
        quaternion: Four numbers.
        type: Name of the kind of target.
        point: Two or three numbers, in words.
        direction: An axis or three numbers, in words.
        angle: One angle.
        local: Three numbers, in words.
        tool_direction: An axis or three numbers, in words.
    """

    position: Sequence[float] | None = None
    rpy: Sequence[float] | None = None
    quaternion: Sequence[float] | None = None
    type: str | None = None
    point: str | None = None
    direction: str | None = None
    angle: float | None = None
    local: str | None = None
    tool_direction: str | None = None

    def given(self) -> list[str]:
        """The options that were written, but for the kind of target, in the order of the attributes."""
        return [name for name, value in vars(self).items() if value is not None and name != "type"]


#: What gives each value of a target: one option of each group.
_OPTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "pose": (("position", "point"), ("rpy", "quaternion")),
    "rotation": (("rpy", "quaternion"),),
    "point": (("point", "position"),),
    "direction": (("direction",),),
    "angle": (("angle",),),
    "local": (("local",),),
}


def refuse_typed(words: TargetWords) -> None:
    """Raises for options that mean nothing without a kind of target."""
    own = [name for name in ("point", "direction", "angle", "local", "tool_direction") if name in words.given()]
    if own:
        raise InvalidValueError(
            f"{_option(own[0])} needs --type: say what kind of target it is for, such as --type Ray4D"
        )
    if words.position is None:
        raise InvalidValueError("give --position X Y Z, or --type for another kind of target than a pose or a position")


def read_typed(words: TargetWords, reference: Frame | None, degrees: bool) -> IkTarget:
    """The target that was asked for, in a reference; raises a `KinetreeError` that says what is wrong."""
    assert words.type is not None
    kind = target_class(words.type)
    values = [value.name for value in kind.values]
    groups = [group for name in values for group in _OPTIONS[name]]
    given = set(words.given())
    for name in words.given():
        if not any(name in group for group in groups) and not (name == "tool_direction" and kind.has_tool_direction()):
            takes = ", ".join(_option(group[0]) for group in groups)
            raise InvalidValueError(f"{_option(name)} means nothing for {kind.__name__}, which takes {takes}")
    for group in groups:
        either = [_option(name) for name in group]
        if not given & set(group):
            raise InvalidValueError(f"{kind.__name__} needs {' or '.join(either)}")
        if given >= set(group) and len(group) > 1:
            raise InvalidValueError(f"give {' or '.join(either)}, not both")
    options: dict[str, Any] = {"reference": reference}
    if words.tool_direction is not None:
        options["tool_direction"] = _direction(words.tool_direction, "--tool-direction")
    return kind(*(_value(name, words, kind, degrees) for name in values), **options)


def _value(name: str, words: TargetWords, kind: type[IkTarget], degrees: bool) -> Any:
    if name == "point":
        size = 2 if "XY" in kind.__name__ else 3
        return _place(words, size, kind)
    if name in ("pose", "rotation"):
        place = _place(words, 3, kind) if name == "pose" else np.zeros(3)
        return read_pose(words, place, degrees) if name == "pose" else read_pose(words, place, degrees).rotation
    if name == "direction":
        return _direction(str(words.direction), "--direction")
    if name == "local":
        return _numbers(str(words.local), 3, "--local", kind)
    angle = as_vector([float(words.angle or 0.0)], 1, "--angle")[0]
    note_degrees("--angle", [angle], degrees)
    return math.radians(angle) if degrees else float(angle)


def _place(words: TargetWords, size: int, kind: type[IkTarget]) -> Any:
    if words.point is not None:
        return _numbers(words.point, size, "--point", kind)
    assert words.position is not None  # `read_typed` has looked
    return as_vector(words.position[:size], size, "--position")


def read_pose(words: TargetWords, place: Any, degrees: bool) -> pin.SE3:
    """A pose at a place (3,) with the rotation that was written, if any."""
    if words.rpy is not None and words.quaternion is not None:
        raise InvalidValueError("give --rpy or --quaternion, not both")
    rpy = None if words.rpy is None else as_vector(words.rpy, 3, "--rpy")
    note_degrees("--rpy", () if rpy is None else rpy, degrees)
    quaternion = None if words.quaternion is None else as_vector(words.quaternion, 4, "--quaternion")
    return pose(place, rpy=rpy, quaternion=quaternion, degrees=degrees)


def _direction(text: str, what: str) -> Any:
    """An axis such as ``-z``, or three numbers."""
    word = text.strip().lower()
    if word.lstrip("+-") in ("x", "y", "z"):
        return word
    values = read_numbers(text, what)
    if len(values) != 3:
        raise ShapeError(f"{what} has {len(values)} values; give x,y,z or an axis such as -z")
    if not any(values):
        raise InvalidValueError(f"{what} is zero; a direction needs a length")
    return values


def _numbers(text: str, size: int, what: str, kind: type[IkTarget]) -> list[float]:
    values = read_numbers(text, what)
    if len(values) != size:
        raise ShapeError(f"{what} has {len(values)} values; {kind.__name__} takes {size}: {','.join('xyz'[:size])}")
    return values


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def typed_data(target: IkTarget, degrees: bool) -> dict[str, Any]:
    """A target for JSON: its kind and its values, with those of a pose where there are any."""
    data: dict[str, Any] = {
        "type": type(target).__name__,
        "position": None,
        "quaternion": None,
        "rpy": None,
        "matrix": None,
    }
    for value in target.values:
        own = value.read(target.goal)
        if isinstance(own, pin.SE3):
            data.update(pose_data(own, degrees))
        elif value.name == "rotation":
            data.update({**pose_data(pin.SE3(own, np.zeros(3)), degrees), "position": None, "matrix": None})
            data["rotation"] = own
        else:
            data[value.name] = math.degrees(own) if value.name == "angle" and degrees else own
    if target.has_tool_direction():
        data["tool_direction"] = target.tool_direction
    return data


def typed_text(target: IkTarget, degrees: bool) -> str:
    """A target for people."""
    parts = []
    for value in target.values:
        own = value.read(target.goal)
        if isinstance(own, pin.SE3):
            parts.append(
                f"position {numbers(own.translation)} m, quaternion {numbers(pose_data(own, degrees)['quaternion'])}"
            )
        elif value.name == "rotation":
            parts.append(f"quaternion {numbers(pose_data(pin.SE3(own, np.zeros(3)), degrees)['quaternion'])}")
        elif value.name == "angle":
            parts.append(f"angle {numbers([math.degrees(own) if degrees else own])} {'deg' if degrees else 'rad'}")
        else:
            unit = "" if value.name == "direction" else " m"
            parts.append(f"{value.name} {numbers(own)}{unit}")
    if target.has_tool_direction():
        parts.append(f"tool direction {numbers(target.tool_direction)}")
    return f"{type(target).__name__}: {', '.join(parts)}"
