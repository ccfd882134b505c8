"""Where attempts start from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..kinematics.transforms import Array
from .active_dofs import ActiveDofs
from .problem import Problem


def starts(active: ActiveDofs, seed: Array, problem: Problem) -> Iterator[Array]:
    """Configurations (n,): the seed, the problem's seeds, then random ones; ``problem.attempts`` in all.

    They are inside the limits where the problem respects these. What is not active is as in the seed (n,).
    """
    given = problem.seeds[: problem.attempts - 1]
    for q in [seed, *(active.skeleton.as_configuration(each, seed, "seed") for each in given)]:
        start = seed.copy()
        x = q[active.indices]
        start[active.indices] = active.inside(x) if problem.respect_limits else x
        yield start
    rng = problem.random_seed
    left = problem.attempts - 1 - len(given)
    if left and not isinstance(rng, np.random.Generator):
        rng = np.random.default_rng(rng)
    for _ in range(left):
        assert isinstance(rng, np.random.Generator)
        yield active.random(rng, seed)
