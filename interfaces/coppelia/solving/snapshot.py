"""`Snapshot`: what a call left to be told of later, in words, when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .kernels import layout

if TYPE_CHECKING:
    from .flat_groups import FlatGroups

_ROW_NAMES = ("x", "y", "z", "alpha", "beta", "gamma")


class Miss(NamedTuple):
    """An element that is not within its precision.

    Attributes:
        group: Name of its group.
        tip: Name of its tip.
        target: Name of the target.
        distance: What is left (m), over the constrained axes.
        angle: What is left (rad).
        precision: What would have been near enough (m, rad).
        error: What is left by axis: the names of the rows of the element, x, y, z (m), alpha, beta, gamma (rad).
    """

    group: str
    tip: str
    target: str
    distance: float
    angle: float
    precision: tuple[float, float]
    error: dict[str, float]

    def __str__(self) -> str:
        parts = []
        for left, enough, unit, names in (
            (self.distance, self.precision[0], "m", _ROW_NAMES[:3]),
            (self.angle, self.precision[1], "rad", _ROW_NAMES[3:]),
        ):
            if left > enough:
                axes = ", ".join(f"{name} {self.error[name]:+.3g}" for name in names if name in self.error)
                parts.append(f"{left:.3g} {unit} ({axes}; precision {enough:.3g})")
        return f"tip {self.tip!r} of group {self.group!r} is off {self.target!r} by {' and '.join(parts)}"


class LimitHit(NamedTuple):
    """A joint that was stopped at a limit.

    Attributes:
        joint: Its name.
        limit: Where it was stopped (rad or m).
        overshot: How far beyond the last such step would have led; negative below the lower limit.
    """

    joint: str
    limit: float
    overshot: float

    def __str__(self) -> str:
        side = "upper" if self.overshot > 0.0 else "lower"
        return (
            f"joint {self.joint!r} was stopped at its {side} limit {self.limit:.4g}, {abs(self.overshot):.3g} beyond it"
        )


class Snapshot(NamedTuple):
    """Numbers of a call that may be asked about. Taken in a microsecond; put into words only on demand.

    Attributes:
        flat: The arrays of the call; of these only what does not change is read later.
        error: Bytes of the error of all rows.
        distances: Bytes of the distances of all elements.
        hits: Bytes of the limits that were passed.
    """

    flat: FlatGroups
    error: bytes
    distances: bytes
    hits: bytes

    @classmethod
    def of(cls, flat: FlatGroups) -> Snapshot:
        """What the arrays have now."""
        error, distances, hits = (flat.arrays[place] for place in (layout.ERROR, layout.DISTANCES, layout.HITS))
        return cls(flat, error.tobytes(), distances.tobytes(), hits.tobytes())

    @property
    def misses(self) -> tuple[Miss, ...]:
        """Elements that were not within their precision."""
        flat = self.flat
        errors, distances = np.frombuffer(self.error), np.frombuffer(self.distances).reshape(-1, 2)
        kinds = flat.arrays[layout.ROWS][:, layout.ROW_KIND]
        found = []
        names = _group_names(flat)
        for e, element in enumerate(flat.elements):
            numbers, (linear, angular) = flat.arrays[layout.ELEMENTS][e], distances[e].tolist()
            precision = _precision(flat, e)
            if numbers[layout.TARGET] < 0 or not (linear > precision[0] or angular > precision[1]):
                continue
            target = flat.tree.objects[numbers[layout.TARGET] - 1].name
            rows = range(numbers[layout.FIRST_ROW], numbers[layout.FIRST_ROW] + numbers[layout.ROW_COUNT])
            error = {_ROW_NAMES[kinds[row]]: float(errors[row]) for row in rows}
            found.append(Miss(names[e], element.tip.name, target, linear, angular, precision, error))
        return tuple(found)

    @property
    def limit_hits(self) -> tuple[LimitHit, ...]:
        """Joints that were stopped at a limit."""
        found = []
        hits, joints = np.frombuffer(self.hits).reshape(-1, 2), self.flat.arrays[layout.JOINTS]
        for column, numbers, (is_hit, overshot) in zip(self.flat.columns, joints, hits.tolist(), strict=True):
            if is_hit:
                limit = numbers[layout.UPPER if overshot > 0.0 else layout.LOWER]
                found.append(LimitHit(column.joint.name, float(limit), overshot))
        return tuple(found)


def _group_names(flat: FlatGroups) -> list[str]:
    """Name of the group of each element."""
    counts = flat.arrays[layout.GROUPS][:, layout.ELEMENT_COUNT].tolist()
    return [group.name for group, count in zip(flat.groups, counts, strict=True) for _ in range(count)]


def _precision(flat: FlatGroups, e: int) -> tuple[float, float]:
    """Precision (m, rad) of an element."""
    linear, angular = flat.arrays[layout.ELEMENT_NUMBERS][e, [layout.LINEAR_PRECISION, layout.ANGULAR_PRECISION]]
    return float(linear), float(angular)
