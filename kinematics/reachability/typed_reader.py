"""`TypedReader`: what is in an HDF5 file, each thing checked before anything is made from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..transforms import Array
from .errors import DamagedMapError

_WORDS = {"i": "whole numbers", "f": "numbers", "b": "truth values"}
_KINDS = {"i": "iu", "f": "f", "b": "b"}
#: The most texts of an attribute.
_MOST_TEXTS = 10_000


class TypedReader:
    """Attributes and arrays of a file, of the type and the shape that they are asked for, or a `DamagedMapError`.

    Nothing is converted that is not what it should be, no link is followed, and nothing is read before its size is
    known.

    Args:
        h5py: The package.
        file: An open ``h5py.File``.
        size: Bytes of it: no array that is not compressed can have more.
    """

    def __init__(self, h5py: Any, file: Any, size: int) -> None:
        self._h5py, self._file, self._size = h5py, file, size

    # Attributes.

    def check_attributes(self, names: set[str]) -> None:
        """Raises what is missing, and what nobody knows."""
        self._check_names("attributes", set(self._file.attrs), names)

    def text(self, name: str) -> str:
        """A text."""
        self._check_text(name, one=True)
        return self._readable(name, self._file.attrs[name])

    def texts(self, name: str) -> tuple[str, ...]:
        """A row of texts."""
        self._check_text(name, one=False)
        return tuple(self._readable(name, each) for each in self._file.attrs[name])

    def whole(self, name: str, least: int = 0, most: int = 2**63 - 1) -> int:
        """A whole number from ``least`` to ``most``."""
        value = int(self._attribute(name, "i", ())[()])
        if not least <= value <= most:
            raise DamagedMapError(f"{name} is {value}, and must be from {least} to {most}")
        return value

    def number(self, name: str) -> float:
        """A finite number."""
        return float(self._attribute(name, "f", ())[()])

    def flag(self, name: str) -> bool:
        """A truth value."""
        return bool(self._attribute(name, "b", ())[()])

    def choice(self, name: str, known: Sequence[str]) -> str:
        """One of some texts."""
        value = self.text(name)
        if value not in known:
            raise DamagedMapError(f"{name} is {value!r}, and must be one of {', '.join(map(repr, known))}")
        return value

    def numbers(self, name: str, count: int) -> Array:
        """So many finite numbers (count,)."""
        return self._attribute(name, "f", (count,)).astype(float)

    def wholes(self, name: str, count: int) -> tuple[int, ...]:
        """So many whole numbers."""
        return tuple(self._attribute(name, "i", (count,)).tolist())

    def flags(self, name: str, count: int) -> tuple[bool, ...]:
        """So many truth values."""
        return tuple(self._attribute(name, "b", (count,)).tolist())

    # Groups and arrays.

    def check_members(self, group: str, names: set[str]) -> None:
        """Raises for a group whose members are not these: what is missing, unknown, or a link to somewhere else."""
        found = self._member(group, self._h5py.Group)
        self._check_names(f"members of {group}", set(found), names)
        for name in names:
            if not isinstance(found.get(name, getlink=True), self._h5py.HardLink):
                raise DamagedMapError(f"{name} is a link to somewhere else")

    def members(self) -> set[str]:
        """What the file has."""
        return set(self._file)

    def array(self, name: str, kind: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """An array of ``"i"`` whole numbers or ``"f"`` finite numbers; None in the shape is any length."""
        found = self.dataset(name)
        self._check_type(name, found.dtype, kind)
        alike = len(found.shape) == len(shape) and all(b in (None, a) for a, b in zip(found.shape, shape, strict=True))
        if not alike:
            raise DamagedMapError(f"{name} has shape {found.shape}, not {shape}")
        size = math.prod(found.shape) * found.dtype.itemsize
        if found.chunks is not None or found.id.get_storage_size() != size or size > self._size:
            raise DamagedMapError(f"{name} is not stored as it should be")
        return self._finite(name, kind, np.asarray(found[()]))

    def dataset(self, name: str) -> Any:
        """An ``h5py.Dataset`` whose numbers are in the file itself."""
        found = self._member(name, self._h5py.Dataset)
        if found.shape is None or found.is_virtual or found.external:
            raise DamagedMapError(f"{name} has no numbers in the file itself")
        return found

    # The parts.

    def _member(self, name: str, kind: type) -> Any:
        found = self._file.get(name, getclass=True)
        if found is not kind:
            raise DamagedMapError(f"{name} is {'missing' if found is None else 'something else'}")
        return self._file[name]

    def _attribute(self, name: str, kind: str, shape: tuple[int, ...]) -> NDArray[Any]:
        found = self._file.attrs.get_id(name)
        self._check_type(name, found.dtype, kind)
        if found.shape != shape:
            raise DamagedMapError(f"{name} has shape {found.shape}, not {shape}")
        return self._finite(name, kind, np.asarray(self._file.attrs[name]))

    def _check_text(self, name: str, one: bool) -> None:
        found = self._file.attrs.get_id(name)
        info = self._h5py.check_string_dtype(found.dtype)
        if info is None or info.length is not None:
            raise DamagedMapError(f"{name} is no text")
        alike = found.shape == () if one else found.shape is not None and len(found.shape) == 1
        if not alike or (not one and found.shape[0] > _MOST_TEXTS):
            raise DamagedMapError(f"{name} has shape {found.shape}")

    @staticmethod
    def _readable(name: str, value: Any) -> str:
        try:
            text = str(value)
            text.encode()  # h5py keeps bytes that are no text as something that cannot be written
        except UnicodeError:
            raise DamagedMapError(f"{name} is no text") from None
        return text

    @staticmethod
    def _check_names(what: str, found: set[str], names: set[str]) -> None:
        for wrong, word in ((names - found, "missing"), (found - names, "unknown")):
            if wrong:
                raise DamagedMapError(f"{what} are {word}: {', '.join(sorted(wrong))}")

    @staticmethod
    def _check_type(name: str, found: Any, kind: str) -> None:
        if found.kind not in _KINDS[kind]:
            raise DamagedMapError(f"{name} is not of {_WORDS[kind]} but of {found}")

    @staticmethod
    def _finite(name: str, kind: str, values: NDArray[Any]) -> NDArray[Any]:
        if kind == "f" and not np.isfinite(values.astype(float)).all():
            raise DamagedMapError(f"{name} has entries that are not finite")
        return values
