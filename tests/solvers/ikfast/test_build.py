"""Compiling generated code."""

import os
import shutil
import sysconfig

import numpy as np
import pytest

from kinetree.solvers import IkFastBuildError, IkFastSymbolError
from kinetree.solvers.ikfast.build import build_library
from tests.solvers.ikfast import generated_code as code

FAST = ["-O0"]


@pytest.fixture
def source(tmp_path):
    """A copy of lifted_arm.cpp in a folder of its own."""
    code.compiler()
    path = tmp_path / "code" / "lifted arm.cpp"
    path.parent.mkdir()
    shutil.copy(code.LIFTED_ARM, path)
    return path


def edited(source, old, new):
    text = source.read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new), encoding="utf-8")


def test_library_beside_the_source(source):
    library = build_library(source, flags=FAST)
    assert library.path == source.with_suffix(".so")
    assert library.is_ours
    assert len(library.compute_ik([0.7, 0, 0.5], np.eye(3), [0.5])) == 2
    assert sorted(each.name for each in source.parent.iterdir()) == ["lifted arm.cpp", "lifted arm.so"], (
        "nothing is left"
    )


def test_single_precision(source):
    assert build_library(source, source.parent / "single.so", real="float", flags=FAST).real_size == 4
    with pytest.raises(IkFastBuildError, match="'double' or 'float'"):
        build_library(source, real="long double")


def test_code_in_a_namespace(source):
    library = build_library(source, flags=[*FAST, "-DIKFAST_NAMESPACE=arm"])
    assert len(library.compute_ik([0.7, 0, 0.5], np.eye(3), [0.5])) == 2


def test_a_header_of_its_own_goes_before_ours(source):
    own = (code.NATIVE / "ikfast.h").read_text(encoding="utf-8")
    assert "0x1000004a" in own
    (source.parent / "ikfast.h").write_text(own.replace("0x1000004a", "61"), encoding="utf-8")
    edited(source, 'return "61"', 'return IKFAST_VERSION == 61 ? "own" : "ours"')
    assert build_library(source, flags=FAST).version == "own"


@pytest.mark.parametrize("name", ["kr6", "pr2"])
def test_our_header_does_for_generated_code(name, tmp_path):
    # pr2 insists on a version of IKFast, and uses the lists of solutions that users of the header have.
    own = code.library(name)
    shutil.copy(code.source(name), tmp_path / "ik.cpp")
    ours = build_library(tmp_path / "ik.cpp", includes=[sysconfig.get_path("include")], flags=["-O1"])
    rng = np.random.default_rng(0)
    for _ in range(20):
        q = rng.uniform(-2, 2, own.num_joints)
        goal = *own.compute_fk(q), q[list(own.free_parameters)]
        assert np.array_equal(ours.compute_ik(*goal).values(0.3), own.compute_ik(*goal).values(0.3))


def test_a_library_is_built_anew_under_the_same_name(source):
    assert build_library(source, flags=FAST).kinematics_hash == "lifted-arm"
    edited(source, '"lifted-arm"', '"another"')
    assert build_library(source, flags=FAST).kinematics_hash == "another"


def test_a_library_in_use_is_not_disturbed(source):
    used = build_library(source, flags=FAST)
    edited(source, "LINK = IkReal(0.5)", "LINK = IkReal(0.25)")
    build_library(source, flags=FAST)
    assert used.compute_fk([0, 0, 0, 0])[0][0] == pytest.approx(1.1)


def test_compiler_from_the_environment(source, monkeypatch):
    monkeypatch.setenv("CXX", f"{code.compiler()[0]} -O0")
    monkeypatch.setenv("CXXFLAGS", "-DIKFAST_NAMESPACE=arm")
    assert build_library(source).is_ours
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(IkFastBuildError, match="'no-such-compiler', which the environment variable CXX names"):
        build_library(source)


def test_no_compiler(source, monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", os.fspath(source.parent))
    with pytest.raises(IkFastBuildError, match=r"no C\+\+ compiler .*name it in CXX"):
        build_library(source)


def test_code_that_does_not_compile(source):
    edited(source, "IkReal(0.5)", "IkReal(0.5")
    with pytest.raises(IkFastBuildError, match=r"(?s)cannot compile .*lifted arm.cpp.*error"):
        build_library(source, flags=FAST)
    assert not source.with_suffix(".so").exists()


def test_a_failed_build_leaves_the_old_library(source):
    build_library(source, flags=FAST)
    before = source.with_suffix(".so").read_bytes()
    edited(source, "IkReal(0.5)", "IkReal(0.5")
    with pytest.raises(IkFastBuildError):
        build_library(source, flags=FAST)
    assert source.with_suffix(".so").read_bytes() == before


def test_files_that_are_no_generated_code(source, tmp_path):
    with pytest.raises(IkFastBuildError, match="cannot read"):
        build_library(tmp_path / "none.cpp")
    other = tmp_path / "other.cpp"
    other.write_text("int main() { return 0; }", encoding="utf-8")
    with pytest.raises(IkFastBuildError, match="defines no ComputeIk"):
        build_library(other)
    with pytest.raises(IkFastBuildError, match="no folder"):
        build_library(source, tmp_path / "nowhere" / "arm.so")
    with pytest.raises(IkFastBuildError, match="replace its source"):
        build_library(source, source)


CALLS_LAPACK = """
extern "C" void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
static void call_lapack() {
    double matrix[1] = {2.0};
    int one = 1, pivot, info = 0;
    dgetrf_(&one, &one, matrix, &one, &pivot, &info);
}
static const IkReal LINK"""


def test_lapack_is_linked_or_asked_for(source):
    edited(source, "static const IkReal LINK", CALLS_LAPACK)
    edited(source, "    solutions.Clear();", "    solutions.Clear();\n    call_lapack();")
    problem = None
    try:
        library = build_library(source, flags=FAST)
    except IkFastBuildError as caught:
        problem = str(caught)
    if problem is None:
        assert len(library.compute_ik([0.7, 0, 0.5], np.eye(3), [0.5])) == 2
    else:
        assert "with LAPACK, which it needs for dgetrf_; install it" in problem


def test_other_functions_that_are_nowhere_are_named(source):
    edited(source, "static const IkReal LINK", 'extern "C" int mystery();\nstatic const IkReal LINK')
    edited(source, "    solutions.Clear();", "    solutions.Clear();\n    mystery();")
    with pytest.raises(IkFastSymbolError, match="it needs 'mystery', which no loaded library has") as caught:
        build_library(source, flags=FAST)
    assert caught.value.symbols == ("mystery",)
