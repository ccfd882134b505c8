"""Files of maps whose content was changed and sealed again, as a program that writes wrong files would make them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py

from kinetree.kinematics.reachability.sealed_file import write_sealed


def changed(source: Path, target: Path, change: Callable[[Any], Any]) -> Path:
    """A copy of a file in which ``change`` did something to the ``h5py.File``; its seal is right."""
    target.write_bytes(source.read_bytes())
    with h5py.File(target, "r+") as file:
        change(file)
    whole = target.read_bytes()
    with target.open("wb") as stream:
        write_sealed(stream, memoryview(whole))
    return target


def replaced(name: str, **options: Any) -> Callable[[Any], Any]:
    """Puts another array or link in the place of a member."""

    def change(file: Any) -> None:
        del file[name]
        if "link" in options:
            file[name] = options["link"]
        else:
            file.create_dataset(name, **options)

    return change
