import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, RevoluteJoint, Skeleton, pose
from kinetree.solvers import (
    IKMetaSolver,
    InverseKinematics,
    InvKinSolver,
    IterativeIK,
    JacobianDLS,
    JacobianIKSolver,
)
from tests.solvers.recorded import Recorded, refused, relative, unmeasured


@pytest.fixture
def meta(arm):
    return IKMetaSolver(JacobianIKSolver(arm.tip.chain()))


def test_robworks_defaults(meta):
    assert isinstance(meta, IterativeIK)
    assert isinstance(meta, InvKinSolver)
    assert (meta.max_attempts, meta.stop_at_first) == (25, False)
    assert (meta.proximity_limit, meta.check_joint_limits) == (1e-5, True)
    assert meta.max_error == 1e-6
    assert meta.tcp is meta.chain.tip


@pytest.mark.parametrize("name", ["arm", "six"])
def test_reachable_targets_with_defaults(request, rng, misses, inside, name):
    skeleton = request.getfixturevalue(name)
    meta = IKMetaSolver(JacobianIKSolver(skeleton.tip.chain()))
    for _ in range(60):
        target = relative(skeleton, skeleton.random_positions(rng), meta.chain)
        solutions = meta.solve(target, skeleton.random_positions(rng), stop_at_first=True)
        assert len(solutions) == 1, solutions.report
        for q in solutions:
            assert max(misses(skeleton, q, skeleton.tip, target)) <= 1e-6
            assert inside(skeleton, q)


def test_all_solutions_are_different_and_right(six, rng, misses, inside):
    meta = IKMetaSolver(JacobianIKSolver(six.tip.chain()))
    meta.max_attempts = 100
    target = relative(six, six.random_positions(rng), meta.chain)
    solutions = meta.solve(target)
    # An arm of this kind has up to 8.
    assert 2 <= len(solutions) <= 8
    for index, q in enumerate(solutions):
        assert max(misses(six, q, six.tip, target)) <= 1e-6
        assert inside(six, q)
        for other in solutions[:index]:
            difference = q - other
            assert np.abs(difference - 2 * np.pi * np.round(difference / (2 * np.pi))).max() > 1e-5
    report = solutions.report
    assert report.attempts == 100
    assert report.found == len(solutions)
    assert report.found + sum(report.refused.values()) == 100
    assert report.refused["duplicate"] > 0
    assert "duplicate" in str(report)


def test_the_target_is_relative_to_the_base_of_the_chain(arm, rng):
    chain = arm.tip.chain(arm.link("l1"))
    meta = IKMetaSolver(JacobianIKSolver(chain))
    state = arm.random_positions(rng)
    q = arm.random_positions(rng, dofs=chain.dof_indices, base=state)
    solutions = meta.solve(relative(arm, q, chain), state, stop_at_first=True)
    assert solutions
    np.testing.assert_array_equal(solutions[0][:2], state[:2])
    np.testing.assert_allclose(
        relative(arm, solutions[0], chain).homogeneous, relative(arm, q, chain).homogeneous, atol=3e-6
    )


def test_nothing_is_moved(arm, meta, rng):
    before, state = arm.positions, arm.random_positions(rng)
    copy = state.copy()
    target = relative(arm, arm.random_positions(rng), meta.chain).homogeneous
    meta.solve(target, state)
    np.testing.assert_array_equal(arm.positions, before)
    np.testing.assert_array_equal(state, copy)


def test_no_attempts_no_solutions(arm, meta, rng):
    target = relative(arm, arm.random_positions(rng), meta.chain)
    solutions = meta.solve(target, None, 0, False)
    assert len(solutions) == 0
    assert not solutions
    assert solutions.report.attempts == 0
    meta.max_attempts = 0
    assert not meta.solve(target)


def test_out_of_reach_is_empty_and_no_exception(meta):
    solutions = meta.solve(pose((5, 0, 0)))
    assert not solutions
    assert solutions.report.refused["not solved"] == 25


# The algorithm.


def test_the_first_attempt_is_from_the_given_state(arm, rng, inside):
    state = arm.random_positions(rng)
    solver = Recorded([[]], arm.tip.chain())
    meta = IKMetaSolver(solver)
    meta.solve(pose(), state)
    assert len(solver.starts) == 25
    np.testing.assert_array_equal(solver.starts[0], state)
    assert all(inside(arm, q) for q in solver.starts)
    assert len({q.tobytes() for q in solver.starts}) == 25
    again = Recorded([[]], arm.tip.chain())
    IKMetaSolver(again).solve(pose(), state)
    np.testing.assert_array_equal(solver.starts, again.starts)
    meta.random_seed = 1
    solver.starts.clear()
    meta.solve(pose(), state)
    assert (solver.starts[1] != again.starts[1]).any()


def test_unlimited_joints_restart_in_one_turn():
    skeleton = Skeleton("wheel")
    skeleton.tip = skeleton.add_link("wheel", RevoluteJoint("spin"), skeleton.add_link("base"))
    solver = Recorded([[]], skeleton.tip.chain())
    IKMetaSolver(solver).solve(pose())
    assert np.abs(solver.starts).max() <= np.pi


def test_tests_come_in_robworks_order(arm):
    good, beyond = 0.5 * (arm.lower_limits + arm.upper_limits), arm.upper_limits + 0.1
    colliding, unwanted = good + 0.1, good + 0.2
    asked = []

    class Detector:
        def in_collision(self, q):
            asked.append(("collision", q[1]))
            return q[1] == colliding[1]

    def wanted(q):
        asked.append(("constraint", q[1]))
        return q[1] != unwanted[1]

    solver = Recorded([[good, beyond, colliding, unwanted, good + 1e-6]], arm.tip.chain())
    meta = unmeasured(solver, collision_detector=Detector(), constraint=wanted)
    solutions = meta.solve(pose(), max_attempts=1)
    np.testing.assert_array_equal(solutions, [good])
    assert refused(solutions) == {"limits": 1, "collision": 1, "constraint": 1, "duplicate": 1}
    kinds = [(kind, value) for kind, value in asked]
    assert ("collision", beyond[1]) not in kinds  # limits first
    assert ("constraint", colliding[1]) not in kinds  # then collision
    assert ("constraint", good[1] + 1e-6) in kinds  # duplicates last


def test_limits_are_inclusive_and_may_be_switched_off(arm):
    exact, beyond = arm.upper_limits.copy(), arm.upper_limits.copy()
    beyond[1] += 1e-9
    meta = unmeasured(Recorded([[exact, beyond]], arm.tip.chain()))
    meta.proximity_limit = -1.0
    assert len(meta.solve(pose(), max_attempts=1)) == 1
    meta.check_joint_limits = False
    assert len(meta.solve(pose(), max_attempts=1)) == 2


def test_proximity(six):
    q = np.zeros(6)
    near, turned, far = q + 0.9e-5, q.copy(), q.copy()
    turned[0] = 2 * np.pi  # the same pose, a turn away
    far[5] = 1.1e-5
    meta = unmeasured(Recorded([[q, near, turned, far, q]], six.tip.chain()))
    np.testing.assert_array_equal(meta.solve(pose(), max_attempts=1), [q, far])
    meta.proximity_limit = 0.0
    assert len(meta.solve(pose(), max_attempts=1)) == 3
    meta.proximity_limit = -1.0
    assert len(meta.solve(pose(), max_attempts=1)) == 5


def test_angles_are_wrapped_before_the_limits_are_tested(six):
    q = np.zeros(6)
    q[2] = 20.5 * np.pi
    (found,) = unmeasured(Recorded([q], six.tip.chain())).solve(pose(), max_attempts=1)
    assert found[2] == pytest.approx(0.5 * np.pi)


def test_angles_are_the_ones_nearest_to_the_state(six, rng):
    meta = IKMetaSolver(JacobianIKSolver(six))
    state = rng.uniform(-3, 3, 6)
    solutions = meta.solve(relative(six, six.random_positions(rng), meta.chain), state)
    assert len(solutions) > 2
    for q in solutions:
        assert np.abs(q - state).max() <= np.pi + 1e-9
        assert q.base is None  # of its own, not a part of what others may write to


def test_stop_at_first(arm):
    q = 0.5 * (arm.lower_limits + arm.upper_limits)
    solver = Recorded([[], [q, q + 0.1]], arm.tip.chain())
    meta = unmeasured(solver)
    meta.stop_at_first = True
    solutions = meta.solve(pose())
    assert len(solutions) == 1
    assert solutions.report.attempts == len(solver.starts) == 2
    assert len(meta.solve(pose(), None, 4, False)) == 2


def test_the_same_call_gives_the_same_answer(arm, rng):
    target, state = relative(arm, arm.random_positions(rng), arm.tip.chain()), arm.random_positions(rng)
    meta = IKMetaSolver(JacobianIKSolver(arm))
    first = meta.solve(target, state)
    assert len(first) > 3
    np.testing.assert_array_equal(first, meta.solve(target, state))
    np.testing.assert_array_equal(first, IKMetaSolver(JacobianIKSolver(arm)).solve(target, state))
    np.testing.assert_array_equal(first[:1], meta.solve(target, state, stop_at_first=True))
    # Rounds of other sizes draw the same starts.
    np.testing.assert_array_equal(first, meta.solve(target, state, timeout=60.0))
    np.random.seed(3)  # noqa: NPY002 - the global generator plays no part
    np.testing.assert_array_equal(first, meta.solve(target, state))


def test_a_generator_goes_on(arm, rng):
    solver = Recorded([[]], arm.tip.chain())
    meta = IKMetaSolver(solver)
    meta.random_seed = np.random.default_rng(5)
    meta.solve(pose(), max_attempts=3)
    meta.solve(pose(), max_attempts=3)
    assert (solver.starts[0] == solver.starts[3]).all()
    assert len({q.tobytes() for q in solver.starts}) == 5
    again = Recorded([[]], arm.tip.chain())
    other = IKMetaSolver(again)
    other.random_seed = np.random.default_rng(5)
    other.solve(pose(), max_attempts=3)
    np.testing.assert_array_equal(again.starts, solver.starts[:3])


def test_nearest_first(six):
    state = np.zeros(6)
    far, near, middle = np.full(6, 0.5), np.full(6, -0.1), np.array([0.6, 0, 0, 0, 0, 0])
    meta = unmeasured(Recorded([[far, near, middle]], six.tip.chain()))
    np.testing.assert_array_equal(meta.solve(pose(), state, 1), [far, near, middle])
    meta.order = "nearest"
    np.testing.assert_array_equal(meta.solve(pose(), state, 1), [near, middle, far])
    six.dof("j0").weight = 100.0  # a joint that moves unwillingly
    np.testing.assert_array_equal(meta.solve(pose(), state, 1), [near, far, middle])
    assert meta.solve(pose(), state, 1, True).report.attempts == 1


def test_the_way_of_a_joint_counts_where_limits_keep_it_from_turning_on(planar):
    # From 1.9 to -1.9 is 3.8 rad for a joint that stops at 2, not 2.5.
    state, turned, other = np.array([1.9, 0.0]), np.array([-1.9, 0.0]), np.array([-1.0, 0.0])
    meta = unmeasured(Recorded([[turned, other]], planar.tip.chain()))
    meta.order = "nearest"
    np.testing.assert_array_equal(meta.solve(pose(), state, 1), [other, turned])


def test_a_limit_on_how_far_joints_may_go(arm, rng, misses):
    chain = arm.tip.chain()
    state = arm.random_positions(rng)
    goal = arm.clamp(state + rng.uniform(-0.2, 0.2, 7))
    target = relative(arm, goal, chain)
    for solver in (JacobianIKSolver(chain), Recorded([goal, goal + 1e-3, goal + 0.5 * np.eye(7)[6]], chain)):
        meta = unmeasured(solver)
        meta.max_attempts = 60
        meta.max_joint_change = 0.25
        solutions = meta.solve(target, state)
        assert solutions
        for q in solutions:
            assert np.abs(q - state).max() <= 0.25
        assert "joint change" in refused(solutions) or isinstance(solver, JacobianIKSolver)
    meta = IKMetaSolver(JacobianIKSolver(chain))
    meta.max_joint_change = {"j0": 0.0, "j3": 0.5}
    for q in meta.solve(target, arm.clamp(goal + 0.2 * (np.arange(7) > 0))):
        assert q[0] == goal[0]
    starts = Recorded([[]], chain)
    IKMetaSolver(starts).solve(target, state)
    assert np.abs(np.array(starts.starts) - state).max() > 1.0
    starts.starts.clear()
    near = IKMetaSolver(starts)
    near.max_joint_change = 0.1
    near.solve(target, state)
    assert np.abs(np.array(starts.starts) - state).max() <= 0.1
    far = state.copy()
    far[1] += 10.0
    nothing = meta_of(chain, 0.1).solve(target, far)
    assert not nothing
    assert "j1" in nothing.report.detail


def meta_of(chain, change):
    meta = IKMetaSolver(JacobianIKSolver(chain))
    meta.max_joint_change = change
    return meta


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_attempts", -1),
        ("max_attempts", 2.0),
        ("max_attempts", True),
        ("stop_at_first", 1),
        ("check_joint_limits", None),
        ("check_pose", "yes"),
        ("proximity_limit", np.nan),
        ("proximity_limit", "small"),
        ("timeout", -0.1),
        ("timeout", np.nan),
        ("random_seed", -3),
        ("random_seed", None),
        ("order", "best"),
        ("max_joint_change", -0.1),
        ("max_joint_change", {"j0": np.nan}),
        ("constraint", 3),
        ("collision_detector", 3),
        ("collision_detector", dict),
        ("max_error", -1.0),
        ("max_iterations", -1),
    ],
)
def test_a_bad_value_is_refused_where_it_is_assigned(meta, name, value):
    before = getattr(meta, name)
    with pytest.raises(InvalidValueError, match=name):
        setattr(meta, name, value)
    assert getattr(meta, name) is before


def test_bad_arguments(arm, meta):
    with pytest.raises(InvalidValueError, match="solve"):
        IKMetaSolver("solver", arm.tip)
    with pytest.raises(InvalidValueError, match="solve"):
        IKMetaSolver(JacobianIKSolver, arm.tip)
    with pytest.raises(InvalidValueError, match="device"):
        IKMetaSolver(Recorded([[]]))
    with pytest.raises(InvalidValueError, match="in_collision"):
        IKMetaSolver(Recorded([[]]), arm.tip, collision_detector=3)
    with pytest.raises(InvalidValueError, match="max_attempts"):
        meta.solve(pose(), None, 2.5)
    with pytest.raises(InvalidValueError, match="stop_at_first"):
        meta.solve(pose(), None, 2, "no")
    with pytest.raises(InvalidValueError, match="timeout"):
        meta.solve(pose(), timeout=-1.0)
    with pytest.raises(InvalidValueError, match="inner InverseKinematics"):
        IKMetaSolver(InverseKinematics(arm)).max_error = 1e-3
    with pytest.raises(InvalidValueError, match="inner Recorded"):
        IKMetaSolver(Recorded([[]]), arm.tip).max_iterations = 3
    meta.max_error = 1e-3
    assert meta.solver.max_error == 1e-3


def test_what_it_is_at_a_glance(meta):
    assert repr(meta) == "<IKMetaSolver: 7 joints, 'base' to 'tool', up to 25 attempts of JacobianIKSolver>"


# The iterative solver on its own.


def test_one_descent(arm, rng, misses):
    solver = JacobianIKSolver(arm.tip.chain())
    q = arm.random_positions(rng)
    target = relative(arm, q, solver.chain)
    solutions = solver.solve(target, arm.clamp(q + 0.1))
    assert len(solutions) == 1
    assert max(misses(arm, solutions[0], arm.tip, target)) <= 1e-6
    assert solutions.report.attempts == 1
    assert len(solver.solve(pose((5, 0, 0)), q)) == 0
    solver.max_iterations = 0
    assert not solver.solve(target, arm.clamp(q + 0.1))
    assert solver.solve(target, q)


def test_its_options(arm, rng):
    solver = JacobianIKSolver(arm, JacobianDLS(damping=0.1), max_error=1e-3, clamp_to_bounds=False)
    assert solver.tcp is arm.tip
    q = arm.random_positions(rng)
    target = relative(arm, q, solver.chain)
    found = outside = 0
    for _ in range(30):
        state = arm.random_positions(rng)
        solver.check_joint_limits = False
        every = solver.solve(target, state)
        solver.check_joint_limits = True
        kept = solver.solve(target, state)
        found += len(every)
        outside += len(every) - len(kept)
        assert kept.report.refused["limits"] == len(every) - len(kept)
    assert found > outside > 0


def test_small_steps_are_followed_without_failure(arm, rng):
    # RobWork's own test moves a seven-joint arm to targets near its start; none may fail.
    solver = JacobianIKSolver(arm)
    start = arm.lower_limits + 0.45 * (arm.upper_limits - arm.lower_limits)
    span = arm.upper_limits - arm.lower_limits
    for _ in range(20):
        q = arm.clamp(start + 0.1 * span * rng.uniform(-1, 1, 7))
        assert solver.solve(relative(arm, q, solver.chain), start)
