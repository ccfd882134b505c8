"""`CandidateCheck`: which configurations that a solver gave are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kinematics import CollisionFree, InvalidValueError, QConstraint, Skeleton, as_constraint
from ...kinematics.core.whole_turns import MOST_TURNED, TURN, nearest_equivalent
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..constraints.constraint_check import refusal
from ..errors import ConstraintError
from .meta_refusals import MetaRefusals

#: What rounding may add to a joint change that is just as large as it may be (rad or m).
_ROUNDING = 1e-12
#: Whole turns up to here (rad) are exact enough for a joint that has to stay near the state: to 1e-9.
_MOST_TURNED_NEARBY = 1000.0 * MOST_TURNED


class Wanted(NamedTuple):
    """What a candidate must be.

    Attributes:
        check_joint_limits: Inside the limits.
        max_joint_change: (n,) no coordinate further (rad or m) from the state than this; None for any distance.
        detector: Free of collisions; None for no test.
        constraint: Accepted; None for no test.
        proximity_limit: Further (rad or m) than this from those already found, in some joint; negative for any.
    """

    check_joint_limits: bool
    max_joint_change: Array | None
    detector: QConstraint | None
    constraint: QConstraint | None
    proximity_limit: float


class CandidateCheck:
    """Tests candidates one after another: limits, joint change, collision, constraint, duplicate; the first one counts.

    Args:
        active: The joints of the device.
        state: The configuration (n,) that the caller gave.
        wanted: The tests.
        refusals: Where refusals are counted.

    Attributes:
        found: Candidates that passed.
    """

    def __init__(self, active: ActiveDofs, state: Array, wanted: Wanted, refusals: MetaRefusals) -> None:
        self._active = active
        self._near = state[active.indices]
        self._wanted = wanted
        self._refusals = refusals
        turning = [column for column, _, _ in active.wraps]
        change = wanted.max_joint_change
        #: Joints are near enough between these.
        self._near_bounds = None if change is None else _bounds(self._near, change[active.indices])
        #: Angles further from the state than this have a nearer equivalent; of those with less than a turn between
        #: their limits there is but one inside.
        self._nearest_within = np.full(len(active), np.inf)
        self._nearest_within[turning] = 0.5 * TURN
        if wanted.check_joint_limits:
            self._nearest_within[active.upper < active.lower + TURN] = np.inf
        self.found: list[Array] = []
        self._rows = np.zeros((0, len(state)))

    def keeps(self, q: Array) -> bool:
        """Tests a candidate (n,), with its angles moved by whole turns to where they are nearest the state."""
        wanted, indices = self._wanted, self._active.indices
        x = q[indices]
        is_outside = self._is_outside(x)
        if is_outside or (np.abs(x - self._near) > self._nearest_within).any():
            x = self._turned(x)
            q = q.copy()
            q[indices] = x
            is_outside = is_outside and self._is_outside(x)
        if is_outside and wanted.check_joint_limits:
            self._count_beyond(x)
            return False
        bounds = self._near_bounds
        if bounds is not None and ((x < bounds[0]) | (x > bounds[1])).any():
            self._refusals.count("joint change")
            return False
        if self._is_refused(wanted.detector, q) or self._is_refused(wanted.constraint, q):
            return False
        if wanted.proximity_limit >= 0.0 and self._is_known(q):
            self._refusals.count("duplicate")
            return False
        self.found.append(q.copy())
        self._rows = np.array(self.found)
        return True

    def _turned(self, x: Array) -> Array:
        """Values (k,) with whole turns added so that they are nearest the state, inside limits that count."""
        active, near, bounds = self._active, self._near, self._near_bounds
        checks_limits = self._wanted.check_joint_limits
        x = active.nearest(x, near, checks_limits)
        if bounds is None:
            return x
        for column, lower, upper in active.wraps:
            if bounds[0][column] <= x[column] <= bounds[1][column]:
                continue
            # Only as many turns away is it near enough; others do without angles that kernels do not take.
            limits = (lower, upper) if checks_limits else (-np.inf, np.inf)
            turned = nearest_equivalent(x[column], near[column], *limits)
            if abs(turned) <= _MOST_TURNED_NEARBY:
                x[column] = turned
        return x

    def _is_outside(self, x: Array) -> bool:
        return bool(((x < self._active.lower) | (x > self._active.upper)).any())

    def _count_beyond(self, x: Array) -> None:
        active = self._active
        amounts = np.maximum(active.lower - x, x - active.upper)
        names = [active.dofs[column].name for column in np.flatnonzero(amounts > 0.0)]
        self._refusals.beyond_limits(names, float(amounts.max()), x)

    def _is_refused(self, constraint: QConstraint | None, q: Array) -> bool:
        if constraint is None:
            return False
        skeleton = self._active.skeleton
        # Our own detector moves nothing; and what others do to the robot meanwhile must not be undone for its sake.
        refusing = refusal(constraint, q, None if isinstance(constraint, CollisionFree) else skeleton)
        if refusing is None:
            return False
        if isinstance(refusing, CollisionFree):
            self._refusals.collision(_pair(refusing.detector, q))
        elif isinstance(refusing, DetectorConstraint):
            detector = refusing.detector
            self._refusals.collision(in_place(skeleton, lambda: _pair(detector, q)))
        else:
            self._refusals.constraint(refusing.name)
        return True

    def _is_known(self, q: Array) -> bool:
        return bool(self.found) and is_among(q, self._rows, self._active.turning, self._wanted.proximity_limit)


def _bounds(near: Array, change: Array) -> tuple[Array, Array]:
    return near - change - _ROUNDING, near + change + _ROUNDING


def is_among(q: Array, others: Array, turning: NDArray[np.intp], limit: float) -> bool:
    """Whether q (n,) is the same as another, in every value to within a limit, whole turns not counted.

    Args:
        q: Configuration.
        others: (m, n) configurations, at least one.
        turning: Places of the values to which whole turns may be added.
        limit: Largest difference (rad or m).
    """
    differences = np.abs(others - q)
    if differences.max(initial=0.0) > 0.5 * TURN:
        turns = differences[:, turning]
        differences[:, turning] = np.abs(turns - TURN * np.round(turns / TURN))
    return bool((differences.max(axis=1, initial=0.0) <= limit).any())


class DetectorConstraint(QConstraint):
    """A detector that has no constraint of its own, only a method ``in_collision(q)``."""

    def __init__(self, detector: Any) -> None:
        super().__init__(self._is_free, type(detector).__name__)
        self.detector = detector

    @property
    def skeletons(self) -> tuple[Skeleton, ...]:
        """The robot that the detector says it is for, when it does."""
        own = getattr(self.detector, "skeleton", None)
        return (own,) if isinstance(own, Skeleton) else ()

    def _is_free(self, q: Array) -> Any:
        answer = self.detector.in_collision(q)
        # What is neither true nor false is for the constraint to find out about.
        return not answer if isinstance(answer, bool | np.bool_) else answer


def detector_constraint(detector: Any) -> QConstraint | None:
    """A detector, or None, as a constraint.

    Raises:
        InvalidValueError: It has neither a constraint nor a method ``in_collision``.
    """
    if detector is None:
        return None
    if isinstance(getattr(detector, "constraint", None), QConstraint):
        return as_constraint(detector)
    if isinstance(detector, type) or not callable(getattr(detector, "in_collision", None)):
        raise InvalidValueError(f"collision_detector needs a method in_collision(q); {detector!r} has none")
    return DetectorConstraint(detector)


def in_place(skeleton: Skeleton, call: Callable[[], Any]) -> Any:
    """Calls something of the user's, and moves the skeleton back if that has moved it, whatever happens."""
    before = skeleton.positions
    try:
        return call()
    finally:
        after = skeleton.positions
        if after.shape == before.shape and (after != before).any():
            skeleton.positions = before


def _pair(detector: Any, q: Array) -> tuple[str, str] | None:
    """Which two touch, when the detector can say so."""
    check = getattr(detector, "check", None)
    if check is None:
        return None
    try:
        pair = check(q.copy()).pair
        return None if pair is None else (str(pair[0]), str(pair[1]))
    except Exception as problem:
        raise ConstraintError(f"{detector!r} raised {type(problem).__name__}: {problem}") from problem
