"""`SharedLibraryIkFast` on a file of ours, and on code that IKFast really generated (fetched from PyPI)."""

import copy
import math
import pickle
import threading

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import KinetreeError
from kinetree.solvers import (
    IkFastFileNotFoundError,
    IkFastLibraryError,
    IkFastMismatchError,
    IkType,
    InverseKinematics,
    SharedLibraryIkFast,
    Validity,
)
from tests.solvers.ikfast import generated_code as code

GENERATED = ("kr6", "panda", "irb4600", "rs010n", "pr2")
TARGETS = 150


def configurations(skeleton, count, seed=0):
    rng = np.random.default_rng(seed)
    return [skeleton.random_positions(rng) for _ in range(count)]


def pose_in_base(method, q):
    state = method.module.skeleton.state(q)
    return state.transform(method.base).actInv(state.transform(method.module.frame))


def is_singular(method, q):
    """Whether the solved joints have (nearly) a direction that moves nothing there."""
    place = method._place()
    indices = place.joints.indices[place.solved]
    jacobian = method.module.skeleton.state(q, indices).jacobian(method.tip)
    return np.linalg.svd(jacobian, compute_uv=False)[-1] < 1e-3


@pytest.fixture(scope="module")
def bound():
    """One module with its method per library, for all tests that change nothing."""
    made = {}

    def get(name, real="double"):
        if (name, real) not in made:
            made[name, real] = code.bound(name, real)
        return made[name, real]

    return get


def test_members(bound):
    _, _, method = bound("lifted_arm")
    assert method.is_configured
    assert (method.num_joints, method.num_free_parameters, tuple(method.free_parameters)) == (4, 1, (0,))
    assert method.ik_type is IkType.TRANSFORM_6D
    assert (method.kinematics_hash, method.ikfast_version) == ("lifted-arm", "61")
    assert method.solved_joints == {"shoulder": 1, "elbow": 2, "wrist": 3}
    assert method.free_joints == {"lift": 0}
    assert method.library.is_ours
    assert method.path == str(code.path_of("lifted_arm"))
    assert "lifted_arm" in method.name


# Every solution, of every library.


@pytest.mark.parametrize("name", ["lifted_arm", *GENERATED])
def test_the_generating_configuration_is_among_verified_solutions(bound, name):
    skeleton, _, method = bound(name)
    indices = method._place().joints.indices
    for q in configurations(skeleton, TARGETS):
        pose = pose_in_base(method, q)
        rows, validity = method.solve_all(pose, seed=q)
        away = np.abs(rows - q[indices]).max(axis=1)
        if not is_singular(method, q):
            assert away.min() < 1e-6, q
            assert validity[away.argmin()] == Validity.VALID
        # Independent of what they are tagged: forward kinematics and limits.
        for row, flags in zip(rows, validity, strict=True):
            full = q.copy()
            full[indices] = row
            missing = np.linalg.norm(pin.log6(pose_in_base(method, full).actInv(pose)))
            assert (missing < 1e-8) == (not flags & Validity.OUT_OF_REACH)
            inside = ((row >= skeleton.lower_limits[indices]) & (row <= skeleton.upper_limits[indices])).all()
            assert inside == (not flags & Validity.LIMIT_VIOLATED)


@pytest.mark.parametrize("name", ["kr6", "panda", "rs010n", "pr2"])
def test_single_precision_is_enough_for_exact_solutions(bound, name):
    skeleton, _, method = bound(name, "float")
    assert method.library.real_size == 4
    indices = method._place().joints.indices
    found = 0
    tried = [q for q in configurations(skeleton, TARGETS) if not is_singular(method, q)]
    for q in tried:
        rows, validity = method.solve_all(pose_in_base(method, q), seed=q)
        if not len(rows):
            continue
        away = np.abs(rows - q[indices]).max(axis=1)
        found += away.min() < 1e-6 and validity[away.argmin()] == Validity.VALID
    # Near singular poses the generated code takes branches by thresholds that are made for double precision.
    assert found >= 0.9 * len(tried)


@pytest.mark.parametrize("name", ["lifted_arm", *GENERATED])
def test_solves_as_method_of_a_module(bound, name):
    skeleton, ik, _ = bound(name)
    for q in configurations(skeleton, 20, seed=1):
        target = skeleton.state(q).transform(ik.frame)
        solution = ik.solve(target, seed=q)
        assert solution.success
        assert np.linalg.norm(pin.log6(skeleton.state(solution.q).transform(ik.frame).actInv(target))) < 1e-8


@pytest.mark.parametrize("name", ["lifted_arm", *GENERATED])
def test_out_of_reach(bound, name):
    _, ik, method = bound(name)
    far = pin.SE3(np.eye(3), np.array([50.0, 0.0, 0.3]))
    rows, validity = method.solve_all(far)
    assert np.isfinite(rows).all()
    assert (validity & Validity.OUT_OF_REACH).all()
    assert not ik.solve(far, attempts=1)


@pytest.mark.parametrize("name", GENERATED)
def test_singular_poses_are_finite_and_found(bound, name):
    skeleton, _, method = bound(name)
    indices = method._place().joints.indices
    special = np.array([0.0, math.pi / 2, -math.pi / 2])
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(60):
        q = skeleton.random_positions(rng)
        # Several joints at right angles: wrists aligned, elbows stretched, shoulders above the axis.
        for index in rng.choice(indices, 3, replace=False):
            q[index] = rng.choice(special)
        q = skeleton.clamp(q)
        pose = pose_in_base(method, q)
        rows, validity = method.solve_all(pose, seed=q)
        assert np.isfinite(rows).all()
        found += len(rows) > 0 and not (validity & Validity.OUT_OF_REACH).all()
        for each in method.get_solutions(pose, seed=q):
            assert math.isfinite(each.position_error + each.orientation_error)
    # The generated code itself finds nothing at some of them.
    assert found >= 50


def test_a_family_is_said_to_be_one(bound):
    skeleton, _, method = bound("lifted_arm")
    q = np.array([0.4, 0.6, math.pi, 0.2])
    found = method.get_solutions(pose_in_base(method, q), seed=q)
    assert len(found) == 1
    assert found[0].is_singular
    assert found[0].q == pytest.approx(q)
    (direction,) = found[0].free_directions
    moved = q + 1e-4 * direction
    assert np.linalg.norm(pin.log6(pose_in_base(method, moved).actInv(pose_in_base(method, q)))) < 1e-7
    assert np.linalg.norm(direction) == pytest.approx(1.0)
    assert skeleton.dof("wrist").index == 3


def test_panda_with_its_free_joint(bound):
    skeleton, ik, _ = code.bound("panda", free={"panda_joint7": 0.3})
    method = ik.gradient_method
    assert method.free_joints == {"panda_joint7": 6}
    for q in configurations(skeleton, 30):
        q[6] = 0.3
        rows, validity = method.solve_all(pose_in_base(method, q))
        assert (rows[:, 6] == 0.3).all()
        away = np.abs(rows - q[method._place().joints.indices]).max(axis=1)
        assert away.min() < 1e-6 or is_singular(method, q)
        assert Validity.VALID in validity
    solution = ik.solve(skeleton.state(q).transform(ik.frame))
    assert solution.q[6] == 0.3


def test_pr2_has_a_sliding_joint_and_two_free_ones(bound):
    skeleton, _, method = bound("pr2")
    assert list(method.free_joints) == ["torso_lift", "upper_arm_roll"]
    q = skeleton.clamp(np.array([0.2, -0.5, 0.4, -1.2, -1.5, 0.8, -0.6, 0.2]))
    rows, _ = method.solve_all(pose_in_base(method, q), seed=q)
    assert np.allclose(rows[:, [0, 3]], q[[0, 3]])


def test_a_plain_library_does_the_same(bound):
    skeleton, _, ours = bound("panda")
    ik = InverseKinematics(skeleton)
    ik.gradient_method = plain = SharedLibraryIkFast(code.plain_path_of("panda"), tip="panda_link8")
    assert not plain.library.is_ours
    for q in configurations(skeleton, 20, seed=2):
        pose = pose_in_base(ours, q)
        for one, other in zip(ours.solve_all(pose, seed=q), plain.solve_all(pose, seed=q), strict=True):
            assert np.array_equal(one, other)


def test_what_the_code_throws_loses_nothing_else(caplog):
    arm = code.robot("lifted_arm")
    arm.dof("lift").limits = (0.0, 200.0)
    ik = InverseKinematics(arm)
    ik.gradient_method = method = code.method("lifted_arm")
    q = np.array([101.0, 0.3, 1.0, 0.5])
    with caplog.at_level("DEBUG", logger="kinetree.solvers.ikfast.shared_library_ik_fast"):
        rows, validity = method.solve_all(pose_in_base(method, q), seed=q)
    assert "thin" in caplog.text
    assert rows == pytest.approx(q[None])
    assert validity.tolist() == [Validity.VALID]


# Whether it fits.


def test_wrong_tip_names_one_that_fits():
    panda = code.robot("panda")
    ik = InverseKinematics(panda)
    path = code.path_of("panda")
    with pytest.raises(IkFastMismatchError, match=r"0\.785 rad away from 'panda_hand'.*pass tip='panda_link8'"):
        ik.gradient_method = SharedLibraryIkFast(path)
    with pytest.raises(IkFastMismatchError, match="base='panda_link0', tip='panda_link8'"):
        ik.gradient_method = SharedLibraryIkFast(path, base="panda_link1")
    assert type(ik.gradient_method).__name__ == "LevenbergMarquardt", "a refused method replaces nothing"


def test_wrong_robot_and_wrong_number_of_joints():
    path = code.path_of("kr6")
    with pytest.raises(IkFastMismatchError, match="for 6 joints, 0 of them free, and was given 7"):
        InverseKinematics(code.robot("panda")).gradient_method = SharedLibraryIkFast(path)
    with pytest.raises(IkFastMismatchError, match="no frames of the skeleton fit"):
        InverseKinematics(code.robot("rs010n")).gradient_method = SharedLibraryIkFast(path)


def test_a_rounded_description_needs_permission():
    ik = InverseKinematics(code.robot("irb4600"))
    with pytest.raises(IkFastMismatchError, match=r"0.001 m and .* agreement_tolerance=0.00\d takes it"):
        ik.gradient_method = SharedLibraryIkFast(code.path_of("irb4600"))


def test_own_forward_kinematics(bound):
    skeleton, _, method = bound("kr6")
    for q in configurations(skeleton, 20):
        # Trap: a translation that ends up in the bottom row is lost.
        assert np.allclose(method.compute_pose(q).homogeneous, pose_in_base(method, q).homogeneous, atol=1e-9)


def test_in_a_robot_that_holds_more_than_the_arm():
    two = code.robot("kr6").clone("cell")
    ik = InverseKinematics(two)
    two.root.joint.placement = pin.exp6(np.array([0.5, -0.2, 0.3, 0.2, 0.1, 1.0]))
    ik.gradient_method = method = code.method("kr6")
    for q in configurations(two, 20):
        target = two.state(q).transform(ik.frame)
        assert ik.solve(target, seed=q).q == pytest.approx(q, abs=1e-6) or is_singular(method, q)


def test_a_module_may_move_more_than_the_chain():
    panda = code.robot("panda")
    ik = InverseKinematics(panda)
    ik.use_whole_body()
    assert len(ik.dofs) > 7
    ik.gradient_method = method = code.method("panda")
    assert len(method.solve_all(method.compute_pose())[0]) > 0
    assert set(method.free_joints) | set(method.solved_joints) == {f"panda_joint{k}" for k in range(1, 8)}


# Copies, threads, files.


def test_clones_share_the_library_and_nothing_else():
    _, ik, method = code.bound("panda", free={"panda_joint7": 0.3})
    twin = ik.clone().gradient_method
    assert twin.library is method.library
    assert twin.is_configured
    twin.free = {"panda_joint7": 0.5}
    assert method.free == {"panda_joint7": 0.3}
    assert copy.copy(method).library is method.library


def test_a_second_object_opens_the_file_again():
    path = code.path_of("lifted_arm")
    one, other = SharedLibraryIkFast(path), SharedLibraryIkFast(path)
    assert one.library is not other.library
    del one
    ik = InverseKinematics(code.robot("lifted_arm"))
    ik.gradient_method = other
    assert len(other.solve_all(([0.7, 0.0, 0.0], [0, 0, 0, 1]))[0]) == 2


def test_pickling_is_refused_in_words(bound):
    with pytest.raises(TypeError, match=r"cannot be pickled.*make it anew"):
        pickle.dumps(bound("lifted_arm")[2])


def test_threads_with_a_module_each():
    skeleton, ik, method = code.bound("kr6")
    qs = configurations(skeleton, 40)
    poses = [pose_in_base(method, q) for q in qs]
    expected = [method.solve_all(pose, seed=q)[0] for pose, q in zip(poses, qs, strict=True)]
    wrong = []

    def work(own):
        for k, (pose, q) in enumerate(zip(poses, qs, strict=True)):
            if not np.array_equal(own.solve_all(pose, seed=q)[0], expected[k]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(ik.clone().gradient_method,)) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_files_that_are_none(tmp_path):
    with pytest.raises(IkFastFileNotFoundError, match="no library"):
        SharedLibraryIkFast(tmp_path / "none.so")
    with pytest.raises(IkFastLibraryError, match="no shared library"):
        SharedLibraryIkFast(code.LIFTED_ARM)
    assert issubclass(IkFastLibraryError, KinetreeError)


def test_velocities_are_no_targets(tmp_path):
    text = code.LIFTED_ARM.read_text(encoding="utf-8").replace("return 0x67000001", "return 0x67008001")
    source, path = tmp_path / "velocity.cpp", tmp_path / "velocity.so"
    source.write_text(text, encoding="utf-8")
    flags = [*code.PLAIN_FLAGS, "-DIKFAST_CLIBRARY", "-DIKFAST_VERSION=61", "-I", str(code.NATIVE)]
    code.compile_to(path, [*code.compiler(), *flags, str(source)])
    with pytest.raises(IkFastLibraryError, match="velocities"):
        SharedLibraryIkFast(path)
