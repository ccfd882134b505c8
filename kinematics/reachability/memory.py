"""How much memory a map takes, and whether there is as much."""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np

from .cells import Cells
from .errors import MapTooLargeError

#: The part of the free memory that a map may take when nothing else is said: the rest is for sampling and others.
_PART = 0.8


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
    if max_memory is None:
        free = free_memory()
        limit = 2**52 if free is None else int(_PART * free)
        where = f"{_PART:.0%} of the free memory"
    else:
        limit, where = max_memory, "max_memory"
    if needed <= limit:
        return needed
    fits = [_step_that_fits(cells, limit // item_size, steps[k], is_angle) for k, is_angle in enumerate((False, True))]
    names = "step_translation", "step_rotation"
    ways = [f"{name}={step:.3g}" for name, step in zip(names, fits, strict=True) if math.isfinite(step)]
    raise MapTooLargeError(
        f"a map of {' x '.join(map(str, cells.shape))} cells takes {size_text(needed)}, and {where} is "
        f"{size_text(limit)}; {' or '.join(ways)} would make it fit, and so would narrower bounds"
        + (" or bits=8" if item_size > 1 else "")
    )


def _step_that_fits(cells: Cells, most: int, step: float, is_angle: bool) -> float:
    """A step with which there would be at most so many cells, when the other step stays."""
    sizes = cells.steps * np.array(cells.shape)
    angles = [3, 4, 5] if len(cells.shape) == 6 else [1]
    changed = [k in angles for k in range(len(sizes))] if is_angle else [k not in angles for k in range(len(sizes))]
    for _ in range(1000):
        step *= 1.05
        # Bounds that are found have up to two cells more along a length.
        numbers = [
            math.ceil(size / step - 1e-9) + (0 if is_angle else 2) if new else n
            for size, n, new in zip(sizes, cells.shape, changed, strict=True)
        ]
        if math.prod(numbers) <= most:
            return float(f"{step * 1.01:.3g}")
    return math.inf


def size_text(number: float) -> str:
    """Bytes for people: ``41.5 MB``."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if number < 1000.0 or unit == "TB":
            return f"{number:.3g} {unit}"
        number /= 1000.0
    raise AssertionError
