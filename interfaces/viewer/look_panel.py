"""`LookPanel`: what is drawn, and what the colours mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .drawn_things import MARK_COLORS
from .link_marks import LinkMark
from .user_events import Ask, on_change

_MEANINGS = {
    LinkMark.AT_LIMIT: "its joint is at a limit",
    LinkMark.BEYOND_LIMIT: "its joint is beyond a limit",
    LinkMark.IN_COLLISION: "in collision",
}


class LookPanel:
    """Check boxes for what is drawn.

    Args:
        gui: Where to add them.
        ask: Has something done, and drawn afterwards: ``ask(kind, job)``.
        shapes_changed: Called when other shapes of the links are to be drawn.
    """

    def __init__(self, gui: Any, ask: Ask, shapes_changed: Callable[[], Any]) -> None:
        self.ellipsoid = gui.add_checkbox("manipulability ellipsoid", False)
        self.collisions = gui.add_checkbox("collision shapes", False)
        self.tip = gui.add_checkbox("axes of the frame", True)
        self.gizmo = gui.add_checkbox("target", True)
        self.colors = gui.add_checkbox("colour limits and collisions", True)
        gui.add_html(_legend())
        for handle in (self.ellipsoid, self.tip, self.gizmo, self.colors):
            on_change(handle, lambda: ask("look", _nothing))
        on_change(self.collisions, lambda: ask("shapes", shapes_changed))


def _nothing() -> None:
    """Drawing anew is all."""


def _legend() -> str:
    rows = []
    for mark, meaning in _MEANINGS.items():
        red, green, blue = MARK_COLORS[mark]
        square = f"display:inline-block;width:.8em;height:.8em;background:rgb({red},{green},{blue})"
        rows.append(f'<div style="font-size:.85em;padding:.1em .8em"><span style="{square}"></span> {meaning}</div>')
    return "".join(rows)
