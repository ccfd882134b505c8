"""Tables as Markdown."""

from benchmarks.report.markdown import LONGEST, markdown_of
from kinetree.interfaces.bench import Table

COLUMNS = {"library": ("library", ""), "us": ("us", ".1f"), "none": ("nothing", ""), "note": ("", "")}


def test_numbers_to_the_right_and_empty_columns_out():
    rows = [{"library": "a_b", "us": 1.25}, {"library": "c", "note": "x | y"}]
    assert markdown_of(Table("t", "t", COLUMNS, rows)).splitlines() == [
        "| library | us | note |",
        "| --- | ---: | --- |",
        "| a\\_b | 1.2 | - |",
        "| c | - | x \\| y |",
    ]


def test_long_remarks_are_cut_and_on_one_line():
    rows = [{"library": "a", "note": "word\n" * 200}]
    line = markdown_of(Table("t", "t", COLUMNS, rows)).splitlines()[-1]
    assert len(line) < LONGEST + 20
    assert line.endswith("... |")
