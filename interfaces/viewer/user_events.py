"""What the fields of a page call when a user, and not the viewer itself, has changed them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

#: Has a job done in the background, and drawn afterwards: ``ask(kind, job)``; a newer one of its kind replaces it.
Ask: TypeAlias = Callable[[str, Callable[[], Any]], None]


def on_change(handle: Any, job: Callable[[], Any]) -> None:
    """Has a job done whenever a user changes a field."""

    def changed(event: Any) -> None:
        if event.client_id is not None:  # else the viewer has set it
            job()

    handle.on_update(changed)


def on_click(button: Any, job: Callable[[], Any]) -> None:
    """Has a job done whenever a user presses a button."""

    def clicked(_: Any) -> None:
        job()

    button.on_click(clicked)
