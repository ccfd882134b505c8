"""`wrong_use`: turns errors of the library into a message and exit status 2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from ...kinematics import KinetreeError

#: Exit status when the request was understood but no solution was found.
NOT_SOLVED = 1
#: Exit status when something collides where it was asked about.
IN_COLLISION = 1
#: Exit status when the request itself is wrong.
WRONG_USE = 2


@contextmanager
def wrong_use(as_json: bool) -> Iterator[None]:
    """Reports a `KinetreeError` or an unreadable file on stderr and ends with exit status 2.

    Args:
        as_json: Also write ``{"error": message}`` to stdout.
    """
    try:
        yield
    except (KinetreeError, OSError) as error:
        message = str(error)
        typer.echo(f"kinetree: {message}", err=True)
        if as_json:
            typer.echo(json.dumps({"error": message}))
        raise typer.Exit(WRONG_USE) from None
