"""Tables and pictures of measurements."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from kinetree.interfaces.bench import (
    VARIANTS,
    MissingPackageError,
    PlotError,
    Table,
    Variant,
    attempts_table,
    measure,
    methods_table,
    notes,
    show,
    workload,
    write_json,
)
from kinetree.interfaces.bench.call import Answer
from kinetree.interfaces.bench.curve_styles import curve_styles
from kinetree.interfaces.bench.plots import check_plot, plot_success, save_plot
from kinetree.kinematics import StructureError


@pytest.fixture(scope="module")
def found(fake_variant):
    """Half solved; all, of which a third are wrong; one without figures."""
    work = workload("ur5", 30)
    off = work.witnesses.copy()
    off[:, 1] += 1e-3

    def refuse(work, effort):
        raise StructureError("it does not fit")

    return measure(
        work,
        [
            fake_variant(lambda k: Answer(work.witnesses[k] if k % 2 else None, 7, 3), "half", enough=2),
            fake_variant(lambda k: (work.witnesses if k % 3 else off)[k], "bold"),
            Variant("misfit", "fakes", "never", refuse),
        ],
    )


def test_the_figures_of_each(found):
    half, bold, misfit = methods_table("t", "title", found, robot="ur5").rows
    assert (half["solved"], half["first"], half["iterations"], half["attempts"]) == (50.0, 0.0, 7.0, 3.0)
    assert half["median_us"] <= half["p99_us"]
    assert (bold["solved"], bold["wrong"], bold["first"]) == (pytest.approx(200 / 3), 10, None)
    assert bold["solved_within_seconds"]["1"] == bold["solved"]
    assert misfit == {
        "robot": "ur5",
        "method": "misfit",
        "description": "never",
        "note": "it does not fit",
        "targets": 0,
    }


def test_success_against_attempts(found):
    table = attempts_table("t", "title", found)
    assert [row["method"] for row in table.rows] == ["half"]  # the others do not say
    assert [table.rows[0][f"within_{k}"] for k in (1, 2, 5)] == [0.0, 50.0, 50.0]


def test_notes(found):
    misfit, bold = notes(found)
    assert misfit == "misfit: not measured: it does not fit"
    assert bold.startswith("bold: of 30 answers 10 miss the target, the worst by ")


def test_limits_and_misses_are_told_apart_with_the_joints(fake_variant):
    work = workload("ur5", 6)
    q = work.witnesses.copy()
    q[:4, 2] += 4 * np.pi  # the same pose, out of the limits
    q[3, 5] = work.robot.upper_limits[5] + 0.1
    found = measure(work, [fake_variant(lambda k: q[k])])
    outside = {name for name, _ in found[0].beyond}
    elbow, wrist = (work.robot.dofs[k].name for k in (2, 5))
    assert found[0].beyond[0] == (elbow, 4)
    assert (found[0].outside, found[0].missed) == (4, 1)
    assert outside == {elbow, wrist}
    (line,) = notes(found)
    assert line.startswith(f"fake: of 6 answers 4 are beyond joint limits ('{elbow}': 4, '{wrist}': 1); 1 misses")
    (fine,) = notes(measure(work.first(3), [fake_variant(lambda k: q[k])]))
    assert fine.endswith("none misses the target")


def test_tables_are_printed_and_written(found, tmp_path):
    console = Console(width=120, record=True, file=(tmp_path / "out").open("w", encoding="utf-8"))
    table = methods_table("t", "title [not markup]", found)
    show(table, console)
    text = console.export_text()
    assert "title [not markup]" in text
    assert "50.0" in text
    write_json(tmp_path / "rows.json", [table, Table("empty", "nothing", {})])
    content = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert content["benchmarks"]["t"]["rows"][0]["method"] == "half"
    assert content["machine"]["cores"] >= 1


def test_lines_of_the_picture_are_the_figures(found):
    pytest.importorskip("matplotlib")
    each = replace(found[0], seconds=np.linspace(1.0, 2.0, 30))
    by_time, by_attempts = plot_success([each, *found[1:]]).axes
    lines = {line.get_label(): line for line in by_time.get_lines()}
    assert list(lines) == ["half", "bold"]
    times, percent = lines["half"].get_data()
    assert percent[-1] == 50.0
    assert (np.diff(times) >= 0.0).all()
    for time, part in zip(times[:-1], percent[:-1], strict=True):
        assert part == pytest.approx(100.0 * each.success_within(time))
    (line,) = by_attempts.get_lines()
    assert line.get_ydata().tolist() == [0.0] + 6 * [50.0]


def test_colours_stay_whatever_else_is_measured():
    few, more = (["dls", "halley", "mine"], ["halley", "yours", "mine", "dls"])
    one = {style["label"]: style for style in curve_styles(few)}
    other = {style["label"]: style for style in curve_styles(more)}
    assert all(one[name]["color"] == other[name]["color"] for name in ("dls", "halley"))
    assert len({(style["color"], style["linestyle"]) for style in curve_styles(list(VARIANTS)[:9])}) == 9
    looks = {_of_method(name) for name in VARIANTS}
    assert len(looks) == len(VARIANTS), "each method has a look of its own"


def _of_method(name):
    (style,) = curve_styles([name])
    return style["color"], style["linestyle"]


def test_of_many_methods_the_gradient_methods_stand_out():
    names = [*VARIANTS, "mine"]
    styles = dict(zip(names, curve_styles(names), strict=True))
    grey = {name for name, style in styles.items() if style["color"] == styles["dart"]["color"]}
    assert grey == {
        name for name, each in VARIANTS.items() if each.group not in ("gradient-methods", "closed-forms")
    }  # fmt: skip
    shown = [style["label"] for style in styles.values() if not style["label"].startswith("_")]
    assert len(shown) == len(names) - len(grey) + 1
    assert sum("sugihara" in label for label in shown) == 1


def test_pictures_are_written_and_the_same_each_time(found, tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "b.svg", "a.png", "a.pdf"):
        save_plot(plot_success(found, "two of them"), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    text = "".join(ElementTree.parse(tmp_path / "a.svg").getroot().itertext())
    assert "half" in text
    assert "two of them" in text
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_pictures_that_cannot_be_drawn_are_refused(tmp_path, monkeypatch):
    with pytest.raises(PlotError, match=r"'a\.txt'"):
        check_plot(tmp_path / "a.txt")
    with pytest.raises(PlotError, match="there is no folder"):
        check_plot(tmp_path / "nowhere" / "a.svg")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError, match=r"kinetree\[plot\]"):
        check_plot(tmp_path / "a.svg")
