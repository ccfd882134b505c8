"""Targets of every kind in everything that solves."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, SimpleFrame, pose
from kinetree.solvers import (
    CenterOfMassTask,
    Direction3D,
    Halley,
    HierarchicalIK,
    IKMetaSolver,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    LevenbergMarquardt,
    Lookat3D,
    Ray4D,
    Reason,
    Rotation3D,
    SolverError,
    TaskSpaceRegion,
    Transform6D,
    Translation3D,
    TranslationDirection5D,
    TranslationLocalGlobal6D,
    TranslationXY2D,
    TranslationXYOrientation3D,
    TranslationZAxisAngle4D,
)
from tests.solvers.targets.samples import CLASSES, PLANES, fulfilled, misses

TABLE = SimpleFrame("table", None, pose([0.1, 0.2, 0.3], rpy=[0.4, -0.7, 1.1]))


@pytest.fixture(scope="module")
def ur5():
    return models.load("ur5")


@pytest.fixture(params=["auto", "object"])
def ik(request, ur5):
    module = InverseKinematics(ur5)
    module.problem.engine = request.param
    return module


def assert_reached(module, target, solution, reference=None):
    assert solution, (target, solution)
    at = module.skeleton.state(solution.q).transform(module.frame)
    if module.offset is not None:
        at = pin.SE3(at.rotation, at.act(module.offset))
    if reference is not None:
        at = reference.transform().actInv(at)
    assert max(misses(target, at)) < 1.001e-6


def pose_of(robot, rng):
    return robot.state(robot.random_positions(rng)).transform(robot.tip)


# One at a time.
@pytest.mark.parametrize("kind", CLASSES)
def test_given_to_solve(ik, rng, kind):
    for _ in range(3):
        target = fulfilled(kind, pose_of(ik.skeleton, rng), rng)
        assert_reached(ik, target, ik.solve(target, seed=ik.skeleton.random_positions(rng)))
    assert isinstance(ik.error_method, TaskSpaceRegion)
    assert not target.is_bound


@pytest.mark.parametrize("kind", CLASSES)
def test_as_the_error_method(ik, rng, kind):
    target = fulfilled(kind, pose_of(ik.skeleton, rng), rng)
    ik.error_method = target
    assert_reached(ik, target, ik.solve())
    other = target.with_goal(fulfilled(kind, pose_of(ik.skeleton, rng), rng).goal)
    if kind in PLANES:
        return
    at = pose_of(ik.skeleton, rng)
    other = target.with_goal(target.goal_of(at))
    assert max(misses(other, at)) < 1e-7
    assert_reached(ik, other, ik.solve(other))
    assert_reached(ik, other, ik.solve(at))  # a pose stands for what it fulfils


@pytest.mark.parametrize("kind", CLASSES)
def test_relative_to_a_frame_and_for_a_tool_point(ik, rng, kind):
    ik.offset = [0.03, -0.02, 0.05]
    for _ in range(3):
        at = pose_of(ik.skeleton, rng)
        at = TABLE.transform().actInv(pin.SE3(at.rotation, at.act(ik.offset)))
        target = fulfilled(kind, at, rng, TABLE)
        assert_reached(ik, target, ik.solve(target), TABLE)


def test_relative_to_the_base_of_the_robot(ur5, rng):
    base = ur5.root
    for kind in CLASSES:
        target = fulfilled(kind, pose_of(ur5, rng), rng, base)
        solution = InverseKinematics(ur5).solve(target)
        assert_reached(InverseKinematics(ur5), target, solution)
        assert solution.engine == "compiled"


def test_relative_to_a_link_that_moves(rng):
    panda = models.load("panda")
    ik = InverseKinematics(panda)
    elbow = panda.frame("panda_link4")
    target = Lookat3D([0.1, 0.0, 0.3], reference=elbow)
    solution = ik.solve(target)
    assert solution
    assert solution.engine == "object"
    state = panda.state(solution.q)
    assert max(misses(target, state.transform(elbow).actInv(state.transform(panda.tip)))) < 1.001e-6
    ik.problem.engine = "compiled"
    with pytest.raises(SolverError, match="reference of the target moves"):
        ik.solve(target)


def test_coordinates_alone_where_they_say_it_all(ik):
    for target, numbers in (
        (Translation3D([0.3, 0.2, 0.4]), [0.4, 0.1, 0.3]),
        (TranslationXY2D([0.3, 0.2]), [0.4, 0.1]),
    ):
        ik.error_method = target.clone()
        solution = ik.solve(numbers)
        at = ik.skeleton.state(solution.q).transform(ik.frame).translation
        np.testing.assert_allclose(at[: len(numbers)], numbers, atol=1e-6)
        batch = ik.solve_batch(np.array([numbers, numbers]))
        assert batch.success.all()
    ik.error_method = Lookat3D([0.3, 0.2, 0.4])
    assert ik.solve([0.5, 0.1, 0.3])


def test_a_frame_stands_for_its_pose(ik):
    ik.error_method = Direction3D("x")
    frame = SimpleFrame("f", None, pose([9, 9, 9], rpy=[math.pi, 0, 0]))
    assert_reached(ik, Direction3D("-z"), ik.solve(frame))


# Same answers, and only what can be compiled is.
@pytest.mark.parametrize("kind", CLASSES)
def test_every_way_of_asking_gives_the_same_answer(ur5, rng, kind):
    plain, own = InverseKinematics(ur5), InverseKinematics(ur5)
    targets = [fulfilled(kind, pose_of(ur5, rng), rng, plain=True) for _ in range(5)]
    if kind in PLANES:
        targets = [targets[0], targets[0].with_goal(targets[0].goal)]
    seed = ur5.random_positions(rng)
    own.error_method = targets[0].clone()
    prepared = own.prepare()
    for target in targets:
        first = plain.solve(target, seed=seed)
        assert first.engine == "compiled"
        for other in (
            own.solve(target, seed=seed),
            prepared.solve(target, seed),
            prepared.solve(target, seed.tolist()),
        ):
            np.testing.assert_array_equal(other.q, first.q)
            assert other.attempts == first.attempts
    assert prepared.engine == "compiled"


def test_a_prepared_solver_looks_at_a_reference_that_was_moved(ur5):
    table = SimpleFrame("table", None, pose([0.3, 0.2, 0.4]))
    ik = InverseKinematics(ur5)
    ik.error_method = Translation3D([0, 0, 0], reference=table)
    prepared = ik.prepare()
    for place in ([0.3, 0.2, 0.4], [0.4, -0.2, 0.3]):
        table.relative_transform = pose(place)
        for solution in (prepared.solve(), ik.solve(), ik.solve(Translation3D([0, 0, 0], reference=table))):
            np.testing.assert_allclose(ur5.state(solution.q).transform(ur5.tip).translation, place, atol=1e-6)


def test_several_kinds_in_turn(ur5, rng):
    ik = InverseKinematics(ur5)
    for _ in range(3):
        for kind in CLASSES:
            target = fulfilled(kind, pose_of(ur5, rng), rng)
            assert_reached(ik, target, ik.solve(target))
        at = pose_of(ur5, rng)
        assert_reached(ik, Transform6D(at), ik.solve(at))


@pytest.mark.parametrize("method", [LevenbergMarquardt, JacobianDLS, JacobianPseudoInverse, Halley])
def test_other_methods(ur5, rng, method):
    ik = InverseKinematics(ur5)
    ik.gradient_method = method()
    for kind in (Translation3D, Ray4D, TranslationZAxisAngle4D):
        target = fulfilled(kind, pose_of(ur5, rng), rng)
        solution = ik.solve(target)
        assert_reached(ik, target, solution)
        second_order = method is Halley and kind is not Translation3D
        assert solution.engine == ("object" if second_order else "compiled")


def test_a_subclass_is_not_taken_for_its_kind(ur5):
    class Half(Translation3D):
        def evaluate(self, state):
            error, jacobian = super().evaluate(state)
            return 0.5 * error, 0.5 * jacobian

    solution = InverseKinematics(ur5).solve(Half([0.3, 0.2, 0.4]))
    assert solution
    assert solution.engine == "object"


def test_constraints_and_seeds(ur5, rng):
    ik = InverseKinematics(ur5)
    target = Ray4D([0.4, 0.1, 0.2], "-z")
    solution = ik.solve(target, constraint=lambda q: q[2] > 0.0)
    assert_reached(ik, target, solution)
    assert solution.q[2] > 0.0
    again = ik.solve(target, seed=solution.q)
    np.testing.assert_array_equal(again.q, solution.q)
    assert again.iterations == 0


# What cannot be reached.
def test_out_of_reach(ur5):
    ik = InverseKinematics(ur5)
    for target in (TranslationDirection5D([3, 0, 0], "x"), Translation3D([3, 0, 0])):
        solution = ik.solve(target)
        assert solution.reason is Reason.UNREACHABLE
        assert "the target is" in solution.detail
        assert solution.position_error > 1.0
    assert ik.solve(Lookat3D([3, 0, 0]))  # looking costs nothing


def test_the_wrong_way_round_is_no_success():
    scara = models.load("scara")
    ik = InverseKinematics(scara)
    up = Direction3D([0, 0, 1] if scara.state().transform(scara.tip).rotation[2, 2] < 0 else [0, 0, -1])
    for engine in ("object", "compiled"):
        ik.problem.engine = engine
        solution = ik.solve(up, attempts=20)
        assert not solution
        assert solution.orientation_error == pytest.approx(math.pi, abs=1e-6)
        assert not ik.solve(Lookat3D(scara.state().transform(scara.tip).translation + 9.0 * up.direction), attempts=20)


def test_from_the_wrong_way_round(ik, rng):
    """The attempt from the seed gets away from half a turn by itself."""
    reached = 0
    for _ in range(20):
        q = ik.skeleton.random_positions(rng)
        target = Direction3D(-ik.skeleton.state(q).transform(ik.frame).rotation[:, 2])
        reached += bool(ik.solve(target, seed=q, attempts=1, iterations=100))
    assert reached >= 18


# Many.
@pytest.mark.parametrize("kind", CLASSES)
def test_a_batch(ik, rng, kind):
    poses = [pose_of(ik.skeleton, rng) for _ in range(8)]
    first = fulfilled(kind, poses[0], rng, plain=True)
    targets = [first]
    if kind not in PLANES:
        targets += [first.with_goal(first.goal_of(each)) for each in poses[1:]]
    batch = ik.solve_batch(targets)
    for target, solution in zip(targets, batch, strict=True):
        assert_reached(ik, target, solution)
    assert batch.engine == ("object" if ik.problem.engine == "object" else "compiled")
    ik.error_method = first
    if kind not in PLANES:
        again = ik.solve_batch(poses)
        np.testing.assert_allclose(again.q, batch.q, atol=1e-9)
        matrices = ik.solve_batch(np.array([each.homogeneous for each in poses]))
        np.testing.assert_allclose(matrices.q, batch.q, atol=1e-9)


def test_local_points_differ_within_a_batch(ik, rng):
    targets = [fulfilled(TranslationLocalGlobal6D, pose_of(ik.skeleton, rng), rng) for _ in range(6)]
    for target, solution in zip(targets, ik.solve_batch(targets), strict=True):
        assert_reached(ik, target, solution)


def test_what_does_not_belong_in_a_batch(ik, rng):
    at = pose_of(ik.skeleton, rng)
    good = Direction3D("x")
    batch = ik.solve_batch(
        [good, Ray4D([0, 0, 0], "x"), at, None, Direction3D("x", tool_direction="x"), Direction3D("x", reference=TABLE)]
    )
    assert batch.success.tolist() == [True, False, True, False, False, False]
    assert {str(reason) for reason in batch.reason[[1, 3, 4, 5]]} == {"invalid input"}
    assert "one class" in batch.detail[1]
    assert "one tool direction" in batch.detail[4]
    goal = good.with_goal(good.goal)
    with pytest.raises(InvalidValueError, match="one class, here Direction3D"):
        goal.goal_of(Ray4D([0, 0, 0], "x"))


def test_nothing_finite_is_refused_and_nothing_else_let_through(ur5):
    ik = InverseKinematics(ur5)
    ik.error_method = Ray4D([0, 0, 0], "x")
    goals = np.tile(np.eye(4), (2, 1, 1))
    goals[1, 0, 3] = np.nan
    batch = ik.solve_batch(goals)
    assert batch.reason[1] is Reason.INVALID_INPUT


# Paths.
@pytest.mark.parametrize("kind", CLASSES)
def test_a_path(ik, kind):
    start = np.array([0.3, -1.2, 1.4, -0.7, 1.1, 0.2])
    poses = [ik.skeleton.state(start).transform(ik.frame)]
    for _ in range(12):
        poses.append(pin.SE3(pin.exp3(np.array([0.01, 0.02, 0.015])), np.zeros(3)) * poses[-1])
    if kind in PLANES:
        rng = np.random.default_rng(1)
        first = fulfilled(kind, poses[0], rng)
        angles = first.angle + 0.01 * np.arange(13)
        direction = first.tool_direction
        targets = [kind(first.point, angle, tool_direction=direction) for angle in angles]
    else:
        targets = [kind.from_pose(each) for each in poses]
    path = ik.solve_path(targets, seed=start)
    assert path
    assert not path.jumps
    for target, solution in zip(targets, path, strict=True):
        assert_reached(ik, target, solution)
    assert np.abs(np.diff(path.q, axis=0)).max() < 0.2


def test_a_coarse_path_is_followed_in_pieces(ur5):
    """From one target to the next is more than a step, and on the way the direction keeps its length."""
    ik = InverseKinematics(ur5)
    start = np.array([0.3, -1.2, 1.4, -0.7, 1.1, 0.2])
    first = TranslationDirection5D.from_pose(ur5.state(start).transform(ur5.tip))
    turned = pin.exp3(np.array([0.0, 0.0, 0.5])) @ first.direction
    path = ik.solve_path([first, TranslationDirection5D(first.point, turned)], seed=start, continuity=0.15)
    assert path
    assert not path.jumps


# With others.
def test_in_a_hierarchy(rng):
    panda = models.load("panda")
    look, hold = InverseKinematics(panda), InverseKinematics(panda)
    hold.error_method = Translation3D(panda.state([0, -0.5, 0, -2.0, 0, 1.6, 0.7, 0]).transform(panda.tip).translation)
    look.error_method = Lookat3D([0.6, 0.3, 0.0])
    body = HierarchicalIK(panda)
    body.add(hold, level=0)
    body.add(look, level=1)
    solution = body.solve()
    assert solution
    at = panda.state(solution.q).transform(panda.tip)
    assert max(misses(hold.error_method, at)) < 1.001e-6
    assert max(misses(look.error_method, at)) < 1.001e-6


def test_in_a_hierarchy_with_another_task():
    humanoid = models.load("humanoid")
    look = InverseKinematics(humanoid.tip)
    target = Direction3D(humanoid.tip.transform().rotation[:, 2])
    look.error_method = target
    body = HierarchicalIK(humanoid)
    body.add(look, level=0)
    body.add(CenterOfMassTask(over=humanoid.com[:2] + 0.01), level=1)
    assert body.solve()


def test_in_a_meta_solver(ur5, rng):
    ik = InverseKinematics(ur5)
    ik.error_method = TranslationDirection5D([0, 0, 0], "z")
    at = pose_of(ur5, rng)
    base = ur5.state().transform(ur5.tip.chain().base)
    found = IKMetaSolver(ik).solve(base.actInv(at))
    assert len(found) > 3
    wanted = TranslationDirection5D.from_pose(at)
    for q in found:
        assert max(misses(wanted, ur5.state(q).transform(ur5.tip))) < 1.001e-6


def test_planar_orientation_is_the_turn_about_z():
    planar = models.load("planar3")
    target = TranslationXYOrientation3D.from_pose(planar.state([0.3, 0.4, -0.9]).transform(planar.tip))
    assert target.angle == pytest.approx(-0.2)
    solution = InverseKinematics(planar).solve(target)
    assert solution
    assert math.remainder(solution.q.sum() + 0.2, 2 * math.pi) == pytest.approx(0.0, abs=1e-6)


def test_rotation_without_a_place(ik, rng):
    target = Rotation3D(pin.SE3.Random().rotation)
    solution = ik.solve(target)
    assert_reached(ik, target, solution)
    assert solution.position_error == 0.0
