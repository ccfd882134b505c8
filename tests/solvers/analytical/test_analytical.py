"""`Analytical`: what a user's closed form may rely on."""

import math
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    InvalidPoseError,
    InvalidValueError,
    PrismaticJoint,
    RevoluteJoint,
    Skeleton,
    StructureError,
    pose,
)
from kinetree.solvers import (
    Analytical,
    Direction3D,
    ExtraDofUtilization,
    GradientMethodError,
    InverseKinematics,
    Problem,
    Reason,
    TaskSpaceRegion,
    Translation3D,
    TranslationXY2D,
    Validity,
)
from kinetree.solvers.analytical.branch_ranking import ranked

UPPER, FOREARM, HAND = 0.5, 0.4, 0.3


class PlanarArm(Analytical):
    dofs = ("joint1", "joint2", "joint3")

    def compute_solutions(self, pose):
        heading = math.atan2(pose.rotation[1, 0], pose.rotation[0, 0])
        x = pose.translation[0] - HAND * math.cos(heading)
        y = pose.translation[1] - HAND * math.sin(heading)
        cosine = (x * x + y * y - UPPER * UPPER - FOREARM * FOREARM) / (2 * UPPER * FOREARM)
        bend = math.acos(min(max(cosine, -1.0), 1.0))
        for elbow in (bend, -bend):
            shoulder = math.atan2(y, x) - math.atan2(FOREARM * math.sin(elbow), UPPER + FOREARM * math.cos(elbow))
            yield shoulder, elbow, heading - shoulder - elbow


def planar(method=PlanarArm, **limits):
    robot = models.load("planar3")
    for name, pair in limits.items():
        robot.dof(name).limits = pair
    ik = InverseKinematics(robot)
    ik.gradient_method = method()
    return robot, ik


def reachable(robot, seed=0):
    q = robot.random_positions(np.random.default_rng(seed))
    return q, robot.state(q).transform(robot.tip)


# All solutions.


@pytest.mark.parametrize("seed", range(10))
def test_every_branch_reaches_and_the_generating_one_is_there(seed):
    robot, ik = planar()
    q, target = reachable(robot, seed)
    found, validity = ik.gradient_method.solve_all(target, seed=q)
    np.testing.assert_allclose(found[0], q, atol=1e-9)
    assert validity[0] == Validity.VALID
    assert found.shape == (2, 3)
    for row in found:
        error = pin.log6(robot.state(row).transform(robot.tip).actInv(target)).vector
        np.testing.assert_allclose(error, 0.0, atol=1e-12)


def test_angles_are_turned_into_the_limits_and_near_the_seed():
    robot, ik = planar(joint1=(math.radians(100), math.radians(300)))
    q = np.array([math.radians(280), 0.5, 0.5])
    target = robot.state(q).transform(robot.tip)
    found, validity = ik.gradient_method.solve_all(target, seed=q)
    assert validity[0] == Validity.VALID
    np.testing.assert_allclose(found[0], q, atol=1e-9)


def test_beyond_limits_is_said_and_comes_last():
    robot, ik = planar(joint2=(0.0, math.pi))
    q = np.array([0.2, 1.0, 0.3])
    found, validity = ik.gradient_method.solve_all(robot.state(q).transform(robot.tip), seed=[0.2, -1.0, 0.3])
    assert validity.tolist() == [Validity.VALID, Validity.LIMIT_VIOLATED]
    assert found[0, 1] > 0 > found[1, 1]


def test_out_of_reach_is_found_out_by_forward_kinematics():
    _, ik = planar()
    best = ik.gradient_method.get_solutions(pose([1.5, 0.0, 0.0]))[0]
    assert best.validity == Validity.OUT_OF_REACH
    assert best.position_error == pytest.approx(0.3)
    assert "OUT_OF_REACH" in repr(best)
    assert "0.3 m" in repr(best)


def test_what_the_closed_form_says_about_reach_counts():
    class Says(PlanarArm):
        def compute_solutions(self, pose):
            near = self.seed_positions()
            yield near + 10.0, Validity.VALID
            yield near + 0.25, Validity.OUT_OF_REACH
            yield near, Validity.VALID

    _, ik = planar(Says, joint1=(-2.0, 2.0))
    found, validity = ik.gradient_method.solve_all(pose([5.0, 0.0, 0.0]), seed=np.full(3, 0.1))
    assert validity.tolist() == [Validity.VALID, Validity.OUT_OF_REACH, Validity.LIMIT_VIOLATED]
    np.testing.assert_allclose(found[:2], [np.full(3, 0.1), np.full(3, 0.35)])


def test_both_flags_rank_with_the_limits():
    class Both(PlanarArm):
        def compute_solutions(self, pose):
            yield np.full(3, 2.99), Validity.OUT_OF_REACH
            yield np.zeros(3), Validity.OUT_OF_REACH

    _, ik = planar(Both)
    _, validity = ik.gradient_method.solve_all(pose([5.0, 0.0, 0.0]), seed=np.full(3, 2.9))
    assert validity.tolist() == [Validity.OUT_OF_REACH, Validity.OUT_OF_REACH | Validity.LIMIT_VIOLATED]


def test_solutions_over_fewer_dofs_leave_the_others_at_the_seed():
    class LastTwo(Analytical):
        dofs = ("joint2", "joint3")

        def compute_solutions(self, pose):
            yield 0.4, 0.5

    robot, ik = planar(LastTwo)
    q = np.array([0.7, 0.4, 0.5])
    solution = ik.gradient_method.get_solutions(robot.state(q).transform(robot.tip), seed=[0.7, 0.0, 0.0])[0]
    # The pose is relative to what the first solved joint stands on, so this one is another pose.
    assert solution.validity == Validity.OUT_OF_REACH
    relative = robot.state(q).transform(ik.gradient_method.base).actInv(robot.state(q).transform(robot.tip))
    solution = ik.gradient_method.get_solutions(relative, seed=[0.7, 0.0, 0.0])[0]
    assert solution.validity == Validity.VALID
    np.testing.assert_allclose(solution.q, q)
    assert not solution.q.flags.writeable


def test_pose_is_relative_to_the_base_of_the_arm():
    robot = Skeleton("on a table")
    table = robot.add_link("table", placement=pose([1.0, 2.0, 0.5], rpy=[0.0, 0.0, 0.8]))
    parent, lengths = table, (UPPER, FOREARM, HAND)
    for k in range(3):
        placement = pose([0.0, 0.0, 0.0] if k == 0 else [lengths[k - 1], 0.0, 0.0])
        parent = robot.add_link(
            f"link{k}", RevoluteJoint(f"joint{k + 1}", axis="z"), parent=parent, placement=placement
        )
    tip = robot.add_link("tip", parent=parent, placement=pose([HAND, 0.0, 0.0]))
    ik = InverseKinematics(tip)
    ik.gradient_method = closed = PlanarArm()
    assert closed.base is table
    q = np.array([0.3, 0.5, -0.4])
    world = robot.state(q).transform(tip)
    found, validity = closed.solve_all(table.transform().actInv(world), seed=q)
    assert validity[0] == Validity.VALID
    np.testing.assert_allclose(found[0], q, atol=1e-9)
    solution = ik.solve(world, seed=q)  # the module's targets are in the world
    assert solution.success
    np.testing.assert_allclose(solution.q, q, atol=1e-9)


def test_offset_is_what_reaches_the_pose():
    class WithTool(PlanarArm):
        def compute_solutions(self, pose):
            yield from super().compute_solutions(pose * pin.SE3(np.eye(3), np.array([-0.1, 0.0, 0.0])))

    robot, ik = planar(WithTool)
    ik.offset = [0.1, 0.0, 0.0]
    q, target = reachable(robot, 3)
    point = target * pin.SE3(np.eye(3), np.array([0.1, 0.0, 0.0]))
    solution = ik.solve(point, seed=q)
    assert solution.success
    np.testing.assert_allclose(solution.q, q, atol=1e-9)


def test_rotation_is_free_with_a_position_only_region():
    class TwoLink(Analytical):
        dofs = ("joint1", "joint2")

        def compute_solutions(self, pose):
            x, y = pose.translation[:2]
            lower = FOREARM + HAND
            cosine = (x * x + y * y - UPPER * UPPER - lower * lower) / (2 * UPPER * lower)
            for elbow in (math.acos(cosine), -math.acos(cosine)) if abs(cosine) <= 1 else ():
                yield math.atan2(y, x) - math.atan2(lower * math.sin(elbow), UPPER + lower * math.cos(elbow)), elbow

    _, ik = planar(TwoLink)
    ik.error_method = TaskSpaceRegion.position_only()
    solution = ik.solve([0.6, 0.5, 0.0], seed=np.zeros(3))
    assert solution.success
    assert solution.engine == "closed form"
    assert solution.iterations == 0
    assert not ik.solve([3.0, 0.5, 0.0]).success


# Order.


def test_ranking_is_by_the_largest_difference_after_turning():
    robot, ik = planar()
    q, target = reachable(robot, 5)
    near = ik.gradient_method.solve_all(target, seed=q)[0][1] + 0.01
    assert np.abs(ik.gradient_method.solve_all(target, seed=near)[0][0] - near).max() == pytest.approx(0.01)


def test_own_quality_comparison_and_its_reset():
    robot, ik = planar()
    q, target = reachable(robot, 6)
    closed = ik.gradient_method
    closed.quality_comparison = lambda a, b, ik: a[1] > b[1]
    found, _ = closed.solve_all(target, seed=q)
    assert found[0, 1] > 0 > found[1, 1]
    closed.quality_comparison = lambda a, b, ik: a[1] < b[1]
    assert closed.solve_all(target, seed=q)[0][0, 1] < 0
    assert ik.solve(target, seed=q).q[1] < 0
    closed.reset_quality_comparison()
    assert closed.quality_comparison is None
    np.testing.assert_allclose(closed.solve_all(target, seed=q)[0][0], q, atol=1e-9)


def test_a_comparison_that_always_says_yes_keeps_the_order():
    rows, flags = np.arange(8.0).reshape(4, 2), np.array([0, 2, 1, 0])
    assert ranked(rows, flags, np.zeros(2), lambda a, b, ik: True) == [0, 3, 2, 1]


def test_a_comparison_that_raises_is_named():
    robot, ik = planar()
    ik.gradient_method.quality_comparison = lambda a, b, ik: 1 / 0
    with pytest.raises(GradientMethodError, match="quality comparison raised ZeroDivisionError"):
        ik.gradient_method.solve_all(reachable(robot)[1])
    with pytest.raises(InvalidValueError, match="function"):
        ik.gradient_method.quality_comparison = 3


# In a module.


def test_solves_at_once_and_says_so():
    robot, ik = planar()
    q, target = reachable(robot, 8)
    solution = ik.solve(target, seed=q)
    assert solution.success
    assert (solution.engine, solution.iterations, solution.reason) == ("closed form", 0, Reason.CONVERGED)
    np.testing.assert_array_equal(robot.positions, np.zeros(3))


def test_constraint_takes_the_next_branch():
    robot, ik = planar()
    q, target = reachable(robot, 9)
    side = math.copysign(1.0, q[1])
    solution = ik.solve(target, seed=q, constraint=lambda x: x[1] * side < 0)
    assert solution.success
    assert solution.attempts == 2
    refused = ik.solve(target, seed=q, constraint=lambda x: False)
    assert refused.reason is Reason.CONSTRAINT
    assert "2 solutions" in refused.detail


def test_objective_chooses_the_branch():
    robot, ik = planar()
    q, target = reachable(robot, 9)
    for sign in (1.0, -1.0):
        ik.objective = lambda x, sign=sign: sign * x[1]
        assert ik.solve(target, seed=q).q[1] * sign < 0


def test_limits_are_blamed_when_they_are_in_the_way():
    robot, ik = planar()
    q = np.array([0.3, 1.2, 0.4])
    target = robot.state(q).transform(robot.tip)
    robot.dof("joint2").limits = (-0.2, 0.2)
    solution = ik.solve(target)
    assert solution.reason is Reason.LIMITS
    assert "'joint2'" in solution.detail
    assert -0.2 <= solution.q[1] <= 0.2
    ik.problem.respect_limits = False
    assert ik.solve(target).success


def test_out_of_reach_gives_the_nearest():
    _, ik = planar()
    solution = ik.solve(pose([2.0, 0.0, 0.0]))
    assert solution.reason is Reason.UNREACHABLE
    assert solution.position_error == pytest.approx(0.8, abs=1e-4)


def test_object_path_takes_the_whole_step():
    robot, ik = planar()
    target = reachable(robot, 11)[1]
    ik.problem.engine = "object"
    solution = ik.solve(target, seed=np.zeros(3))
    assert solution.success
    assert solution.engine == "object"
    assert solution.iterations == 1


def test_batches_and_paths():
    robot, ik = planar()
    rng = np.random.default_rng(12)
    targets = [robot.state(robot.random_positions(rng)).transform(robot.tip) for _ in range(20)]
    batch = ik.solve_batch(targets)
    assert batch.success.all()
    start = np.array([0.1, 0.8, 0.2])
    line = [robot.state(start + 0.02 * k).transform(robot.tip) for k in range(20)]
    path = ik.solve_path(line, seed=start)
    assert path.success.all()
    np.testing.assert_allclose(path.q[-1], start + 0.38, atol=1e-6)


def test_gradient_is_zero_without_error_and_without_solutions():
    class Nothing(PlanarArm):
        def compute_solutions(self, pose):
            return ()

    robot, ik = planar()
    ik.target = robot.tip.transform()
    np.testing.assert_array_equal(ik.gradient_method.evaluate(), np.zeros(3))
    robot, ik = planar(Nothing)
    ik.target = pose([0.5, 0.5, 0.0])
    np.testing.assert_array_equal(ik.gradient_method.evaluate(), np.zeros(3))
    assert len(ik.gradient_method.get_solutions()) == 0
    assert ik.gradient_method.solve_all(pose([0.5, 0.5, 0.0]))[0].shape == (0, 3)
    assert not ik.solve().success


# Joints that are not solved for.


class Heading(Analytical):
    """Solves for the last joint alone: the direction of the tip."""

    dofs = ("joint3",)

    def compute_solutions(self, pose):
        yield [math.atan2(pose.rotation[1, 0], pose.rotation[0, 0])], Validity.VALID


class Turntable(Heading):
    dofs = ("turn",)


def turntable():
    """Two slides that carry a turning tool."""
    robot = Skeleton("turntable")
    x = robot.add_link("x", PrismaticJoint("along", axis="x", limits=(-2, 2)), parent=robot.add_link("base"))
    y = robot.add_link("y", PrismaticJoint("across", axis="y", limits=(-2, 2)), parent=x)
    tool = robot.add_link("tool", RevoluteJoint("turn", axis="z", limits=(-3, 3)), parent=y)
    return robot, InverseKinematics(robot.add_link("tip", parent=tool, placement=pose([0.2, 0.0, 0.0])))


@pytest.mark.parametrize("use", ["pre", "post", "both"])
def test_extra_joints_make_up_for_what_is_left_over(use):
    _, ik = turntable()
    ik.gradient_method = Turntable()
    target = pose([0.9, -0.7, 0.0], rpy=[0.0, 0.0, 2.0])
    failed = ik.solve(target)
    assert not failed.success
    assert failed.engine == "closed form"
    ik.gradient_method.extra_dof_utilization = use
    assert ik.gradient_method.extra_dofs.tolist() == [0, 1]
    assert ik.gradient_method.dof_map.tolist() == [2]
    solution = ik.solve(target)
    assert solution.success
    assert solution.engine == "object"


@pytest.mark.parametrize("use", ["pre", "both"])
def test_extra_joints_bring_the_pose_within_reach(use):
    robot = Skeleton("arm on a rail")
    parent = robot.add_link("base")
    parent = robot.add_link("rail", PrismaticJoint("slide", axis="x", limits=(0, 5)), parent=parent)
    for k, length in enumerate((0.0, UPPER, FOREARM)):
        joint = RevoluteJoint(f"joint{k + 1}", axis="z", limits=(-3, 3))
        parent = robot.add_link(f"link{k}", joint, parent=parent, placement=pose([length, 0.0, 0.0]))
    ik = InverseKinematics(robot.add_link("tip", parent=parent, placement=pose([HAND, 0.0, 0.0])))
    ik.gradient_method = PlanarArm()
    target = pose([3.2, 0.4, 0.0], rpy=[0.0, 0.0, 0.7])
    assert not ik.solve(target).success
    ik.gradient_method.extra_dof_utilization = use
    solution = ik.solve(target)
    assert solution.success
    assert solution.q[0] > 2.0


def test_evaluating_twice_agrees_and_the_clamp_shortens():
    _, ik = planar(Heading)
    ik.gradient_method.extra_dof_utilization = ExtraDofUtilization.PRE_ANALYTICAL
    ik.target = pose([0.2, 0.9, 0.0], rpy=[0.0, 0.0, 1.0])
    first = ik.gradient_method.evaluate()
    np.testing.assert_array_equal(ik.gradient_method.evaluate(), first)
    assert np.abs(first[:2]).max() > 0
    ik.gradient_method.extra_error_length_clamp = 1e-3
    assert np.abs(ik.gradient_method.evaluate()[:2]).max() < 0.1 * np.abs(first[:2]).max()
    ik.gradient_method.extra_dof_utilization = ExtraDofUtilization.UNUSED
    np.testing.assert_array_equal(ik.gradient_method.evaluate()[:2], np.zeros(2))


# Wrong use.


def test_wrong_options_are_refused():
    closed = PlanarArm()
    with pytest.raises(InvalidValueError, match="'unused', 'pre', 'post', 'both'"):
        closed.extra_dof_utilization = "sometimes"
    with pytest.raises(InvalidValueError, match="extra_error_length_clamp"):
        closed.extra_error_length_clamp = 0.0
    with pytest.raises(InvalidValueError, match="tolerance"):
        closed.tolerance = math.nan
    with pytest.raises(InvalidValueError, match="belongs to no module"):
        closed.solve_all(pose([0.0, 0.0, 0.0]))
    with pytest.raises(InvalidValueError, match="3 numbers"):
        planar()[1].gradient_method.positions = [1.0, 2.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [([1.0, 2.0], "3 finite numbers"), ([1.0, math.nan, 0.0], "3 finite numbers"), ("abc", "3 numbers"), (None, "3 ")],
)
def test_what_is_no_configuration_is_refused(given, message):
    class Wrong(PlanarArm):
        def compute_solutions(self, pose):
            yield given

    _, ik = planar(Wrong)
    with pytest.raises(GradientMethodError, match=message):
        ik.gradient_method.solve_all(pose([0.5, 0.0, 0.0]))


def test_what_raises_is_named_and_changes_nothing():
    class Broken(PlanarArm):
        def compute_solutions(self, pose):
            raise RuntimeError("no idea")

    robot, ik = planar(Broken)
    with pytest.raises(GradientMethodError, match=r"Broken.compute_solutions raised RuntimeError: no idea"):
        ik.solve(pose([0.5, 0.0, 0.0]))
    np.testing.assert_array_equal(robot.positions, np.zeros(3))
    with pytest.raises(GradientMethodError, match="does not define compute_solutions"):
        planar(Analytical)[1].gradient_method.solve_all(pose([0.5, 0.0, 0.0]))
    with pytest.raises(InvalidPoseError):
        planar()[1].gradient_method.solve_all(np.full((4, 4), np.nan))


def test_dofs_that_the_module_does_not_move():
    _, ik = planar()
    ik.set_dofs(["joint1"])
    with pytest.raises(StructureError, match="joint2"):
        ik.gradient_method.solve_all(pose([0.5, 0.0, 0.0]))


def test_positions_move_the_solved_joints_alone():
    robot, ik = planar(Heading)
    ik.gradient_method.positions = [0.4]
    np.testing.assert_array_equal(robot.positions, [0.0, 0.0, 0.4])
    np.testing.assert_array_equal(ik.gradient_method.positions, [0.4])


def test_clone_is_free_and_keeps_its_options():
    _, ik = planar()
    ik.gradient_method.extra_dof_utilization = "pre"
    twin = ik.gradient_method.clone()
    assert twin.ik is None
    assert twin.extra_dof_utilization is ExtraDofUtilization.PRE_ANALYTICAL
    assert ik.clone().gradient_method.module is not ik


def test_solutions_are_plain_tuples():
    robot, ik = planar()
    best = ik.gradient_method.get_solutions(reachable(robot)[1])[0]
    assert best != 3
    assert len({best}) == 1
    assert pickle.loads(pickle.dumps(best)).validity == best.validity


def test_separate_modules_on_separate_threads():
    def one(seed):
        robot, ik = planar()
        q, target = reachable(robot, seed)
        return np.abs(ik.solve(target, seed=q).q - q).max()

    with ThreadPoolExecutor(4) as pool:
        assert max(pool.map(one, range(32))) < 1e-9


def test_a_region_that_is_no_pose_needs_a_numeric_method():
    robot, ik = planar()
    ik.error_method = TaskSpaceRegion(bounds=([-0.1] * 6, [0.1] * 6))
    ik.problem = Problem()
    assert ik.solve(reachable(robot)[1]).engine == "object"


# Goals that leave something open.


class TwoLink(Analytical):
    dofs = ("joint1", "joint2")

    def compute_solutions(self, pose):
        x, y = pose.translation[:2]
        lower = FOREARM + HAND
        cosine = (x * x + y * y - UPPER * UPPER - lower * lower) / (2 * UPPER * lower)
        for elbow in (math.acos(cosine), -math.acos(cosine)) if abs(cosine) <= 1 else ():
            yield math.atan2(y, x) - math.atan2(lower * math.sin(elbow), UPPER + lower * math.cos(elbow)), elbow


@pytest.mark.parametrize("goal", [TranslationXY2D([0.6, 0.5]), Translation3D([0.6, 0.5, 0.0])])
def test_targets_that_are_points(goal):
    _, ik = planar(TwoLink)
    ik.error_method = goal
    branches = ik.gradient_method.get_solutions(seed=np.zeros(3))
    assert [branch.validity for branch in branches] == [Validity.VALID] * 2
    solution = ik.solve(seed=np.zeros(3))
    assert solution.success
    assert solution.engine == "closed form"
    assert ik.gradient_method.solve_all(pose([0.3, 0.4, 0.0]))[1].tolist() == [0, 0]


def test_targets_without_a_place_are_refused():
    _, ik = planar()
    ik.error_method = Direction3D("x", tool_direction="x")
    with pytest.raises(InvalidValueError, match="Direction3D asks for neither"):
        ik.gradient_method.get_solutions()


def test_a_target_is_not_assigned_to_the_modules_pose():
    _, ik = planar()
    with pytest.raises(InvalidValueError, match="assign it to error_method"):
        ik.target = TranslationXY2D([0.6, 0.5])


def test_each_call_has_its_own_seed_in_threads_and_from_within():
    class Nested(PlanarArm):
        def compute_solutions(self, pose):
            before = self.seed_positions()
            if before[0] < 5.0:  # once more, from elsewhere
                self.solve_all(pose, seed=before + 10.0)
            time.sleep(1e-4)
            np.testing.assert_array_equal(self.seed_positions(), before)
            yield from super().compute_solutions(pose)

    robot, ik = planar(Nested)
    target = reachable(robot, 1)[1]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: ik.gradient_method.solve_all(target, seed=np.full(3, 0.01 * k)), range(64)))
