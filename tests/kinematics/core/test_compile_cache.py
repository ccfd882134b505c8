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


def test_kernels_take_no_constant_from_outside_what_is_hashed():
    """A number that a kernel freezes must be in a file whose change is a change of the cache's key."""
    folders = (Path(kinetree.kinematics.__file__).parent / "core", Path(kinetree.solvers.__file__).parent / "compiled")
    outside = []
    for folder in folders:
        for file in folder.glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if not isinstance(node, ast.ImportFrom) or node.level < 2:
                    continue
                module = node.module or ""
                if module.startswith(("kinematics.core", "core")):
                    continue
                outside += [f"{file.name}: {each.name}" for each in node.names if each.name.isupper()]
    assert outside == []
