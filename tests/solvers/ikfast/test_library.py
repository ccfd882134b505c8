"""Loading libraries and calling them, with our shim and without it."""

import pickle
import threading

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, KinetreeError, ShapeError
from kinetree.solvers import IkFastFileNotFoundError, IkFastLibraryError, IkFastSymbolError
from kinetree.solvers.ikfast.library import REQUIRED_SYMBOLS, IkFastLibrary
from tests.solvers.ikfast import generated_code as code

REALS = ("double", "float")
#: By how much a solution of each misses, by the library's own forward kinematics.
PRECISION = {"double": 1e-12, "float": 3e-5}


@pytest.fixture(params=["shim", "plain"])
def kind(request):
    return request.param


def load(name, kind, real="double"):
    return IkFastLibrary(code.path_of(name, real) if kind == "shim" else code.plain_path_of(name, real))


def targets(library, count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        q = rng.uniform(-2.5, 2.5, library.num_joints)
        yield q, *library.compute_fk(q)


def misses(library, values, translation, rotation):
    ours, theirs = zip(*(library.compute_fk(row) for row in values), strict=True)
    return max(np.abs(np.array(ours) - translation).max(), np.abs(np.array(theirs) - rotation).max())


@pytest.mark.parametrize("real", REALS)
def test_says_what_it_is_for(kind, real):
    library = load("lifted_arm", kind, real)
    assert library.num_joints == 4
    assert library.free_parameters == (0,)
    assert library.ik_type == 0x67000001
    assert library.real_size == {"double": 8, "float": 4}[real]
    assert library.kinematics_hash == "lifted-arm"
    assert library.version == "61"
    assert library.is_ours is (kind == "shim")


@pytest.mark.parametrize("real", REALS)
def test_solutions_reach_the_target(kind, real):
    library = load("lifted_arm", kind, real)
    for q, translation, rotation in targets(library, 50):
        found = library.compute_ik(translation, rotation, q[:1])
        assert len(found) == 2
        assert not found.is_family.any()
        assert (found.values()[:, 0] == np.float32(q[0]) if real == "float" else q[0]).all()
        assert misses(library, found.values(), translation, rotation) < PRECISION[real]


def test_no_solution_is_an_empty_list(kind):
    library = load("lifted_arm", kind)
    found = library.compute_ik([3.0, 0, 0], np.eye(3), [0.5])
    assert len(found) == 0
    assert found.values().shape == (0, 4)
    assert found.trouble == ""


def test_a_family_comes_with_what_may_be_chosen(kind):
    library = load("lifted_arm", kind)
    # The wrist over the shoulder: both turn against each other.
    found = library.compute_ik([0.1, 0.0, 0.5], np.eye(3), [0.5])
    assert found.is_family.tolist() == [True]
    for chosen in (-1.0, 0.0, 0.7):
        values = found.values(chosen)
        assert values[0, 1] == chosen
        assert misses(library, values, [0.1, 0.0, 0.5], np.eye(3).reshape(-1)) < 1e-12


def test_what_is_thrown_ends_the_call_and_not_the_process(kind):
    library = load("lifted_arm", kind)
    found = library.compute_ik([0.7, 0.0, 101.0], np.eye(3), [101.0])
    assert len(found) == 1, "what was found before it was thrown is kept"
    assert found.trouble
    if kind == "shim":
        assert "thin" in found.trouble
    assert len(library.compute_ik([0.7, 0.0, 1.0], np.eye(3), [1.0])) == 2


def test_more_solutions_than_there_was_room_for(monkeypatch):
    monkeypatch.setattr("kinetree.solvers.ikfast.library._FIRST_CAPACITY", 1)
    library = load("lifted_arm", "shim")
    assert len(library.compute_ik([0.7, 0.0, 1.0], np.eye(3), [1.0])) == 2


def test_threads_do_not_disturb_each_other(kind):
    library = load("lifted_arm", kind)
    given = list(targets(library, 300))
    expected = [library.compute_ik(p, r, q[:1]).values() for q, p, r in given]
    wrong = []

    def work(offset):
        for k in range(len(given)):
            q, p, r = given[(k + offset) % len(given)]
            if not np.array_equal(library.compute_ik(p, r, q[:1]).values(), expected[(k + offset) % len(given)]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(offset,)) for offset in (0, 50, 100, 150)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_two_libraries_with_the_same_classes_do_not_mix(kind):
    one, other = load("lifted_arm", kind, "double"), load("lifted_arm", kind, "float")
    for q, translation, rotation in targets(one, 20):
        exact = one.compute_ik(translation, rotation, q[:1]).values()
        rounded = other.compute_ik(translation, rotation, q[:1]).values()
        assert misses(one, exact, translation, rotation) < PRECISION["double"]
        assert np.array_equal(rounded, rounded.astype(np.float32))


def test_wrong_input_is_refused(kind):
    library = load("lifted_arm", kind)
    with pytest.raises(ShapeError, match="free"):
        library.compute_ik([0, 0, 0], np.eye(3), [])
    with pytest.raises(ShapeError, match="rotation"):
        library.compute_ik([0, 0, 0], np.eye(2), [0.0])
    with pytest.raises(InvalidValueError, match="translation"):
        library.compute_ik([0, np.nan, 0], np.eye(3), [0.0])
    with pytest.raises(ShapeError, match="joints"):
        library.compute_fk([0.0, 0.0])


def test_pickling_is_refused_in_words():
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(load("lifted_arm", "shim"))


# Files that are no such library.


def test_missing_file(tmp_path):
    with pytest.raises(IkFastFileNotFoundError, match="no library") as caught:
        IkFastLibrary(tmp_path / "none.so")
    assert isinstance(caught.value, FileNotFoundError)
    assert isinstance(caught.value, KinetreeError)


def test_a_folder_and_a_text(tmp_path):
    with pytest.raises(IkFastLibraryError, match="no file"):
        IkFastLibrary(tmp_path)
    with pytest.raises(IkFastLibraryError, match="kinetree ikfast build"):
        IkFastLibrary(code.LIFTED_ARM)


def test_files_that_were_cut_off(tmp_path):
    content = code.path_of("lifted_arm").read_bytes()
    # Behind the last segment there is only what debuggers read.
    for part in (*np.linspace(0.0, 0.9, 46), 40 / len(content), 100 / len(content)):
        path = tmp_path / f"cut_{part}.so"
        path.write_bytes(content[: int(len(content) * part)])
        try:
            IkFastLibrary(path)
        except IkFastLibraryError:
            continue
        assert part > 0.4, "a segment is missing, and nobody noticed"


def test_missing_symbols_are_listed(tmp_path):
    path = tmp_path / "other.so"
    source = tmp_path / "other.cpp"
    source.write_text('extern "C" int GetNumJoints() { return 6; }', encoding="utf-8")
    code.compile_to(path, [*code.compiler(), "-shared", "-fPIC", str(source)])
    with pytest.raises(IkFastSymbolError, match="ComputeIk, ComputeFk") as caught:
        IkFastLibrary(path)
    assert set(caught.value.symbols) == set(REQUIRED_SYMBOLS) - {"GetNumJoints"}


def test_names_of_cpp_are_explained(tmp_path):
    path = tmp_path / "cpp.so"
    flags = [*code.PLAIN_FLAGS, *code.lifted_arm_flags("lifted_arm"), "-I", str(code.NATIVE)]
    code.compile_to(path, [*code.compiler(), *flags, str(code.LIFTED_ARM)])
    with pytest.raises(IkFastSymbolError, match="IKFAST_CLIBRARY"):
        IkFastLibrary(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("int GetNumJoints() { return 4; }", "int GetNumJoints() { return -4; }"),
        ("return 1; }\nIKFAST_API int* GetFree", "return 7; }\nIKFAST_API int* GetFree"),
        ("{0}", "{4}"),
        ("return sizeof(IkReal)", "return 16"),
        ("return free_parameters", "return 0"),
    ],
)
def test_claims_that_cannot_be_are_refused(tmp_path, change, message):
    text = code.LIFTED_ARM.read_text(encoding="utf-8")
    assert change in text
    source, path = tmp_path / "odd.cpp", tmp_path / "odd.so"
    source.write_text(text.replace(change, message), encoding="utf-8")
    flags = [*code.PLAIN_FLAGS, "-DIKFAST_CLIBRARY", *code.lifted_arm_flags("lifted_arm"), "-I", str(code.NATIVE)]
    code.compile_to(path, [*code.compiler(), *flags, str(source)])
    with pytest.raises(IkFastLibraryError):
        IkFastLibrary(path)


# Code that IKFast generated.


@pytest.mark.parametrize(
    ("name", "joints", "free", "version"),
    [
        ("kr6", 6, (), "0x1000004a"),
        ("irb4600", 6, (), "0x10000049"),
        ("panda", 7, (6,), "0x10000049"),
        ("rs010n", 6, (), "0x1000004a"),
        ("pr2", 8, (0, 3), "0x1000004a"),
    ],
)
def test_generated_code(name, joints, free, version):
    library = load(name, "shim")
    assert (library.num_joints, library.free_parameters, library.version) == (joints, free, version)
    assert library.ik_type == 0x67000001
    # IRB4600: the generator rounded its numbers.
    precision = 1e-5 if name == "irb4600" else 1e-10
    for q, translation, rotation in targets(library, 100):
        found = library.compute_ik(translation, rotation, q[list(free)])
        assert len(found) > 0
        assert misses(library, found.values(), translation, rotation) < precision


@pytest.mark.parametrize("real", REALS)
def test_generated_code_gives_the_same_without_our_shim(real):
    ours, plain = load("panda", "shim", real), load("panda", "plain", real)
    for q, translation, rotation in targets(ours, 100):
        one, other = (each.compute_ik(translation, rotation, q[6:]) for each in (ours, plain))
        assert np.array_equal(one.offsets, other.offsets)
        assert np.array_equal(one.factors, other.factors)
        assert np.array_equal(one.sources, other.sources)
        assert bool(one.trouble) == bool(other.trouble)
