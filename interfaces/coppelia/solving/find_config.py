"""`find_config`: configurations that bring the tips of a group to their targets, from random starts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....kinematics.core.lanes import native_width
from ....kinematics.errors import InvalidValueError
from ....kinematics.transforms import Array
from ..constants import JointKind
from ..errors import CallbackError
from ..joint import Joint
from ..setting import as_floats, number, whole
from .chains import Column
from .configuration_space import ConfigurationSpace
from .entry_points import search_entry
from .flat_groups import FlatGroups
from .found_configs import FoundConfigs, SearchReport
from .kernels import layout
from .random_configurations import RandomConfigurations

if TYPE_CHECKING:
    from ..ik_group import IkGroup

#: Default threshold (m) and budget (s): what CoppeliaSim's own search takes.
DEFAULT_THRESHOLD, DEFAULT_MAX_TIME = 0.3, 0.2
DEFAULT_METRIC = (1.0, 1.0, 1.0, 0.1)

#: Work (a sample is 1, an iteration 10: about 0.1 us each) between looks at the clock.
_WORK_PER_CALL = 2_000
#: Work by the threshold before descents take over: this part of the budget, and at most so much.
_WORK_PER_SECOND, _PART_BY_THRESHOLD, _MOST_BY_THRESHOLD = 10_000_000, 0.2, 100_000
#: Configurations that are nearer to each other than this (rad, m) are one.
_SAME = 1e-3
#: A joint that is nearer to a limit than this (rad, m) stands at it.
_AT_LIMIT = 1e-9

Validation = Callable[[Array], Any]


def find_config(
    group: IkGroup,
    joints: Sequence[Joint],
    *,
    threshold: float = DEFAULT_THRESHOLD,
    max_time: float = DEFAULT_MAX_TIME,
    metric: Sequence[float] = DEFAULT_METRIC,
    callback: Validation | None = None,
    seed: int | np.random.Generator = 0,
    count: int = 1,
    distance_weights: Sequence[float] | None = None,
    intervals: Mapping[Joint, tuple[float, float]] | None = None,
    max_samples: int | None = None,
    restarts: bool = True,
) -> FoundConfigs:
    """Searches for configurations that bring the tips of a group to their targets.

    Random configurations of the joints of the group are drawn. Those whose tips are within the threshold of their
    targets are solved with the settings of the group. When that has found nothing after a fifth of the budget,
    descents take over, each from the nearest of some samples; they ask for the same precision. What is found is
    refined, turned by whole turns to be near the present positions where the limits let it, then validated.

    The joints of the environment are where they were afterwards, also when the callback raises.

    Args:
        group: Enabled, with an element that has a target.
        joints: Whose values are wanted, in this order.
        threshold: Distance (m, by the metric) from which on a solution is not tried.
        max_time: Budget (s); 0 for no try at all.
        metric: Weights of x, y, z (1) and of the angle (m/rad) in the distance of two poses,
            sqrt((dx m0)^2 + (dy m1)^2 + (dz m2)^2 + (angle m3)^2), seen from the constraints base; the sum over
            elements.
        callback: Whether a configuration (n,) is valid; the joints stand there while it is asked.
        seed: Of the random numbers, or a generator of it.
        count: How many different ones to look for. The budget may end before there are so many.
        distance_weights: Of the joints in the distance from the present configuration that ranks them; ones when
            None.
        intervals: Lowest and highest value to draw from, for joints whose limits are not what is wanted.
        max_samples: Random configurations to look at, at most.
        restarts: Whether descents may take over.

    Returns:
        What was found, the nearest to the present configuration first.

    Raises:
        StructureError: A joint is of another environment.
        InvalidValueError: The group is disabled or has no element that can move to a target, or an argument is not
            what it must be.
        CallbackError: The callback answered with something that is neither true nor false.
    """
    flat = _flat_arrays(group, intervals)
    _check(threshold, max_time, metric, count, max_samples)
    if callback is not None and not callable(callback):
        raise InvalidValueError(f"callback must be a function, not {callback!r}")
    flat.gather()
    space = ConfigurationSpace(flat, joints, distance_weights)
    _prepare(flat, threshold, metric, seed)
    # Compiled, or loaded, before the clock starts.
    search = RandomConfigurations(flat).finds if flat.has_callbacks else _compiled_search(flat)
    begun = time.perf_counter()
    found: list[Array] = []
    refused = 0
    budget = _Budget(begun + max_time, max_time, max_samples, restarts)
    for _ in search(budget):
        space.unwind()
        q = space.configuration()
        if any(np.abs(q - other).max(initial=0.0) < _SAME for other in found):
            continue
        if callback is not None and not _is_valid(space, callback, q):
            refused += 1
            continue
        found.append(q)
        if len(found) >= count:
            break
    found.sort(key=space.distance)
    report = _report(flat, refused, time.perf_counter() - begun)
    return FoundConfigs(tuple(found), tuple(space.distance(each) for each in found), report)


class _Budget:
    """When the search looks at the clock, and when it ends."""

    def __init__(self, deadline: float, max_time: float, max_samples: int | None, restarts: bool) -> None:
        self._deadline = deadline
        self._samples = math.inf if max_samples is None else max_samples
        most = math.inf if not restarts else _MOST_BY_THRESHOLD
        self._by_threshold = min(most, _PART_BY_THRESHOLD * _WORK_PER_SECOND * max_time) if restarts else most

    def work(self, counts: Any) -> int:
        """Work until the next look at the clock; 0 when the budget is used up. Chooses how the search goes on."""
        left = self._samples - counts[layout.TRIED]
        if left <= 0 or time.perf_counter() >= self._deadline:
            return 0
        counts[layout.MODE] = layout.BY_THRESHOLD if self._by_threshold > 0 else layout.BY_DESCENT
        return int(min(_WORK_PER_CALL, left))

    def spend(self, work: int) -> None:
        """Notes the work that was done."""
        self._by_threshold -= work


def _compiled_search(flat: FlatGroups) -> Callable[[_Budget], Iterator[None]]:
    counts, search = flat.arrays[layout.SEARCH_COUNTS], search_entry()

    def finds(budget: _Budget) -> Iterator[None]:
        """Ends each turn with the arrays at another configuration within the precision."""
        while work := budget.work(counts):
            counts[layout.WORK_LEFT] = work
            is_found = search(flat.address)
            budget.spend(work - int(counts[layout.WORK_LEFT]))
            if is_found:
                yield

    return finds


def _flat_arrays(group: IkGroup, intervals: Mapping[Joint, tuple[float, float]] | None) -> FlatGroups:
    """Arrays of the group alone, made for this search: others may be handling the group meanwhile."""
    flat = FlatGroups(group.environment, [group])
    if not group.enabled:
        raise InvalidValueError(f"group {group.name!r} is disabled; enable it to search for configurations")
    if flat.is_empty or not (flat.arrays[layout.ELEMENTS][:, layout.TARGET] >= 0).any():
        raise InvalidValueError(
            f"group {group.name!r} has no enabled element with a target whose tip hangs on its base by a joint that "
            "may move"
        )
    rows = flat.arrays[layout.JOINTS]
    for joint, interval in (intervals or {}).items():
        lowest, highest = as_floats(f"interval of {joint}", interval, 2)
        if lowest > highest:
            raise InvalidValueError(f"interval of {joint} must be in order, not {lowest, highest}")
        if Column(joint, 0) in flat.columns:
            rows[flat.columns.index(Column(joint, 0)), [layout.FROM, layout.TO]] = lowest, highest
    return flat


def _prepare(flat: FlatGroups, threshold: float, metric: Sequence[float], seed: int | np.random.Generator) -> None:
    numbers, counts = flat.arrays[layout.SEARCH], flat.arrays[layout.SEARCH_COUNTS]
    numbers[layout.THRESHOLD] = min(threshold, 1e300)
    numbers[layout.METRIC : layout.METRIC + layout.METRIC_SIZE] = metric
    numbers[[layout.NEAREST_SAMPLE, layout.LEAST_LINEAR, layout.LEAST_ANGULAR]] = 1e300
    counts[layout.SEED] = _as_seed(seed)
    size = flat.arrays[layout.X].size + 12 * (len(flat.tree.objects) + 1) + 1
    flat.bind(layout.LANES, np.zeros((size, native_width())))


def _report(flat: FlatGroups, refused: int, elapsed: float) -> SearchReport:
    """How a search went, and how near it came."""
    numbers, counts = flat.arrays[layout.SEARCH], flat.arrays[layout.SEARCH_COUNTS]
    tried, solved = int(counts[layout.TRIED]), int(counts[layout.SOLVED])
    nearest = float(numbers[layout.NEAREST_SAMPLE]) if tried else math.inf
    linear, angular = numbers[[layout.LEAST_LINEAR, layout.LEAST_ANGULAR]].tolist()
    if linear >= 1e300:
        return SearchReport(tried, solved, refused, elapsed, nearest)
    at_limits = []
    for column, joint in zip(flat.columns, flat.arrays[layout.JOINTS], strict=True):
        if column.joint.kind is JointKind.SPHERICAL or column.joint.cyclic:
            continue
        position = numbers[layout.BEST_X + flat.tree.slots[column.joint]]
        if min(abs(position - joint[layout.LOWER]), abs(position - joint[layout.UPPER])) < _AT_LIMIT:
            at_limits.append(column.joint.name)
    return SearchReport(tried, solved, refused, elapsed, nearest, (linear, angular), tuple(at_limits))


def _check(threshold: float, max_time: float, metric: Sequence[float], count: int, max_samples: int | None) -> None:
    number(0.0, infinite=True)("threshold (m)", threshold)
    number(0.0)("max_time (s)", max_time)
    for each in as_floats("metric (weights of x, y, z and angle)", metric, layout.METRIC_SIZE):
        number(0.0)("metric (weights of x, y, z and angle)", each)
    whole(1)("count", count)
    if max_samples is not None:
        whole(0)("max_samples", max_samples)


def _as_seed(seed: int | np.random.Generator) -> int:
    """A number that fits into the counts."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**62))
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise InvalidValueError(f"seed must be a whole number or a numpy.random.Generator, not {seed!r}")
    return int(seed) % 2**62


def _is_valid(space: ConfigurationSpace, callback: Validation, q: Array) -> bool:
    with space.visited():
        answer = callback(q.copy())
    if not isinstance(answer, bool | np.bool_):
        raise CallbackError(f"the validation callback answered {answer!r}; it must answer True or False")
    return bool(answer)
