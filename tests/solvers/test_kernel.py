"""Step rules of users in the compiled loop."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, pose
from kinetree.solvers import (
    GradientMethod,
    GradientMethodError,
    InverseKinematics,
    LevenbergMarquardt,
    TaskSpaceRegion,
    kernel,
)
from kinetree.solvers.engine import engine_for
from kinetree.solvers.kernel import kernel_of
from kinetree.solvers.request import make_request

TARGET = pose([0.4, 0.1, 0.4], rpy=[np.pi, 0, 0])


class NormalisedTranspose(GradientMethod):
    """With the best step length along the gradient."""

    @kernel
    def step(jacobian, error, rows, n, parameters, gradient):
        for k in range(n):
            g = 0.0
            for i in range(rows):
                g += jacobian[i, k] * error[i]
            gradient[k] = g
        along = 0.0
        size = 0.0
        for i in range(rows):
            row = 0.0
            for k in range(n):
                row += jacobian[i, k] * gradient[k]
            along += error[i] * row
            size += row * row
        for k in range(n):
            gradient[k] *= along / (size + 1e-300)


@pytest.fixture
def ik():
    return InverseKinematics(models.load("ur5"))


def test_a_kernel_runs_in_the_compiled_loop_and_in_python(ik):
    ik.gradient_method = NormalisedTranspose()
    rng = np.random.default_rng(0)
    jacobian, error = rng.normal(size=(6, 6)), rng.normal(size=6)
    g = jacobian.T @ error
    along = jacobian @ g
    expected = g * (error @ along) / (along @ along)
    np.testing.assert_allclose(ik.gradient_method.gradient(jacobian, error), expected, rtol=1e-12)
    plain = np.zeros(100)
    NormalisedTranspose.step(jacobian, error, 6, 6, (), plain)
    np.testing.assert_allclose(plain[:6], expected, rtol=1e-12)
    solution = ik.solve(TARGET, tolerance=1e-4)
    assert solution.engine == "compiled"
    assert solution.success


def test_parameters_are_read_at_every_solve(ik):
    class Damped(GradientMethod):
        length = 0.0

        @property
        def parameters(self):
            return (self.length,)

        @kernel
        def step(jacobian, error, rows, n, parameters, gradient):
            for k in range(n):
                along = 0.0
                for i in range(rows):
                    along += jacobian[i, k] * error[i]
                gradient[k] = parameters[0] * along

    method = Damped()
    ik.gradient_method = method
    seed = np.full(6, 0.3)
    ik.error_method = TaskSpaceRegion.position_only()
    still = make_request(ik, TARGET, ik.problem.replaced(attempts=1, iterations=1), seed, explains=False)
    still = engine_for(still).solve(still)
    method.length = 0.3
    moved = make_request(ik, TARGET, ik.problem.replaced(attempts=1, iterations=1), seed, explains=False)
    moved = engine_for(moved).solve(moved)
    assert (still.q == seed).all()
    assert (moved.q != seed).any()


@pytest.mark.parametrize("parameters", [(np.nan,), tuple(range(9)), "x", ((1.0, 2.0),)])
def test_bad_parameters_are_refused(ik, parameters):
    method = NormalisedTranspose()
    type(method).parameters = parameters
    try:
        ik.gradient_method = method
        with pytest.raises(GradientMethodError, match=r"parameters of NormalisedTranspose"):
            ik.solve(TARGET)
    finally:
        del type(method).parameters


def test_what_numba_cannot_compile_is_told(ik):
    class Broken(GradientMethod):
        @kernel
        def step(jacobian, error, rows, n, parameters, gradient):
            gradient[0] = unknown_function(error[0])  # noqa: F821

    ik.gradient_method = Broken()
    with pytest.raises(GradientMethodError, match=r"Broken\.step cannot be compiled"):
        ik.solve(TARGET)


def test_other_arguments_are_refused():
    with pytest.raises(InvalidValueError, match="without self"):

        @kernel
        def step(self, jacobian, error, rows, n, parameters):
            pass

    with pytest.raises(InvalidValueError, match="takes"):
        kernel(3)


def test_which_class_has_which_step():
    class Own(LevenbergMarquardt):
        def gradient(self, jacobian, error):
            return super().gradient(jacobian, error)

    class Named(LevenbergMarquardt):
        pass

    class Back(Own):
        step = NormalisedTranspose.step

    assert kernel_of(Own) is None
    assert kernel_of(Named) is LevenbergMarquardt.step
    assert kernel_of(Back) is NormalisedTranspose.step
    assert kernel_of(GradientMethod) is None
    jacobian, error = np.eye(6), np.arange(6.0)
    np.testing.assert_array_equal(Own().gradient(jacobian, error), LevenbergMarquardt().gradient(jacobian, error))


STEP = """
from kinetree import models
from kinetree.solvers import GradientMethod, InverseKinematics, kernel
FACTOR = {factor}

def helper(x):
    return FACTOR * x

class Mine(GradientMethod):
    @kernel
    def step(jacobian, error, rows, n, parameters, gradient):
        for k in range(n):
            along = 0.0
            for i in range(rows):
                along += jacobian[i, k] * error[i]
            gradient[k] = {call} * along

ik = InverseKinematics(models.load("ur5"))
ik.gradient_method = Mine()
print(ik.gradient_method.gradient(__import__("numpy").eye(6), __import__("numpy").ones(6))[0])
"""


@pytest.mark.parametrize("call", ["FACTOR", "helper(1.0)"])
def test_a_changed_constant_or_helper_is_compiled_anew(tmp_path, call):
    """What a kernel takes from its module is part of what was compiled."""
    text = STEP if call == "FACTOR" else STEP.replace("def helper", "from numba import njit\n\n@njit\ndef helper")
    found = []
    for factor in (0.25, 0.5):
        file = tmp_path / "mine.py"
        file.write_text(text.format(factor=factor, call=call))
        environment = {**os.environ, "KINETREE_CACHE_DIR": str(tmp_path / "cache")}
        result = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, check=True)
        found.append(float(result.stdout))
    assert found == [0.25, 0.5]


def test_without_numba_it_is_ordinary_python(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        STEP.format(factor=0.25, call="FACTOR")
        + "\nprint(ik.solve(([0.4, 0.1, 0.4], [1, 0, 0, 0]), attempts=1, iterations=3).engine)"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    result = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["0.25", "object"]
