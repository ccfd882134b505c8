"""ssik: closed forms and eliminations in C++, from a module of numbers that is written once for an arm."""

import importlib.util
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import ssik
from ssik.cli import main as command_line
from ssik.prebuilt import _resolve_arm

#: Configurations in which a module that comes with it is compared with the arm, and the largest difference.
TRIALS, NEAR = 5, 1e-6


class Adapter:
    """``solve`` of the module that comes with ssik when it is of the same arm, else of one that is built.

    All solutions: without limits, which is quickest. ``options["nearest"]``: the one nearest to the seed, inside the
    limits, which is what an arm with a joint too many is asked for.
    """

    version = ssik.__version__

    def __init__(self, problem):
        self._problem = problem
        self._module, tool = self._shipped() or (self._built(), np.eye(4))
        self._tool_back = np.linalg.inv(tool)
        self.version = f"{self.version} {self._module.SOLVER_NAME.split('.')[-1]}"
        self._call = self._module.solve
        if problem.options.get("nearest"):
            self.solve = self._nearest

    def _shipped(self):
        """A module that comes with ssik, and the pose (4, 4) of our tip in its; None without one of the same arm."""
        try:
            module = _resolve_arm(self._problem.robot)[1]
        except ValueError:
            return None
        if len(self._problem.axes) != module.DOF:
            return None
        trials = np.random.default_rng(0).uniform(-2.0, 2.0, (TRIALS, module.DOF))
        tools = [np.linalg.inv(module.fk(q)) @ self._problem.pose_at(q) for q in trials]
        return (module, tools[0]) if np.ptp(tools, axis=0).max() < NEAR else None

    def _built(self):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "arm_ik.py"
            problem = self._problem
            names = ["--base", problem.base, "--ee", problem.tip, "--out", str(path), "--no-validate"]
            if command_line(["build", problem.urdf, *names]) or not path.exists():
                raise ValueError("ssik build failed")
            spec = importlib.util.spec_from_file_location("arm_ik", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        return module

    def query(self, target, seed):
        return np.ascontiguousarray(target @ self._tool_back), seed

    def solve(self, target, seed):
        return self._call(target, respect_limits=False)

    def _nearest(self, target, seed):
        return self._call(target, q_seed=seed, max_solutions=1)

    def answers(self, result):
        return [each.q for each in result]
