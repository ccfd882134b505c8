"""Values in chunks: HDF5's own filters read the same, and nothing else than them is unpacked."""

import threading
import zlib
from io import BytesIO

import h5py
import numpy as np
import pytest

from kinetree.kinematics import DamagedMapError, ReachabilityMap
from kinetree.kinematics.reachability import packed_values
from kinetree.kinematics.reachability.packed_values import read_values, write_values
from kinetree.kinematics.reachability.typed_reader import TypedReader
from tests.kinematics.reachability.arms import slider, small_map

SHAPES = [(1,), (7,), (2, 3, 5), (5, 1, 4, 3, 1, 2), (3, 1000), (1000, 3), (2, 7, 11, 13)]


def written(values, shape):
    made = BytesIO()
    with h5py.File(made, "w") as file:
        write_values(file, values, shape)
    return made


def read(made, dtype, shape):
    with h5py.File(made, "r") as file:
        return read_values(TypedReader(h5py, file, 10**9), dtype, shape, 10**9)


@pytest.mark.parametrize("most_bytes", [1 << 20, 64, 7, 2])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_hdf5_reads_what_is_written(shape, dtype, most_bytes, monkeypatch):
    monkeypatch.setattr(packed_values, "_MOST_BYTES", most_bytes)
    values = np.random.default_rng(0).integers(0, np.iinfo(dtype).max, np.prod(shape), dtype=dtype)
    made = written(values, shape)
    with h5py.File(made, "r") as file:
        np.testing.assert_array_equal(file["values"][()], values.reshape(shape))
    np.testing.assert_array_equal(read(made, dtype, shape), values)


@pytest.mark.parametrize("size", [0, 5, 24, 1_000_000])
def test_chunks_of_another_size_are_refused_and_never_unpacked_whole(size, monkeypatch):
    lengths = []

    class Recorded:
        def __init__(self):
            self.inner = decompressobj()

        def decompress(self, packed, most):
            result = self.inner.decompress(packed, most)
            lengths.append(len(result))
            return result

        @property
        def eof(self):
            return self.inner.eof

    decompressobj = zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", Recorded)
    made = written(np.zeros(25, dtype=np.uint8), (5, 5))
    with h5py.File(made, "r+") as file:
        file["values"].id.write_direct_chunk((0, 0), zlib.compress(bytes(size)))
    with pytest.raises(DamagedMapError, match="as many bytes"):
        read(made, np.uint8, (5, 5))
    assert lengths == [min(size, 26)]


def test_chunks_past_the_filters_are_refused():
    made = written(np.zeros(25, dtype=np.uint8), (5, 5))
    with h5py.File(made, "r+") as file:
        file["values"].id.write_direct_chunk((0, 0), zlib.compress(bytes(25), 0), filter_mask=1)
    with pytest.raises(DamagedMapError, match="as many bytes"):
        read(made, np.uint8, (5, 5))


@pytest.mark.parametrize("name", ["compress", "decompressobj"])
def test_the_lock_of_hdf5_is_free_while_values_are_packed(name, monkeypatch, tmp_path):
    made = small_map(slider(), samples=100, step_translation=0.5, step_rotation=2.0)
    made.save(tmp_path / "map.h5")
    original, free = getattr(zlib, name), []

    def looked_at(*arguments):
        def take():
            with h5py._objects.phil:
                free.append(True)

        other = threading.Thread(target=take)
        other.start()
        other.join(30.0)
        assert not other.is_alive()
        return original(*arguments)

    monkeypatch.setattr(zlib, name, looked_at)
    made.save(tmp_path / "again.h5")
    ReachabilityMap.load(tmp_path / "again.h5")
    assert free
