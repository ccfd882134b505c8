"""Which engine runs what, and what happens where compiled code cannot be kept or made."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import pose
from kinetree.solvers import (
    GradientMethod,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    SolverError,
    TaskSpaceRegion,
)

TARGET = pose([0.4, 0.1, 0.4], rpy=[np.pi, 0, 0])


@pytest.fixture
def ik():
    return InverseKinematics(models.load("ur5"))


@pytest.mark.parametrize("method", [LevenbergMarquardt, JacobianDLS, JacobianTranspose])
def test_built_in_methods_are_compiled(ik, method):
    ik.gradient_method = method()
    assert ik.solve(TARGET, attempts=3).engine == "compiled"


def test_what_is_not_compiled_runs_in_python_or_says_why(ik):
    class Own(LevenbergMarquardt):
        def gradient(self, jacobian, error):
            return super().gradient(jacobian, error)

    def clamped():
        method = LevenbergMarquardt()
        method.component_clamp = 0.2
        return method

    for method in (JacobianPseudoInverse(), Own(), clamped()):
        assert isinstance(method, GradientMethod)
        ik.gradient_method = method
        ik.problem.engine = "auto"
        assert ik.solve(TARGET).engine == "object"
        ik.problem.engine = "compiled"
        with pytest.raises(SolverError, match="cannot solve this: " + type(method).__name__):
            ik.solve(TARGET)


def test_bounds_are_not_compiled(ik):
    ik.error_method = TaskSpaceRegion((-0.1 * np.ones(6), 0.1 * np.ones(6)))
    assert ik.solve(TARGET).engine == "object"


def test_both_engines_agree_on_where_a_near_seed_leads(ik):
    seed = ik.solve(TARGET).q + 0.02
    answers = []
    for engine in ("object", "compiled"):
        ik.problem.engine = engine
        answers.append(ik.solve(TARGET, seed=seed, tolerance=1e-9))
    assert all(answers)
    np.testing.assert_allclose(answers[0].q, answers[1].q, atol=1e-7)


SOLVE = """
from kinetree import models
from kinetree.solvers import InverseKinematics
print(InverseKinematics(models.load("ur5")).solve(([0.4, 0.1, 0.4], [1, 0, 0, 0])).engine)
"""


def _run(**variables):
    environment = {**os.environ, "KINETREE_CACHE_DIR": "", **variables}
    return subprocess.run([sys.executable, "-c", SOLVE], env=environment, capture_output=True, text=True, check=True)


def test_without_numba_it_is_ordinary_python():
    assert _run(NUMBA_DISABLE_JIT="1").stdout.strip() == "object"


@pytest.mark.slow
def test_where_nothing_can_be_kept_it_compiles_and_warns_once():
    result = _run(KINETREE_CACHE_DIR=os.path.join(os.devnull, "nowhere"))
    assert result.stdout.strip() == "compiled"
    assert result.stderr.count("cannot be kept") == 1


@pytest.mark.slow
def test_a_damaged_cache_is_made_anew(tmp_path):
    assert "compiling the solvers" in _run(KINETREE_CACHE_DIR=str(tmp_path)).stderr
    for file in tmp_path.rglob("*.nbc"):
        file.write_bytes(file.read_bytes()[:1000])
    result = _run(KINETREE_CACHE_DIR=str(tmp_path))
    assert result.stdout.strip() == "compiled"
    assert "cannot be read" in result.stderr
    assert "compiling" not in _run(KINETREE_CACHE_DIR=str(tmp_path)).stderr
