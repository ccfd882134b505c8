"""ikpy: SciPy's bounded least squares on entries of the pose, in Python."""

import logging
from importlib.metadata import version
from warnings import filterwarnings

import numpy as np
from ikpy.chain import Chain

logging.getLogger("ikpy").setLevel(logging.ERROR)
filterwarnings("ignore", module="ikpy")
#: Of SciPy's search, so that what is reached is within 1e-6 of the pose.
TOLERANCE = 1e-12


class Adapter:
    """``Chain.inverse_kinematics_frame`` with all axes; it does not say whether it arrived, so that is looked at here.

    The seed first, then random configurations.
    """

    version = version("ikpy")

    def __init__(self, problem):
        self._chain = Chain.from_urdf_file(problem.urdf, base_elements=[problem.base], symbolic=False)
        names = [link.name for link in self._chain.links]
        self._places = [names.index(name) for name in problem.joints]
        mask = [name in problem.joints for name in names]
        self._chain.active_links_mask = np.array(mask)
        self._rest = np.zeros(len(names))
        self._bounds = problem.position_tolerance, problem.orientation_tolerance
        self._restarts = [self._full(row) for row in problem.restarts]

    def _full(self, q):
        values = self._rest.copy()
        values[self._places] = q
        return values

    def query(self, target, seed):
        return target.copy(), self._full(seed)

    def solve(self, target, seed):
        chain, (away, turned) = self._chain, self._bounds
        for start in (seed, *self._restarts):
            found = chain.inverse_kinematics_frame(target, start, orientation_mode="all", tol=TOLERANCE)
            reached = chain.forward_kinematics(found)
            # The norm of the difference of two rotations is sqrt(8) times the sine of half the angle.
            near = np.linalg.norm(reached[:3, 3] - target[:3, 3]) <= away
            if near and np.linalg.norm(reached[:3, :3] - target[:3, :3]) <= np.sqrt(2.0) * turned:
                return found
        return None

    def answer(self, result):
        return None if result is None else result[self._places]
