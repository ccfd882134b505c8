"""Names of public classes lead to their descriptions, but not in links, headings and blocks, nor others' names."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
SOLUTION = '<autoref identifier="kinetree.solvers.Solution"><code>Solution</code></autoref>'


@pytest.fixture(scope="module")
def links():
    spec = importlib.util.spec_from_file_location("api_links", ROOT / "docs" / "tools" / "api_links.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_names_are_linked(links):
    html = "<p>A <code>Solution</code>, <code>solution</code>, <code>Nothing</code>, <code>Solution.q</code></p>"
    assert links.linked(html) == html.replace("<code>Solution</code>", SOLUTION)


@pytest.mark.parametrize(
    "html",
    [
        '<a href="#x">the <code>Solution</code></a>',
        "<h2>The <code>Solution</code></h2>",
        "<pre><code>Solution</code></pre>",
        '<autoref identifier="x"><code>Solution</code></autoref>',
    ],
)
def test_links_headings_and_blocks_are_left_alone(links, html):
    assert links.linked(html) == html
    assert links.linked(html + "<code>Solution</code>") == html + SOLUTION


def test_names_of_other_systems_are_theirs(links):
    row = "<tr>\n<td><code>Solution</code></td>\n<td><code>Solution</code></td>\n</tr>"

    def seen_on(path):
        return links.on_page_content(row, page=SimpleNamespace(file=SimpleNamespace(src_uri=path)))

    assert seen_on("coppelia.md") == row
    assert seen_on("coming_from.md").count("<autoref") == 1
    assert seen_on("coming_from.md").index("</td>") < seen_on("coming_from.md").index("<autoref")
    assert seen_on("targets.md").count("<autoref") == 2


def test_sources_are_looked_for_in_folders(links, tmp_path):
    assert not links.sources_found([str(tmp_path)])
    (tmp_path / "kinetree" / "kinematics").mkdir(parents=True)
    assert links.sources_found(["/nowhere", str(tmp_path)])
