"""`MapQuestions`: what can be asked of a reachability map."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidValueError
from ..frame import Frame, check_frame
from ..node_set import NodeSet
from ..transforms import Array, PoseLike, as_pose
from .checks import checked_whole
from .errors import ReachabilityError, StaleMapError
from .map_binding import MapBinding
from .map_record import MapRecord
from .pose_arrays import as_poses, inverse_of
from .pose_grid import PoseGrid
from .symmetric_grid import SymmetricGrid

Grid: TypeAlias = PoseGrid | SymmetricGrid

#: What a cell of a reduced map must hold to count as covered, as a part of what each would hold if samples were spread
#: evenly over all cells. With cells of 5 cm and 36 degrees and 1, 10 and 100 million samples of panda this covers 97 to
#: 98 % of what is reachable and 5 to 6 % of what is not. Without it the latter grows with the samples, to 9 %: cells
#: fill up that the tip only just gets into.
SHARE_OF_EVEN = 0.2


class MapQuestions:
    """Cells with values, and the robot that they are of, if that is known.

    Args:
        grid: The cells.
        values: (size,) of the cells, 8- or 16-bit.
        record: What the map is of.
        bindings: The robots that it is of; none when they are not known.
    """

    def __init__(self, grid: Grid, values: NDArray[Any], record: MapRecord, bindings: tuple[MapBinding, ...]) -> None:
        self.grid = grid
        self.record = record
        self._values = values
        self._bindings = bindings

    def covers(
        self, poses: ArrayLike, *, relative_to: Frame | None = None, least: int | None = None
    ) -> NDArray[np.bool_]:
        """Which of poses (m, 4, 4) are in a covered cell, as an array (m,); outside the bounds none is.

        Args:
            poses: Poses of the tip.
            relative_to: The frame that they are in, where it is now (`World` for poses in the world); the frame of the
                map when None.
            least: The least value of a cell that counts as covered, from 1 on; `least` of the map when None. With 1 all
                cells count that the tip was in.

        Raises:
            InvalidValueError: A ``least`` that is no whole number from 1 on.
            InvalidPoseError: Another shape, or what is no pose; it names the row.
            StaleMapError: The robot is not as it was when the map was made.
            ReachabilityError: ``relative_to`` for a map that does not know its robot.
        """
        return self.counts(poses, relative_to=relative_to) >= self._least(least)

    @property
    def least(self) -> int:
        """The least value of a cell that counts as covered where nothing else is asked for.

        1 for plain maps, whose cells hold few samples, for maps of manipulability, and for refined ones, whose
        boundary was decided about. For reduced maps of counts it grows with the samples: it is `SHARE_OF_EVEN` of what
        a cell would hold if samples were spread evenly, of the samples of one arm where the map is of several. It is
        never more than a counter can tell.
        """
        record = self.record
        if self.grid.kind != "symmetric" or record.quality != "count" or record.is_refined:
            return 1
        samples = record.samples / record.num_robots
        return min(max(1, round(SHARE_OF_EVEN * samples / self.grid.cells.size)), record.most)

    def counts(self, poses: ArrayLike, *, relative_to: Frame | None = None) -> NDArray[Any]:
        """Values (m,) of the cells of poses (m, 4, 4), 0 outside the bounds; see `covers`.

        They are numbers of samples, which stop at 255 (65535 with 16 bits), or manipulability; see `manipulability`.
        """
        checked = self._in_frame(as_poses(poses), relative_to)
        cells = self.grid.index(checked)
        return np.where(cells < 0, 0, self._values[np.maximum(cells, 0)]).astype(self._values.dtype)

    def manipulability(self, poses: ArrayLike, *, relative_to: Frame | None = None) -> Array:
        """The greatest manipulability (m,) met in the cells of poses (m, 4, 4), 0 where none is covered.

        Args:
            poses: Of the tip (m, 4, 4).
            relative_to: What the poses are relative to; the frame of the map when None.

        Raises:
            ReachabilityError: The map has counts.
        """
        if self.record.quality != "manipulability":
            raise ReachabilityError("this map has counts; make one with quality='manipulability'")
        return self.counts(poses, relative_to=relative_to) * (self.record.scale / self.record.most)

    def sample_covered_poses(
        self, count: int, seed: int | np.random.Generator = 0, *, least: int | None = None
    ) -> Array:
        """Poses (count, 4, 4) evenly from the covered cells and anywhere in them.

        Args:
            count: How many.
            seed: Of what is drawn, or a generator; the same seed gives the same poses.
            least: See `covers`.

        Raises:
            InvalidValueError: A count or a ``least`` that cannot be.
            ReachabilityError: No cell is covered.
        """
        count = checked_whole("count", count)
        self.check()
        covered = np.flatnonzero(self._covered(least))
        if not len(covered):
            raise ReachabilityError("no cell of the map is covered, so there is no pose to give")
        rng = np.random.default_rng(seed)
        return self.grid.poses(covered[rng.integers(len(covered), size=count)], rng)

    def sample_base_poses(
        self, target: PoseLike, count: int, seed: int | np.random.Generator = 0, *, least: int | None = None
    ) -> Array:
        """Poses (count, 4, 4) that the frame of the map may have for the tip to reach a target.

        The inverse question: from each of them the map covers the target.

        Args:
            target: Pose of the tip, in any frame; the results are in the same one.
            count: How many.
            seed: Of what is drawn, or a generator.
            least: See `covers`.

        Raises:
            InvalidPoseError: A target that is no pose.
            InvalidValueError: A count or a ``least`` that cannot be.
            ReachabilityError: No cell is covered.
        """
        pose = as_pose(target, "target")
        covered = self.sample_covered_poses(count, seed, least=least)
        poses: Array = pose.homogeneous @ inverse_of(covered)
        return poses

    # The robot.

    def check(self) -> None:
        """Raises `StaleMapError` when the robot is not as it was; passes for a map that does not know its robot."""
        for binding in self._bindings:
            binding.check()

    @property
    def is_current(self) -> bool:
        """False once the robot is not as it was when the map was made."""
        try:
            self.check()
        except StaleMapError:
            return False
        return True

    @property
    def node_set(self) -> NodeSet | None:
        """What the map is of; None for one that was put together or loaded without its robot."""
        return self._bindings[0].node_set if len(self._bindings) == 1 else None

    @property
    def frame(self) -> Frame:
        """What the poses of the map are relative to.

        Raises:
            ReachabilityError: The map does not know its robot.
        """
        if not self._bindings:
            raise ReachabilityError(
                f"this map does not know its robot, only that its frame is {self.record.frame!r}; "
                "load it with its node set"
            )
        return self._bindings[0].frame

    def _in_frame(self, poses: Array, relative_to: Frame | None) -> Array:
        self.check()
        if relative_to is None:
            return poses
        check_frame(relative_to, "relative_to")
        change = self.frame.transform().actInv(relative_to.transform()).homogeneous
        result: Array = change @ poses
        return result

    # The cells.

    @property
    def values(self) -> NDArray[Any]:
        """Values of all cells, in the shape of the grid; not to be written to."""
        view = self._values.reshape(self.grid.cells.shape)
        view.flags.writeable = False
        return view

    @property
    def num_covered(self) -> int:
        """How many cells are covered; those with `least` or more."""
        return int(np.count_nonzero(self._covered()))

    def _least(self, least: int | None) -> int:
        """What was asked for, or `least`."""
        return self.least if least is None else checked_whole("least", least, 1)

    def _covered(self, least: int | None = None) -> NDArray[np.bool_]:
        """Which cells (size,) are covered."""
        covered: NDArray[np.bool_] = self._values >= self._least(least)
        return covered

    @property
    def share_covered(self) -> float:
        """The part of the cells that is covered."""
        return self.num_covered / self.grid.cells.size

    def level(self, share: float) -> int:
        """The value of a cell that holds a share of all samples, at least 1: for ``covers(..., least=)``.

        The more samples there are, the more cells are covered that the tip can only just get into. A share tells them
        apart from others whatever the number of samples; `least` is such a one for reduced maps.

        Raises:
            ReachabilityError: The map has no counts.
            InvalidValueError: A share that is not between 0 and 1, or one that counters of so few bits cannot tell.
        """
        if self.record.quality != "count":
            raise ReachabilityError("only a map of counts knows how many samples a cell holds")
        is_number = isinstance(share, int | float | np.number) and not isinstance(share, bool)
        if not (is_number and 0.0 <= share <= 1.0):
            raise InvalidValueError(f"a share must be a number from 0 to 1, not {share!r}")
        level = max(1, round(share * self.record.samples))
        if level > self.record.most:
            raise InvalidValueError(
                f"a share of {share:g} of {self.record.samples} samples is {level}, and counters of this map stop at "
                f"{self.record.most}; make it with bits=16"
            )
        return level

    @property
    def nbytes(self) -> int:
        """Memory (bytes) of the cells."""
        return int(self._values.nbytes)
