"""What users write on the command line, turned into what the library takes."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias

import numpy as np
import typer
from numpy.typing import NDArray

from ...kinematics import DegreeOfFreedom, Frame, InvalidValueError, ShapeError, Skeleton, unknown_name
from ...models import load
from .degrees_note import note_degrees

Array: TypeAlias = NDArray[np.float64]

RobotArgument = Annotated[
    str, typer.Argument(metavar="ROBOT", help="A built-in robot (see `kinetree robots`) or a robot file.")
]
FrameOption = Annotated[
    str | None, typer.Option("--frame", metavar="FRAME", help="Link or frame; the natural tip when left out.")
]
DegreesOption = Annotated[
    bool, typer.Option("--degrees", help="Angles are in degrees, in what you write and in what is printed.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def load_robot(name: str) -> Skeleton:
    """The robot of a name or file; raises a `KinetreeError` that says what is wrong."""
    return load(name)


def find_frame(robot: Skeleton, name: str | None) -> tuple[Frame, str]:
    """A frame by name, else the natural tip; with the reason for the choice."""
    if name is None:
        return robot.tip, f"natural tip: {robot.tip_source}"
    return robot.frame(name), "as asked for"


def read_configuration(
    robot: Skeleton, words: Sequence[str], degrees: bool, chain: Sequence[DegreeOfFreedom], what: str
) -> Array:
    """A configuration (n,) of the whole robot from words such as ``0.1`` or ``joint=0.1``.

    Args:
        robot: Whose configuration; what is not given stays at its present position.
        words: All of them numbers, one per degree of freedom of the robot or of the chain; or all of them
            ``name=value``.
        degrees: Read angular values in degrees.
        chain: The degrees of freedom that a shorter list of numbers is for.
        what: What to call it in an error.
    """
    if not words:
        return robot.positions
    named = [word for word in words if "=" in word]
    if named and len(named) < len(words):
        raise InvalidValueError(f"{what}: give either numbers or name=value pairs, not both: {' '.join(words)}")
    if named:
        return _by_name(robot, named, degrees, what)
    values = [_number(word, what) for word in words]
    targets = _dofs_for(robot, len(values), chain, what)
    return _put(robot, dict(zip(targets, values, strict=True)), degrees, what)


def read_numbers(text: str, what: str) -> list[float]:
    """The numbers of one argument, separated by spaces or commas.

    Raises:
        InvalidValueError: Something else than a finite number.
    """
    return [_number(word, what) for word in split_words(text)]


def split_words(text: str) -> list[str]:
    """Words of one argument, separated by spaces or commas."""
    return [word for word in re.split(r"[\s,]+", text) if word]


def _dofs_for(robot: Skeleton, count: int, chain: Sequence[DegreeOfFreedom], what: str) -> Sequence[DegreeOfFreedom]:
    if count == robot.num_dofs:
        return robot.dofs
    if count == len(chain):
        return chain
    names = ", ".join(dof.name for dof in robot.dofs)
    also = f", or the {len(chain)} of the chain to the frame" if len(chain) != robot.num_dofs else ""
    raise ShapeError(f"{what} has {count} values; {robot.name!r} takes {robot.num_dofs} ({names}){also}")


def _by_name(robot: Skeleton, words: Sequence[str], degrees: bool, what: str) -> Array:
    known = {dof.name: dof for dof in robot.dofs}
    values = {}
    for word in words:
        name, _, text = word.partition("=")
        if name not in known:
            raise unknown_name("degree of freedom", name, known, f"skeleton {robot.name!r}")
        values[known[name]] = _number(text, f"{what}, {name}")
    return _put(robot, values, degrees, what)


def _put(robot: Skeleton, values: Mapping[DegreeOfFreedom, float], degrees: bool, what: str) -> Array:
    """The present configuration (n,) with some values replaced."""
    q = robot.positions.copy()
    for dof, value in values.items():
        q[_index(dof)] = np.deg2rad(value) if degrees and dof.is_angular else value
    # Some joints do turn that far.
    odd = [
        dof
        for dof in values
        if dof.is_angular and not (math.isfinite(dof.upper) and dof.lower <= values[dof] <= dof.upper)
    ]
    if odd:
        largest = max(odd, key=lambda dof: abs(values[dof]))
        note_degrees(f"{what}, {largest.name}", [values[largest]], degrees)
    return q


def _number(text: str, what: str) -> float:
    if text.startswith("--"):
        close = difflib.get_close_matches(text, ["--frame", "--base", "--degrees", "--json", "--help"], n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidValueError(f"no such option {text!r}{hint}")
    try:
        value = float(text)
    except ValueError:
        raise InvalidValueError(f"{what}: {text!r} is not a number") from None
    if not np.isfinite(value):
        raise InvalidValueError(f"{what}: {text} is not finite")
    return value


def _index(dof: DegreeOfFreedom) -> int:
    assert dof.index is not None
    return dof.index
