"""`PoseIndex`: configurations of a node set, found by the pose that they give its tip."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidValueError
from ..node_set import NodeSet
from ..transforms import Array, PoseLike, as_pose
from .map_binding import MapBinding
from .map_creation import job_for
from .reachability_map import ReachabilityMap
from .sampling_job import SamplingJob

#: How many samples: with ten times as many no more searches end in the first attempt, and looking takes longer.
_SAMPLES = 2_000
#: Metres that a radian of rotation counts as much as.
_LENGTH = 0.3


class PoseIndex:
    """Sampled configurations, to begin a search near a pose rather than anywhere.

    The distance of two poses is the root of d^2 + 2 (a l)^2 for small angles: d the distance (m) of their origins, a
    the angle (rad) between them and l a length. It is that of points in twelve dimensions, so that all samples are
    looked through with one product of a matrix and a vector.

    Args:
        node_set: What is sampled; joints outside it stay where they are.
        samples: How many. They are the first ones of a map with the same seed.
        seed: Of the samples.
        length: Metres that a radian of rotation counts as much as.

    Raises:
        StructureError: The set does not move its tip, or moves its base.
        InvalidValueError: Numbers that make no sense.
    """

    def __init__(self, node_set: NodeSet, samples: int = _SAMPLES, seed: int = 0, length: float = _LENGTH) -> None:
        if isinstance(samples, bool) or not isinstance(samples, int | np.integer) or samples < 1:
            raise InvalidValueError(f"the number of samples must be a whole number from 1 on, not {samples!r}")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**63:
            raise InvalidValueError(f"the seed must be a whole number from 0 on, not {seed!r}")
        if not 0.0 <= length < math.inf:
            raise InvalidValueError(f"the length must be a number from 0 on, not {length}")
        binding = MapBinding(node_set, node_set.base)
        self._fill(binding, replace(job_for(binding, None, None), seed=int(seed)), int(samples), float(length))

    @classmethod
    def of_map(cls, reachability: ReachabilityMap, samples: int = _SAMPLES, length: float = _LENGTH) -> PoseIndex:
        """The index of the first samples of a map that knows its robot and is in the frame of its base.

        Args:
            reachability: The map.
            samples: How many of its samples.
            length: What a turn by one radian counts like (m).

        Raises:
            InvalidValueError: The map does not know its robot, or is in another frame.
        """
        node_set = reachability.node_set
        if node_set is None or reachability.frame is not node_set.base:
            raise InvalidValueError("an index is of a map that knows its robot and is in the frame of its base")
        reachability.check()
        return cls(node_set, samples, reachability.record.seed, length)

    def _fill(self, binding: MapBinding, job: SamplingJob, samples: int, length: float) -> None:
        drawn = job.samples(0, samples)
        self._binding = binding
        self._length = length
        self._values = np.ascontiguousarray(drawn.values)
        self._points = _points(drawn.poses, length)
        self._squares = np.einsum("ij,ij->i", self._points, self._points)

    @property
    def node_set(self) -> NodeSet:
        """What was sampled."""
        return self._binding.node_set

    def __len__(self) -> int:
        return len(self._values)

    def nearest(self, base_T_tip: PoseLike, count: int = 1, state: ArrayLike | None = None) -> Array:
        """The configurations (count, N) of the whole skeleton that put the tip nearest to a pose, nearest first.

        Args:
            base_T_tip: Pose of the tip relative to the base of the set.
            count: How many; no more than there are.
            state: What the joints outside the set have; the present positions when None.

        Raises:
            StaleMapError: The robot is not as it was when the index was made.
            InvalidValueError: A count below one.
        """
        if isinstance(count, bool) or not 1 <= count <= len(self):
            raise InvalidValueError(f"the number of configurations must be from 1 to {len(self)}, not {count!r}")
        self._binding.check()
        pose = as_pose(base_T_tip, "base_T_tip")
        row = np.concatenate([pose.rotation.ravel(), pose.translation])[None]
        far = self._squares - 2.0 * (self._points @ _points(row, self._length)[0])
        if count == 1:
            chosen = np.array([int(np.argmin(far))])
        else:
            chosen = np.argpartition(far, count - 1)[:count]
            chosen = chosen[np.argsort(far[chosen], kind="stable")]
        q = np.tile(self.node_set.skeleton.as_configuration(state, name="state"), (count, 1))
        q[:, self.node_set.dof_indices] = self._values[chosen]
        return q

    def __repr__(self) -> str:
        return f"<PoseIndex of {self.node_set.name!r}: {len(self)} configurations>"


def _points(rows: Array, length: float) -> Array:
    """Points (m, 12) whose distances are those of poses (m, 12)."""
    points: Array = np.concatenate([rows[:, :9] * length, rows[:, 9:]], axis=1)
    return points
