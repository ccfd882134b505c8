"""Who is first, and by how much kinetree is not: worked out from the rows alone."""

import pytest

from benchmarks.report.standing import COMPARED, standing_of
from benchmarks.runner import BENCHMARKS
from kinetree.interfaces.bench import Table


def table(*rows, name="core.one_target"):
    return Table(name, "one call", {}, [{"robot": "ur5", **row} for row in rows])


def row(library, solved, median, mean=10.0, p99=20.0, **more):
    return {"library": library, "solved": solved, "median_us": median, "mean_us": mean, "p99_us": p99, **more}


def test_first_everywhere():
    found = standing_of(table(row("kinetree", 100.0, 5.0), row("dynibo", 99.9, 15.0, 30.0, 50.0)))
    assert (found.first, found.compared) == (4, 4)
    assert found.behind == found.faster_but == ()


def test_behind_by_how_much():
    found = standing_of(table(row("kinetree", 99.0, 6.0), row("dynibo", 99.5, 4.0), row("slow", 99.0, 50.0)))
    assert (found.first, found.compared) == (2, 4)
    assert found.behind == (
        "ur5, solved %: dynibo 99.50, kinetree 99.00 (0.50 more)",
        "ur5, median us: dynibo 4.00, kinetree 6.00 (1.50 times as much)",
    )


def test_a_library_that_solves_little_is_told_apart():
    found = standing_of(table(row("kinetree", 100.0, 6.0), row("hasty", 50.0, 3.0, 30.0, 50.0)))
    assert found.behind == ()
    assert (found.first, found.compared) == (1, 1)  # success alone
    assert found.faster_but == ("ur5, median us: hasty 3.00, kinetree 6.00, with 50.0 % against 100.0 %",)


def test_the_better_of_our_rows_counts():
    ours = row("kinetree", 100.0, 9.0), row("kinetree prepare()", 100.0, 4.0)
    assert standing_of(table(*ours, row("dynibo", 100.0, 5.0))).behind == ()


def test_a_difference_that_is_not_printed_is_none():
    assert standing_of(table(row("kinetree", 100.0, 5.001), row("dynibo", 100.0, 5.0))).behind == ()


@pytest.mark.parametrize("rows", [(), (row("kinetree", 100.0, 5.0),), (row("dynibo", 100.0, 5.0),)])
def test_nobody_to_compare_with(rows):
    assert standing_of(table(*rows)) is None


def test_a_library_without_figures_is_not_compared():
    rows = row("kinetree", 100.0, 5.0), {"library": "broken", "note": "cannot be installed"}
    assert standing_of(table(*rows)) is None


def test_other_tables_compare_nothing():
    assert standing_of(table(row("kinetree", 1.0, 1.0), row("x", 2.0, 0.1), name="core.start_up")) is None


def test_what_is_compared_is_there():
    assert set(COMPARED) <= set(BENCHMARKS)
