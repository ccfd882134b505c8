from benchmarks.core.figures import at_least, at_most, table_of


def test_met_or_not():
    figures = [
        at_least("a", 2.0, 2.0),
        at_least("b", 2.0, 1.9),
        at_most("c", 2.0, 2.1),
        at_most("d", 2.0, None, note="no"),
    ]
    rows = table_of("x", figures).rows
    assert [row["met"] for row in rows] == ["yes", "NO", "NO", "not measured"]
    assert [row["required"] for row in rows] == [">= 2", ">= 2", "<= 2", "<= 2"]
    assert rows[3]["note"] == "no"
