"""Arrays that are handed to a compiled function as one number.

Each array argument of a call from Python costs about 0.2 us, which is much where the whole call should take
four. So the arrays of a search are bound once, in a table of their addresses and sizes, and every call passes
the address of the table alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

#: Numbers per array in the table: address, rows, columns (1 for an array of one dimension).
_ENTRY = 3


class ArgumentTable:
    """A table of arrays, which it keeps alive.

    Args:
        arrays: C-contiguous arrays of float64 or int64, one- or two-dimensional, in the order in which the compiled
            function looks them up.
    """

    def __init__(self, *arrays: NDArray[Any]) -> None:
        self._arrays = [np.zeros(0)] * len(arrays)
        self._table = np.zeros((len(arrays), _ENTRY), dtype=np.int64)
        #: What the compiled function is called with.
        self.address: int = self._table.ctypes.data
        for place, array in enumerate(arrays):
            self.bind(place, array)

    def bind(self, place: int, array: NDArray[Any]) -> None:
        """Puts another array in a place of the table."""
        if array.dtype not in (np.float64, np.int64) or not array.flags.c_contiguous or not 1 <= array.ndim <= 2:
            raise TypeError(f"a table takes contiguous arrays of float64 or int64, not {array.dtype} {array.shape}")
        self._arrays[place] = array
        self._table[place] = array.ctypes.data, array.shape[0], array.shape[1] if array.ndim == 2 else 1

    def copy(self) -> ArgumentTable:
        """A table of the same arrays."""
        twin = ArgumentTable.__new__(ArgumentTable)
        twin._arrays, twin._table = list(self._arrays), self._table.copy()
        twin.address = twin._table.ctypes.data
        return twin

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Refuses to be copied or pickled: the addresses would still be those of the old arrays."""
        raise TypeError("a table of addresses cannot be copied or pickled; make another one")


@intrinsic  # type: ignore[misc, untyped-decorator]
def _float_pointer(typingctx: Any, address: Any) -> Any:
    return _pointer(types.float64, address)


@intrinsic  # type: ignore[misc, untyped-decorator]
def integer_pointer(typingctx: Any, address: Any) -> Any:
    """In compiled code: a pointer to int64 from an address."""
    return _pointer(types.int64, address)


def _pointer(kind: Any, address: Any) -> Any:
    pointer = types.CPointer(kind)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

    return pointer(address), codegen


@njit
def float_matrix(entry: Any) -> Any:
    """The array of float64 of an entry of the table, with two dimensions."""
    return carray(_float_pointer(entry[0]), (entry[1], entry[2]))


@njit
def float_vector(entry: Any) -> Any:
    """The array of float64 of an entry of the table, with one dimension."""
    return carray(_float_pointer(entry[0]), (entry[1] * entry[2],))


@njit
def integer_matrix(entry: Any) -> Any:
    """The array of int64 of an entry of the table, with two dimensions."""
    return carray(integer_pointer(entry[0]), (entry[1], entry[2]))


@njit
def integer_vector(entry: Any) -> Any:
    """The array of int64 of an entry of the table, with one dimension."""
    return carray(integer_pointer(entry[0]), (entry[1] * entry[2],))


@njit
def table_at(address: int, places: int) -> Any:
    """The table itself."""
    return carray(integer_pointer(address), (places, _ENTRY))
