"""Libraries for the tests: of code that IKFast generated, fetched from PyPI and never committed, and of a file of ours.

Both are kept in the user's cache, so that a machine fetches and compiles them once.
"""

import functools
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import PrismaticJoint, RevoluteJoint, Skeleton
from kinetree.models import load
from kinetree.solvers import IkFastBuildError, InverseKinematics, SharedLibraryIkFast
from kinetree.solvers.ikfast import build
from kinetree.solvers.ikfast.build import build_library
from kinetree.solvers.ikfast.library import IkFastLibrary

#: What is fetched: distribution with its version, and the file in it.
SOURCES = {
    "irb4600": ("ikfast-pybind==0.1.2", "src/abb_irb4600_40_255/ikfast0x10000049.Transform6D.0_1_2_3_4_5.cpp"),
    "kr6": ("ikfast-pybind==0.1.2", "src/kuka_kr6_r900/ikfast0x1000004a.Transform6D.0_1_2_3_4_5.cpp"),
    "panda": ("ikfast-pybind==0.1.2", "src/franka_panda/ikfast0x10000049.Transform6D.0_1_2_3_4_5_f6.cpp"),
    "rs010n": ("ikfast-pybind==0.1.2", "src/kawasaki_rs010n/ik.cpp"),
    "pr2": ("pr2-ikfast==0.0.4", "src/cpp/right_arm_ik.cpp"),
}
UNTURNED = [0, 0, 0, 1]
#: Ours.
LIFTED_ARM = Path(__file__).with_name("lifted_arm.cpp")
NATIVE = Path(build.__file__).with_name("native")
PLAIN_FLAGS = ("-O1", "-w", "-shared", "-fPIC", "-DIKFAST_NO_MAIN")


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "kinetree-tests" / "ikfast"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / "kinetree-tests" / "ikfast"
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def compiler():
    """The words that call a C++ compiler; skips without one."""
    try:
        return build._compiler()
    except IkFastBuildError as problem:
        pytest.skip(str(problem))


def library(name, real="double"):
    """A loaded library made by `build_library`: ``"lifted_arm"`` or one of `SOURCES`; skips when it cannot be had."""
    return IkFastLibrary(path_of(name, real))


def method(name, real="double", **options):
    return SharedLibraryIkFast(path_of(name, real), **{**OPTIONS.get(name, {}), **options})


def bound(name, real="double", **options):
    """(skeleton, module, method) of a library."""
    skeleton = robot(name)
    ik = InverseKinematics(skeleton)
    ik.gradient_method = found = method(name, real, **options)
    return skeleton, ik, found


@functools.cache
def path_of(name, real="double"):
    """Where that library is."""
    compiler()
    file = source(name)
    path = cache_folder() / f"{name}_{real}_{_key(file)}.so"
    if not path.exists():
        includes = [sysconfig.get_path("include")] if name == "pr2" else []
        if name == "pr2" and not (Path(includes[0]) / "Python.h").exists():
            pytest.skip("pr2-ikfast needs Python.h, which is not installed")
        build_library(file, path, real=real, includes=includes, flags=["-O1"])
    return path


@functools.cache
def plain_path_of(name, real="double"):
    """The same code as anybody else would compile it, without our shim."""
    words = compiler()
    file = source(name)
    path = cache_folder() / f"{name}_{real}_plain_{_key(file)}.so"
    if not path.exists():
        flags = [*PLAIN_FLAGS, "-DIKFAST_CLIBRARY", f"-DIKFAST_REAL={real}", "-fsingle-precision-constant"]
        flags = flags if real == "float" else flags[:-1]
        compile_to(path, [*words, *flags, *lifted_arm_flags(name), "-I", str(NATIVE), str(file)])
    return path


def lifted_arm_flags(name):
    return ["-DIKFAST_VERSION=61"] if name == "lifted_arm" else []


def compile_to(path, words):
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / path.name
        subprocess.run([*words, "-o", str(made)], check=True, capture_output=True)
        os.replace(made, path)


def source(name):
    """The generated file; skips when it cannot be fetched."""
    if name == "lifted_arm":
        return LIFTED_ARM
    distribution, file = SOURCES[name]
    folder = _unpacked(distribution)
    if isinstance(folder, str):
        pytest.skip(folder)
    return folder / file


@functools.cache
def _unpacked(distribution):
    """The folder of a source distribution, or why it cannot be had."""
    name, _, version = distribution.partition("==")
    folder = cache_folder() / f"{name}-{version}"
    if folder.exists():
        return folder
    with tempfile.TemporaryDirectory(dir=cache_folder()) as temporary:
        words = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "--retries", "1"]
        words += ["--timeout", "20", "--disable-pip-version-check", "--dest", temporary, distribution]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return f"pip took too long to fetch {distribution}"
        archives = list(Path(temporary).glob("*.tar.gz"))
        if done.returncode or not archives:
            last = (done.stderr.strip().splitlines() or ["no output"])[-1]
            return f"pip cannot fetch {distribution} (offline?): {last}"
        with tarfile.open(archives[0]) as archive:
            archive.extractall(temporary, filter="data")
        unpacked = next(each for each in Path(temporary).iterdir() if each.is_dir())
        try:
            os.replace(unpacked, folder)
        except OSError:  # another process was faster
            shutil.rmtree(unpacked)
    return folder


def _key(file):
    """Changes with everything that the library is made of."""
    digest = hashlib.sha256()
    for each in (file, *sorted(NATIVE.iterdir()), Path(build.__file__), Path(__file__)):
        digest.update(each.read_bytes())
    digest.update(repr((compiler(), os.environ.get("CXXFLAGS"), sys.version)).encode())
    return digest.hexdigest()[:16]


def serial(name, joints, tip):
    """A chain of (joint, name, axis, place of the joint in the link before), then the tip's pose in the last link."""
    arm = Skeleton(name)
    arm.add_link("base")
    parent = "base"
    for kind, joint, axis, place, limits in joints:
        arm.add_link(f"{joint}_link", kind(joint, axis=axis, limits=limits), parent=parent, placement=(place, UNTURNED))
        parent = f"{joint}_link"
    arm.add_frame("tool", parent, relative_transform=tip)
    arm.tip = "tool"
    return arm


def rs010n():
    """Kawasaki RS010N: 0.43 m to axis 2, 0.1 m ahead of axis 1; arm 0.65, forearm 0.7, flange 0.085 m; reach 1.45 m.

    Stretched upwards at zero; limits +-180, +145 -105, +150 -163, +-270, +-145, +-360 deg.
    """
    degrees = [(-180, 180), (-105, 145), (-163, 150), (-270, 270), (-145, 145), (-360, 360)]
    axes = ["z", "-x", "x", "z", "x", "z"]
    places = [[0, 0, 0], [0, 0.1, 0.43], [0, 0, 0.65], [0, 0, 0.35], [0, 0, 0.35], [0, 0, 0.085]]
    joints = [(RevoluteJoint, f"joint{k + 1}", axes[k], places[k], np.deg2rad(degrees[k])) for k in range(6)]
    return serial("rs010n", joints, pin.SE3(np.array([[0, 0, 1.0], [0, -1, 0], [1, 0, 0]]), np.array([0.1, 0, 0.0])))


def pr2():
    """The right arm of a PR2 with its lift, from the numbers of the maker's file."""
    joints = [
        (PrismaticJoint, "torso_lift", "z", [-0.05, 0, 0.739675], (0.0115, 0.325)),
        (RevoluteJoint, "shoulder_pan", "z", [0, -0.188, 0], (-2.2854, 0.714602)),
        (RevoluteJoint, "shoulder_lift", "y", [0.1, 0, 0], (-0.5236, 1.3963)),
        (RevoluteJoint, "upper_arm_roll", "x", [0, 0, 0], (-3.9, 0.8)),
        (RevoluteJoint, "elbow_flex", "y", [0.4, 0, 0], (-2.3213, 0.0)),
        (RevoluteJoint, "forearm_roll", "x", [0, 0, 0], None),
        (RevoluteJoint, "wrist_flex", "y", [0.321, 0, 0], (-2.18, 0.0)),
        (RevoluteJoint, "wrist_roll", "x", [0, 0, 0], None),
    ]
    return serial("pr2", joints, pin.SE3(np.eye(3), np.array([0.18, 0, 0])))


def lifted_arm():
    """What lifted_arm.cpp is for."""
    joints = [
        (PrismaticJoint, "lift", "z", [0, 0, 0], (0.0, 2.0)),
        (RevoluteJoint, "shoulder", "z", [0, 0, 0], (-3.0, 3.0)),
        (RevoluteJoint, "elbow", "z", [0.5, 0, 0], None),
        (RevoluteJoint, "wrist", "z", [0.5, 0, 0], (-6.0, 6.0)),
    ]
    return serial("lifted_arm", joints, ([0.1, 0, 0], UNTURNED))


def robot(name):
    """The skeleton of a library: built in, or made here from what its maker publishes."""
    if name in ("kr6", "panda", "irb4600"):
        return load({"irb4600": "irb4600_40_255", "kr6": "kr6_r900", "panda": "panda"}[name])
    return {"rs010n": rs010n, "pr2": pr2, "lifted_arm": lifted_arm}[name]()


#: What `SharedLibraryIkFast` has to be told about a robot.
OPTIONS = {
    "panda": {"tip": "panda_link8"},
    # Its forearm is 1 mm longer than in the maker's data, and its flange turned by 4e-5 rad.
    "irb4600": {"agreement_tolerance": 2e-3},
}
