"""What the viewer says about a picture, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .view_picture import ViewPicture

#: Contacts that are told of; a robot that is thrown together has dozens.
_MOST_TOLD = 4


def status_text(picture: ViewPicture) -> str:
    """How the last solve ended, and what is wrong with what is shown."""
    lines = [_outcome(picture)]
    if picture.limits:
        told = [f"{_code(each.dof.name)} {_which(each.is_upper, each.is_beyond)}" for each in picture.limits]
        lines.append("**limits** " + ", ".join(told))
    if picture.contacts:
        pairs = [f"{_code(first)} and {_code(second)}" for first, second in (each.pair for each in picture.contacts)]
        more = len(pairs) - _MOST_TOLD
        lines.append("**collision** " + "; ".join(pairs[:_MOST_TOLD]) + (f"; and {more} more" if more > 0 else ""))
    ellipsoid = picture.ellipsoid
    lines.append(f"manipulability {ellipsoid.manipulability:.3g}, half axes {_numbers(ellipsoid.half_axes)} m/s")
    return "\n\n".join(lines)


def branch_labels(picture: ViewPicture, units: Sequence[float], decimals: int) -> tuple[str, ...]:
    """One line for each branch, all of them different: its number, its joint values, and what is wrong with it.

    Args:
        picture: Whose branches.
        units: What each value of a configuration is multiplied with.
        decimals: Of the values.
    """
    labels = []
    for number, branch in enumerate(picture.branches, start=1):
        values = " ".join(f"{units[k] * branch.q[k] + 0.0:.{decimals}f}" for k in picture.moved)
        labels.append(f"{number}: {values}" + (f" ({branch.note})" if branch.note else ""))
    return tuple(labels)


def time_text(seconds: float) -> str:
    """A time in the unit that suits it."""
    if not math.isfinite(seconds):
        return "?"
    for unit, size in (("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def _outcome(picture: ViewPicture) -> str:
    solution = picture.solution
    if solution is None:
        return "joints set by hand"
    effort = f"{time_text(solution.elapsed)}, {_count(solution.attempts, 'attempt')}"
    if solution.success:
        effort += f", {_count(solution.iterations, 'iteration')}"
        return f"**solved** in {effort}\n\n{picture.method}: {_errors(picture)}"
    return f"**not solved** ({solution.reason}) in {effort}\n\n{solution.detail or _errors(picture)}"


def _errors(picture: ViewPicture) -> str:
    solution = picture.solution
    assert solution is not None
    return f"{solution.position_error:.1e} m and {solution.orientation_error:.1e} rad off"


def _which(is_upper: bool, is_beyond: bool) -> str:
    return f"{'beyond ' if is_beyond else ''}{'upper' if is_upper else 'lower'}"


def _numbers(values: object) -> str:
    return " ".join(f"{value:.2g}" for value in values)  # type: ignore[attr-defined]  # an array


def _code(name: str) -> str:
    """A name as it is: underscores in it are no markup."""
    return f"`{name.replace('`', chr(39))}`"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")
