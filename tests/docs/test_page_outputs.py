"""What the site shows under blocks that print: what they really print, where a reader would look for it."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
FENCE = "`" * 3
PAGE = f"""# Page

{FENCE}python
number = 2
print("number", number)
{FENCE}

Text.

{FENCE}python title="first.py"
print("twice", 2 * number)
{FENCE}
{FENCE}bash
python first.py
{FENCE}
{FENCE}python title="first.py, at the end"
print("end")
{FENCE}
{FENCE}bash
python first.py
{FENCE}
{FENCE}console
$ kinetree fk planar3 0 0 0
{FENCE}
{FENCE}text
print("not run")
{FENCE}
"""


@pytest.fixture
def outputs(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "tools"))
    spec = importlib.util.spec_from_file_location("page_outputs", ROOT / "docs" / "tools" / "page_outputs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(module, "DOCS", tmp_path)
    monkeypatch.setattr(module, "library_hash", lambda: "unchanged")
    return module


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def shown(outputs, path):
    page = SimpleNamespace(file=SimpleNamespace(src_uri=path.name))
    return outputs.on_page_markdown(path.read_text(), page=page)


def test_output_stands_where_a_block_or_its_file_is_run(outputs):
    first, titled, run, added, again, command = outputs.outputs_of(PAGE)
    assert first == "number 2\n"
    assert titled == added == "", "what a file prints is shown where the file is run"
    assert run == "twice 4\n"
    assert again == "twice 4\nend\n"
    assert "position" in command


def test_output_is_put_behind_its_block_and_the_rest_stays(outputs):
    page = outputs.with_outputs(PAGE, ["number 2\n", "", "", "", "", "there\n"])
    output = f"{FENCE}{{ .text .output .wrapped .no-copy }}\nnumber 2\n{FENCE}"
    assert page.index('print("number", number)') < page.index(output) < page.index("Text.")
    assert page.replace(f"\n\n{output}", "").replace(f"\n\n{output}".replace("number 2", "there"), "") == PAGE


def test_long_lines_are_wrapped_but_not_those_of_tables(outputs):
    page = outputs.with_outputs(PAGE, ["a sentence\n", "", "", "", "", "│ one │ two │\n"])
    assert page.count(".output .wrapped") == 1
    assert ".output .wrapped .no-copy }\na sentence" in page


def test_output_is_kept_until_a_block_or_the_package_changes(outputs, page, monkeypatch):
    assert shown(outputs, page) == PAGE, "without a run a page is as it is written"
    outputs.run_page(page)
    (kept,) = outputs.KEPT.iterdir()
    assert "number 2\n" + FENCE in shown(outputs, page)
    page.write_text(PAGE.replace("Text.", "Other text."))
    assert "number 2\n" + FENCE in shown(outputs, page), "text is no block"
    page.write_text(PAGE.replace("number = 2", "number = 3"))
    assert not outputs.kept_file(page).is_file()
    page.write_text(PAGE)
    monkeypatch.setattr(outputs, "library_hash", lambda: "changed")
    assert outputs.kept_file(page) != kept


def test_only_pages_that_are_out_of_date_are_run(outputs, page, tmp_path, monkeypatch):
    (tmp_path / "silent.md").write_text(f"{FENCE}python\nnumber = 1\n{FENCE}\n")
    ran = []
    monkeypatch.setattr(outputs, "run_page", ran.append)
    config = SimpleNamespace(extra={"run_examples": True})
    outputs.on_files([], config)
    assert ran == [page]
    outputs.KEPT.mkdir()
    outputs.kept_file(page).write_text("[]")
    outputs.on_files([], config)
    assert ran == [page]


def test_a_block_that_fails_is_told_by_its_line_and_not_kept(outputs, page):
    page.write_text(PAGE.replace("number = 2", "number = missing"))
    with pytest.raises(RuntimeError, match=r"(?s)blocks of page.md ended with 1.*line 4.*missing"):
        outputs.run_page(page)
    assert not outputs.KEPT.exists()


def test_a_command_in_wrong_use_is_told(outputs):
    with pytest.raises(RuntimeError, match="`kinetree fk nothing` ended with 2"):
        outputs.answer_of("fk nothing")
