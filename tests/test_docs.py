"""Every Python block of the README and of the documentation runs; blocks of one page share their names."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kinetree.interfaces.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r'^```python(?: title="[^"]+")?\n(.*?)^```', flags=re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ kinetree (.*)$", flags=re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#]+)")


def blocks(page):
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        # Leading newlines make line numbers in a traceback those of the page.
        yield "\n" * (text.count("\n", 0, match.start()) + 1) + match.group(1)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for block in blocks(page):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_files_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


@pytest.mark.parametrize(
    "words", [words for page in PAGES for words in COMMAND.findall(page.read_text(encoding="utf-8"))]
)
def test_commands_run(words):
    done = CliRunner().invoke(app, shlex.split(words))
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_are_short(example):
    assert re.fullmatch(r"\d\d_[a-z_]+", example.stem), "examples are numbered"
    assert example.read_text(encoding="utf-8").count("\n") <= 60
