"""Values of a map in an HDF5 file, packed and unpacked one chunk at a time.

They are stored as HDF5's own filters shuffle and gzip do it, so any HDF5 program reads them. But HDF5 holds up all
threads of Python while its filters work, and these functions do not; nor do they unpack more than there should be.
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import DamagedMapError
from .typed_reader import TypedReader

NAME = "values"
#: Bytes of a chunk, at most: other threads wait no longer than it takes to copy one.
_MOST_BYTES = 1 << 20
#: Of gzip: most cells are empty, so the quickest level packs nearly as well as the others.
_LEVEL = 1


def write_values(file: Any, values: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Writes values (size,) into an ``h5py.File`` in the shape of their grid."""
    chunk = _chunk_shape(shape, values.itemsize)
    made = file.create_dataset(
        NAME, shape=shape, dtype=values.dtype, chunks=chunk, compression="gzip", compression_opts=_LEVEL, shuffle=True
    )
    whole = math.prod(chunk)
    for offset, start, stop in _blocks(shape, chunk):
        block = values[start:stop]
        if len(block) < whole:
            block = np.concatenate([block, np.zeros(whole - len(block), dtype=values.dtype)])
        shuffled = np.ascontiguousarray(block.view(np.uint8).reshape(whole, -1).T)
        made.id.write_direct_chunk(offset, zlib.compress(shuffled.data, _LEVEL))


def read_values(reader: TypedReader, dtype: Any, shape: tuple[int, ...], size: int) -> NDArray[Any]:
    """Reads values (size,) of a type and a shape; ``size`` is that of the file (bytes).

    Raises:
        DamagedMapError: They are of another type or shape, or not stored as `write_values` does.
    """
    dtype = np.dtype(dtype)
    chunk = _chunk_shape(shape, dtype.itemsize)
    found = reader.dataset(NAME)
    plist = found.id.get_create_plist()
    filters = [plist.get_filter(k)[0] for k in range(plist.get_nfilters())]
    if found.dtype != dtype or found.shape != shape:
        raise DamagedMapError(f"{NAME} are {found.dtype} of shape {found.shape}, not {dtype} of {shape}")
    # HDF5's numbers of the filters shuffle and gzip.
    if found.chunks != chunk or filters != [2, 1] or found.id.get_storage_size() > size:
        raise DamagedMapError(f"{NAME} are not stored as they should be")
    values = np.empty(math.prod(shape), dtype=dtype)
    most = math.prod(chunk) * dtype.itemsize
    for offset, start, stop in _blocks(shape, chunk):
        mask, packed = found.id.read_direct_chunk(offset)
        unpacking = zlib.decompressobj()
        shuffled = unpacking.decompress(packed, most + 1)  # one more, so that the end is looked at
        if mask or len(shuffled) != most or not unpacking.eof:
            raise DamagedMapError(f"{NAME} from cell {start} on have not as many bytes as they should")
        whole = np.frombuffer(shuffled, dtype=np.uint8).reshape(dtype.itemsize, -1).T
        values[start:stop] = np.ascontiguousarray(whole).view(dtype).ravel()[: stop - start]
    return values


def _chunk_shape(shape: tuple[int, ...], item_size: int) -> tuple[int, ...]:
    """Chunks that are whole in the last dimensions, so that each is one run of cells."""
    room, sizes = _MOST_BYTES // item_size, []
    for cells in reversed(shape):
        sizes.append(min(cells, room))
        room //= sizes[-1]
    return tuple(reversed(sizes))


def _blocks(shape: tuple[int, ...], chunk: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Where each chunk begins, its first cell and the one after its last."""
    for offset in itertools.product(*(range(0, n, k) for n, k in zip(shape, chunk, strict=True))):
        start = 0
        for place, cells in zip(offset, shape, strict=True):
            start = start * cells + place
        yield offset, start, start + math.prod(map(min, chunk, (n - at for n, at in zip(shape, offset, strict=True))))
