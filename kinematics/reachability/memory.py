"""How much memory a map takes, and whether there is as much."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np

from ..errors import InvalidValueError
from .cells import Cells
from .errors import MapTooLargeError

#: The part of the free memory that a map may take when nothing else is said: the rest is for sampling and others.
_PART = 0.8
#: Coarser steps than these say nothing about an arm, and are not proposed: cells along the longest side of the bounds
#: that there are at least, and the largest angle (rad).
_LEAST_CELLS, _COARSEST_ANGLE = 6, math.pi / 2.0


def free_memory() -> int | None:
    """Bytes that can be had; None where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def memory_limit(max_memory: int | None) -> tuple[int, str]:
    """Bytes that a map may take, and what they are called.

    Args:
        max_memory: So many; a part of what is free when None.

    Raises:
        InvalidValueError: No whole number from 0 on.
    """
    if max_memory is None:
        free = free_memory()
        return 2**52 if free is None else int(_PART * free), f"{_PART:.0%} of the free memory"
    if isinstance(max_memory, bool) or not isinstance(max_memory, int | np.integer) or max_memory < 0:
        raise InvalidValueError(f"max_memory must be a whole number of bytes from 0 on, not {max_memory!r}")
    return int(max_memory), "max_memory"


def check_loaded(cells: Cells, item_size: int, max_memory: int | None) -> None:
    """Raises `MapTooLargeError` when a map that is read would take more than `memory_limit`."""
    needed = cells.size * item_size
    limit, where = memory_limit(max_memory)
    if needed > limit:
        raise MapTooLargeError(
            f"a map of {' x '.join(map(str, cells.shape))} cells takes {size_text(needed)}, and {where} is "
            f"{size_text(limit)}; allow more with max_memory, or make one with larger steps"
        )


def check_memory(cells: Cells, item_size: int, max_memory: int | None, steps: tuple[float, float]) -> int:
    """The bytes that a map takes.

    Args:
        cells: Its cells.
        item_size: Bytes of a value.
        max_memory: Bytes that it may take; a part of what is free when None.
        steps: Step of translation (m) and of rotation (rad) as they were asked for.

    Raises:
        MapTooLargeError: It would take more; the message says how much, and with which steps it would fit.
    """
    needed = cells.size * item_size
    limit, where = memory_limit(max_memory)
    if needed <= limit:
        return needed
    ways = _steps_that_fit(cells, limit // item_size, steps)
    advice = f"; {ways} would make it fit, and so would" if ways else ": far too little; it takes much more, or much"
    raise MapTooLargeError(
        f"a map of {' x '.join(map(str, cells.shape))} cells takes {size_text(needed)}, and {where} is "
        f"{size_text(limit)}{advice} narrower bounds" + (" or bits=8" if item_size > 1 and ways else "")
    )


def _steps_that_fit(cells: Cells, most: int, steps: tuple[float, float]) -> str:
    """Which steps would give at most so many cells: one of the two, else both; empty when no sensible ones would."""
    translation, rotation = (_factor_that_fits(cells, most, steps, scaled) for scaled in ((True, False), (False, True)))
    ways = [f"step_translation={translation * steps[0]:.3g} m"] if math.isfinite(translation) else []
    if math.isfinite(rotation):
        ways.append(f"step_rotation={rotation * steps[1]:.3g}")
    both = math.inf if ways else _factor_that_fits(cells, most, steps, (True, True))
    if math.isfinite(both):
        return f"step_translation={both * steps[0]:.3g} m with step_rotation={both * steps[1]:.3g}"
    return " or ".join(ways)


def _factor_that_fits(cells: Cells, most: int, steps: tuple[float, float], scaled: tuple[bool, bool]) -> float:
    """By what the steps of translation and of rotation are multiplied for at most so many cells; infinite for none."""
    sizes = cells.steps * np.array(cells.shape)
    angles = [3, 4, 5] if len(cells.shape) == 6 else [1]
    kinds = [int(k in angles) for k in range(len(sizes))]  # which of the two steps
    longest = max(size for size, kind in zip(sizes, kinds, strict=True) if not kind)
    coarsest = longest / _LEAST_CELLS, _COARSEST_ANGLE
    factor = 1.0
    while True:
        factor *= 1.05
        told = 1.01 * factor  # what is rounded for the text still fits
        if any(told * step > end for step, end, used in zip(steps, coarsest, scaled, strict=True) if used):
            return math.inf
        numbers = list(cells.shape)
        for k, (size, kind) in enumerate(zip(sizes, kinds, strict=True)):
            if scaled[kind]:
                # Bounds that are found have up to two cells more along a length.
                numbers[k] = math.ceil(size / (factor * steps[kind]) - 1e-9) + (0 if kind else 2)
        if math.prod(numbers) <= most:
            return told


def size_text(number: float) -> str:
    """Bytes for people: ``41.5 MB``."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if number < 1000.0 or unit == "TB":
            return f"{number:.3g} {unit}"
        number /= 1000.0
    raise AssertionError
