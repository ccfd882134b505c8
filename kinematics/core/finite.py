"""Kernel: whether numbers are finite, also where fast maths takes that for granted."""

from __future__ import annotations

from typing import Any

from numba import carray, njit

from .argument_table import integer_pointer
from .lanes import INNER

_EXPONENT = 0x7FF


@njit(**INNER)
def all_finite(array: Any) -> bool:
    """False when an array (n,) of float64 holds nan or infinity.

    The exponents are looked at as whole numbers: a comparison of floats is one that the compiler may do away with.
    """
    bits = carray(integer_pointer(array.ctypes.data), (array.shape[0],))
    for k in range(bits.shape[0]):
        if (bits[k] >> 52) & _EXPONENT == _EXPONENT:
            return False
    return True
