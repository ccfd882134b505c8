"""``kinetree robots``: the robots that come with kinetree."""

from __future__ import annotations

from ...models import robots as built_in
from .arguments import JsonOption
from .output import print_json, print_table


def robots(as_json: JsonOption = False) -> None:
    """List the robots that come with kinetree."""
    known = built_in()
    if as_json:
        print_json(
            [
                {"name": each.name, "description": each.description, "source": each.source, "tip": each.tip}
                for each in known
            ]
        )
        return
    print_table(["robot", "description", "tip"], [[each.name, each.description, each.tip] for each in known])
