"""The page of a run, and its pictures."""

import re
from xml.etree import ElementTree

import pytest

from benchmarks.core import comparison
from benchmarks.core.figures import at_most, table_of
from benchmarks.peers.catalog import names
from benchmarks.report.page import HEADINGS, SECTIONS, Run, write_page
from benchmarks.report.plots import plot_success
from benchmarks.runner import BENCHMARKS
from kinetree.interfaces.bench import Table


def row(library, median, **more):
    times = {"median_us": median, "mean_us": median, "p99_us": 2.0 * median, "spread": 1.0}
    curve = [[median, 50.0], [2.0 * median, 100.0]]
    what = {"robot": "ur5", "library": library, "version": "1", "targets": 9, "solved": 100.0, "curve": curve}
    return {**what, **times, **more}


@pytest.fixture
def one_target():
    made = comparison.table("core.one_target", "One call: 9 targets")
    made.rows = [row("kinetree", 6.0), row("dynibo", 4.0), {"robot": "ur5", "library": "broken", "note": "no luck"}]
    return made


def test_page_says_what_was_run_and_where_kinetree_is_not_first(one_target, tmp_path):
    other = Table("mine", "Something else: seconds", {"s": ("s", ".1f")}, [{"s": 3.0}])
    goals = table_of("core.one_target", [at_most("a time", 1.0, 2.0, "ur5"), at_most("another", 1.0, 0.5)])
    page = tmp_path / "docs" / "benchmarks.md"
    write_page(page, Run("python -m benchmarks --peers", 65.0, [one_target, goals, other], quick=True))
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Benchmarks\n")
    assert "`python -m benchmarks --peers`" in text
    assert "Few samples" in text
    assert "cores" in text
    assert "numba" in text
    assert "* ur5, median us: dynibo 4.00, kinetree 6.00 (1.50 times as much)" in text
    assert "first in 1 of 4" in text
    assert "no luck" in text
    assert "### Something else" in text
    assert "1 of 2 figures" in text
    assert "a time, ur5: 2, goal <= 1" in text
    assert all(f"`{name}`" in text for name in names())
    for picture in re.findall(r"!\[[^]]*\]\(([^)]*)\)", text):
        ElementTree.parse(page.parent / picture)
    assert (page.parent / "figures" / "benchmark_core_one_target.svg").exists()


def test_without_others_it_says_so(tmp_path):
    made = comparison.table("core.one_target", "One call")
    made.rows = [row("kinetree", 6.0)]
    write_page(tmp_path / "page.md", Run("python -m benchmarks", 1.0, [made]))
    assert "No other library was measured" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_pictures_are_the_same_for_the_same_rows_and_name_everybody(one_target, tmp_path):
    first, second = tmp_path / "1.svg", tmp_path / "2.svg"
    assert plot_success(one_target, first)
    assert plot_success(one_target, second)
    text = first.read_text(encoding="utf-8")
    assert text == second.read_text(encoding="utf-8")
    assert all(f">{name}<" in text for name in ("kinetree", "dynibo", "ur5"))
    assert "broken" not in text
    one_target.rows = one_target.rows[2:]
    assert not plot_success(one_target, tmp_path / "3.svg")
    assert not (tmp_path / "3.svg").exists()


def test_sections_are_of_benchmarks_that_there_are():
    made_beside = {"core.path", "reachability.questions", "variants.attempts", "variants.notes"}
    for _, _, tables in SECTIONS:
        assert set(tables) <= set(BENCHMARKS) | made_beside
        assert set(tables) <= set(HEADINGS)
