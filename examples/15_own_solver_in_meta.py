"""A solver of one's own inside the meta solver, which does the restarts, the limits, the wishes and the counting."""

import numpy as np
import pinocchio as pin

from kinetree import models
from kinetree.solvers import IKMetaSolver, IterativeIK, Solutions

robot = models.load("ur5")
chain = robot.tip.chain()


class SmallSteps(IterativeIK):
    """Damped least squares in its simplest form: no limits, no restarts, no idea when to give up."""

    chain = chain

    def solve(self, base_T_end, state=None):
        q = robot.as_configuration(state)
        for _ in range(self.max_iterations + 1):
            at = robot.state(q)
            target = at.transform(chain.base) * pin.SE3(base_T_end)
            reached = at.transform(chain.tip)
            turn = pin.log3(target.rotation @ reached.rotation.T)
            error = np.concatenate([target.translation - reached.translation, turn])
            if max(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])) <= self.max_error:
                return Solutions([q])
            jacobian = at.jacobian(chain.tip)
            square = jacobian @ jacobian.T + 1e-4 * np.eye(6)
            q = q + jacobian.T @ np.linalg.solve(square, error)
        return Solutions()


there = robot.state([0.3, -1.2, 1.5, -0.8, 1.2, 0.1])
target = there.transform(chain.base).actInv(there.transform(chain.tip))

# All branches with the elbow up, each once, from 40 starts; `report` says what became of the others.
meta = IKMetaSolver(SmallSteps(), constraint=lambda q: np.sin(q[2]) > 0.0)
meta.max_attempts = 40
solutions = meta.solve(target, robot.positions)
print(solutions.report)
for q in solutions:
    print(np.round(q, 3))
assert len(solutions) == 4


# No base class is needed: any object with a method `solve` will do, given the chain that it is for.
class Bare:
    def solve(self, base_T_end, q):
        found = SmallSteps().solve(base_T_end, q)
        return found[0] if found else None


first = IKMetaSolver(Bare(), chain).solve(target, robot.positions, 40, True)
print(first.report)
assert len(first) == 1
