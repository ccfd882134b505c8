"""Pages of the examples: the source as it is, what it really prints, and links that lead there."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def pages(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("example_pages", ROOT / "docs" / "tools" / "example_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(module, "library_hash", lambda: "unchanged")
    return module


@pytest.fixture
def example(tmp_path):
    file = tmp_path / "07_count_frames.py"
    file.write_text('"""Counts.\n\nUp to two."""\n\nfor number in (1, 2):\n    print("number", number)\n')
    return file


def test_a_page_has_what_it_shows_its_source_and_its_output(pages, example):
    page = pages.page_of(example, run=True)
    about = page.index("Counts.\n\nUp to two.")
    source = page.index('for number in (1, 2):\n    print("number", number)')
    output = page.index("number 1\nnumber 2")
    assert page.index("# Count frames") < about < source < output
    assert '"""' not in page


def test_output_is_kept_until_a_source_changes(pages, example, monkeypatch):
    assert "number 2" not in pages.page_of(example, run=False)
    pages.output_of(example)
    (kept,) = pages.KEPT.iterdir()
    kept.write_text("as kept")
    assert "as kept" in pages.page_of(example, run=False)
    monkeypatch.setattr(pages, "library_hash", lambda: "changed")
    assert pages.output_of(example) == "number 1\nnumber 2\n"
    assert len(list(pages.KEPT.iterdir())) == 1, "what is out of date is removed"


def test_an_example_that_fails_is_told_and_not_kept(pages, example):
    example.write_text('"""Fails."""\n\nprint("so far")\nraise SystemExit("no more")\n')
    with pytest.raises(RuntimeError, match=r"(?s)07_count_frames.py ended with 1.*so far.*no more"):
        pages.output_of(example)
    assert not pages.KEPT.exists()


def test_an_example_says_what_it_shows(pages):
    with pytest.raises(ValueError, match="begins with a docstring"):
        pages.parts_of("print(1)\n")


def test_links_to_files_of_examples_lead_to_their_pages(pages):
    page = SimpleNamespace(file=SimpleNamespace(src_uri="paths.md"), meta={})
    text = "[one](../examples/16_path_through_branches.py), [all](../examples), [other](targets.md)"
    assert pages.on_page_markdown(text, page=page) == (
        "[one](examples/16_path_through_branches.md), [all](examples/index.md), [other](targets.md)"
    )


def test_every_example_is_listed(pages):
    index = pages.index_page()
    examples = pages.example_files()
    assert len(examples) >= 20
    assert all(f"({example.stem}.md)" in index for example in examples)
    nav = [{"Start": "index.md"}, {"Examples": ["examples/index.md"]}]
    pages.on_config(SimpleNamespace(nav=nav))
    assert len(nav[1]["Examples"]) == 1 + len(examples)


def test_colons_that_announce_code_are_for_docstrings(pages):
    assert pages.on_page_content("<p>So::</p><p>::</p><pre>a::b</pre>") == "<p>So:</p><pre>a::b</pre>"
