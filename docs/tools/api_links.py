"""Leads from the name of a public class, wherever the site has it as code, to its description in the API reference.

MkDocs calls this as a hook. The descriptions are those that the pages in `docs/api/` ask for, by package and name; they
are read from the sources, which have to be where files can be found.
"""

import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

API = Path(__file__).resolve().parents[1] / "api"
ENTRY = re.compile(r"^::: (kinetree\.(?:kinematics|models|solvers)\.(\w+))$", flags=re.MULTILINE)
# What is left alone: links and what will be one, headings, blocks of code.
KEPT = r"<(a|autoref|h[1-6]|pre)\b.*?</\1>"
CODE = r"<code>([A-Z]\w+)</code>"
# CoppeliaSim's names are classes of their own, and in the tables of other systems the first column is theirs.
OTHER_NAMES = ("coppelia", "api/coppelia")
THEIR_NAMES = {"coming_from.md": r"<tr>\s*<td>.*?</td>"}


@cache
def described() -> dict[str, str]:
    """Identifiers of the descriptions of classes, by name."""
    found = {}
    for page in sorted(API.glob("*.md")):
        for identifier, name in ENTRY.findall(page.read_text(encoding="utf-8")):
            if name[0].isupper():
                found[name] = identifier
    return found


def linked(html: str, theirs: str | None = None) -> str:
    """HTML with references around names; `theirs` matches parts whose names are not ours."""
    pattern = "|".join(part for part in (theirs, KEPT, CODE) if part)

    def with_link(match: re.Match[str]) -> str:
        identifier = described().get(match.groups()[-1] or "")
        return f'<autoref identifier="{identifier}">{match.group()}</autoref>' if identifier else match.group()

    return re.sub(pattern, with_link, html, flags=re.DOTALL)


def sources_found(folders: Iterable[str]) -> bool:
    """Whether the sources of the package can be read by a search along a path, as the API pages do."""
    return any((Path(folder) / "kinetree" / "kinematics").is_dir() for folder in folders)


def on_config(config: Any) -> Any:
    """Sees to it that the sources can be read: a plain editable install hides them behind an import hook.

    Raises:
        PluginError: They cannot; how to install kinetree so that they can.
    """
    from mkdocs.exceptions import PluginError

    if not sources_found(sys.path):
        raise PluginError(
            "the API pages find no sources of kinetree; install it with: "
            "pip install -e '.[docs]' --config-settings editable_mode=strict"
        )
    return config


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Called for each page when its Markdown has become HTML."""
    path = page.file.src_uri
    return html if path.startswith(OTHER_NAMES) else linked(html, THEIR_NAMES.get(path))
