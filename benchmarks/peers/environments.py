"""Virtual environments of the peers, made when they are first needed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from .errors import PeerError

#: Seconds that an installation may take.
PATIENCE = 600.0
#: Written last, so that an environment that was only half made is made again.
_MARK = "complete"


def environments_directory() -> Path:
    """``KINETREE_BENCH_DIR`` if it is set, else a folder of the user's cache directory."""
    chosen = os.environ.get("KINETREE_BENCH_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kinetree-benchmarks"


def python_of(name: str, requirements: Sequence[str]) -> Path:
    """The Python of an environment that has some requirements; made with pip when it is not there.

    Args:
        name: Of the peer.
        requirements: As pip takes them. Others are another environment.

    Raises:
        PeerError: It cannot be made.
    """
    what = f"{sys.version_info[:2]} {' '.join(requirements)}"
    folder = environments_directory() / f"{name}-{hashlib.sha256(what.encode()).hexdigest()[:8]}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if (folder / _MARK).exists() and python.exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    try:
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        raise PeerError(f"cannot be installed: pip took more than {PATIENCE:.0f} s") from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise PeerError(f"cannot be installed: {_reason(error)}") from error
    (folder / _MARK).touch()
    return python


def _reason(error: OSError | subprocess.CalledProcessError) -> str:
    if isinstance(error, OSError):
        return str(error)
    said = error.stderr if isinstance(error.stderr, str) else (error.stderr or b"").decode(errors="replace")
    wrong = [line for line in said.splitlines() if line.startswith("ERROR")]
    return (wrong or said.splitlines() or ["pip failed"])[-1]
