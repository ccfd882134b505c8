import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, UnknownNameError, pose
from kinetree.solvers import (
    CenterOfMassTask,
    CompositeIK,
    ConstraintError,
    HierarchicalIK,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JointLimitTask,
    LevenbergMarquardt,
    PostureTask,
    Reason,
    TaskSpaceRegion,
    WholeBodyIK,
)
from kinetree.solvers.hierarchy.hierarchical_step import Level, hierarchical_gradient, null_space_projectors

METHODS = [LevenbergMarquardt(damping=1.0), JacobianDLS(damping=0.5), JacobianPseudoInverse()]


def position(ik):
    ik.error_method = TaskSpaceRegion.position_only()
    return ik


# The step.


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
@pytest.mark.parametrize("rows", [(2, 2, 2), (6, 6, 3), (3, 9, 2), (1, 1, 1)])
def test_lower_levels_never_move_higher_ones(method, rows, rng):
    for _ in range(30):
        jacobians = [rng.normal(size=(m, 9)) for m in rows]
        errors = [rng.normal(size=m) for m in rows]
        levels = [Level(j, e, method.gradient) for j, e in zip(jacobians, errors, strict=True)]
        partial = [hierarchical_gradient(levels[: k + 1], 9) for k in range(3)]
        for high in range(3):
            for low in range(high + 1, 3):
                leak = jacobians[high] @ (partial[low] - partial[low - 1])
                assert np.abs(leak).max() <= 1e-10


@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-8, 1e-10, 1e-14])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_damping_does_not_leak_near_a_singularity(method, size, rng):
    # The first level can hardly move along one direction: damping gives it up, but the second may not use it.
    u, v = np.linalg.qr(rng.normal(size=(3, 3)))[0], np.linalg.qr(rng.normal(size=(7, 7)))[0]
    high = u @ np.diag([1.0, 0.5, size]) @ v[:3]
    low = rng.normal(size=(4, 7))
    rule = method.gradient
    first = hierarchical_gradient([Level(high, np.ones(3), rule)], 7)
    both = hierarchical_gradient([Level(high, np.ones(3), rule), Level(low, np.ones(4), rule)], 7)
    assert np.abs(high @ (both - first)).max() <= 1e-10
    assert np.abs(low @ (both - first)).max() > 1e-3


def test_a_level_sees_what_those_above_have_moved():
    # The second level is nearly the first, so what the first does must be counted.
    first, second = np.array([[1.0, 0.0]]), np.array([[1.0, 1.0]])
    rule = JacobianPseudoInverse().gradient
    gradient = hierarchical_gradient([Level(first, np.array([1.0]), rule), Level(second, np.array([1.0]), rule)], 2)
    np.testing.assert_allclose(gradient, [1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_the_same_task_twice_is_no_trouble(method, rng):
    jacobian, error = rng.normal(size=(4, 7)), rng.normal(size=4)
    level = Level(jacobian, error, method.gradient)
    once = hierarchical_gradient([level], 7)
    np.testing.assert_allclose(hierarchical_gradient([level, level], 7), once, atol=1e-9)
    contradicting = Level(jacobian, error + 1.0, method.gradient)
    np.testing.assert_allclose(hierarchical_gradient([level, contradicting], 7), once, atol=1e-9)


def test_projectors_are_those_of_the_intersection(rng):
    # A product of single projectors is not the projector of the common null space.
    jacobians = [rng.normal(size=(2, 7)), np.zeros((0, 7)), rng.normal(size=(3, 7))]
    projectors = null_space_projectors(jacobians, 7)
    assert len(projectors) == 3
    assert [round(np.trace(each)) for each in projectors] == [5, 5, 2]
    for number, projector in enumerate(projectors):
        np.testing.assert_allclose(projector @ projector, projector, atol=1e-12)
        for jacobian in jacobians[: number + 1]:
            np.testing.assert_allclose(jacobian @ projector, 0.0, atol=1e-12)


def test_a_full_level_leaves_nothing(rng):
    rule = LevenbergMarquardt().gradient
    full = Level(rng.normal(size=(7, 7)), np.ones(7), rule)
    lower = Level(rng.normal(size=(2, 7)), np.ones(2), rule)
    np.testing.assert_array_equal(hierarchical_gradient([full, lower], 7), hierarchical_gradient([full], 7))


# The hierarchy.


def body_tasks(humanoid):
    left, right, hand = (
        InverseKinematics(humanoid.frame(name)) for name in ("left_leg_end", "right_leg_end", "right_arm_end")
    )
    body = HierarchicalIK(humanoid)
    body.add(left, 0)
    body.add(right, 0)
    body.add(CenterOfMassTask(over=[0.02, 0.0]), 1)
    body.add(position(hand), 2)
    return body, hand


def test_feet_centre_of_mass_and_a_hand(humanoid, inside):
    body, hand = body_tasks(humanoid)
    feet = [humanoid.frame(f"{side}_leg_end").transform() for side in ("left", "right")]
    for goal in ([0.3, -0.3, 0.9], [0.2, -0.2, 0.3], [0.25, -0.1, 1.3]):
        hand.target = pose(goal)
        before = humanoid.positions
        solution = body.solve()
        np.testing.assert_array_equal(humanoid.positions, before)
        assert solution, solution
        state = humanoid.state(solution.q)
        for side, foot in zip(("left", "right"), feet, strict=True):
            assert state.transform(humanoid.frame(f"{side}_leg_end")).isApprox(foot, 3e-6)
        np.testing.assert_allclose(state.com()[:2], [0.02, 0.0], atol=1e-6)
        np.testing.assert_allclose(state.transform(hand.frame).translation, goal, atol=1e-6)
        assert [(task.name, task.level, task.satisfied) for task in solution.tasks] == [
            ("left_leg_end", 0, True),
            ("right_leg_end", 0, True),
            ("centre of mass", 1, True),
            ("right_arm_end", 2, True),
        ]
    assert inside(humanoid, solution.q)
    assert body.solve_and_apply()
    np.testing.assert_array_equal(humanoid.positions, solution.q)


def test_a_hand_out_of_reach_disturbs_nobody_above(humanoid):
    body, hand = body_tasks(humanoid)
    hand.target = pose((2.0, -0.2, 1.0))
    before = humanoid.positions
    solution = body.solve_and_apply(attempts=3)
    np.testing.assert_array_equal(humanoid.positions, before)
    assert not solution
    assert solution.reason in (Reason.UNREACHABLE, Reason.ITERATIONS)
    assert [task.satisfied for task in solution.tasks] == [True, True, True, False]
    assert "right_arm_end" in solution.detail
    assert "level 2" in solution.detail
    assert "left_leg_end" not in solution.detail
    # It is stretched out towards the target.
    reached = humanoid.state(solution.q).transform(hand.frame).translation
    assert np.linalg.norm(reached - [2.0, -0.2, 1.0]) < 1.4
    assert solution.position_error == pytest.approx(np.linalg.norm(reached - [2.0, -0.2, 1.0]), abs=1e-9)
    assert body.solve_and_apply(attempts=3, apply_best=True).q[0] == humanoid.positions[0]


def test_priorities_decide_between_contradicting_tasks(planar):
    near, far = (
        planar.state([0.3, 0.8]).transform(planar.tip),
        planar.state([-0.5, 1.0]).transform(planar.tip),
    )
    results = []
    for first, second in ((near, far), (far, near)):
        one, two = position(InverseKinematics(planar)), position(InverseKinematics(planar))
        one.target, two.target = first, second
        hierarchy = HierarchicalIK(planar)
        hierarchy.add(one, 0)
        hierarchy.add(two, 1)
        solution = hierarchy.solve(attempts=2)
        assert not solution
        assert [task.satisfied for task in solution.tasks] == [True, False]
        results.append(planar.state(solution.q).transform(planar.tip).translation)
    np.testing.assert_allclose(results[0], near.translation, atol=1e-6)
    np.testing.assert_allclose(results[1], far.translation, atol=1e-6)


def test_a_wish_is_followed_as_far_as_the_others_allow(arm, rng):
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    wanted = 0.5 * (arm.lower_limits + arm.upper_limits)
    ik = position(InverseKinematics(arm))
    ik.target = target
    plain, wishing = HierarchicalIK(arm), HierarchicalIK(arm)
    plain.add(ik)
    wishing.add(ik)
    wishing.add(PostureTask(wanted), 1)
    first, second = plain.solve(), wishing.solve()
    assert first
    assert second
    assert second.tasks[1].name == "posture"
    assert not second.tasks[1].required
    assert np.linalg.norm(second.q - wanted) < 0.7 * np.linalg.norm(first.q - wanted)
    np.testing.assert_allclose(arm.state(second.q).transform(arm.tip).translation, target.translation, atol=1e-6)


def test_joint_limit_avoidance(arm, rng):
    ik = position(InverseKinematics(arm))
    arm.positions = arm.upper_limits - 0.01
    ik.target = arm.tip.transform()
    hierarchy = HierarchicalIK(arm)
    hierarchy.add(ik)
    hierarchy.add(JointLimitTask(margin=0.15), 1)
    solution = hierarchy.solve()
    assert solution
    width = arm.upper_limits - arm.lower_limits
    distance = np.minimum(solution.q - arm.lower_limits, arm.upper_limits - solution.q) / width
    assert np.median(distance) > 0.1


def test_limits_are_kept(arm, rng, inside):
    hierarchy = HierarchicalIK(arm)
    ik = InverseKinematics(arm)
    hierarchy.add(ik)
    for _ in range(20):
        ik.target = arm.state(arm.random_positions(rng)).transform(arm.tip)
        solution = hierarchy.solve(seed=arm.random_positions(rng))
        assert solution, solution
        assert inside(arm, solution.q)


def test_a_constraint(six, rng):
    hierarchy = HierarchicalIK(six)
    ik = InverseKinematics(six)
    ik.target = six.state(six.random_positions(rng)).transform(six.tip)
    hierarchy.add(ik)
    refused = hierarchy.solve(constraint=lambda q: False, attempts=4)
    assert (refused.success, refused.reason) == (False, Reason.CONSTRAINT)
    with pytest.raises(ConstraintError):
        hierarchy.solve(constraint=lambda q: None)


def test_a_timeout(humanoid):
    body, hand = body_tasks(humanoid)
    hand.target = pose((2.0, 0, 1.0))
    solution = body.solve(attempts=100000, timeout=0.05)
    assert solution.reason is Reason.TIMEOUT
    assert solution.elapsed < 1.0


# Membership, as in DART.


def test_an_empty_hierarchy_is_solved(arm):
    for hierarchy in (HierarchicalIK(arm), WholeBodyIK(arm)):
        solution = hierarchy.solve()
        assert solution
        np.testing.assert_array_equal(solution.q, arm.positions)
        assert hierarchy.levels == []
        assert hierarchy.null_spaces() == []


def test_a_module_of_another_skeleton_is_refused(arm, six):
    hierarchy = HierarchicalIK(arm)
    with pytest.raises(InvalidValueError, match="'six'"):
        hierarchy.add(InverseKinematics(six))
    assert hierarchy.tasks == ()


def test_adding_twice_is_the_same_as_once(arm):
    hierarchy = HierarchicalIK(arm)
    ik = InverseKinematics(arm)
    hierarchy.add(ik)
    hierarchy.add(ik)
    assert hierarchy.tasks == ((ik, 0),)
    hierarchy.add(ik, level=2)
    assert hierarchy.levels == [[], [], [ik]]
    assert len(hierarchy.null_spaces()) == 3
    ik.hierarchy_level = 1
    assert hierarchy.levels == [[], [ik]]
    hierarchy.remove(ik)
    assert hierarchy.levels == []
    with pytest.raises(UnknownNameError):
        hierarchy.remove(ik)


def test_inactive_modules_are_left_out(arm, rng):
    hierarchy = HierarchicalIK(arm)
    ik, other = InverseKinematics(arm), InverseKinematics(arm)
    ik.target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    other.target = pose((5, 0, 0))
    hierarchy.add(ik, 0)
    hierarchy.add(other, 2)
    assert not hierarchy.solve(attempts=2)
    other.active = False
    solution = hierarchy.solve()
    assert solution
    assert len(solution.tasks) == 1
    assert len(hierarchy.levels) == len(hierarchy.null_spaces()) == 3


@pytest.mark.parametrize("level", [-1, 1.5, "high", True])
def test_bad_levels_are_refused(arm, level):
    with pytest.raises(InvalidValueError, match="level"):
        HierarchicalIK(arm).add(InverseKinematics(arm), level)


def test_things_that_are_no_tasks(arm):
    hierarchy = HierarchicalIK(arm)
    with pytest.raises(InvalidValueError, match="task"):
        hierarchy.add("left hand")
    with pytest.raises(InvalidValueError, match="InverseKinematics"):
        hierarchy.add(TaskSpaceRegion())
    with pytest.raises(InvalidValueError):
        HierarchicalIK("arm")
    assert CompositeIK is HierarchicalIK


def test_only_degrees_of_freedom_of_active_tasks_move(humanoid):
    body = HierarchicalIK(humanoid)
    left = position(InverseKinematics(humanoid.frame("left_arm_end")))
    body.add(left)
    left.target = pose(left.frame.transform().translation + np.array([0.05, 0.02, 0.1]))
    assert len(body.dofs) == 6
    solution = body.solve()
    assert solution
    changed = np.flatnonzero(solution.q != humanoid.positions)
    assert {humanoid.dofs[index].name.rsplit("_", 1)[0] for index in changed} == {"left_arm"}
    body.set_dofs(["root"])
    assert len(body.dofs) == 6
    solution = body.solve()
    assert solution
    np.testing.assert_array_equal(solution.q[6:], humanoid.positions[6:])


def test_whole_body_finds_the_modules_of_all_frames(humanoid):
    body = humanoid.ik
    assert isinstance(body, WholeBodyIK)
    assert body.tasks == ()
    hand = humanoid.frame("left_arm_end")
    position(hand.ik).target = pose(hand.transform().translation + np.array([0.1, 0.05, 0.1]))
    humanoid.frame("right_arm_end").ik.hierarchy_level = 1
    assert [(task.name, level) for task, level in body.tasks] == [("left_arm_end", 0), ("right_arm_end", 1)]
    solution = body.solve_and_apply()
    assert solution, solution
    np.testing.assert_allclose(hand.transform().translation, hand.ik.target.transform().translation, atol=1e-6)


def test_a_level_uses_the_method_of_its_module(arm, rng):
    class Counting(JacobianDLS):
        calls = 0

        def gradient(self, jacobian, error):
            Counting.calls += 1
            return super().gradient(jacobian, error)

    ik = InverseKinematics(arm)
    ik.gradient_method = Counting()
    ik.target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    hierarchy = HierarchicalIK(arm)
    hierarchy.add(ik)
    hierarchy.solve(attempts=1)
    assert Counting.calls > 0


def test_the_same_call_gives_the_same_answer(humanoid):
    body, hand = body_tasks(humanoid)
    hand.target = pose((0.2, -0.4, 1.2))
    np.testing.assert_array_equal(body.solve().q, body.solve().q)
