"""A note about angles that look like degrees where radians are read."""

from __future__ import annotations

import math
from collections.abc import Iterable

import typer


def note_degrees(what: str, angles: Iterable[float], degrees: bool) -> None:
    """Asks on stderr whether degrees were meant, when radians are read and an angle is more than a turn.

    The angles are taken all the same: a heading may have been counted on over several turns.

    Args:
        what: The option or joint that they were given for.
        angles: As they were written.
        degrees: They are degrees, so that there is nothing to say.
    """
    largest = max((abs(angle) for angle in angles), default=0.0)
    if not degrees and largest > 2.0 * math.pi:
        turns = largest / (2.0 * math.pi)
        text = f"{what} is in radians, and {largest:g} rad are {turns:.3g} turns; did you mean --degrees?"
        typer.echo(f"kinetree: note: {text}", err=True)
