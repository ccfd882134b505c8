"""What was compiled is used again only while nothing that went into it has changed."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kinetree.kinematics
import kinetree.solvers

STEP = """
import numpy as np
from kinetree.solvers import LevenbergMarquardt, __file__ as where
print(where)
print(LevenbergMarquardt(0.5).gradient(np.eye(6), np.ones(6))[0])
"""


@pytest.fixture
def copy(tmp_path):
    for package in (kinetree.kinematics, kinetree.solvers):
        folder = Path(package.__file__).parent
        shutil.copytree(folder, tmp_path / "kinetree" / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(copy):
    environment = {**os.environ, "KINETREE_CACHE_DIR": str(copy / "cache"), "PYTHONPATH": str(copy)}
    result = subprocess.run(
        [sys.executable, "-c", STEP], env=environment, cwd=copy, capture_output=True, text=True, check=True
    )
    where, value = result.stdout.split()
    assert where.startswith(str(copy))
    return float(value), "compiling" in result.stderr


def test_a_changed_kernel_in_another_file_is_compiled_anew(copy):
    # (1 + 0.5 * 6 + tiny)^-1
    first, compiled = run(copy)
    assert compiled
    assert first == pytest.approx(0.25, abs=1e-6)
    assert run(copy) == (first, False)
    callee = copy / "kinetree" / "solvers" / "compiled" / "damped_step.py"
    text = callee.read_text()
    assert "gradient[k] = (\n" in text
    callee.write_text(text.replace("gradient[k] = (\n", "gradient[k] = 2.0 * (\n"))
    second, compiled = run(copy)
    assert compiled
    assert second == pytest.approx(0.5, abs=1e-6)


FACTORY = """
import math

from numba import njit, types

from kinetree.kinematics import core
from kinetree.kinematics.core.compile_cache import entry_point
from kinetree.kinematics.core.lanes import INNER


def make(times):
    # Long and called from several places, so that it stays a function with a name.
    @njit(**INNER)
    def inner(x):
        total = x
REPEATED
        return times * total / total

    def outer(x):
        total = 0.0
        if x > 0.0:
            total += inner(x)
        if x > 1.0:
            total += inner(x + 1.0)
        return total + inner(x - 1.0)

    function = entry_point(outer, [core], [], f"times {times}")
    function.compile((types.float64,))
    return function
""".replace("REPEATED", "\n".join(f"        total = total * math.sin(total + {k}.0) + 1.5" for k in range(100)))


def test_kernels_of_one_factory_from_two_processes_are_not_mixed_up(tmp_path):
    """Numba numbers functions of one name in every process anew; loaded together they must stay apart."""
    (tmp_path / "factory.py").write_text(FACTORY)
    paths = os.pathsep.join([str(tmp_path), str(Path(kinetree.kinematics.__file__).parents[2]), *sys.path])
    environment = {**os.environ, "KINETREE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": paths}

    def run_in_process(*times):
        code = f"from factory import make\nprint(*[make(each)(1.0) for each in {times}])"
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        return [float(each) for each in done.stdout.split()], "compiling" in done.stderr

    assert run_in_process(2.0) == ([4.0], True)
    assert run_in_process(3.0) == ([6.0], True)
    assert run_in_process(2.0, 3.0) == ([4.0, 6.0], False)
    assert run_in_process(3.0, 2.0) == ([6.0, 4.0], False)


def test_kernels_take_no_constant_from_outside_what_is_hashed():
    """A number that a kernel freezes must be in a file whose change is a change of the cache's key."""
    solvers = Path(kinetree.solvers.__file__).parent
    core = Path(kinetree.kinematics.__file__).parent / "core"
    folders = (core, solvers / "compiled", solvers / "closed_form" / "kernels")
    outside = []
    for folder in folders:
        for file in folder.glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if not isinstance(node, ast.ImportFrom) or node.level < 2:
                    continue
                module = node.module or ""
                if module.startswith(("kinematics.core", "core", "compiled")):
                    continue
                outside += [f"{file.name}: {each.name}" for each in node.names if each.name.isupper()]
    assert outside == []
