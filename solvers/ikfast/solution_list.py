"""`SolutionList`: a C++ object that generated code adds its solutions to, laid out by hand.

``ComputeIk`` takes a reference to an ``ikfast::IkSolutionListBase<IkReal>``, an abstract class, and calls its virtual
functions. A library that `kinetree ikfast build` made brings a function with C types instead; for any other one we make
the object ourselves, as the Itanium C++ ABI, which Linux and macOS use, lays it out.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .raw_solutions import RawSolutions

# ikfast::IkSingleDOFSolutionBase<T>: fmul, foffset, freeind, jointtype, maxsolutions, indices[5].
_RECORDS = {
    size: np.dtype(
        [("factor", f"f{size}"), ("offset", f"f{size}"), ("source", "i1"), ("kind", "u1"), ("rest", "u1", (6,))],
        align=True,
    )
    for size in (4, 8)
}

_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_AddSolution = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_GetSolution = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_GetNumSolutions = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p)
_Clear = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class SolutionList:
    """Collects the solutions of one call of ``ComputeIk``. One object serves one thread at a time.

    Args:
        joints: How many values a solution has.
        real_size: 4 for float, 8 for double.
    """

    def __init__(self, joints: int, real_size: int) -> None:
        self._joints = joints
        self._record = _RECORDS[real_size]
        self._rows: list[Any] = []
        # Itanium C++ ABI 2.5: offset to top, type information, then the virtual functions in the order of their
        # declaration, a virtual destructor being two: for the object alone, and for object and memory.
        self._functions = (
            _Destructor(self._ignore),
            _Destructor(self._ignore),
            _AddSolution(self._add),
            _GetSolution(self._get),
            _GetNumSolutions(self._count),
            _Clear(self._clear),
        )
        addresses = [ctypes.cast(each, ctypes.c_void_p).value for each in self._functions]
        self._table = (ctypes.c_void_p * (2 + len(addresses)))(None, None, *addresses)
        self._object = (ctypes.c_void_p * 1)(ctypes.addressof(self._table) + 2 * ctypes.sizeof(ctypes.c_void_p))

    @property
    def address(self) -> int:
        """Of the object, for a reference or a pointer to it."""
        return ctypes.addressof(self._object)

    def take(self, trouble: str = "") -> RawSolutions:
        """The solutions since the last time, with `RawSolutions.trouble`."""
        rows, self._rows = self._rows, []
        records = np.array(rows, dtype=self._record).reshape(len(rows), self._joints)
        return RawSolutions(
            records["offset"].astype(np.float64),
            records["factor"].astype(np.float64),
            records["source"].copy(),
            trouble,
        )

    # What C++ calls. A std::vector is its begin, its end, and the end of its memory.

    def _add(self, _: int, values: int, __: int) -> int:
        begin, end = (ctypes.c_size_t * 2).from_address(values)
        if end - begin == self._joints * self._record.itemsize:
            self._rows.append(np.frombuffer(ctypes.string_at(begin, end - begin), self._record))
        return len(self._rows) - 1

    def _get(self, _: int, __: int) -> None:
        return None

    def _count(self, _: int) -> int:
        return len(self._rows)

    def _clear(self, _: int) -> None:
        self._rows.clear()

    def _ignore(self, _: int) -> None:
        return None
