"""Solvers as a user writes them, for the tests."""

import math

import numpy as np

from kinetree.solvers import (
    Analytical,
    GradientMethod,
    InverseKinematics,
    InvKinSolver,
    JacobianIKSolver,
    Solutions,
)


class NormalisedTranspose(GradientMethod):
    """In plain NumPy."""

    def gradient(self, jacobian, error):
        g = jacobian.T @ error
        along = jacobian @ g
        return g * (error @ along) / max(1e-12, along @ along)


class DampedStep(GradientMethod):
    """Second order, so that it gets there soon."""

    def gradient(self, jacobian, error):
        square = jacobian @ jacobian.T + (1e-2 * error @ error + 1e-9) * np.eye(len(error))
        return jacobian.T @ np.linalg.solve(square, error)


class NeedsANumber(GradientMethod):
    def __init__(self, number):
        self.number = number

    def gradient(self, jacobian, error):
        return jacobian.T @ error


class Broken(GradientMethod):
    def gradient(self, jacobian, error):
        raise ArithmeticError("I am broken")


class TwoLink(Analytical):
    """For links of 1 m and 0.5 m in a plane."""

    dofs = ("shoulder", "elbow")

    def compute_solutions(self, pose):
        x, y, _ = pose.translation
        cosine = (x * x + y * y - 1.25) / 1.0
        for elbow in (math.acos(cosine), -math.acos(cosine)) if abs(cosine) <= 1 else ():
            inner, outer = 1.0 + 0.5 * math.cos(elbow), 0.5 * math.sin(elbow)
            yield math.atan2(y, x) - math.atan2(outer, inner), elbow


class OneShot(InvKinSolver):
    """One descent from the state."""

    def __init__(self, chain):
        self._inner = JacobianIKSolver(chain)

    @property
    def chain(self):
        return self._inner.chain

    def solve(self, base_T_end, state=None):
        return Solutions(self._inner.solve(base_T_end, state))


class NotDone(InvKinSolver):
    """Defines nothing."""


class Liar(InvKinSolver):
    """Says that it is there wherever it is."""

    def __init__(self, chain):
        self._chain = chain

    @property
    def chain(self):
        return self._chain

    def solve(self, base_T_end, state=None):
        return Solutions([np.array(state)])


class Unrelated:
    pass


class PositionNewton(InvKinSolver):
    """Knows of positions only, as solvers for arms of few joints do; limits are none of its business."""

    def __init__(self, chain):
        self._chain = chain

    @property
    def chain(self):
        return self._chain

    def solve(self, base_T_end, state=None):
        chain, robot = self._chain, self._chain.skeleton
        q = robot.as_configuration(state)
        for _ in range(60):
            at = robot.state(q)
            wanted = at.transform(chain.base).act(base_T_end.translation)
            error = wanted - at.transform(chain.tip).translation
            if np.linalg.norm(error) < 1e-9:
                return Solutions([q])
            jacobian = at.jacobian(chain.tip)[:3, chain.dof_indices]
            q = q.copy()
            q[chain.dof_indices] += np.linalg.pinv(jacobian, rcond=1e-2) @ error
        return Solutions()


class ToldOfPositions(PositionNewton):
    """Refuses to work when it is not told."""

    def __init__(self, chain, position_only=False):
        assert position_only
        super().__init__(chain)


class Bare:
    """Has nothing but a method `solve`, which gives one configuration or None."""

    def __init__(self, chain):
        self._inner = JacobianIKSolver(chain)

    def solve(self, base_T_end, q):
        found = self._inner.solve(base_T_end, q)
        return found[0] if found else None


class GivesUp(OneShot):
    """Never gets anywhere."""

    def solve(self, base_T_end, state=None):
        return Solutions()


class Raises(OneShot):
    def solve(self, base_T_end, state=None):
        raise ValueError("oops")


def tuned(chain):
    return NeedsANumber(3)


def nonsense(chain):
    return 42


NUMBER = 42
MODULE = InverseKinematics
