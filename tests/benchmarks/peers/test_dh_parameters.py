"""The Denavit-Hartenberg parameters that arms are handed to robot-ik with."""

import importlib.util
import sys
from types import ModuleType

import numpy as np
import pytest

from benchmarks.closed_form.arms import first_parallel, general, middle_parallel, spherical_wrist
from benchmarks.peers.catalog import FOLDER
from benchmarks.peers.problem import problem_of
from kinetree.interfaces.bench import workload


@pytest.fixture(scope="module")
def adapter():
    """The adapter's file without the library."""
    library, inner = ModuleType("robot_ik"), ModuleType("robot_ik.ik")
    inner.FastIKSolver = None
    spec = importlib.util.spec_from_file_location("robot_ik_adapter", FOLDER / "robot_ik.py")
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, "robot_ik", library)
        patched.setitem(sys.modules, "robot_ik.ik", inner)
        patched.setattr("importlib.metadata.version", lambda _: "0")
        spec.loader.exec_module(module)
    return module


def forward(rows, angles):
    """As Denavit and Hartenberg have it: about z, along z, along x, about x."""
    pose = np.eye(4)
    for (a, alpha, d, _), theta in zip(rows, angles, strict=True):
        c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
        pose = pose @ np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])
    return pose


def check(adapter, axes, offsets, poses_at):
    """What is beyond the last axis is the same tool at every configuration."""
    rows, turns, base = adapter.parameters(axes, offsets)
    rng = np.random.default_rng(1)
    tools = []
    for q in rng.uniform(-3.0, 3.0, (5, len(axes))):
        tools.append(np.linalg.inv(base @ forward(rows, q + turns)) @ poses_at(q))
    assert np.ptp(tools, axis=0).max() < 1e-12


@pytest.mark.parametrize("make", [general, first_parallel, middle_parallel, spherical_wrist])
def test_random_arms(adapter, make):
    geometry = make(np.random.default_rng(3))
    axes, offsets = np.array(geometry.axes), np.array(geometry.offsets)

    def poses_at(q):
        pose = np.eye(4)
        pose[:3, 3] = offsets[0]
        for axis, angle, offset in zip(axes, q, offsets[1:], strict=True):
            x, y, z = axis
            cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            turn = np.eye(4)
            turn[:3, :3] += np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
            turn[:3, 3] = turn[:3, :3] @ offset
            pose = pose @ turn
        return pose

    check(adapter, axes, offsets, poses_at)


@pytest.mark.parametrize("name", ["ur5", "kr6_r900", "puma560"])
def test_built_in_robots(adapter, name):
    work = workload(name, 1)
    base = work.robot.state(work.robot.positions).transform(work.chain.base).inverse().homogeneous
    with problem_of(work) as problem:
        check(adapter, problem.axes, problem.offsets, lambda q: base @ work.poses(work.whole(q[None]))[0])
