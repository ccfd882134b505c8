"""Which engine runs what, and what happens where compiled code cannot be kept or made."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import SimpleFrame, pose
from kinetree.solvers import (
    Halley,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    SelectivelyDamped,
    SolverError,
    TaskSpaceRegion,
)

TARGET = pose([0.4, 0.1, 0.4], rpy=[np.pi, 0, 0])


@pytest.fixture
def ik():
    return InverseKinematics(models.load("ur5"))


@pytest.mark.parametrize(
    "method",
    [LevenbergMarquardt, JacobianDLS, JacobianTranspose, JacobianPseudoInverse, SelectivelyDamped, Halley],
)
def test_built_in_methods_are_compiled(ik, method):
    ik.gradient_method = method()
    assert ik.solve(TARGET, attempts=3).engine == "compiled"


def test_what_is_not_compiled_runs_in_python_or_says_why(ik):
    class Own(LevenbergMarquardt):
        def gradient(self, jacobian, error):
            return super().gradient(jacobian, error)

    def own_step():
        ik.gradient_method = Own()

    def objective():
        ik.objective = lambda q: float(q @ q)

    def seeds():
        ik.problem.seeds = [np.zeros(6)]

    def generator():
        ik.problem.random_seed = np.random.default_rng(0)

    def moving_target():
        ik.target = SimpleFrame("on the elbow", ik.skeleton.links[3], pose([0.3, 0.0, 0.0]))

    changes = {
        own_step: "Own has no kernel",
        objective: "objective",
        seeds: "seeds of its own",
        generator: "generator",
        moving_target: "moves with the skeleton",
    }
    for change, why in changes.items():
        ik = InverseKinematics(models.load("ur5"))
        change()
        target = None if change is moving_target else TARGET
        assert ik.solve(target, attempts=2).engine == "object"
        ik.problem.engine = "compiled"
        with pytest.raises(SolverError, match="cannot solve this: .*" + why):
            ik.solve(target, attempts=2)


def test_a_module_sees_every_change(ik):
    """What was prepared for one call is not used for the next one when anything has changed."""
    first = ik.solve(TARGET)
    assert first.engine == "compiled"
    limits = ik.skeleton.dofs[0].limits
    ik.skeleton.dofs[0].limits = (first.q[0] + 0.1, first.q[0] + 0.5)
    assert ik.solve(TARGET).q[0] >= first.q[0] + 0.1 - 1e-12
    ik.skeleton.dofs[0].limits = limits
    ik.problem.tolerance = 1e-9
    assert ik.solve(TARGET).position_error <= 1e-9
    ik.offset = [0.0, 0.0, 0.1]
    reached = ik.skeleton.state(ik.solve(TARGET).q).transform(ik.frame)
    np.testing.assert_allclose(reached.act(np.array([0.0, 0.0, 0.1])), TARGET.translation, atol=1e-8)
    ik.offset = None
    ik.error_method = TaskSpaceRegion.position_only()
    assert ik.solve(TARGET).orientation_error == 0.0
    ik.set_dofs(range(3))
    assert (ik.solve(TARGET, seed=first.q).q[3:] == first.q[3:]).all()


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
