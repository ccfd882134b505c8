"""EAIK: closed forms by subproblem decomposition in C++, the family of the arm found by itself."""

from importlib.metadata import version

import numpy as np
from eaik.pybindings.EAIK import Robot


class Adapter:
    """``Robot.calculate_IK``, the call under its Python classes.

    It has no limits and no seed. For an arm with a joint too many ``options["locked"]`` (place from 0) says which
    joint it holds, at ``options["values"]`` values from limit to limit, one after another.
    """

    version = version("EAIK")

    def __init__(self, problem):
        self._locked = problem.options.get("locked")
        if self._locked is None:
            self._values, self._robots = (None,), (self._robot(problem, []),)
        else:
            lower, upper = problem.lower[self._locked], problem.upper[self._locked]
            self._values = np.linspace(lower, upper, problem.options["values"])
            self._robots = [self._robot(problem, [(self._locked, value)]) for value in self._values]
        self._calls = [robot.calculate_IK for robot in self._robots]
        self._only = self._calls[0]
        if self._locked is not None:
            self.solve = self._solve_locked

    @staticmethod
    def _robot(problem, fixed):
        axes, offsets = np.asfortranarray(problem.axes.T), np.asfortranarray(problem.offsets.T)
        robot = Robot(axes, offsets, np.asfortranarray(problem.tip_rotation), fixed, True)
        if not robot.has_known_decomposition():
            raise ValueError(f"no known decomposition: {robot.get_kinematic_family()}")
        return robot

    def query(self, target, seed):
        return (np.asfortranarray(target),)

    def solve(self, target):
        return self._only(target)

    def _solve_locked(self, target):
        return [call(target) for call in self._calls]

    def answers(self, result):
        if self._locked is None:
            return exact(result)
        found = []
        for value, each in zip(self._values, result, strict=True):
            q = exact(each)
            if len(q):
                # Whether the held joint is in what it gives depends on the version.
                found.append(q if q.shape[1] == 7 else np.insert(q, self._locked, value, axis=1))
        return np.concatenate(found) if found else []

    def query_all(self, targets, seeds):
        return ([np.asfortranarray(target) for target in targets],)

    def solve_all(self, targets):
        return self._robots[0].calculate_IK_batched(targets, 1)

    def answers_all(self, result):
        each = [exact(one) for one in result]
        counts = [len(q) for q in each]
        return np.concatenate([q for q in each if len(q)]), counts


def exact(result):
    """The solutions (k, n) that it does not call least squares."""
    q = np.asarray(result.Q)
    return q[~np.asarray(result.is_LS, dtype=bool)] if len(q) else q
