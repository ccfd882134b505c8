import time

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, RevoluteJoint, Skeleton, pose
from kinetree.solvers import (
    ConstraintError,
    IKMetaSolver,
    InverseKinematics,
    InvKinSolver,
    IterativeIK,
    JacobianDLS,
    JacobianIKSolver,
    Solutions,
    SolverError,
    TaskSpaceRegion,
)


def relative(skeleton, q, chain):
    state = skeleton.state(q)
    return state.transform(chain.base).actInv(state.transform(chain.tip))


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


# Users' solvers inside.


class Recorded:
    """Gives prepared answers, and notes where it was started."""

    def __init__(self, answers, chain=None):
        self.answers = list(answers)
        self.starts = []
        self.chain = chain

    def solve(self, base_T_end, q):
        self.starts.append(q.copy())
        q[:] = 99.0  # a solver may scribble on its argument
        answer = self.answers[(len(self.starts) - 1) % len(self.answers)]
        return answer(self) if callable(answer) else answer


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
    meta = IKMetaSolver(solver, collision_detector=Detector(), constraint=wanted)
    solutions = meta.solve(pose(), max_attempts=1)
    np.testing.assert_array_equal(solutions, [good])
    refused = {"not solved": 0, "limits": 1, "collision": 1, "constraint": 1, "duplicate": 1}
    assert dict(solutions.report.refused) == refused
    kinds = [(kind, value) for kind, value in asked]
    assert ("collision", beyond[1]) not in kinds  # limits first
    assert ("constraint", colliding[1]) not in kinds  # then collision
    assert ("constraint", good[1] + 1e-6) in kinds  # duplicates last


def test_limits_are_inclusive_and_may_be_switched_off(arm):
    exact, beyond = arm.upper_limits.copy(), arm.upper_limits.copy()
    beyond[1] += 1e-9
    meta = IKMetaSolver(Recorded([[exact, beyond]], arm.tip.chain()))
    meta.proximity_limit = -1.0
    assert len(meta.solve(pose(), max_attempts=1)) == 1
    meta.check_joint_limits = False
    assert len(meta.solve(pose(), max_attempts=1)) == 2


def test_proximity(six):
    q = np.zeros(6)
    near, turned, far = q + 0.9e-5, q.copy(), q.copy()
    turned[0] = 2 * np.pi  # the same pose, a turn away
    far[5] = 1.1e-5
    meta = IKMetaSolver(Recorded([[q, near, turned, far, q]], six.tip.chain()))
    np.testing.assert_array_equal(meta.solve(pose(), max_attempts=1), [q, far])
    meta.proximity_limit = 0.0
    assert len(meta.solve(pose(), max_attempts=1)) == 3
    meta.proximity_limit = -1.0
    assert len(meta.solve(pose(), max_attempts=1)) == 5


def test_angles_are_wrapped_before_the_limits_are_tested(six):
    q = np.zeros(6)
    q[2] = 20.5 * np.pi
    (found,) = IKMetaSolver(Recorded([q], six.tip.chain())).solve(pose(), max_attempts=1)
    assert found[2] == pytest.approx(0.5 * np.pi)


def test_stop_at_first(arm):
    q = 0.5 * (arm.lower_limits + arm.upper_limits)
    solver = Recorded([[], [q, q + 0.1]], arm.tip.chain())
    meta = IKMetaSolver(solver)
    meta.stop_at_first = True
    solutions = meta.solve(pose())
    assert len(solutions) == 1
    assert solutions.report.attempts == len(solver.starts) == 2
    assert len(meta.solve(pose(), None, 4, False)) == 2


def test_a_time_budget(arm):
    def slow(solver):
        time.sleep(0.02)

    meta = IKMetaSolver(Recorded([slow], arm.tip.chain()))
    meta.max_attempts = 1000
    meta.timeout = 0.05
    begun = time.perf_counter()
    solutions = meta.solve(pose())
    assert time.perf_counter() - begun < 0.5
    assert solutions.report.timed_out
    assert 1 <= solutions.report.attempts < 10
    assert meta.solve(pose(), timeout=0.0).report.attempts == 1


def test_the_world_may_change_between_calls(arm, rng, meta):
    blocked = []
    meta.constraint = lambda q: not blocked
    target = relative(arm, arm.random_positions(rng), meta.chain)
    assert meta.solve(target, stop_at_first=True)
    blocked.append(True)
    assert not meta.solve(target)
    blocked.clear()
    assert meta.solve(target, stop_at_first=True)


def test_a_module_inside(arm, rng, misses):
    ik = InverseKinematics(arm)
    ik.error_method = TaskSpaceRegion.position_only()
    meta = IKMetaSolver(ik)
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    solutions = meta.solve(target, arm.positions)
    assert len(solutions) > 10  # a redundant arm: every attempt ends elsewhere
    for q in solutions:
        assert misses(arm, q, arm.tip, target)[0] <= 1e-6


@pytest.mark.parametrize("kind", ["Solution", "array", "list of lists", "Solutions", "none", "generator"])
def test_what_a_users_solver_may_give(arm, rng, kind):
    ik = InverseKinematics(arm)
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    solution = ik.solve(target)
    answer = {
        "Solution": solution,
        "array": solution.q,
        "list of lists": [solution.q.tolist()],
        "Solutions": Solutions([solution.q]),
        "none": None,
        "generator": lambda solver: (q for q in [solution.q]),
    }[kind]
    solutions = IKMetaSolver(Recorded([answer]), arm.tip).solve(target, max_attempts=2)
    assert len(solutions) == (0 if kind == "none" else 1)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda solver: 1 / 0, "ZeroDivisionError"),
        ([[np.nan] * 7], "not finite"),
        ([[0.0] * 6], "shape"),
        (3.0, "3.0"),
        (["left"], "no configuration"),
    ],
)
def test_a_bad_solver_is_named_and_nothing_moves(arm, answer, says):
    before = arm.positions
    with pytest.raises(SolverError, match="Recorded") as caught:
        IKMetaSolver(Recorded([answer]), arm.tip).solve(pose())
    assert says in str(caught.value)
    np.testing.assert_array_equal(arm.positions, before)


@pytest.mark.parametrize("answer", [np.nan, None, "yes"])
def test_a_bad_constraint_is_named(arm, answer):
    q = 0.5 * (arm.lower_limits + arm.upper_limits)
    with pytest.raises(ConstraintError):
        IKMetaSolver(Recorded([q]), arm.tip, constraint=lambda q: answer).solve(pose())


def test_bad_arguments(arm, meta):
    with pytest.raises(InvalidValueError, match="solve"):
        IKMetaSolver("solver", arm.tip)
    with pytest.raises(InvalidValueError, match="device"):
        IKMetaSolver(Recorded([[]]))
    with pytest.raises(InvalidValueError, match="in_collision"):
        IKMetaSolver(Recorded([[]]), arm.tip, collision_detector=3)
    with pytest.raises(InvalidValueError, match="max_attempts"):
        meta.max_attempts = -1
    with pytest.raises(InvalidValueError, match="max_attempts"):
        meta.solve(pose(), None, 2.5)
    for value in (-1.0, np.nan):
        with pytest.raises(InvalidValueError, match="positive"):
            meta.max_error = value
    meta.max_error = 1e-3
    assert meta.solver.max_error == 1e-3


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
