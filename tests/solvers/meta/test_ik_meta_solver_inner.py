"""What may be inside an `IKMetaSolver`: modules, closed forms, users' own solvers, good and bad ones."""

import time

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, pose
from kinetree.solvers import (
    GradientMethod,
    GradientMethodError,
    IKMetaSolver,
    InverseKinematics,
    InvKinSolver,
    IterativeIK,
    JacobianIKSolver,
    ModuleSolver,
    Solutions,
    SolverError,
    TaskSpaceRegion,
)
from tests.solvers.recorded import Recorded, refused, relative, unmeasured


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


def test_one_bad_attempt_does_not_end_the_search(arm, rng):
    q = 0.5 * (arm.lower_limits + arm.upper_limits)
    answers = [lambda solver: 1 / 0, lambda solver: {}["seed"], q, q + 0.1]
    solutions = unmeasured(Recorded(answers), arm.tip).solve(pose(), max_attempts=8)
    np.testing.assert_array_equal(solutions, [q, q + 0.1])
    assert refused(solutions) == {"error": 4, "duplicate": 2}
    assert "ZeroDivisionError" in solutions.report.error
    assert "ZeroDivisionError" in str(solutions.report)


def test_a_generator_may_fail_on_the_way(arm):
    def failing(solver):
        yield np.zeros(7)
        raise OSError("gone")

    solutions = IKMetaSolver(Recorded([failing, []]), arm.tip).solve(pose(), max_attempts=2)
    assert refused(solutions) == {"error": 1, "not solved": 1}


def test_a_method_that_fails_at_some_places_only(arm, rng):
    class Moody(GradientMethod):
        def gradient(self, jacobian, error):
            if np.linalg.norm(error) > 2.0:
                raise ArithmeticError("not here")
            return np.linalg.pinv(jacobian, rcond=1e-2) @ error

    meta = IKMetaSolver(JacobianIKSolver(arm, Moody()))
    meta.max_attempts = 60
    solutions = meta.solve(relative(arm, arm.random_positions(rng), meta.chain))
    assert solutions
    assert solutions.report.refused["error"] > 0
    assert "Moody" in solutions.report.error

    class Never(GradientMethod):
        def gradient(self, jacobian, error):
            raise ArithmeticError("not anywhere")

    with pytest.raises(GradientMethodError, match="not anywhere"):
        IKMetaSolver(JacobianIKSolver(arm, Never())).solve(pose([0.3, 0.2, 0.5]))


class Sloppy(IterativeIK):
    """Calls everything a success."""

    def __init__(self, chain, q):
        self._chain, self.q = chain, q

    @property
    def chain(self):
        return self._chain

    def solve(self, base_T_end, state=None):
        return Solutions([self.q.copy()])


def test_what_a_solver_says_is_measured(arm, rng):
    chain = arm.tip.chain()
    q = arm.random_positions(rng)
    target = relative(arm, q, chain)
    meta = IKMetaSolver(Sloppy(chain, q))
    assert meta.solve(target)
    shifted = target.copy()
    shifted.translation += [3e-6, 4e-6, 0.0]
    solutions = meta.solve(shifted, max_attempts=1)
    assert refused(solutions) == {"wrong pose": 1}
    assert solutions.report.nearest == pytest.approx((5e-6, 0.0), abs=1e-9)
    meta.max_error = 6e-6
    assert meta.solve(shifted)
    meta.max_error = 1e-6
    meta.check_pose = False
    assert meta.solve(shifted)


def test_what_a_solver_gives_that_says_nothing_is_measured_too(arm, rng):
    chain, q = arm.tip.chain(), arm.random_positions(rng)
    target = relative(arm, q, chain)
    shifted = target.copy()
    shifted.translation += [3e-4, 0.0, 4e-4]
    meta = IKMetaSolver(Recorded([q], chain))
    assert meta.max_error == 1e-3
    assert len(meta.solve(shifted)) == 1
    meta.max_error = 1e-4
    solutions = meta.solve(shifted)
    assert refused(solutions) == {"wrong pose": 25}
    assert solutions.report.nearest == pytest.approx((5e-4, 0.0), abs=1e-9)
    assert "0.0005 m" in str(solutions.report)
    assert "0.0001 m and rad (max_error" in str(solutions.report)
    with pytest.raises(InvalidValueError, match="max_error"):
        meta.max_error = 0.0
    assert meta.max_error == 1e-4
    meta.check_pose = False
    assert meta.solve(shifted)
    # Turned by 2e-3 rad, at the right place.
    assert not IKMetaSolver(Recorded([q], chain)).solve(target * pose(rpy=(0, 0, 2e-3)))
    nonsense = IKMetaSolver(Recorded([np.zeros(7), q + 0.3], chain)).solve(target)
    assert refused(nonsense) == {"wrong pose": 25}


def test_one_that_states_its_error_is_measured_by_that(arm, rng):
    class Frank(Recorded):
        max_error = 1e-2

    chain, q = arm.tip.chain(), arm.random_positions(rng)
    shifted = relative(arm, q, chain)
    shifted.translation += [0.0, 5e-3, 0.0]
    solver = Frank([q], chain)
    meta = IKMetaSolver(solver)
    assert meta.max_error == 1e-2
    assert meta.solve(shifted)
    meta.max_error = 1e-4
    assert solver.max_error == 1e-4
    assert refused(meta.solve(shifted)) == {"wrong pose": 25}
    # A module is believed, and its tolerance is what a meta solver around it states.
    ik = InverseKinematics(arm)
    ik.problem.tolerance = 2e-3, 1e-3
    assert IKMetaSolver(ik).max_error == 2e-3


def test_a_subclass_is_asked_itself(arm, rng):
    """What a subclass has changed is not passed by on the quick way of the class that it comes from."""
    q = arm.random_positions(rng)

    class Cautious(JacobianIKSolver):
        asked = 0

        def solve(self, base_T_end, state=None):
            self.asked += 1
            return Solutions()

    solver = Cautious(arm)
    assert not IKMetaSolver(solver).solve(relative(arm, q, solver.chain), q)
    assert solver.asked == 25

    class Frank(JacobianIKSolver):
        def request_for(self, base_T_end, state=None):
            return JacobianIKSolver(arm).request_for(base_T_end, state)

    class Silent(Frank):
        def solve(self, base_T_end, state=None):
            return Solutions()

    assert IKMetaSolver(Frank(arm)).solve(relative(arm, q, solver.chain), q)
    assert not IKMetaSolver(Silent(arm)).solve(relative(arm, q, solver.chain), q)

    class Wrong(JacobianIKSolver):
        def attempt(self, base_T_end, q=None):
            return super().attempt(pose([0.3, 0.0, 0.5]), q)

    solutions = IKMetaSolver(Wrong(arm)).solve(relative(arm, q, arm.tip.chain()), q)
    assert not solutions
    assert solutions.report.refused["wrong pose"] > 0


def test_one_that_takes_a_timeout_is_told_what_is_left(arm):
    class Patient:
        chain = arm.tip.chain()

        def __init__(self):
            self.given = []

        def solve(self, base_T_end, q, timeout=None):
            self.given.append(timeout)
            time.sleep(0.01)
            return None

    solver = Patient()
    IKMetaSolver(solver).solve(pose(), max_attempts=3)
    assert solver.given == [None] * 3
    solver.given.clear()
    IKMetaSolver(solver).solve(pose(), max_attempts=1000, timeout=0.1)
    assert 0.09 < solver.given[0] <= 0.1
    assert solver.given == sorted(solver.given, reverse=True)
    assert min(solver.given) >= 0.0


def test_a_slow_method_keeps_to_the_time(arm, monkeypatch):
    class Slow(GradientMethod):
        def gradient(self, jacobian, error):
            time.sleep(0.002)
            return jacobian.T @ error

    meta = IKMetaSolver(JacobianIKSolver(arm, Slow(), max_iterations=10_000))
    meta.solver.gives_up = False
    begun = time.perf_counter()
    solutions = meta.solve(pose([5, 0, 0]), timeout=0.1)
    assert time.perf_counter() - begun < 2.0
    assert solutions.report.timed_out
    assert solutions.report.remaining == 25 - solutions.report.attempts > 0


def test_a_module_inside(arm, rng, misses):
    ik = InverseKinematics(arm)
    ik.error_method = TaskSpaceRegion.position_only()
    meta = IKMetaSolver(ik)
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    solutions = meta.solve(target, arm.positions)
    assert len(solutions) > 10  # a redundant arm: every attempt ends elsewhere
    for q in solutions:
        assert misses(arm, q, arm.tip, target)[0] <= 1e-6


def test_a_modules_options_count_as_they_are_at_each_call(arm, rng, misses):
    ik = InverseKinematics(arm)
    meta = IKMetaSolver(ik)
    q = arm.random_positions(rng)
    target = arm.state(q).transform(arm.tip).copy()
    assert len(meta.solve(target, q)) > 3
    ik.set_dofs(["j4", "j5", "j6"])
    assert len(meta.chain) == 3
    state = q.copy()
    state[4:] = 0.5 * (arm.lower_limits + arm.upper_limits)[4:]
    for found in meta.solve(target, state):
        np.testing.assert_array_equal(found[:4], state[:4])
    ik.set_dofs(["j0", "j1", "j2", "j3", "j4", "j5"])
    ik.error_method = TaskSpaceRegion.position_only()
    several = meta.solve(target, q)
    assert len(several) > 5
    assert all(found[6] == q[6] for found in several)
    ik.error_method = TaskSpaceRegion()
    ik.use_chain()
    ik.offset = [0.0, 0.0, 0.1]
    assert meta.tcp is not arm.tip
    found = meta.solve(target, q, stop_at_first=True)[0]
    at = arm.state(found).transform(arm.tip)
    np.testing.assert_allclose(at.act(np.array([0, 0, 0.1])), target.translation, atol=2e-6)
    ik.problem.iterations = 0
    assert not meta.solve(target, np.zeros(7) - 0.5)
    ik.problem.iterations = None
    ik.problem.random_seed = np.random.default_rng(0)  # of no use here, and in no one's way
    ik.problem.seeds = [q]
    assert meta.solve(target, q)


def test_an_offset_that_is_moved_between_calls(arm, rng):
    frame = arm.add_frame("probe", arm.tip, pose([0, 0, 0.1]))
    meta = IKMetaSolver(JacobianIKSolver(frame.chain()))
    q = arm.random_positions(rng)
    for length in (0.1, 0.2):
        frame.relative_transform = pose([0, 0.05, length])
        target = relative(arm, q, meta.chain)
        found = meta.solve(target, arm.random_positions(rng), stop_at_first=True)[0]
        np.testing.assert_allclose(relative(arm, found, meta.chain).homogeneous, target.homogeneous, atol=3e-6)


def test_a_closed_form_gives_all_branches_at_once(six, rng, misses):
    ik = InverseKinematics(six)
    ik.gradient_method = ik.analytical()
    for meta in (IKMetaSolver(ik), IKMetaSolver(ModuleSolver(ik)), IKMetaSolver(ik.analytical())):
        target = six.state(six.random_positions(rng)).transform(six.tip).copy()
        solutions = meta.solve(target)
        assert 2 <= len(solutions) <= 8
        assert solutions.report.exhausted
        assert solutions.report.attempts == 2
        assert "the same" in str(solutions.report)
        for q in solutions:
            assert max(misses(six, q, six.tip, target)) <= 1e-6
        restarts = IKMetaSolver(JacobianIKSolver(six)).solve(target, max_attempts=300)
        assert len(restarts) == len(solutions)
        assert not restarts.report.exhausted


def test_a_closed_form_of_a_redundant_arm_is_asked_from_every_start(arm, rng):
    ik = InverseKinematics(arm)
    ik.gradient_method = ik.analytical()
    solutions = IKMetaSolver(ik).solve(arm.state(arm.random_positions(rng)).transform(arm.tip))
    assert solutions.report.attempts == 25
    assert len(solutions) > 8
    assert solutions.report.refused["limits"] > 0
    assert sum(solutions.report.limits.values()) >= solutions.report.refused["limits"]


def test_branches_beyond_the_limits_when_they_are_asked_for(arm, rng, inside):
    ik = InverseKinematics(arm)
    ik.gradient_method = ik.analytical()
    meta = IKMetaSolver(ik)
    meta.check_joint_limits = False
    solutions = meta.solve(arm.state(arm.random_positions(rng)).transform(arm.tip))
    assert not all(inside(arm, q) for q in solutions)


def test_another_device_than_the_solvers(arm, rng):
    solver = Recorded([[]])
    meta = IKMetaSolver(solver, arm.tip.chain(arm.link("l2")))
    state = arm.random_positions(rng)
    meta.solve(pose(), state)
    starts = np.array(solver.starts)
    assert (starts[:, :3] == state[:3]).all()
    assert (np.ptp(starts[:, 3:], axis=0) > 0.5).all()
    # The starts differ in joints that the solver does not move: each attempt is one of its own.
    wide = IKMetaSolver(JacobianIKSolver(arm.tip.chain(arm.link("l2"))), arm.tip.chain())
    q = arm.random_positions(rng)
    for found in wide.solve(relative(arm, q, wide.solver.chain), q, max_attempts=60):
        assert max(np.abs(relative(arm, found, wide.solver.chain).translation
                          - relative(arm, q, wide.solver.chain).translation)) < 3e-6  # fmt: skip


def test_a_meta_solver_in_a_meta_solver(arm, rng):
    inner = IKMetaSolver(JacobianIKSolver(arm))
    inner.max_attempts = 3
    outer = IKMetaSolver(inner)
    target = relative(arm, arm.random_positions(rng), outer.chain)
    assert outer.solve(target, stop_at_first=True)


def test_an_abstract_solver_needs_only_two_methods(arm, rng):
    class Own(InvKinSolver):
        chain = arm.tip.chain()

        def solve(self, base_T_end, state=None):
            return Solutions()

    assert not IKMetaSolver(Own()).solve(pose())
    with pytest.raises(InvalidValueError, match="device"):
        IKMetaSolver(Recorded([[]], chain="arm"))
