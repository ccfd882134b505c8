"""What measurements were made with: `machine` and `versions`."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Processor, number of them that we may use, system."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"processor": _processor(), "cores": usable, "system": platform.platform()}


def versions() -> dict[str, str]:
    """The versions of Python and of what decides about speed, by name."""
    found = {"python": platform.python_version()}
    for name in ("kinetree", "numpy", "pin", "eigenpy", "numba"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
