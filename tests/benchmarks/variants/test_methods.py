"""The section of variants runs on few targets; its numbers are not judged here."""

from benchmarks.options import Options
from benchmarks.runner import expand, run
from kinetree.interfaces.bench import VARIANTS


def test_each_robot_has_a_row_for_each_variant_and_says_what_does_not_fit():
    methods, attempts, notes = run("variants.methods", Options(samples=4, robots=["ur5", "so101"], quick=True))
    assert [(row["robot"], row["method"]) for row in methods.rows] == [
        (robot, name) for robot in ("ur5", "so101") for name in VARIANTS
    ]
    measured = [row for row in methods.rows if row["targets"]]
    assert len(measured) == 2 * len(VARIANTS) - 2
    assert all(0.0 <= row["solved"] <= 100.0 and row["median_us"] > 0.0 for row in measured)
    assert {row["robot"] for row in attempts.rows} == {"ur5", "so101"}
    # Five joints are asked for positions, which these two do not solve for.
    assert [(note["robot"], note["method"]) for note in notes.rows] == [
        ("so101", "closed-form"),
        ("so101", "meta-robwork"),
    ]
    assert expand(["variants"]) == ["variants.methods"]
