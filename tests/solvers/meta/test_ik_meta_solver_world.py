"""`IKMetaSolver` and the rest of the world: what changes between calls, time, threads, bad constraints."""

import copy
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kinetree.kinematics import RevoluteJoint, SimpleFrame, pose
from kinetree.solvers import ConstraintError, IKMetaSolver, InverseKinematics, JacobianIKSolver
from tests.solvers.recorded import Recorded, refused, relative, unmeasured


@pytest.fixture
def meta(arm):
    return IKMetaSolver(JacobianIKSolver(arm.tip.chain()))


def middle(arm):
    return 0.5 * (arm.lower_limits + arm.upper_limits)


# What changes between calls.


def test_the_world_may_change_between_calls(arm, rng, meta):
    blocked = []
    meta.constraint = lambda q: not blocked
    target = relative(arm, arm.random_positions(rng), meta.chain)
    assert meta.solve(target, stop_at_first=True)
    blocked.append(True)
    assert not meta.solve(target)
    blocked.clear()
    assert meta.solve(target, stop_at_first=True)


def test_limits_that_change_between_calls(arm, rng, meta, inside):
    q = middle(arm)
    target = relative(arm, q, meta.chain)
    assert len(meta.solve(target, q)) > 3
    for dof in ("j0", "j2", "j4"):
        arm.dof(dof).limits = (-0.3, 0.3)
    solutions = meta.solve(target, q, max_attempts=60)
    assert solutions
    assert all(inside(arm, found) for found in solutions)
    starts = Recorded([[]], arm.tip.chain())
    IKMetaSolver(starts).solve(pose())
    assert np.abs(np.array(starts.starts)[:, [0, 2, 4]]).max() <= 0.3
    arm.dof("j0").limits = (1.0, 1.5)
    report = meta.solve(target, q, max_attempts=60)
    assert all(1.0 <= found[0] <= 1.5 for found in report)


def test_a_base_that_is_moved(arm, rng):
    """The target is relative to the base, wherever that is: in the tree, or before it."""
    chain = arm.tip.chain(arm.link("l1"))
    meta = IKMetaSolver(JacobianIKSolver(chain))
    q = arm.random_positions(rng)
    target = relative(arm, q, chain)
    for angle in (0.0, 1.0, -2.0):
        state = q.copy()
        state[0] = angle
        found = meta.solve(target, state, stop_at_first=True)
        assert found
        assert found[0][0] == angle
        np.testing.assert_allclose(relative(arm, found[0], chain).homogeneous, target.homogeneous, atol=3e-6)


def test_a_robot_that_is_mounted_elsewhere(arm, rng):
    stand = arm.add_link("stand", None, arm.root, pose([0, 0, 0]))
    meta = IKMetaSolver(JacobianIKSolver(arm.tip.chain(arm.root)))
    whole = IKMetaSolver(InverseKinematics(arm))
    q = arm.random_positions(rng)
    target = relative(arm, q, meta.chain)
    assert meta.solve(target, q, stop_at_first=True)
    arm.move_link("l0", stand, placement=pose([0.5, 0.2, 1.0], rpy=[0, 0, 1.0]))
    moved = relative(arm, q, meta.chain)
    assert np.abs(moved.homogeneous - target.homogeneous).max() > 0.1
    for each in (meta, whole):
        found = each.solve(relative(arm, q, each.chain), q, stop_at_first=True)
        np.testing.assert_allclose(found[0], q, atol=1e-5)
    # A joint that is put in between is one more to move, for what looks up its chain itself.
    arm.replace_joint("stand", RevoluteJoint("turn", axis="z", limits=(-1, 1)))
    assert len(whole.chain) == 8
    q = arm.random_positions(rng)
    assert whole.solve(relative(arm, q, whole.chain), q, stop_at_first=True)


def test_a_step_that_changes_between_calls(arm, rng, meta):
    from kinetree.solvers import JacobianDLS, JacobianTranspose

    target, state = relative(arm, middle(arm), meta.chain), arm.random_positions(rng)
    every = {}
    for method in (JacobianDLS(damping=0.05), JacobianDLS(damping=0.5), JacobianTranspose()):
        meta.solver.method = method
        meta.max_iterations = 40
        every[repr(method)] = [q.tolist() for q in meta.solve(target, state)]
        fresh = IKMetaSolver(JacobianIKSolver(arm, method, max_iterations=40))
        assert every[repr(method)] == [q.tolist() for q in fresh.solve(target, state)]
    method.component_clamp = 1e-3
    assert not meta.solve(target, state)
    assert len({str(each) for each in every.values()}) > 1


def test_a_target_frame_and_a_world_around(arm, rng):
    frame = SimpleFrame("elsewhere", arm.link("l6"), pose([0.1, 0, 0]))
    meta = IKMetaSolver(JacobianIKSolver(frame.chain()))
    for _ in range(3):
        frame.relative_transform = pose(rng.uniform(-0.1, 0.1, 3))
        q = arm.random_positions(rng)
        found = meta.solve(relative(arm, q, meta.chain), q, stop_at_first=True)
        np.testing.assert_allclose(found[0], q, atol=1e-5)


# Time.


def test_a_time_budget(arm):
    def slow(solver):
        time.sleep(0.02)

    meta = unmeasured(Recorded([slow], arm.tip.chain()))
    meta.max_attempts = 1000
    meta.timeout = 0.05
    begun = time.perf_counter()
    solutions = meta.solve(pose())
    assert time.perf_counter() - begun < 0.5
    assert solutions.report.timed_out
    assert 1 <= solutions.report.attempts < 10
    assert meta.solve(pose(), timeout=0.0).report.attempts == 1


def test_a_slow_constraint_keeps_to_the_time(arm, rng, meta):
    def slow(q):
        time.sleep(0.02)
        return False

    meta.constraint = slow
    meta.max_attempts = 1000
    begun = time.perf_counter()
    solutions = meta.solve(relative(arm, middle(arm), meta.chain), timeout=0.1)
    assert time.perf_counter() - begun < 0.6
    report = solutions.report
    assert report.timed_out
    assert report.attempts + report.remaining == 1000
    assert 1 <= report.refused["constraint"] <= 6
    assert f"{report.remaining} attempts remain" in str(report)


def test_the_time_is_looked_at_between_the_candidates_of_an_attempt(arm):
    answers = [[middle(arm) + 0.01 * k for k in range(50)]]
    solver = Recorded(answers, arm.tip.chain())
    meta = unmeasured(solver, constraint=lambda q: time.sleep(0.02) or True)
    solutions = meta.solve(pose(), max_attempts=1, timeout=0.1)
    assert 1 <= len(solutions) <= 6
    assert solutions.report.timed_out
    assert solutions.report.remaining == 0


def test_a_solver_that_only_raises_and_takes_long(arm):
    def bad(solver):
        time.sleep(0.03)
        raise OSError("no connection")

    with pytest.raises(RuntimeError, match="no connection"):
        unmeasured(Recorded([bad], arm.tip.chain())).solve(pose(), max_attempts=1000, timeout=0.1)


# Constraints that fail, and what is left as it was.


@pytest.mark.parametrize("answer", [np.nan, None, "yes"])
def test_a_bad_constraint_is_named(arm, answer):
    q = 0.5 * (arm.lower_limits + arm.upper_limits)
    with pytest.raises(ConstraintError):
        unmeasured(Recorded([q]), arm.tip, constraint=lambda q: answer).solve(pose())


def test_a_constraint_that_raises_is_named(arm):
    def careful(q):
        raise ZeroDivisionError("by zero")

    before = arm.positions
    for options in ({"constraint": careful}, {"collision_detector": Careless()}):
        with pytest.raises(ConstraintError, match=r"careful|Careless") as caught:
            unmeasured(Recorded([middle(arm)]), arm.tip, **options).solve(pose())
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
    np.testing.assert_array_equal(arm.positions, before)


class Careless:
    def in_collision(self, q):
        raise ZeroDivisionError("by zero")


@pytest.mark.parametrize("answer", [np.nan, None, 0.3, "no"])
def test_a_detector_that_does_not_answer_is_named(arm, answer):
    detector = Careless()
    detector.in_collision = lambda q: answer
    with pytest.raises(ConstraintError, match="Careless"):
        unmeasured(Recorded([middle(arm)]), arm.tip, collision_detector=detector).solve(pose())


def test_solver_and_constraint_may_move_the_robot_and_scribble(arm):
    before = arm.positions

    def scribbling(q):
        arm.positions = q
        q[:] = 7.0
        return True

    def moving(solver):
        arm.positions = arm.lower_limits
        return middle(arm)

    solver = Recorded([moving], arm.tip.chain())
    state = middle(arm) + 0.1
    kept = state.copy()
    solutions = unmeasured(solver, constraint=scribbling).solve(pose(), state)
    np.testing.assert_array_equal(solutions, [middle(arm)])
    np.testing.assert_array_equal(arm.positions, before)
    np.testing.assert_array_equal(state, kept)
    assert not solutions[0].flags.writeable


@pytest.mark.parametrize("where", ["solver", "constraint"])
def test_after_an_interrupt_all_is_as_before(arm, rng, meta, where):
    before = arm.positions

    def interrupted(*_):
        arm.positions = arm.lower_limits
        raise KeyboardInterrupt

    target = relative(arm, middle(arm), meta.chain)
    expected = np.array(meta.solve(target))
    if where == "constraint":
        meta.constraint = interrupted
        stopped = meta
    else:
        stopped = unmeasured(Recorded([interrupted], arm.tip.chain()))
    with pytest.raises(KeyboardInterrupt):
        stopped.solve(target)
    np.testing.assert_array_equal(arm.positions, before)
    meta.constraint = None
    np.testing.assert_array_equal(meta.solve(target), expected)


# Threads, copies, calls within calls.


def test_from_several_threads_at_once(six):
    meta = IKMetaSolver(JacobianIKSolver(six), constraint=lambda q: q[1] > -3.0)
    rng = np.random.default_rng(3)
    targets = [relative(six, six.random_positions(rng), meta.chain) for _ in range(40)]
    alone = [np.array(meta.solve(each)) for each in targets]
    gate = threading.Barrier(4)

    def all_of_them(_):
        gate.wait()
        return [np.array(meta.solve(each)) for each in targets]

    with ThreadPoolExecutor(4) as pool:
        for answers in pool.map(all_of_them, range(4)):
            for one, other in zip(answers, alone, strict=True):
                np.testing.assert_array_equal(one, other)


def test_a_constraint_may_ask_the_same_solver(six):
    meta = IKMetaSolver(JacobianIKSolver(six))
    rng = np.random.default_rng(4)
    target, other = (relative(six, six.random_positions(rng), meta.chain) for _ in range(2))
    expected, within = np.array(meta.solve(target)), np.array(meta.solve(other))

    def asks(q):
        meta.constraint = None
        np.testing.assert_array_equal(meta.solve(other), within)
        meta.constraint = asks
        return True

    meta.constraint = asks
    np.testing.assert_array_equal(meta.solve(target), expected)


def test_copies(six):
    meta = IKMetaSolver(JacobianIKSolver(six))
    rng = np.random.default_rng(5)
    target = relative(six, six.random_positions(rng), meta.chain)
    expected = np.array(meta.solve(target))
    shallow, deep = copy.copy(meta), copy.deepcopy(meta)
    shallow.max_attempts = 3
    assert meta.max_attempts == 25
    del meta
    np.testing.assert_array_equal(deep.solve(target), expected)
    assert deep.chain.skeleton is not six
    assert len(shallow.solve(target)) <= 3


def test_counts_are_of_one_call(arm):
    meta = unmeasured(Recorded([arm.upper_limits + 0.1], arm.tip.chain()))
    first, second = meta.solve(pose()), meta.solve(pose())
    assert refused(first) == refused(second) == {"limits": 25}
