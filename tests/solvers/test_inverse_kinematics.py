import logging
import time

import numpy as np
import pytest

from kinetree.kinematics import (
    FreeJoint,
    InvalidPoseError,
    InvalidValueError,
    RevoluteJoint,
    ShapeError,
    SimpleFrame,
    Skeleton,
    SphericalJoint,
    StructureError,
    UnknownNameError,
    World,
    pose,
)
from kinetree.solvers import (
    ConstraintError,
    InverseKinematics,
    JacobianDLS,
    JacobianTranspose,
    LevenbergMarquardt,
    Problem,
    Reason,
    TaskSpaceRegion,
)


@pytest.fixture(autouse=True, params=["object", "fastest"])
def engine(request, monkeypatch):
    """Every test runs in Python on Pinocchio, and with whatever is fastest."""
    if request.param == "object":
        monkeypatch.setattr("kinetree.solvers.engine.kernel_of", lambda method: None)
    return request.param


def reachable(skeleton, rng, frame=None):
    return skeleton.state(skeleton.random_positions(rng)).transform(frame or skeleton.tip)


# What success means.


@pytest.mark.parametrize("name", ["arm", "six"])
def test_random_reachable_targets(request, rng, misses, inside, name):
    skeleton = request.getfixturevalue(name)
    ik = InverseKinematics(skeleton)
    for _ in range(60):
        target = reachable(skeleton, rng)
        solution = ik.solve(target, seed=skeleton.random_positions(rng))
        assert solution.success, solution
        assert solution.reason is Reason.CONVERGED
        away, turned = misses(skeleton, solution.q, skeleton.tip, target)
        assert away <= 1e-6
        assert turned <= 1e-6
        assert solution.position_error == pytest.approx(away, abs=1e-12)
        assert solution.orientation_error == pytest.approx(turned, abs=1e-9)
        assert inside(skeleton, solution.q)
        assert not solution.detail


@pytest.mark.parametrize("tolerance", [1e-3, 1e-9, (1e-2, 1e-8)])
def test_the_callers_tolerance_is_what_counts(arm, rng, misses, tolerance):
    ik = InverseKinematics(arm)
    position, orientation = tolerance if isinstance(tolerance, tuple) else (tolerance, tolerance)
    for _ in range(10):
        target = reachable(arm, rng)
        solution = ik.solve(target, tolerance=tolerance)
        assert solution
        away, turned = misses(arm, solution.q, arm.tip, target)
        assert away <= position
        assert turned <= orientation


def test_at_the_target_the_seed_comes_back(arm, rng, engine):
    ik = InverseKinematics(arm)
    for _ in range(10):
        q = arm.random_positions(rng)
        solution = ik.solve(arm.state(q).transform(arm.tip), seed=q)
        assert solution
        np.testing.assert_array_equal(solution.q, q)
        assert solution.iterations == 0
        assert solution.attempts == 1 or engine != "object"  # the compiled one begins several at once


@pytest.mark.parametrize("axis", ["rx", "ry", "rz"])
def test_a_flip_is_no_success(axis):
    # The frame is at the target but turned by half a turn about an axis that nothing can turn.
    skeleton = Skeleton("slider")
    base = skeleton.add_link("base")
    link = skeleton.add_link("carriage", RevoluteJoint("turn", axis=(1, 1, 1), limits=(-0.1, 0.1)), base)
    rpy = {"rx": (180, 0, 0), "ry": (0, 180, 0), "rz": (0, 0, 180)}[axis]
    solution = InverseKinematics(link).solve(pose(rpy=rpy, degrees=True))
    assert not solution
    assert solution.orientation_error > 3.0


def test_convergence_in_the_last_iteration_counts(arm, rng):
    ik = InverseKinematics(arm)
    q = arm.random_positions(rng)
    target = arm.state(q).transform(arm.tip)
    seed = arm.clamp(q + 0.05)
    needed = ik.solve(target, seed=seed, attempts=1).iterations
    assert needed > 1
    assert ik.solve(target, seed=seed, attempts=1, iterations=needed)
    short = ik.solve(target, seed=seed, attempts=1, iterations=needed - 1)
    assert not short
    assert short.reason is Reason.ITERATIONS
    assert str(needed - 1) in short.detail


def test_at_the_target_no_iterations_are_needed(arm):
    assert InverseKinematics(arm).solve(iterations=0, attempts=1)


# Nothing moves.


def test_solve_touches_nothing(arm, rng):
    ik = InverseKinematics(arm)
    before, version = arm.positions, arm.version
    target, seed = reachable(arm, rng).homogeneous, arm.random_positions(rng)
    copies = target.copy(), seed.copy()
    own = ik.target.transform().homogeneous
    solution = ik.solve(target, seed=seed)
    np.testing.assert_array_equal(arm.positions, before)
    np.testing.assert_array_equal(target, copies[0])
    np.testing.assert_array_equal(seed, copies[1])
    np.testing.assert_array_equal(ik.target.transform().homogeneous, own)
    assert arm.version == version
    with pytest.raises(ValueError, match="read-only"):
        solution.q[0] = 0.0


def test_solve_and_apply_moves_only_on_success(arm, rng):
    ik = InverseKinematics(arm)
    before = arm.positions
    failed = ik.solve_and_apply(pose((3.0, 0, 0)), attempts=3)
    assert not failed
    np.testing.assert_array_equal(arm.positions, before)
    nearest = ik.solve_and_apply(pose((3.0, 0, 0)), attempts=3, apply_best=True)
    np.testing.assert_array_equal(arm.positions, nearest.q)
    solved = ik.solve_and_apply(reachable(arm, rng))
    assert solved
    np.testing.assert_array_equal(arm.positions, solved.q)


def test_an_interrupt_leaves_everything(arm, rng):
    ik = InverseKinematics(arm)
    before = arm.positions

    def interrupt(q):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ik.solve_and_apply(reachable(arm, rng), constraint=interrupt)
    np.testing.assert_array_equal(arm.positions, before)
    assert ik.solve(reachable(arm, rng))


def test_a_solve_inside_a_constraint_does_not_disturb_the_outer_one(arm, rng):
    ik = InverseKinematics(arm)
    target = reachable(arm, rng)
    plain = ik.solve(target)
    nested = ik.solve(target, constraint=lambda q: bool(ik.solve(reachable(arm, rng))))
    np.testing.assert_array_equal(plain.q, nested.q)


# Determinism.


def test_the_same_call_gives_the_same_answer(arm, rng):
    target = reachable(arm, rng)
    first = InverseKinematics(arm).solve(target)
    ik = InverseKinematics(arm)
    ik.solve(reachable(arm, rng))
    np.testing.assert_array_equal(ik.solve(target).q, first.q)
    np.testing.assert_array_equal(ik.solve(target, random_seed=0).q, first.q)


def test_the_random_seed_decides_about_restarts(six, rng, engine):
    ik = InverseKinematics(six)
    target = reachable(six, rng)

    def refuse_first_attempts():
        calls = []
        return lambda q: calls.append(q) is None and len(calls) > 3

    answers = [ik.solve(target, random_seed=seed, constraint=refuse_first_attempts()).q for seed in (1, 1, 2)]
    np.testing.assert_array_equal(answers[0], answers[1])
    assert (answers[0] != answers[2]).any()
    if engine != "object":
        return  # the compiled one draws its own numbers
    generator = np.random.default_rng(1)
    from_generator = ik.solve(target, random_seed=generator, constraint=refuse_first_attempts()).q
    np.testing.assert_array_equal(from_generator, answers[0])


# Seeds.


def test_a_near_seed_gives_a_near_solution(arm, rng, engine):
    ik = InverseKinematics(arm)
    q = arm.random_positions(rng)
    for _ in range(40):
        step = rng.uniform(-0.1, 0.1, arm.num_dofs)
        goal = arm.clamp(q + step)
        solution = ik.solve(arm.state(goal).transform(arm.tip), seed=q)
        assert solution
        assert solution.attempts == 1 or engine != "object"
        assert np.abs(solution.q - q).max() < 0.5
        q = solution.q


def test_a_seed_may_be_a_mapping_and_the_present_positions_are_the_default(arm, rng):
    ik = InverseKinematics(arm)
    target = reachable(arm, rng)
    q = arm.positions
    q[0] = 0.7
    np.testing.assert_array_equal(ik.solve(target, seed={"j0": 0.7}).q, ik.solve(target, seed=q).q)
    np.testing.assert_array_equal(ik.solve(target).q, ik.solve(target, seed=arm.positions).q)


def test_a_seed_outside_the_limits_is_moved_inside_with_a_warning(arm, rng, inside, caplog):
    ik = InverseKinematics(arm)
    seed = arm.positions
    seed[3] = 5.0
    with caplog.at_level(logging.WARNING):
        solution = ik.solve(reachable(arm, rng), seed=seed)
    assert solution
    assert inside(arm, solution.q)
    assert "'j3'" in caplog.text
    assert "the seed" in caplog.text


@pytest.mark.parametrize(
    ("seed", "error"),
    [
        ([0.0] * 6, ShapeError),
        ([0.0] * 8, ShapeError),
        ([np.nan] * 7, InvalidValueError),
        ([np.inf] + [0.0] * 6, InvalidValueError),
        ("left", InvalidValueError),
        ({"elbow": 1.0}, UnknownNameError),
    ],
)
def test_bad_seeds_are_refused(arm, seed, error):
    with pytest.raises(error):
        InverseKinematics(arm).solve(seed=seed)


def test_seeds_of_the_problem_come_before_random_ones(planar):
    # The elbow is on one side at the seed and on the other at the further seed.
    ik = InverseKinematics(planar)
    ik.error_method = TaskSpaceRegion.position_only()
    target = planar.state([0.3, 1.0]).transform(planar.tip)
    ik.problem.seeds = [[1.0, -1.0]]
    up = ik.solve(target, seed=[0.0, 1.5])
    assert up.q[1] > 0
    down = ik.solve(target, seed=[0.0, 1.5], constraint=lambda q: q[1] < 0, attempts=2)
    assert down
    assert down.attempts == 2
    assert down.q[1] < 0


# Limits and equivalent angles.


def test_limits_are_kept_when_the_way_leads_through_them(arm, rng, inside):
    ik = InverseKinematics(arm)
    for _ in range(30):
        q = np.where(rng.random(7) < 0.5, arm.lower_limits, arm.random_positions(rng))
        solution = ik.solve(arm.state(q).transform(arm.tip), seed=arm.upper_limits)
        assert inside(arm, solution.q)
        assert solution, solution


def test_a_joint_at_its_limit_is_not_stranded(arm):
    # Single attempts from a corner of the limits; where steps are merely cut off there, 8 of 60 get away.
    ik = InverseKinematics(arm)
    ik.problem.strikes = 6
    rng = np.random.default_rng(0)
    solved = 0
    for _ in range(60):
        corner = np.where(rng.random(7) < 0.5, arm.lower_limits, arm.upper_limits)
        solved += ik.solve(reachable(arm, rng), seed=corner, attempts=1, iterations=50).success
    assert solved >= 20


def test_a_limit_does_not_hold_back_the_others():
    # Three parallel joints; the first one cannot go where the shortest step leads, the others make up for it.
    skeleton = Skeleton("three")
    link = skeleton.add_link("base")
    for number, limits in enumerate([(0.0, 3.0), (-3.0, 3.0), (-3.0, 3.0)]):
        link = skeleton.add_link(
            f"l{number}",
            RevoluteJoint(f"j{number}", limits=limits),
            link,
            pose((1.0 if number else 0.0, 0, 0)),
        )
    tip = skeleton.add_link("tip", None, link, pose((1, 0, 0)))
    ik = InverseKinematics(tip)
    ik.error_method = TaskSpaceRegion.position_only()
    seed = [0.0, 0.5, 0.5]
    target = skeleton.state([0.0, -0.4, 1.2]).transform(tip)
    solution = ik.solve(target, seed=seed, attempts=1)
    assert solution, solution
    assert solution.q[0] >= 0.0


def test_limits_may_be_ignored(planar):
    planar.dof("j1").limits = (-0.1, 0.1)
    ik = InverseKinematics(planar)
    ik.error_method = TaskSpaceRegion.position_only()
    target = planar.state([0.3, 1.5]).transform(planar.tip)
    assert not ik.solve(target)
    ik.problem.respect_limits = False
    assert ik.solve(target)


def wheel(limits):
    skeleton = Skeleton("wheel")
    base = skeleton.add_link("base")
    skeleton.tip = skeleton.add_link("wheel", RevoluteJoint("spin", limits=limits), base)
    return skeleton


@pytest.mark.parametrize(
    ("limits", "seed", "angle", "expected"),
    [
        (None, 7.0, 1.0, 1.0 + 2 * np.pi),
        (None, -7.0, 1.0, 1.0 - 2 * np.pi),
        (None, 0.0, 3.0, 3.0),
        ((-2 * np.pi, 2 * np.pi), -5.0, 1.0, 1.0 - 2 * np.pi),
        ((-2 * np.pi, 2 * np.pi), 5.0, -1.0, 2 * np.pi - 1.0),
        ((np.pi / 8, 2 * np.pi), 0.5, -np.pi + 0.01, np.pi + 0.01),
        ((3.1 * np.pi, 4 * np.pi), 3.5 * np.pi, -0.5, 4 * np.pi - 0.5),
    ],
)
def test_angles_come_back_as_the_equivalent_nearest_the_seed(limits, seed, angle, expected):
    skeleton = wheel(limits)
    solution = InverseKinematics(skeleton).solve(pose(rpy=(0, 0, angle)), seed=[seed])
    assert solution, solution
    assert solution.q[0] == pytest.approx(expected, abs=2e-6)


def test_an_angle_goes_through_the_gap_between_its_limits():
    # From 169 to -169 degrees: 22 degrees through the gap are no way, but the equivalent is inside.
    skeleton = wheel((np.deg2rad(-170), np.deg2rad(170)))
    solution = InverseKinematics(skeleton).solve(pose(rpy=(0, 0, np.deg2rad(-169))), seed=[np.deg2rad(169)])
    assert solution
    assert solution.q[0] == pytest.approx(np.deg2rad(-169), abs=1e-6)


def test_other_joints_keep_their_value(arm, rng):
    ik = InverseKinematics(arm, dofs=["j0", "j1", "j2", "j3"])
    ik.error_method = TaskSpaceRegion.position_only()
    seed = arm.random_positions(rng)
    seed[4:] += 0.01
    solution = ik.solve([0.3, 0.1, 0.6], seed=seed)
    assert solution
    np.testing.assert_array_equal(solution.q[4:], seed[4:])


# Failure, and why.


def test_a_target_beyond_the_reach_is_unreachable_at_once(arm):
    solution = InverseKinematics(arm).solve(pose((3.0, 0, 0.5)))
    assert not solution
    assert solution.reason is Reason.UNREACHABLE
    assert solution.attempts <= 200
    assert "'j0'" in solution.detail
    assert "3 m" in solution.detail
    # The nearest pose found is stretched out towards the target.
    at = arm.state(solution.q).transform(arm.tip).translation
    assert at[0] > 0.6
    assert solution.position_error == pytest.approx(np.linalg.norm(at - [3.0, 0, 0.5]), abs=1e-9)


def test_reach_is_not_claimed_of_a_base_that_moves(humanoid):
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    ik.use_whole_body()
    assert ik.solve(pose((3.0, 0, 0.5)))


def test_a_target_inside_the_reach_that_no_attempt_gets_to(arm):
    low = pose((0.0, 0.0, -0.45))
    solution = InverseKinematics(arm).solve(low, attempts=30)
    assert not solution
    assert solution.reason in (Reason.UNREACHABLE, Reason.LIMITS)
    assert f"{solution.position_error:.3g} m" in solution.detail


def test_limits_in_the_way_are_named(planar):
    planar.dof("j1").limits = (-0.5, 0.5)
    ik = InverseKinematics(planar)
    target = planar.state([0.2, 0.9]).transform(planar.tip)
    solution = ik.solve(target, attempts=20)
    assert solution.reason is Reason.LIMITS
    assert "'j1'" in solution.detail
    assert "0.4 beyond its upper limit 0.5" in solution.detail


def test_too_few_iterations(arm, rng):
    solution = InverseKinematics(arm).solve(reachable(arm, rng), attempts=3, iterations=1)
    assert solution.reason is Reason.ITERATIONS
    assert "1 iterations" in solution.detail or "allow more" in solution.detail


def test_a_timeout_is_kept(arm):
    ik = InverseKinematics(arm)
    ik.problem.attempts = 10**9
    begun = time.perf_counter()
    solution = ik.solve(pose((0.1, 0.0, -0.3), rpy=(0.1, 0.2, 0.3)), timeout=0.05)
    assert time.perf_counter() - begun < 0.5
    assert not solution
    assert solution.reason is Reason.TIMEOUT
    assert "0.05 s" in solution.detail
    assert np.isfinite(solution.q).all()


def test_a_timeout_of_zero_still_looks_at_the_seed(arm):
    assert InverseKinematics(arm).solve(timeout=0.0)


def test_without_degrees_of_freedom(arm):
    ik = InverseKinematics(arm, dofs=[])
    assert ik.solve()
    failed = ik.solve(pose((0.1, 0, 0)))
    assert not failed
    assert failed.reason is Reason.NO_DOFS
    np.testing.assert_array_equal(failed.q, arm.positions)


def test_a_failed_solve_gives_the_nearest_configuration(arm, misses, inside):
    target = pose((0.6, 0.3, -0.6))
    solution = InverseKinematics(arm).solve(target, attempts=40)
    assert not solution
    away, turned = misses(arm, solution.q, arm.tip, target)
    assert (solution.position_error, solution.orientation_error) == (
        pytest.approx(away),
        pytest.approx(turned),
    )
    assert inside(arm, solution.q)


# Constraints.


def test_a_constraint_is_asked_only_about_solutions(arm, rng, misses):
    target = reachable(arm, rng)
    asked = []
    solution = InverseKinematics(arm).solve(target, constraint=lambda q: asked.append(q) is None and len(asked) > 2)
    assert solution
    assert len(asked) == 3
    for q in asked:
        assert max(misses(arm, q, arm.tip, target)) <= 1e-6
    np.testing.assert_array_equal(asked[-1], solution.q)


def test_everything_refused(arm, rng):
    solution = InverseKinematics(arm).solve(reachable(arm, rng), constraint=lambda q: False, attempts=5)
    assert not solution
    assert solution.reason is Reason.CONSTRAINT
    assert solution.attempts == 5
    assert solution.position_error <= 1e-6


@pytest.mark.parametrize(
    ("constraint", "says"),
    [
        (lambda q: np.nan, "nan"),
        (lambda q: None, "None"),
        (lambda q: 1, "1"),
        (lambda q: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_bad_constraint_is_named(arm, constraint, says):
    before = arm.positions
    with pytest.raises(ConstraintError, match="lambda") as caught:
        InverseKinematics(arm).solve_and_apply(constraint=constraint)
    assert says in str(caught.value)
    np.testing.assert_array_equal(arm.positions, before)


def test_a_constraint_may_scribble_on_its_argument(arm, rng, misses):
    target = reachable(arm, rng)

    def scribble(q):
        q[:] = 0.0
        return np.True_

    solution = InverseKinematics(arm).solve(target, constraint=scribble)
    assert max(misses(arm, solution.q, arm.tip, target)) <= 1e-6


# Objectives.


def middle(skeleton):
    centre = 0.5 * (skeleton.lower_limits + skeleton.upper_limits)
    return lambda q: float(np.sum((q - centre) ** 2))


@pytest.mark.parametrize("kind", ["objective", "null_space_objective"])
def test_an_objective_is_reduced_among_the_solutions(arm, rng, misses, inside, kind):
    value = middle(arm)
    for _ in range(5):
        target = reachable(arm, rng)
        module = InverseKinematics(arm)
        module.problem.engine = "object"  # objectives are followed by this one
        plain = module.solve(target)
        ik = InverseKinematics(arm)
        setattr(ik, kind, value)
        best = ik.solve(target)
        assert best
        assert max(misses(arm, best.q, arm.tip, target)) <= 1e-6
        assert inside(arm, best.q)
        if kind == "objective":  # the same way there, then further
            assert value(best.q) <= value(plain.q) + 1e-9
        # Along the one free direction nothing better is near.
        jacobian = arm.state(best.q).jacobian(arm.tip)
        free = np.linalg.svd(jacobian)[2][-1]
        centre = 0.5 * (arm.lower_limits + arm.upper_limits)
        at_limit = ((best.q == arm.lower_limits) | (best.q == arm.upper_limits)).any()
        assert at_limit or abs(free @ (best.q - centre)) < 2e-2


def test_an_objective_with_a_gradient_equals_one_by_differences(arm, rng):
    value = middle(arm)
    centre = 0.5 * (arm.lower_limits + arm.upper_limits)

    class WithGradient:
        def evaluate(self, q):
            return value(q)

        def gradient(self, q):
            return 2.0 * (q - centre)

    target = reachable(arm, rng)
    answers = []
    for objective in (value, WithGradient()):
        ik = InverseKinematics(arm)
        ik.objective = objective
        answers.append(value(ik.solve(target).q))
    assert answers[0] == pytest.approx(answers[1], rel=1e-3)


@pytest.mark.parametrize("answer", [np.nan, np.inf, "far", None])
def test_a_bad_objective_is_named(arm, rng, answer):
    from kinetree.solvers import ObjectiveError

    ik = InverseKinematics(arm)
    ik.objective = lambda q: answer
    with pytest.raises(ObjectiveError, match="lambda"):
        ik.solve(reachable(arm, rng))
    ik.objective = 3.0
    with pytest.raises(ObjectiveError, match="neither"):
        ik.solve(reachable(arm, rng))


# The module.


def test_a_fresh_module(arm):
    ik = InverseKinematics(arm.tip)
    assert ik.frame is arm.tip
    assert ik.name == "tool"
    assert isinstance(ik.error_method, TaskSpaceRegion)
    assert isinstance(ik.gradient_method, LevenbergMarquardt)
    assert isinstance(ik.target, SimpleFrame)
    assert ik.target.parent is World()
    assert ik.target.transform().isApprox(arm.tip.transform())
    assert ik.problem.tolerance == (1e-6, 1e-6)
    assert ik.problem.attempts == 1000
    assert ik.problem.pace_for(ik.gradient_method).iterations == 25
    assert (ik.active, ik.hierarchy_level, ik.objective, ik.null_space_objective) == (True, 0, None, None)
    ik.target = pose((1, 2, 3))
    ik.target = None
    assert ik.target.transform().isApprox(arm.tip.transform())


def test_frame_ik_is_made_once(arm):
    assert arm.tip.ik is arm.tip.ik
    assert arm.tip.ik.frame is arm.tip


def test_darts_defaults(arm):
    ik = InverseKinematics(arm)
    ik.use_dart_defaults()
    assert isinstance(ik.gradient_method, JacobianDLS)
    assert ik.gradient_method.damping == 0.05
    assert ik.gradient_method.component_clamp == 0.2
    assert ik.problem.iterations == 500
    assert ik.problem.attempts == 1
    q = 0.5 * (arm.lower_limits + arm.upper_limits)
    arm.positions = q + 0.2
    ik.target = arm.state(q).transform(arm.tip)
    assert ik.solve_and_apply()


def test_the_offset_is_the_point_that_reaches_the_target(arm, rng):
    ik = InverseKinematics(arm)
    assert not ik.has_offset
    ik.offset = (0.1, 0.0, 0.2)
    assert ik.has_offset
    ik.error_method = TaskSpaceRegion.position_only()
    point = arm.state(arm.random_positions(rng)).transform(arm.tip).act(np.array([0.1, 0.0, 0.2]))
    solution = ik.solve(point)
    assert solution
    at = arm.state(solution.q).transform(arm.tip).act(np.array([0.1, 0.0, 0.2]))
    np.testing.assert_allclose(at, point, atol=1e-6)
    ik.offset = (0, 0, 0)
    assert not ik.has_offset
    assert ik.offset is None
    with pytest.raises(ShapeError):
        ik.offset = (1, 2)


def test_choosing_degrees_of_freedom(humanoid):
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    chain = len(ik.dofs)
    assert chain == 6
    ik.use_whole_body()
    assert len(ik.dofs) == humanoid.num_dofs
    ik.use_chain(humanoid.root)
    assert len(ik.dofs) == 6
    ik.set_dofs(["left_arm_0", humanoid.dof("left_arm_2"), humanoid.joint("left_arm_3"), 0])
    assert [dof.name for dof in ik.dofs] == ["left_arm_0", "left_arm_2", "left_arm_3", "root.x"]
    ik.set_dofs(["root"])
    assert len(ik.dofs) == 6
    with pytest.raises(UnknownNameError, match="did you mean"):
        ik.set_dofs(["left_arm_O"])
    with pytest.raises(UnknownNameError, match="29"):
        ik.set_dofs([30])
    assert len(ik.dofs) == 6


def test_columns_follow_the_order_that_was_asked_for(arm, rng):
    target = reachable(arm, rng)
    names = [dof.name for dof in arm.dofs]
    straight, shuffled = InverseKinematics(arm), InverseKinematics(arm, dofs=names[::-1])
    assert [dof.name for dof in shuffled.dofs] == names[::-1]
    near = arm.positions
    np.testing.assert_allclose(straight.solve(target, seed=near).q, shuffled.solve(target, seed=near).q, atol=1e-5)


def test_a_module_survives_edits_of_its_skeleton(arm, rng):
    ik = InverseKinematics(arm)
    assert ik.solve(reachable(arm, rng))
    arm.joint("j6").placement = pose((0.1, 0, 0), rpy=(90, 0, 0), degrees=True)
    arm.dof("j0").limits = (-1.0, 1.0)
    for _ in range(5):
        solution = ik.solve(reachable(arm, rng))
        assert solution
        assert abs(solution.q[0]) <= 1.0


def test_a_degree_of_freedom_that_is_gone(arm):
    ik = InverseKinematics(arm.link("l3"), dofs=["j0", "j6"])
    arm.tip = None
    arm.remove_link("l6")
    with pytest.raises(StructureError, match="j6"):
        ik.solve()


def test_clone(arm, six):
    ik = InverseKinematics(arm)
    ik.offset = (0.1, 0, 0)
    ik.set_dofs(["j0", "j1"])
    ik.error_method = TaskSpaceRegion.position_only()
    ik.gradient_method = JacobianDLS(damping=0.3)
    ik.problem.seeds = [arm.positions]
    ik.hierarchy_level, ik.active = 2, False
    for frame in (None, arm.link("l4"), six.tip):
        twin = ik.clone(frame)
        assert twin.frame is (frame or arm.tip)
        assert [dof.name for dof in twin.dofs] == ["j0", "j1"]
        assert twin.dofs[0].joint.skeleton is twin.skeleton
        assert twin.target is ik.target
        assert twin.error_method is not ik.error_method
        assert twin.error_method.rows == 3
        assert twin.error_method.module is twin
        assert twin.gradient_method is not ik.gradient_method
        assert twin.gradient_method.damping == 0.3
        assert twin.problem.seeds is not ik.problem.seeds
        assert (twin.hierarchy_level, twin.active) == (2, False)
        np.testing.assert_array_equal(twin.offset, [0.1, 0, 0])


def test_chains_and_skeletons_are_accepted(arm):
    chain = arm.tip.chain(arm.link("l2"))
    assert InverseKinematics(chain).dofs == chain.dofs
    assert InverseKinematics(arm).frame is arm.tip
    with pytest.raises(StructureError, match="no skeleton"):
        InverseKinematics(SimpleFrame("free"))
    with pytest.raises(InvalidValueError):
        InverseKinematics("tool")


# Targets.


def test_all_forms_of_a_pose(arm, rng):
    ik = InverseKinematics(arm)
    target = reachable(arm, rng)
    import pinocchio as pin

    quaternion = pin.Quaternion(target.rotation).coeffs()
    forms = [target, target.homogeneous, (target.translation, quaternion), [*target.translation, *quaternion]]
    answers = [ik.solve(form).q for form in forms]
    for q in answers[1:]:
        np.testing.assert_allclose(q, answers[0], atol=1e-6)


@pytest.mark.parametrize(
    "target",
    [
        np.full((4, 4), np.nan),
        np.diag([1.0, 1.0, -1.0, 1.0]),
        np.diag([2.0, 1.0, 1.0, 1.0]),
        ([0, 0, 0], [0, 0, 0, 0]),
        ([0, 0, np.inf], [0, 0, 0, 1]),
        "home",
        [1.0, 2.0],
        np.zeros((3, 3)),
    ],
)
def test_bad_targets_are_refused(arm, target):
    before = arm.positions
    with pytest.raises(InvalidPoseError):
        InverseKinematics(arm).solve_and_apply(target)
    np.testing.assert_array_equal(arm.positions, before)


@pytest.mark.parametrize(
    "option",
    [
        {"attempts": 0},
        {"attempts": 1.5},
        {"iterations": -1},
        {"tolerance": 0.0},
        {"tolerance": np.nan},
        {"tolerance": (1e-3,)},
        {"timeout": -1.0},
        {"random_seed": -1},
        {"constraint": 3},
    ],
)
def test_bad_options_are_refused(arm, option):
    with pytest.raises(InvalidValueError, match=next(iter(option))):
        InverseKinematics(arm).solve(**option)


def test_targets_in_three_frames(arm, rng):
    ik = InverseKinematics(arm)
    wanted = reachable(arm, rng)
    table = SimpleFrame("table", World(), pose((0.3, 0.2, 0.1), rpy=(0.5, 0.6, 0.7)))
    on_table = SimpleFrame("on_table", table)
    on_table.set_transform(wanted)
    on_base = SimpleFrame("on_base", arm.root)
    on_base.set_transform(wanted)
    answers = [ik.solve(each) for each in (wanted, on_table, on_base)]
    for solution in answers:
        assert solution
        assert arm.state(solution.q).transform(arm.tip).isApprox(wanted, 2e-6)
    # A target that hangs on something follows it.
    ik.target = on_table
    table.set_translation([0.35, 0.2, 0.1])
    assert ik.solve()
    assert ik.target is on_table


def test_the_tip_may_be_a_frame_on_a_link(arm, rng):
    tool = arm.add_frame("spike", "tool", pose((0, 0, 0.1), rpy=(0.3, 0, 0)))
    ik = InverseKinematics(tool)
    for _ in range(5):
        target = reachable(arm, rng, tool)
        solution = ik.solve(target)
        assert solution
        assert arm.state(solution.q).transform(tool).isApprox(target, 3e-6)


def test_free_and_spherical_joints(rng):
    skeleton = Skeleton("floating")
    link = skeleton.add_link("body", FreeJoint("free"))
    link = skeleton.add_link("head", SphericalJoint("neck"), link, pose((0, 0, 0.5)))
    skeleton.tip = skeleton.add_link("nose", None, link, pose((0.1, 0, 0.1)))
    ik = InverseKinematics(skeleton)
    ik.use_whole_body()
    for _ in range(10):
        target = reachable(skeleton, rng)
        target.translation = target.translation + rng.uniform(-5, 5, 3)
        solution = ik.solve(target, seed=skeleton.random_positions(rng))
        assert solution, solution
        assert skeleton.state(solution.q).transform(skeleton.tip).isApprox(target, 5e-6)


def test_dependent_joints_follow(arm, rng):
    arm.joint("j4").depend_on(arm.joint("j2"), multiplier=-0.5, offset=0.1)
    ik = InverseKinematics(arm)
    assert len(ik.dofs) == 6
    for _ in range(5):
        target = reachable(arm, rng)
        solution = ik.solve(target)
        assert solution, solution
        assert arm.state(solution.q).transform(arm.tip).isApprox(target, 3e-6)


def test_weights_of_joints_say_how_readily_they_are_used(arm):
    ik = InverseKinematics(arm)
    seed = 0.5 * (arm.lower_limits + arm.upper_limits)
    target = arm.state(seed + 0.2).transform(arm.tip)
    plain = ik.solve(target, seed=seed, attempts=1)
    arm.dof("j0").weight = 0.01
    lazy = ik.solve(target, seed=seed, attempts=1)
    assert plain
    assert lazy
    assert abs(lazy.q[0] - seed[0]) < 0.5 * abs(plain.q[0] - seed[0])
    arm.dof("j0").weight = 0.0
    still = ik.solve(target, seed=seed, attempts=1)
    assert still
    assert still.q[0] == seed[0]


def test_the_transpose_gets_there_in_its_own_time(arm, rng):
    ik = InverseKinematics(arm)
    ik.gradient_method = JacobianTranspose()
    q = arm.random_positions(rng)
    assert ik.solve(arm.state(q).transform(arm.tip), seed=arm.clamp(q + 0.02), tolerance=1e-4)


def test_a_wheel_without_limits_restarts_in_one_turn(rng, engine):
    skeleton = wheel(None)
    starts = []
    ik = InverseKinematics(skeleton)
    ik.solve(pose(rpy=(0, 0, 1.0)), constraint=lambda q: starts.append(q[0]) or False, attempts=50)
    assert len(starts) == 50 or engine != "object"
    assert np.abs(starts).max() <= np.pi + 1.0 + 1e-9


def test_problem_options_are_checked_when_set():
    problem = Problem()
    for name, value in {
        "attempts": 0,
        "iterations": 2.5,
        "max_step": -1.0,
        "strikes": 0,
        "improvement": 0.0,
    }.items():
        with pytest.raises(InvalidValueError, match=name):
            setattr(problem, name, value)
    problem.tolerance = 1e-4
    assert problem.tolerance == (1e-4, 1e-4)


def test_solutions_say_what_they_are(arm, rng):
    solution = InverseKinematics(arm).solve(reachable(arm, rng))
    assert str(solution).startswith("solved: ")
    assert "position" in str(solution)
    assert solution == solution
    assert hash(solution) == hash(solution)
    failed = InverseKinematics(arm).solve(pose((3, 0, 0)))
    assert str(failed).startswith("not solved (unreachable): ")
    assert failed.engine
