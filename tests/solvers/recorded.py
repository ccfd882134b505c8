"""A solver for tests: gives prepared answers, and notes where it was started."""

import numpy as np

from kinetree.solvers import IKMetaSolver


class Recorded:
    """``answers`` are given one after another, again and again; a function among them is called with the solver."""

    def __init__(self, answers, chain=None):
        self.answers = list(answers)
        self.starts = []
        self.chain = chain

    def solve(self, base_T_end, q):
        self.starts.append(q.copy())
        q[:] = 99.0  # a solver may scribble on its argument
        answer = self.answers[(len(self.starts) - 1) % len(self.answers)]
        return answer(self) if callable(answer) else answer


def relative(skeleton, q, chain):
    """The pose of a chain's tip relative to its base."""
    state = skeleton.state(q)
    base = state.transform(chain.base).copy()
    return base.actInv(state.transform(chain.tip))


def refused(solutions):
    """The reasons in a report that count something."""
    return {reason: count for reason, count in solutions.report.refused.items() if count}


def fixed(value):
    """A generator of random numbers that starts anew each time."""
    return np.random.default_rng(value)


def unmeasured(*arguments, **options):
    """An `IKMetaSolver` that believes the solver inside: for configurations that need not reach a pose."""
    meta = IKMetaSolver(*arguments, **options)
    meta.check_pose = False
    return meta
