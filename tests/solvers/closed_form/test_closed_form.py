"""`ClosedForm`: what is found for a robot, and that it is right, by Pinocchio."""

import copy
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    InvalidPoseError,
    InvalidValueError,
    ShapeError,
    SimpleFrame,
    StructureError,
    World,
    pose,
)
from kinetree.solvers import InverseKinematics, Problem, Reason, TaskSpaceRegion, Validity
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry


def arm(name="kr6_r900"):
    robot = models.load(name)
    ik = InverseKinematics(robot)
    closed = ik.analytical()
    assert closed is not None, ik.analytical_report
    return robot, ik, closed


@pytest.fixture(scope="module")
def kuka():
    return arm()


def random_targets(robot, count, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        q = robot.random_positions(rng)
        yield q, np.ascontiguousarray(robot.state(q).transform(robot.tip).homogeneous)


def off(robot, row, target):
    reached = robot.state(row).transform(robot.tip)
    return np.abs(pin.log6(reached.actInv(pin.SE3(target))).vector).max()


def test_all_solutions_are_solutions_and_the_generating_one_is_first(kuka):
    robot, _, closed = kuka
    for q, target in random_targets(robot, 300):
        found, validity = closed.solve_all(target, q)
        np.testing.assert_allclose(found[0], q, atol=1e-6)
        assert validity[0] == Validity.VALID
        for row, flags in zip(found, validity, strict=True):
            if not flags & Validity.OUT_OF_REACH:
                assert off(robot, row, target) < 1e-10
            inside = (row >= robot.lower_limits).all() and (row <= robot.upper_limits).all()
            assert inside == (not flags & Validity.LIMIT_VIOLATED)
        for a in range(len(found)):
            for b in range(a):
                assert np.abs(found[a] - found[b]).max() > 1e-6


def test_order_is_by_validity_then_by_the_largest_difference(kuka):
    robot, _, closed = kuka
    rng = np.random.default_rng(1)
    ranks = {Validity.VALID: 0, Validity.OUT_OF_REACH: 1}
    for _, target in random_targets(robot, 100):
        seed = robot.random_positions(rng)
        found, validity = closed.solve_all(target, seed)
        keys = [(ranks.get(int(v), 2), np.abs(q - seed).max()) for q, v in zip(found, validity, strict=True)]
        assert keys == sorted(keys)


def test_equivalent_angles_are_turned_near_the_seed_and_into_the_limits(kuka):
    robot, _, closed = kuka
    rng = np.random.default_rng(2)
    for _, target in random_targets(robot, 100):
        seed = robot.random_positions(rng)
        for row, flags in zip(*closed.solve_all(target, seed), strict=True):
            for k, dof in enumerate(robot.dofs):
                nearer = [
                    value
                    for value in (row[k] - 2 * math.pi, row[k] + 2 * math.pi)
                    if dof.lower <= value <= dof.upper and abs(value - seed[k]) < abs(row[k] - seed[k]) - 1e-9
                ]
                assert not nearer
                if flags & Validity.LIMIT_VIOLATED and not dof.lower <= row[k] <= dof.upper:
                    shifted = row[k] + 2 * math.pi * np.arange(-3, 4)
                    assert not ((shifted >= dof.lower) & (shifted <= dof.upper)).any()


def test_all_forms_of_poses_and_seeds_give_the_same(kuka):
    robot, _, closed = kuka
    q, target = next(random_targets(robot, 1, seed=3))
    expected = closed.solve_all(target, q)
    transform = pin.SE3(target)
    quaternion = pin.Quaternion(transform.rotation).coeffs()
    forms = [
        (transform, q),
        (target.tolist(), q.tolist()),
        ((transform.translation, quaternion), q),
        (np.asfortranarray(target), q),
        (target, dict(zip((dof.name for dof in robot.dofs), q, strict=True))),
        (target.astype(np.float32).astype(float) * 0 + target, np.array(q, dtype=object).astype(float)),
    ]
    for given, seed in forms:
        found, validity = closed.solve_all(given, seed)
        np.testing.assert_allclose(found, expected[0], atol=1e-9)
        np.testing.assert_array_equal(validity, expected[1])
    robot.positions = q
    np.testing.assert_allclose(closed.solve_all(target)[0], expected[0], atol=1e-12)
    robot.positions = np.zeros(6)


def test_results_are_new_arrays(kuka):
    robot, _, closed = kuka
    q, target = next(random_targets(robot, 1, seed=4))
    first, flags = closed.solve_all(target, q)
    kept = first.copy()
    first[:] = 7.0
    flags[:] = 3
    np.testing.assert_array_equal(closed.solve_all(target, q)[0], kept)


@pytest.mark.parametrize(
    "wrong",
    [
        np.full((4, 4), np.nan),
        np.diag([1.0, 1.0, -1.0, 1.0]),
        2.0 * np.eye(4),
        np.eye(3),
        np.ones((4, 4)),
    ],
)
def test_what_is_no_pose_is_refused(kuka, wrong):
    with pytest.raises(InvalidPoseError):
        kuka[2].solve_all(wrong, np.zeros(6))


def test_wrong_seeds_are_refused(kuka):
    with pytest.raises(ShapeError):
        kuka[2].solve_all(np.eye(4), np.zeros(5))
    with pytest.raises(InvalidValueError):
        kuka[2].solve_all(np.eye(4), np.full(6, np.nan))


def test_a_rotation_that_is_nearly_one_is_rounded_off(kuka):
    robot, _, closed = kuka
    q, target = next(random_targets(robot, 1, seed=5))
    rough = target.copy()
    rough[:3, :3] *= 1.0 + 1e-8
    np.testing.assert_allclose(closed.solve_all(rough, q)[0][0], q, atol=1e-6)


def test_solutions_as_objects(kuka):
    robot, _, closed = kuka
    q, target = next(random_targets(robot, 1, seed=6))
    found, validity = closed.solve_all(target, q)
    branches = closed.get_solutions(target, q)
    np.testing.assert_array_equal([branch.q for branch in branches], found)
    assert [branch.validity for branch in branches] == validity.tolist()
    assert all(isinstance(branch.validity, Validity) for branch in branches)
    assert max(branch.position_error for branch in branches if not branch.validity & Validity.OUT_OF_REACH) < 1e-10


def test_target_of_the_module_is_the_default(kuka):
    robot, ik, closed = kuka
    q, target = next(random_targets(robot, 1, seed=7))
    ik.target = target
    np.testing.assert_allclose(closed.get_solutions(seed=q)[0].q, q, atol=1e-6)
    ik.target = None


def test_out_of_reach_is_the_nearest_and_flagged(kuka):
    robot, _, closed = kuka
    rotation = robot.state(np.full(6, 0.3)).transform(robot.tip).rotation
    for distance in (1.5, 30.0, 1e6):
        found, validity = closed.solve_all(pin.SE3(rotation, np.array([distance, 0.0, 0.5])))
        assert len(found)
        assert np.isfinite(found).all()
        assert (validity & Validity.OUT_OF_REACH).all()
    best = closed.get_solutions(pin.SE3(rotation, np.array([1.5, 0.0, 0.5])))[0]
    assert 0.4 < best.position_error < 0.8


def stretched_elbow(robot, q):
    """The value of joint 3 at which the centre of the wrist is furthest from joint 2."""
    geometry = ChainGeometry.of(robot, robot.tip, range(6), World())
    centre = geometry.meeting_point([3, 4, 5])
    arm = ChainGeometry.made(geometry.axes[:3], [*geometry.offsets[:3], centre - geometry.origins[2]])
    shoulder = ChainGeometry.made(geometry.axes[:1], geometry.offsets[:2]).forward(q[:1])[1]

    def reach(angle):
        return np.linalg.norm(arm.forward([q[0], q[1], angle])[1] - shoulder)

    best, step = max(np.linspace(-2.0, 2.5, 400), key=reach), 1e-3
    for _ in range(20):
        ahead, here, behind = reach(best + step), reach(best), reach(best - step)
        best -= 0.5 * step * (ahead - behind) / (ahead - 2 * here + behind)
    return best


def test_just_outside_the_reach(kuka):
    """Across the boundary along the stretched arm: two branches inside, one on it, the nearest beyond it."""
    robot, _, closed = kuka
    q = np.array([0.2, -0.4, 0.0, 0.3, 0.7, 0.1])
    q[2] = stretched_elbow(robot, q)
    target = robot.state(q).transform(robot.tip).homogeneous
    state = robot.state(q)
    outward = state.transform(robot.tip).translation - state.transform(robot.dofs[1].joint.child_link).translation
    for move, reaches in ((-1e-4, True), (0.0, True), (1e-4, False), (1e-2, False)):
        moved = target.copy()
        moved[:3, 3] += move * outward / np.linalg.norm(outward)
        found, validity = closed.solve_all(np.ascontiguousarray(moved), q)
        assert np.isfinite(found).all()
        assert len(found)
        assert bool((validity & Validity.OUT_OF_REACH == 0).any()) == reaches
        if not reaches:
            best_branch = closed.get_solutions(moved, q)[0]
            assert best_branch.position_error < 2 * move


def test_aligned_wrist_is_singular_with_its_free_direction(kuka):
    robot, _, closed = kuka
    q = np.array([0.4, -1.2, 1.4, 0.9, 0.0, -0.5])
    target = robot.state(q).transform(robot.tip)
    branches = [each for each in closed.get_solutions(target, q) if each.is_singular]
    assert branches
    best = branches[0]
    np.testing.assert_allclose(best.q, q, atol=1e-6)  # the representative nearest to the seed
    assert best.free_directions.shape == (1, 6)
    jacobian = robot.state(best.q).jacobian(robot.tip)
    assert np.linalg.norm(jacobian @ best.free_directions[0]) < 1e-6
    assert abs(abs(best.free_directions[0] @ [0, 0, 0, 1, 0, -1]) / math.sqrt(2)) == pytest.approx(1.0, abs=1e-3)
    ordinary = closed.get_solutions(robot.state(q + 0.3).transform(robot.tip), q)[0]
    assert not ordinary.is_singular
    assert ordinary.free_directions.size == 0


# As a gradient method, and in a module.


def test_module_solves_in_closed_form():
    robot, ik, closed = arm()
    ik.gradient_method = closed
    for q, target in random_targets(robot, 50, seed=8):
        solution = ik.solve(target, seed=q)
        assert solution.success
        assert solution.engine == "closed form"
        np.testing.assert_allclose(solution.q, q, atol=1e-6)
    failed = ik.solve(pose([3.0, 0.0, 0.0]))
    assert failed.reason is Reason.UNREACHABLE
    assert not robot.positions.any()


def test_whole_step_as_a_gradient_method():
    robot, ik, closed = arm()
    ik.gradient_method = closed
    ik.problem = Problem(engine="object")
    _, target = next(random_targets(robot, 1, seed=9))
    solution = ik.solve(target, seed=np.zeros(6))
    assert solution.success
    assert solution.iterations == 1


def test_limits_are_blamed():
    robot, ik, closed = arm()
    ik.gradient_method = closed
    q = np.array([0.5, -1.0, 1.0, 0.4, 0.8, 0.2])
    target = robot.state(q).transform(robot.tip)
    for dof in robot.dofs:
        dof.limits = (-0.1, 0.1)
    solution = ik.solve(target)
    assert solution.reason is Reason.LIMITS
    assert "beyond" in solution.detail
    assert (np.abs(solution.q) <= 0.1).all()


def test_changes_of_the_robot_and_the_module_count_at_once():
    robot, ik, closed = arm()
    q, target = next(random_targets(robot, 1, seed=10))
    assert closed.solve_all(target, q)[1][0] == Validity.VALID
    robot.dofs[0].limits = (q[0] + 0.1, q[0] + 0.2)
    assert np.abs(closed.solve_all(target, q)[0][:, 0] - q[0]).min() < 1e-6
    assert closed.solve_all(target, q)[1][0] != Validity.VALID
    robot.dofs[0].limits = (-3.0, 3.0)
    ik.offset = [0.0, 0.0, 0.1]
    point = pin.SE3(target) * pin.SE3(np.eye(3), np.array([0.0, 0.0, 0.1]))
    np.testing.assert_allclose(closed.solve_all(np.ascontiguousarray(point.homogeneous), q)[0][0], q, atol=1e-6)
    ik.offset = None
    closed.quality_comparison = lambda a, b, ik: a[0] < b[0]
    found, validity = closed.solve_all(target, q)
    valid = found[validity == Validity.VALID]
    assert (np.diff(valid[:, 0]) >= -1e-12).all()


def test_tool_that_is_moved_on_its_link_counts_at_once():
    robot = models.load("kr6_r900")
    tool = SimpleFrame("tool", robot.tip, pose([0.0, 0.0, 0.1]))
    closed = InverseKinematics(tool).analytical()
    q = np.array([0.5, -1.0, 1.0, 0.4, 0.8, 0.2])
    for length in (0.1, 0.25):
        tool.relative_transform = pose([0.0, 0.05, length])
        target = np.ascontiguousarray(robot.state(q).transform(tool).homogeneous)
        np.testing.assert_allclose(closed.solve_all(target, q)[0][0], q, atol=1e-6)


def test_position_only_is_another_kind_of_goal():
    _, ik, _ = arm()
    ik.error_method = TaskSpaceRegion.position_only()
    assert ik.analytical() is None  # six joints for three coordinates
    assert "translation_3d" in ik.analytical_report


def test_many_poses_at_once(kuka):
    robot, _, closed = kuka
    pairs = list(random_targets(robot, 200, seed=11))
    seeds, targets = np.array([q for q, _ in pairs]), np.array([target for _, target in pairs])
    targets[7] = np.nan
    for threads in (1, 2):
        q, validity, counts = closed.solve_many(targets, seeds, threads=threads)
        assert counts[7] == -1
        for row in set(range(200)) - {7}:
            found, flags = closed.solve_all(targets[row], seeds[row])
            np.testing.assert_array_equal(q[row, : counts[row]], found)
            np.testing.assert_array_equal(validity[row, : counts[row]], flags)
    assert closed.solve_many(np.zeros((0, 4, 4)))[0].shape[0] == 0
    with pytest.raises(ShapeError):
        closed.solve_many(np.eye(4))
    with pytest.raises(ShapeError):
        closed.solve_many(targets, seeds[:3])


def test_threads_may_share_one(kuka):
    robot, _, closed = kuka
    pairs = list(random_targets(robot, 200, seed=12))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda pair: closed.solve_all(pair[1], pair[0])[0][0], pairs))
    np.testing.assert_allclose(answers, [q for q, _ in pairs], atol=1e-6)


def test_clones_and_copies():
    _, ik, closed = arm()
    ik.gradient_method = closed
    twin = ik.clone()
    assert twin.gradient_method is not closed
    assert "spherical wrist" in repr(twin.gradient_method)
    assert "not bound" in repr(closed.clone())
    assert copy.copy(closed).why == closed.why


def test_redundancy_of_arms_of_seven_joints(kuka):
    robot, _, closed = arm("panda")
    q = robot.clamp(np.array([0.1, 0.2, 0.3, -1.5, 0.2, 1.6, 0.4, 0.0]))
    target = robot.state(q).transform(robot.tip)
    redundancy = closed.redundancy
    assert redundancy.name == "joint 7"
    rows = closed.redundancy_intervals(target)
    here = redundancy.value_of(q[:7])
    assert ((rows[:, 1] <= here) & (here <= rows[:, 2])).any()
    for branch, low, high in rows:
        for values in redundancy.configuration(target, int(branch), np.linspace(low + 1e-6, high - 1e-6, 5)):
            assert off(robot, [*values, 0.0], target.homogeneous) < 1e-9
            assert (values >= robot.lower_limits[:7]).all()
            assert (values <= robot.upper_limits[:7]).all()
    assert kuka[2].redundancy is None
    with pytest.raises(StructureError, match="no redundancy"):
        kuka[2].redundancy_intervals(np.eye(4))
