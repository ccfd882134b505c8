"""`Standing`: who is first in a column of a table, and where kinetree is not, by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kinetree.interfaces.bench import Table

Row = Mapping[str, Any]
OURS = "kinetree"


@dataclass(frozen=True)
class Measure:
    """A column by which libraries are compared.

    Attributes:
        key: In the rows.
        what: In words, with the unit.
        form: Of a number.
        more_is_better: False for times and sizes.
        sure: Key of a share (%) that has to be within `SLACK` of ours for a library to be compared; None for all.
    """

    key: str
    what: str
    form: str = ".2f"
    more_is_better: bool = False
    sure: str | None = None


#: By how many of a hundred targets a library may solve less than ours and still be compared by its time.
SLACK = 1.0
SOLVED = Measure("solved", "solved %", ".2f", more_is_better=True)
TIMES = (
    Measure("median_us", "median us", ".2f", sure="solved"),
    Measure("mean_us", "mean us", ".2f", sure="solved"),
    Measure("p99_us", "p99 us", ".1f", sure="solved"),
)
BRANCHES = (
    Measure("found", "has the configuration of the target %", ".2f", more_is_better=True),
    Measure("median_us", "median us", ".2f", sure="found"),
    Measure("p99_us", "p99 us", ".1f", sure="found"),
)
#: Table to the column whose values are compared one by one, and how.
COMPARED: dict[str, tuple[str, tuple[Measure, ...]]] = {
    "core.one_target": ("robot", (SOLVED, *TIMES)),
    "core.near_seed": ("robot", (SOLVED, *TIMES)),
    "core.batch": ("robot", (SOLVED, Measure("target_us", "us a target", ".2f", sure="solved"))),
    "closed_form.six_axis": ("robot", BRANCHES),
    "closed_form.general": ("robot", BRANCHES),
    "closed_form.seven_axis": (
        "robot",
        (SOLVED, Measure("nearest", "nearest to the seed %", ".2f", more_is_better=True), *TIMES[::2]),
    ),
    "closed_form.batch": ("robot", (BRANCHES[0], Measure("pose_us", "us a pose", ".3f", sure="found"))),
    "hierarchy.steps": ("case", (Measure("median_us", "median us", ".1f"), Measure("p99_us", "p99 us", ".1f"))),
    "footprint": ("", (Measure("size", "MB with dependencies", ".0f"), Measure("start_s", "s to the first answer"))),
}


@dataclass(frozen=True)
class Standing:
    """How a table turned out for kinetree.

    Attributes:
        table: Its name.
        first: So many comparisons kinetree wins, or shares the first place in.
        compared: Of so many.
        behind: A sentence for each comparison that it does not win.
        faster_but: A sentence for each library that is quicker than kinetree but solves too little to be compared.
    """

    table: str
    first: int = 0
    compared: int = 0
    behind: tuple[str, ...] = ()
    faster_but: tuple[str, ...] = field(default=())


def standing_of(table: Table) -> Standing | None:
    """None when the table compares with nobody."""
    if table.name not in COMPARED:
        return None
    column, measures = COMPARED[table.name]
    first, compared, behind, faster = 0, 0, [], []
    for where in dict.fromkeys(row.get(column, "") for row in table.rows):
        rows = [row for row in table.rows if row.get(column, "") == where]
        for measure in measures:
            ours, others, unsure = _sides(rows, measure)
            if ours is None or not (others or unsure):
                continue
            place = f"{where}, {measure.what}" if where else measure.what
            faster += [_faster(place, measure, each, ours) for each in unsure if each[measure.key] < ours[measure.key]]
            if not others:
                continue
            compared += 1
            best = _best(others, measure)
            if _beats(best[measure.key], ours[measure.key], measure):
                behind.append(_behind(place, measure, best, ours))
            else:
                first += 1
    return Standing(table.name, first, compared, tuple(behind), tuple(faster)) if compared or faster else None


def _sides(rows: Sequence[Row], measure: Measure) -> tuple[Row | None, list[Row], list[Row]]:
    """Our best row, those that are compared with it, and those that solve too little for that."""
    there = [row for row in rows if row.get(measure.key) is not None]
    own = [row for row in there if str(row["library"]).startswith(OURS)]
    others = [row for row in there if not str(row["library"]).startswith(OURS)]
    if not own:
        return None, [], []
    ours = _best(own, measure)
    if measure.sure is None:
        return ours, others, []
    least = float(ours.get(measure.sure) or 0.0) - SLACK
    sure = [row for row in others if float(row.get(measure.sure) or 0.0) >= least]
    return ours, sure, [row for row in others if row not in sure]


def _best(rows: Sequence[Row], measure: Measure) -> Row:
    choose = max if measure.more_is_better else min
    return choose(rows, key=lambda row: float(row[measure.key]))


def _beats(other: float, ours: float, measure: Measure) -> bool:
    """By what is printed: a difference that cannot be seen is none."""
    a, b = float(format(other, measure.form)), float(format(ours, measure.form))
    return a > b if measure.more_is_better else a < b


def _behind(place: str, measure: Measure, best: Row, ours: Row) -> str:
    theirs, mine = best[measure.key], ours[measure.key]
    by = f"{theirs - mine:.2f} more" if measure.more_is_better else f"{mine / theirs:.2f} times as much"
    values = f"{best['library']} {theirs:{measure.form}}, {_named(ours)} {mine:{measure.form}}"
    return f"{place}: {values} ({by})"


def _faster(place: str, measure: Measure, other: Row, ours: Row) -> str:
    share = float(other.get(measure.sure or "") or 0.0)
    return (
        f"{place}: {other['library']} {other[measure.key]:{measure.form}}, {_named(ours)} "
        f"{ours[measure.key]:{measure.form}}, with {share:.1f} % against {ours[measure.sure or '']:.1f} %"
    )


def _named(row: Row) -> str:
    way = row.get("way") or row.get("call")
    return f"{row['library']} ({way})" if way else str(row["library"])
