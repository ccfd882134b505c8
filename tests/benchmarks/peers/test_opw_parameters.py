"""The parameters that arms are handed to py-opw-kinematics with."""

import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from benchmarks.closed_form.arms import general
from benchmarks.peers.catalog import FOLDER
from benchmarks.peers.problem import problem_of
from kinetree.interfaces.bench import workload


@pytest.fixture(scope="module")
def opw():
    """The adapter's file without the library."""
    library = ModuleType("py_opw_kinematics")
    library.KinematicModel, library._internal = None, SimpleNamespace()
    spec = importlib.util.spec_from_file_location("opw_adapter", FOLDER / "opw.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, "py_opw_kinematics", library)
        patched.setattr("importlib.metadata.version", lambda _: "0")
        spec.loader.exec_module(module)
    return module


def forward(opw, a1, a2, b, c1, c2, c3, c4, q):
    """Forward kinematics as Brandstoetter, Angerer and Hofbaur have it: axes z, y, y, z, y, z of an upright arm."""
    x, y, z = np.eye(3)
    pose = np.eye(4)
    offsets = [0.0 * x, a1 * x + c1 * z, c2 * z, a2 * x + b * y, c3 * z, 0.0 * x]
    for turn, angle, offset in zip("zyyzyz", q, offsets, strict=True):
        step = np.eye(4)
        step[:3, :3] = opw.about_z(angle) if turn == "z" else opw.about_y(angle)
        step[:3, 3] = offset
        pose = pose @ step
    pose[:3, 3] += c4 * pose[:3, 2]
    return pose


@pytest.mark.parametrize("name", ["kr6_r900", "irb120", "irb4600_40_255", "puma560"])
def test_they_describe_the_arm(opw, name):
    work = workload(name, 20)
    with problem_of(work) as problem:
        found = opw.parameters(problem.axes, problem.offsets)
    assert found["parameters"]["c3"] > 0.0
    q = found["turns"] + found["signs"] * work.of_chain(work.witnesses)
    theirs = np.array([found["base"] @ forward(opw, **found["parameters"], q=row) for row in q])
    # But for a tool that is the same everywhere.
    tools = np.linalg.inv(theirs) @ work.in_base()
    np.testing.assert_allclose(tools, np.tile(tools[0], (20, 1, 1)), atol=1e-12)


def test_other_arms_are_refused_with_a_reason(opw):
    for name, reason in (("ur5", "right angles"), ("iiwa14", "7 joints"), ("xarm6", "meet")):
        with problem_of(workload(name, 1)) as problem, pytest.raises(ValueError, match=reason):
            opw.parameters(problem.axes, problem.offsets)
    geometry = general(np.random.default_rng(0))
    with pytest.raises(ValueError, match="right angles"):
        opw.parameters(geometry.axes, geometry.offsets)
