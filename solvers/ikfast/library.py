"""`IkFastLibrary`: a shared library of code that IKFast generated."""

from __future__ import annotations

import _ctypes
import ctypes
import os
import re
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import as_vector
from ...kinematics.transforms import Array
from ..errors import IkFastLibraryError, IkFastSymbolError
from .exception_guard import GuardedCall, guarded_call
from .object_file import check_object_file
from .raw_solutions import RawSolutions
from .solution_list import SolutionList

#: The functions with C names that a library must have.
REQUIRED_SYMBOLS = (
    "GetNumFreeParameters",
    "GetFreeParameters",
    "GetNumJoints",
    "GetIkRealSize",
    "GetIkType",
    "ComputeIk",
    "ComputeFk",
    "GetKinematicsHash",
    "GetIkFastVersion",
)

#: Version of the arguments of `kinetree_ikfast_solve` in native/shim.cpp.
_SHIM_VERSION = 1
_MOST_JOINTS = 100
_FIRST_CAPACITY = 64
_DOUBLES = ctypes.POINTER(ctypes.c_double)


class IkFastLibrary:
    """Generated code, loaded: what it is for, its inverse and its forward kinematics, in plain numbers.

    It may be used from several threads. A library that `kinetree ikfast build` made has a function of ours in it, which
    is faster and tells what the generated code throws; any other one is called through a `SolutionList`.

    Args:
        path: The shared library.

    Raises:
        IkFastFileNotFoundError: There is no such file.
        IkFastSymbolError: Functions are missing.
        IkFastLibraryError: The file is no library or damaged, or what it says about itself makes no sense.

    Attributes:
        path: Where it is.
        num_joints: How many joints the chain has, free ones included.
        free_parameters: Which of them have to be given.
        ik_type: The number of its kind of target.
        real_size: 4 when it works in float, 8 in double.
        kinematics_hash: What it was generated from, as IKFast named it.
        version: Of IKFast.
        is_ours: True with our function in it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).expanduser().absolute()
        check_object_file(self.path)
        self._library = _load(self.path)
        # So that a library that was built anew under the same name is not taken for the one that is loaded.
        weakref.finalize(self, _ctypes.dlclose, self._library._handle).atexit = False
        missing = tuple(name for name in REQUIRED_SYMBOLS if not hasattr(self._library, name))
        if missing:
            raise IkFastSymbolError(_missing_text(self.path, self._library, missing), missing)
        self._set_prototypes()
        self.num_joints = int(self._library.GetNumJoints())
        self.real_size = int(self._library.GetIkRealSize())
        self.ik_type = int(self._library.GetIkType()) & 0xFFFFFFFF
        self.kinematics_hash = _text(self._library.GetKinematicsHash())
        self.version = _text(self._library.GetIkFastVersion())
        self.free_parameters = self._read_free_parameters()
        self._real = {4: ctypes.c_float, 8: ctypes.c_double}.get(self.real_size)
        if self._real is None:
            raise IkFastLibraryError(
                f"{str(self.path)!r} works in numbers of {self.real_size} bytes; possible are float (4) and double (8)"
            )
        self.is_ours = hasattr(self._library, "kinetree_ikfast_shim")
        if self.is_ours and self._library.kinetree_ikfast_shim() != _SHIM_VERSION:
            raise IkFastLibraryError(
                f"{str(self.path)!r} was built by another version of kinetree; build it again (`kinetree ikfast build`)"
            )
        self._guarded: GuardedCall | None = None
        self._lists = threading.local()

    def compute_ik(self, translation: ArrayLike, rotation: ArrayLike, free: ArrayLike = ()) -> RawSolutions:
        """The solutions of a target.

        Args:
            translation: (3,) in the base of the chain; how each kind of target is packed, see `solvers.targets`.
            rotation: (9,) row by row, or what the kind of target has there.
            free: Value of each of `free_parameters` (rad or m).

        Raises:
            ShapeError: Wrong sizes.
            InvalidPoseError, InvalidValueError: Values that are not finite.
        """
        eetrans = as_vector(translation, 3, "translation")
        eerot = as_vector(np.asarray(rotation, dtype=float).reshape(-1), 9, "rotation")
        values = as_vector(free, len(self.free_parameters), "free")
        if self.is_ours:
            return self._compute_with_shim(eetrans, eerot, values)
        return self._compute_plain(eetrans, eerot, values)

    def compute_fk(self, joints: ArrayLike) -> tuple[Array, Array]:
        """Translation (3,) and rotation (9,) of the tip, packed as the kind of target has them.

        Args:
            joints: (num_joints,) rad or m.

        Raises:
            ShapeError: Another number of values.
        """
        values = as_vector(joints, self.num_joints, "joints")
        dtype = np.dtype(f"f{self.real_size}")
        given, eetrans, eerot = values.astype(dtype), np.zeros(3, dtype), np.zeros(9, dtype)
        self._library.ComputeFk(given.ctypes.data, eetrans.ctypes.data, eerot.ctypes.data)
        return eetrans.astype(np.float64), eerot.astype(np.float64)

    def _compute_with_shim(self, eetrans: Array, eerot: Array, free: Array) -> RawSolutions:
        capacity = _FIRST_CAPACITY
        message = ctypes.create_string_buffer(256)
        while True:
            offsets, factors = np.zeros((capacity, self.num_joints)), np.zeros((capacity, self.num_joints))
            sources = np.full((capacity, self.num_joints), -1, dtype=np.int8)
            count = self._library.kinetree_ikfast_solve(
                eetrans.ctypes.data,
                eerot.ctypes.data,
                free.ctypes.data,
                capacity,
                offsets.ctypes.data,
                factors.ctypes.data,
                sources.ctypes.data,
                message,
                len(message),
            )
            if count <= capacity:
                trouble = message.value.decode(errors="replace")
                return RawSolutions(offsets[:count], factors[:count], sources[:count], trouble)
            capacity = count

    def _compute_plain(self, eetrans: Array, eerot: Array, free: Array) -> RawSolutions:
        dtype = np.dtype(f"f{self.real_size}")
        # One value more, so that there is something to point at when none is free.
        translation, rotation, values = eetrans.astype(dtype), eerot.astype(dtype), np.append(free, 0.0).astype(dtype)
        solutions = getattr(self._lists, "one", None)
        if solutions is None:
            solutions = self._lists.one = SolutionList(self.num_joints, self.real_size)
        if self._guarded is None:
            self._guarded = guarded_call(self._library, "ComputeIk", 4)
        ended = self._guarded(translation.ctypes.data, rotation.ctypes.data, values.ctypes.data, solutions.address)
        return solutions.take("" if ended else "it threw an exception")

    def _set_prototypes(self) -> None:
        library, pointer, integer = self._library, ctypes.c_void_p, ctypes.c_int
        for name in ("GetNumFreeParameters", "GetNumJoints", "GetIkRealSize", "GetIkType"):
            getattr(library, name).argtypes, getattr(library, name).restype = [], integer
        for name in ("GetKinematicsHash", "GetIkFastVersion"):
            getattr(library, name).argtypes, getattr(library, name).restype = [], ctypes.c_char_p
        library.GetFreeParameters.argtypes, library.GetFreeParameters.restype = [], ctypes.POINTER(integer)
        library.ComputeIk.argtypes, library.ComputeIk.restype = [pointer] * 4, ctypes.c_bool
        library.ComputeFk.argtypes, library.ComputeFk.restype = [pointer] * 3, None
        if hasattr(library, "kinetree_ikfast_shim"):
            library.kinetree_ikfast_shim.argtypes, library.kinetree_ikfast_shim.restype = [], integer
            library.kinetree_ikfast_solve.argtypes = [*[pointer] * 3, integer, *[pointer] * 3, ctypes.c_char_p, integer]
            library.kinetree_ikfast_solve.restype = integer

    def _read_free_parameters(self) -> tuple[int, ...]:
        count = int(self._library.GetNumFreeParameters())
        if not 0 < self.num_joints <= _MOST_JOINTS or not 0 <= count <= self.num_joints:
            raise IkFastLibraryError(
                f"{str(self.path)!r} says that it has {self.num_joints} joints, {count} of them free, which cannot be"
            )
        pointer = self._library.GetFreeParameters()
        if count and not pointer:
            raise IkFastLibraryError(f"{str(self.path)!r} does not say which {count} of its joints are free")
        indices = tuple(int(pointer[k]) for k in range(count))
        if len(set(indices)) < count or not all(0 <= each < self.num_joints for each in indices):
            raise IkFastLibraryError(
                f"{str(self.path)!r} names {list(indices)} as its free joints; it has {self.num_joints} joints"
            )
        return indices

    def __reduce__(self) -> Any:
        raise TypeError(f"a loaded library cannot be pickled; load {str(self.path)!r} again where it is needed")

    def __repr__(self) -> str:
        return f"<IkFastLibrary {self.path.name!r}, type {self.ik_type:#x}, {self.num_joints} joints>"


def _load(path: Path) -> Any:
    try:
        return ctypes.CDLL(str(path))
    except OSError as problem:
        found = re.search(r"undefined symbol: (\S+?)[,)]?$|[Ss]ymbol not found[^']*'?_?(\w+)", str(problem))
        if not found:
            raise IkFastLibraryError(f"cannot load {str(path)!r}: {problem}") from problem
        name = found.group(1) or found.group(2)
        raise IkFastSymbolError(
            f"cannot load {str(path)!r}: it needs {name!r}, {_where_to_find(name)}", (name,)
        ) from problem


def _where_to_find(name: str) -> str:
    if re.fullmatch(r"[dz]ge\w+_", name):
        return "a function of LAPACK: link it with -llapack (`kinetree ikfast build` does where LAPACK is installed)"
    return "which no loaded library has"


def _missing_text(path: Path, library: Any, missing: tuple[str, ...]) -> str:
    text = f"{str(path)!r} lacks {', '.join(missing)}"
    # How C++ compilers spell a function that takes nothing.
    if any(hasattr(library, f"_Z{len(name)}{name}v") for name in missing):
        return f"{text}: it was compiled without -DIKFAST_CLIBRARY, so that they have C++ names"
    return f"{text}: it is no library of code that IKFast generated, or of an old version that had no C functions"


def _text(value: bytes | None) -> str:
    return (value or b"").decode(errors="replace")
