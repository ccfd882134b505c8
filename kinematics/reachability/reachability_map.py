"""`ReachabilityMap`: where the tip of a node set can go."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidValueError
from ..frame import Frame
from ..node_set import NodeSet
from .checks import checked_values
from .errors import MapMismatchError, ReachabilityError
from .map_binding import MapBinding
from .map_comparison import MapComparison
from .map_questions import Grid, MapQuestions
from .map_record import MapRecord
from .progress_bar import progress_of
from .sampling_job import RejectsConfigurations, SamplingJob
from .sampling_run import run
from .symmetric_grid import SymmetricGrid


class ReachabilityMap(MapQuestions):
    """Cells of poses, each with how often random configurations put the tip there, or how well it can move there.

    A cell with a value is covered: the tip was there. One without is not, which says the less the fewer samples there
    are for a cell. In a reduced map, whose cells hold many samples, one with few is not covered either: see `least`.
    Poses are in the frame of the map unless a frame is named.

    Maps are made by `create`, read by `load`, and put together by `union`. One that knows its robot looks at every
    question whether it still holds, and raises `StaleMapError` when it does not: a map in the frame of the world does
    not once the base of the node set has moved.

    Attributes:
        grid: The cells: a `PoseGrid`, or a `SymmetricGrid` for a reduced map.
        record: What the map is of and how it was made.
    """

    def __init__(
        self,
        grid: Grid,
        values: NDArray[Any],
        record: MapRecord,
        bindings: tuple[MapBinding, ...] = (),
        job: SamplingJob | None = None,
    ) -> None:
        super().__init__(grid, values, record, bindings)
        self._job = job
        self._lock = threading.Lock()
        # Held while cells and record change together, so that a file is written of a whole number of tasks.
        self._counting = threading.RLock()

    @classmethod
    def create(
        cls,
        node_set: NodeSet,
        *,
        step_translation: float,
        step_rotation: float,
        bounds: Any = None,
        frame: Frame | None = None,
        samples: int = 1_000_000,
        seed: int = 0,
        quality: str = "count",
        symmetric: bool = False,
        bits: int = 8,
        collision_detector: RejectsConfigurations | None = None,
        executor: Executor | None = None,
        progress: bool | Callable[[int, int], Any] = True,
        max_memory: int | None = None,
        tasks_ahead: int | None = None,
    ) -> ReachabilityMap:
        """Samples a node set.

        Joint values are drawn evenly between the limits (missing ones as in `Skeleton.random_positions`). Sample i
        depends on the seed and on i alone, so the map is the same bit for bit for any number of workers.

        Args:
            node_set: What moves the tip; joints outside it stay where they are.
            step_translation: Edge of a cell (m).
            step_rotation: The same in the angles (rad).
            bounds: Lower and upper bounds, each (6,): x, y, z (m), roll, pitch, yaw (rad); for a symmetric map each
                (4,): height, tilt, canonical x and y. Found by sampling, with a margin, when None.
            frame: What the poses are relative to: a frame that the set does not move. The set's base when None.
            samples: How many.
            seed: Of the samples.
            quality: ``"count"``: values are numbers of samples. ``"manipulability"``: the greatest manipulability
                (T. Yoshikawa, 1985, lengths in metres) of the samples in a cell, as a part of the greatest of all.
            symmetric: Make a reduced map; see `SymmetricGrid`.
            bits: 8 or 16, of a value. A counter that is full stays full.
            collision_detector: Refuses samples: a `CollisionDetector`, or anything with a method ``in_collision_many``.
            executor: Where to sample; threads of this process when None.
            progress: Show a bar on the terminal, or a function called with samples so far and in all.
            max_memory: Bytes that the map may take; 80 % of the free memory when None.
            tasks_ahead: Tasks to hand to an executor ahead of time: at least as many as it has workers. Twice that
                number when None, or 64 where the executor does not tell it.

        Raises:
            InvalidValueError: A step, a bound or an option that cannot be.
            StructureError: The set moves the frame or its base, or does not move its tip.
            SymmetryError: The arm has not the symmetry of a reduced map; the message says why.
            MapTooLargeError: The map would take too much memory; nothing was allocated.
        """
        from .map_creation import new_map

        result = new_map(
            node_set, (step_translation, step_rotation), bounds, frame, seed, quality, symmetric, bits,
            collision_detector, max_memory,
        )  # fmt: skip
        result.add_samples(samples, executor=executor, progress=progress, tasks_ahead=tasks_ahead)
        return result

    def add_samples(
        self,
        count: int,
        *,
        executor: Executor | None = None,
        progress: bool | Callable[[int, int], Any] = True,
        tasks_ahead: int | None = None,
    ) -> None:
        """Goes on sampling; the map is then the one that as many samples at once would have given, bit for bit.

        An interruption leaves the samples that were counted until then, in order.

        Args:
            count: How many.
            executor: Where to sample; threads of this process when None.
            progress: Show a bar on the terminal, or a function called with samples so far and in all.
            tasks_ahead: Tasks to hand to an executor ahead of time; see `create`.

        Raises:
            InvalidValueError: A count that is no whole number, or is negative.
            ReachabilityError: The map was put together, refined, or loaded without its robot or collision detector.
            StaleMapError: The robot is not as it was.
        """
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
            raise InvalidValueError(f"the number of samples must be a whole number from 0 on, not {count!r}")
        self.check()
        job = self._job
        if job is None:
            raise ReachabilityError(
                "this map cannot go on sampling: it was put together from several, refined, or loaded without its node "
                "set or the collision detector that refused samples; make one with another seed, and take the union"
            )
        with self._lock, progress_of(progress) as report:
            is_count = self.record.quality == "count"

            def merge(tally: Any) -> None:
                with self._counting:
                    tally.add_to(self._values, is_count, self.record.most)
                    record = self.record
                    self.record = replace(
                        record,
                        samples=record.samples + tally.drawn,
                        outside=record.outside + tally.outside,
                        rejected=record.rejected + tally.rejected,
                    )

            run(job, self.record.samples, int(count), executor, merge, report, tasks_ahead)

    # Several maps.

    def union(self, other: ReachabilityMap) -> ReachabilityMap:
        """What either map covers: counts add up, qualities keep the greater one.

        Raises:
            MapMismatchError: Other cells, another frame, another kind of values, or samples that both have.
        """
        from .map_union import union_of

        return union_of(self, other)

    def __or__(self, other: ReachabilityMap) -> ReachabilityMap:
        return self.union(other)

    def refined(self, values: NDArray[Any]) -> ReachabilityMap:
        """A copy with other values, in the shape of the grid; it is a map by itself and cannot go on sampling.

        Raises:
            ShapeError: Another shape.
            InvalidValueError: Values that are no whole numbers from 0 to the greatest one, `MapRecord.most`.
        """
        copied = checked_values(values, self.grid.cells.shape, self.record.most).astype(self._values.dtype).ravel()
        return ReachabilityMap(self.grid, copied, replace(self.record, is_refined=True), self._bindings)

    def compare(self, other: ReachabilityMap) -> MapComparison:
        """How many cells both cover, one of them, or neither; each by its own `least`.

        Raises:
            MapMismatchError: Other cells or another frame.
        """
        reason = self._why_not_alike(other)
        if reason:
            raise MapMismatchError(f"the maps cannot be compared: {reason}")
        return MapComparison.of(self._covered(), other._covered())

    def _why_not_alike(self, other: Any) -> str:
        if not isinstance(other, ReachabilityMap):
            return f"{type(other).__name__} is no map"
        if self.grid.kind != other.grid.kind:
            return "one is reduced, and the other is not"
        if isinstance(self.grid, SymmetricGrid) and isinstance(other.grid, SymmetricGrid):
            mine, theirs = self.grid.symmetry, other.grid.symmetry
            if not (np.allclose(mine.base, theirs.base, atol=1e-9) and np.allclose(mine.tool, theirs.tool, atol=1e-9)):
                return "their first or last axes are not the same"
        if self.record.frame != other.record.frame:
            return f"their frames are {self.record.frame!r} and {other.record.frame!r}"
        return self.grid.cells.difference(other.grid.cells)

    # Files.

    def save(self, path: str | Path) -> None:
        """Writes an HDF5 file, whole or not at all; while samples are added elsewhere, with those counted so far.

        Raises:
            MissingPackageError: h5py is not installed.
            NotAFileError: A folder, a device or the like has that name; it is left alone.
            OSError: It cannot be written there.
        """
        from .map_file import save

        save(self, Path(path))

    @classmethod
    def load(
        cls,
        path: str | Path,
        node_set: NodeSet | None = None,
        *,
        frame: Frame | None = None,
        collision_detector: RejectsConfigurations | None = None,
        max_memory: int | None = None,
    ) -> ReachabilityMap:
        """Reads a file that `save` wrote.

        Args:
            path: Of the file.
            node_set: What the map should be of; None for a map that does not know its robot.
            frame: The frame of the map, when it is not found by its name in the skeleton.
            collision_detector: What refused samples, to go on sampling.
            max_memory: Bytes that the cells may take; 80 % of the free memory when None. What the file has takes as
                much as it is long meanwhile.

        Returns:
            The map as it was saved.

        Raises:
            FileNotFoundError: There is no such file.
            NotAFileError: A folder, a pipe or the like has that name.
            OSError: It cannot be read.
            MapTooLargeError: The cells would take too much memory; they were not read.
            DamagedMapError: It is no map, is of another version, incomplete or changed.
            WrongNodeSetError: The map is of other joints, another tip or another base.
            WrongRobotError: The map is of another robot, or of one with other limits.
            StaleMapError: The base is not where it was in the frame of the map.
            MissingPackageError: h5py is not installed.
        """
        from .map_file import load

        return load(Path(path), node_set, frame, collision_detector, max_memory)

    def __repr__(self) -> str:
        kind = "symmetric " if self.grid.kind == "symmetric" else ""
        return (
            f"<ReachabilityMap of {self.record.node_set!r} in {self.record.frame!r}: "
            f"{' x '.join(map(str, self.grid.cells.shape))} {kind}cells, {self.share_covered:.1%} covered, "
            f"{self.record.samples} samples>"
        )
