"""`measure`: variants side by side, on the same targets, in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...kinematics import InvalidValueError, ShapeError
from .call import Array
from .effort import Effort
from .measurement import Measurement
from .reachable_targets import Workload
from .trial import Trial
from .variant import Variant

#: How many times each variant has its turn, so that a slow spell of the machine meets all of them.
ROUNDS = 10

#: Told what is going on: the name of a variant, the targets it has tried, and that it is getting ready.
Progress = Callable[[str, int, bool], None]


def measure(
    work: Workload,
    variants: Sequence[Variant],
    *,
    effort: Effort | None = None,
    seeds: Array | None = None,
    time_limit: float = np.inf,
    progress: Progress | None = None,
) -> list[Measurement]:
    """Measures variants.

    Each is called from Python for one target after the other. Answers are checked by Pinocchio alone, afterwards. The
    same targets in the same order go to all; where the time is too short, slow variants have tried fewer of them.

    Args:
        work: The robot and m targets.
        variants: What is measured.
        effort: How hard each target is tried; the defaults of `Effort` when None.
        seeds: Where to start (m, n); elsewhere at random, `Workload.seeds`, when None.
        time_limit: Seconds for all variants together; each has an equal share, and what fast ones leave is for the
            others. Getting ready, which may mean compiling, is not counted.
        progress: Called with the name of a variant, how many targets it has tried, and whether it is getting ready.

    Returns:
        A measurement for each variant, in their order; one that does not fit the robot has no figures and a note.

    Raises:
        ShapeError: Seeds that are not (m, n).
        InvalidValueError: A time limit that is not positive.
    """
    if not time_limit > 0.0:
        raise InvalidValueError(f"time_limit must be positive, not {time_limit}")
    seeds = work.seeds if seeds is None else np.asarray(seeds, dtype=float)
    if seeds.shape != work.seeds.shape:
        raise ShapeError(f"seeds must have shape {work.seeds.shape}, not {seeds.shape}")
    trials = [Trial(each, work, seeds, effort or Effort()) for each in variants]
    for trial in trials:
        if progress is not None:
            progress(trial.variant.name, 0, True)
        trial.get_ready()
    _run(trials, max(1, -(-len(work) // ROUNDS)), time_limit, progress)
    return [trial.measurement() for trial in trials]


def _run(trials: Sequence[Trial], chunk: int, time_limit: float, progress: Progress | None) -> None:
    """Gives each its turn until all are over, or no time is left for those that are not."""
    pending = [trial for trial in trials if not trial.is_over]
    while pending:
        over = [trial for trial in trials if trial not in pending]
        share = (time_limit - sum(trial.used for trial in over)) / len(pending)
        before = sum(trial.done for trial in pending)
        for trial in pending:
            trial.run(chunk, share)
            if progress is not None:
                progress(trial.variant.name, trial.done, False)
        if sum(trial.done for trial in pending) == before:
            return
        pending = [trial for trial in pending if not trial.is_over]
