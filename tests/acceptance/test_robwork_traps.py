"""What goes wrong in RobWork's meta solver and those inside it, and reports of users that a meta solver answers."""

import time

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import Box, CollisionDetector, InvalidValueError, QConstraint, Sphere, pose
from kinetree.solvers import (
    AmbiguityResolver,
    IKMetaSolver,
    InverseKinematics,
    IterativeIK,
    JacobianIKSolver,
    JacobianTranspose,
    Reason,
    Solutions,
    TaskSpaceRegion,
)

LARGEST = np.finfo(float).max


@pytest.fixture
def panda():
    robot = models.load("panda")
    robot.positions = robot.clamp([0.1, -0.5, 0.2, -2.0, 0.1, 1.6, 0.7, 0.02])
    return robot


def in_base(robot, q, chain=None):
    """Where a chain's tip is relative to its base at q."""
    chain, state = chain or robot.tip.chain(), robot.state(q)
    base = state.transform(chain.base).copy()
    return base.actInv(state.transform(chain.tip))


def moved(robot, amount):
    q = robot.positions.copy()
    q[:7] += amount
    return robot.clamp(q)


def count(solutions, reason):
    return solutions.report.refused[reason]


# Trap 1: the first-order measure of the rotation is zero for half a turn.


class FirstOrder(IterativeIK):
    """Tests the rotation by three entries of its matrix, as RobWork does, and is content with where it is."""

    def __init__(self, chain):
        self._chain = chain

    @property
    def chain(self):
        return self._chain

    def solve(self, base_T_end, state=None):
        error = in_base(self._chain.skeleton, state, self._chain).actInv(base_T_end)
        turn = error.rotation[2, 1], error.rotation[0, 2], error.rotation[1, 0]
        there = max(np.abs(error.translation).max(), np.abs(turn).max()) <= self.max_error
        return Solutions([np.array(state)] if there else [])


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1]], ids="xyz")
def test_trap_1_half_a_turn_is_no_success(panda, axis):
    q = panda.positions.copy()
    target = in_base(panda, q) * pose(quaternion=[*axis, 0.0])
    believed = FirstOrder(panda.tip.chain())
    assert believed.solve(target, q)
    solutions = IKMetaSolver(believed).solve(target, q, 1)
    assert not solutions
    assert count(solutions, "wrong pose") == 1
    assert solutions.report.nearest == pytest.approx((0.0, np.pi), abs=1e-9)
    ours = JacobianIKSolver(panda, max_iterations=0)
    for engine in ("auto", "object"):
        ours.module.problem.engine = engine
        assert count(IKMetaSolver(ours).solve(target, q, 1), "not solved") == 1
    found = IKMetaSolver(JacobianIKSolver(panda)).solve(target, q, 200)
    for each in found:
        np.testing.assert_allclose(in_base(panda, each).homogeneous, target.homogeneous, atol=3e-6)


# Trap 2: convergence on the last iteration that is allowed was a failure.


@pytest.mark.parametrize("options", [{}, {"timeout": 60.0}], ids=["", "with a clock"])
def test_trap_2_the_last_iteration_counts(panda, options):
    q = panda.positions.copy()
    target = in_base(panda, moved(panda, 0.1))
    solver = JacobianIKSolver(panda)
    needed = solver.attempt(target, q).iterations
    assert needed >= 2
    meta = IKMetaSolver(solver)
    meta.max_iterations = needed
    assert len(meta.solve(target, q, 1, **options)) == 1
    meta.max_iterations = needed - 1
    assert not meta.solve(target, q, 1, **options)


# Trap 3: the constraint was frozen to the first state that it saw.


@pytest.mark.parametrize("given_as", ["collision_detector", "constraint"])
def test_trap_3_obstacles_are_where_they_are_now(panda, given_as):
    q = panda.positions.copy()
    target = in_base(panda, q)
    hand = panda.tip.transform().translation
    detector = CollisionDetector(panda)
    meta = IKMetaSolver(JacobianIKSolver(panda), **{given_as: detector})
    assert meta.solve(target, q)
    detector.add("ball", Sphere(0.1), pose(hand))
    blocked = meta.solve(target, q)
    assert not blocked
    assert count(blocked, "collision") > 0
    assert count(blocked, "constraint") == 0
    assert any("ball" in pair for pair in blocked.report.collisions)
    assert "'ball'" in str(blocked.report)
    assert "nearest" not in str(blocked.report)  # others got there
    detector.move("ball", pose(hand + np.array([0, 0, 1.5])))
    assert meta.solve(target, q)
    detector.move("ball", pose(hand))
    assert not meta.solve(target, q)
    detector.remove("ball")
    assert meta.solve(target, q)
    # The base of the device and what is carried count as they are, too.
    detector.add("shelf", Box(0.4, 0.4, 0.02), pose(hand - np.array([0, 0, 0.15])))
    assert meta.solve(target, q)
    detector.attach("tool", Box(0.02, 0.02, 0.3), panda.tip)
    assert not meta.solve(target, q)
    detector.detach("tool")
    assert meta.solve(target, q)


# Trap 4: bounds that stand for none, or a hair less than that, overflow when configurations are drawn.


@pytest.mark.parametrize("bounds", [None, (-np.inf, np.inf), (-LARGEST, LARGEST), (0.0, LARGEST), (-1e300, 1.0)])
def test_trap_4_bounds_without_end(planar_arm, position_module, bounds):
    arm = planar_arm([1.0, 0.8], limits=bounds)
    target = arm.state([0.6, 0.9]).transform(arm.tip)
    starts = []
    chain = arm.tip.chain()

    class Looking:
        def solve(self, base_T_end, q):
            starts.append(q)

    IKMetaSolver(Looking(), chain).solve(target)
    assert np.isfinite(starts).all()
    assert np.abs(starts[1:]).max() <= 4 * np.pi
    assert np.ptp(starts, axis=0).min() > 1.0
    with np.errstate(all="raise"):
        for q in IKMetaSolver(position_module(arm)).solve(target, [0.1, 0.1]):
            np.testing.assert_allclose(arm.state(q).transform(arm.tip).translation, target.translation, atol=2e-6)
            assert np.abs(q).max() <= 3 * np.pi
    assert IKMetaSolver(position_module(arm)).solve(target, [0.1, 0.1])


# Traps 5, 9, 10 and 11, seen from the meta solver.


def test_trap_5_weights_that_are_all_one_change_nothing(panda):
    target, q = in_base(panda, moved(panda, 0.1)), panda.positions
    plain = IKMetaSolver(JacobianIKSolver.robwork_defaults(panda)).solve(target, q)
    weighted = JacobianIKSolver.robwork_defaults(panda, "weighted")
    weighted.weights = np.ones(7)
    same = IKMetaSolver(weighted).solve(target, q)
    assert len(plain) == len(same) > 0
    np.testing.assert_allclose(plain, same, atol=1e-6)


def test_trap_9_a_limit_itself_is_inside(planar_arm, position_module):
    arm = planar_arm([1.0, 0.8], limits=(-2.0, 2.0))
    for q in ([2.0, 2.0], [-2.0, -2.0], [2.0, -2.0]):
        target = arm.state(q).transform(arm.tip)
        solutions = IKMetaSolver(position_module(arm)).solve(target, q)
        np.testing.assert_array_equal(solutions[0], q)


@pytest.mark.parametrize(("limits", "count"), [((0.5 - 2 * np.pi, 0.5), 2), ((0.5, 2 * np.pi), 1), (None, 1)])
def test_trap_9_equivalent_angles_up_to_the_upper_limit_and_no_end_without_one(planar_arm, limits, count):
    arm = planar_arm([1.0], limits=limits)
    q = np.array([0.5])
    meta = IKMetaSolver(JacobianIKSolver(arm))
    assert len(meta.solve(in_base(arm, q), q)) == 1  # for a meta solver whole turns are the same
    found = AmbiguityResolver(meta).solve(in_base(arm, q), q)
    assert len(found) == count
    assert found[0][0] == 0.5


def test_trap_10_a_transpose_step_where_it_has_no_length(planar_arm):
    arm = planar_arm([1.0, 1.0], limits=(-3, 3))
    meta = IKMetaSolver(JacobianIKSolver(arm, JacobianTranspose()))
    meta.solver.module.error_method = TaskSpaceRegion.position_only()
    # Stretched out, with the target on the line of the arm: the gradient is zero. And there already.
    solutions = meta.solve(pose([0.5, 0, 0]), [0.0, 0.0])
    assert solutions
    assert count(solutions, "not solved") > 0
    assert meta.solve(pose([2.0, 0, 0]), [0.0, 0.0], 1)


def test_trap_11_limits_are_tested_whatever_the_solver_inside_does(panda):
    solver = JacobianIKSolver.robwork_defaults(panda)
    assert not solver.check_joint_limits
    assert not solver.clamp_to_bounds
    rng = np.random.default_rng(0)
    meta, refused = IKMetaSolver(solver), 0
    for _ in range(20):
        solutions = meta.solve(in_base(panda, panda.random_positions(rng)), panda.random_positions(rng))
        refused += count(solutions, "limits")
        for q in solutions:
            assert ((q >= panda.lower_limits) & (q <= panda.upper_limits)).all()
    assert refused > 0
    meta.check_joint_limits = False
    outside = [q for q in meta.solve(in_base(panda, panda.positions), panda.positions, 100)
               if ((q < panda.lower_limits) | (q > panda.upper_limits)).any()]  # fmt: skip
    assert outside


# Trap 12: one random generator for all, so that results depended on what was called before.


def test_trap_12_results_do_not_depend_on_other_calls(panda):
    rng = np.random.default_rng(1)
    targets = [in_base(panda, panda.random_positions(rng)) for _ in range(5)]
    state = panda.positions.copy()
    meta = IKMetaSolver(JacobianIKSolver(panda))
    one_way = [np.array(meta.solve(each, state)) for each in targets]
    np.random.seed(99)  # noqa: NPY002 - on purpose
    other_way = [np.array(meta.solve(each, state)) for each in reversed(targets)][::-1]
    for first, second in zip(one_way, other_way, strict=True):
        np.testing.assert_array_equal(first, second)


# RobWork has no test of its meta solver; this is what its documentation and its source promise.


def test_robwork_what_the_meta_solver_promises(panda):
    q = panda.positions.copy()
    target = in_base(panda, q)
    meta = IKMetaSolver(JacobianIKSolver(panda))
    assert len(meta.solve(target, q, 0, False)) == 0
    assert len(meta.solve(target, q, 25, True)) == 1
    np.testing.assert_array_equal(meta.solve(target, q, 25, True)[0], q)
    assert (meta.max_attempts, meta.stop_at_first, meta.proximity_limit) == (25, False, 1e-5)
    every = meta.solve(target, q)
    for number, one in enumerate(every):
        for other in every[:number]:
            assert np.abs(one - other).max() > 1e-5
    assert not meta.solve(pose([5, 0, 0]), q)
    meta.proximity_limit = -1.0
    again = IKMetaSolver(Twice(panda.tip.chain(), q))
    assert len(again.solve(target, q)) == 1
    again.proximity_limit = -1.0
    assert len(again.solve(target, q)) == 50
    # Limits, then collision, then duplicates.
    beyond = q.copy()
    beyond[0] = 3.0
    detector = CollisionDetector(panda)
    detector.add("ball", Sphere(0.05), pose(panda.tip.transform().translation))
    reached = panda.state(beyond)
    there = reached.transform(panda.tip.chain().base).actInv(reached.transform(panda.tip))
    refusing = IKMetaSolver(Twice(panda.tip.chain(), beyond), collision_detector=detector).solve(there, q, 1)
    assert (count(refusing, "limits"), count(refusing, "collision")) == (2, 0)
    refusing = IKMetaSolver(Twice(panda.tip.chain(), q), collision_detector=detector).solve(target, q, 1)
    assert (count(refusing, "collision"), count(refusing, "duplicate")) == (2, 0)


class Twice:
    def __init__(self, chain, q):
        self.chain, self.q = chain, q

    def solve(self, base_T_end, q):
        return [self.q, self.q]


# Which solution, from where.


def test_moveit_pr_537_all_solutions_the_nearest_first(panda):
    """The first of many came back, however far away -> ranked by the way to them, the joints' weights included."""
    rng = np.random.default_rng(2)
    meta = IKMetaSolver(JacobianIKSolver(panda))
    meta.order = "nearest"
    state = panda.positions.copy()
    for _ in range(5):
        solutions = meta.solve(in_base(panda, panda.random_positions(rng)), state)
        ways = [np.linalg.norm(q - state) for q in solutions]
        assert ways == sorted(ways)


def test_moveit_pr_3616_nothing_further_than_allowed(panda):
    """A restart came back with another branch -> with a limit on the change of joints none does."""
    rng = np.random.default_rng(3)
    meta = IKMetaSolver(JacobianIKSolver(panda))
    meta.max_joint_change = 0.2
    found = 0
    for _ in range(20):
        state = panda.random_positions(rng)
        near = panda.clamp(state + rng.uniform(-0.1, 0.1, panda.num_dofs))
        near[7:] = state[7:]
        solutions = meta.solve(in_base(panda, near), state)
        found += bool(solutions)
        assert all(np.abs(q - state).max() <= 0.2 for q in solutions)
    assert found == 20


def test_rdk_pr_5181_a_solver_that_fails_on_one_seed_is_asked_again(panda):
    """One bad seed raised, and that was the end -> it is counted and told of, the others are tried."""
    inner = InverseKinematics(panda).prepare(attempts=1, explain=False)

    class Delicate:
        chain = panda.tip.chain()
        calls = 0

        def solve(self, base_T_end, q):
            self.calls += 1
            if self.calls == 1:
                raise ValueError("singular start")
            return inner.solve(base_T_end, q)

    solutions = IKMetaSolver(Delicate()).solve(in_base(panda, moved(panda, 0.3)), panda.positions)
    assert solutions
    assert count(solutions, "error") == 1
    assert "singular start" in str(solutions.report)


def test_dart_pr_624_a_filter_between_solver_and_restarts(panda):
    """There was no place for a filter -> it is asked about what converged and is inside the limits, and only that."""
    asked = []

    def left_only(q):
        asked.append(q.copy())
        return q[0] > 0.5

    target = in_base(panda, moved(panda, 0.2))
    meta = IKMetaSolver(JacobianIKSolver(panda), constraint=left_only)
    solutions = meta.solve(target, panda.positions, 100)
    assert solutions
    assert solutions.report.constraints["left_only"] == len(asked) - len(solutions) - count(solutions, "duplicate")
    for q in asked:
        np.testing.assert_allclose(in_base(panda, q).homogeneous, target.homogeneous, atol=3e-6)
        assert ((q >= panda.lower_limits) & (q <= panda.upper_limits)).all()


# What success means, and why there is none.


def test_dartsim_dart_pr_1266_the_robot_stays_where_it_is(panda):
    """A failed solve had moved the robot -> neither success nor failure does."""
    before = panda.positions
    meta = IKMetaSolver(JacobianIKSolver(panda))
    for target in (in_base(panda, moved(panda, 0.2)), pose([3.0, 0, 0])):
        meta.solve(target)
        np.testing.assert_array_equal(panda.positions, before)


def test_ikpy_90_and_138_what_a_users_solver_calls_success_is_measured(panda):
    """Answers a little off came back as solutions -> the solver's own tolerance is held against it."""

    class Near(IterativeIK):
        chain = panda.tip.chain()

        def solve(self, base_T_end, state=None):
            inner = JacobianIKSolver(self.chain, max_error=1e-3)
            return inner.solve(base_T_end, state)

    rng = np.random.default_rng(4)
    meta = IKMetaSolver(Near())
    wrong = 0
    for _ in range(20):
        target = in_base(panda, panda.random_positions(rng))
        solutions = meta.solve(target, panda.random_positions(rng), 5)
        wrong += count(solutions, "wrong pose")
        for q in solutions:
            assert np.linalg.norm(in_base(panda, q).translation - target.translation) <= 1.01e-6
    assert wrong > 0


def test_pytracik_10_and_orbita3d_control_33_an_empty_result_says_why_and_how_near(panda):
    """Nothing came back, without a word -> what was in the way, and how far off the nearest attempt was."""
    meta = IKMetaSolver(JacobianIKSolver(panda))
    report = meta.solve(pose([1.5, 0, 0.4])).report
    assert 0.4 < report.nearest[0] < 0.9
    assert "away" in report.detail
    wide = QConstraint(lambda q: False, "wide enough")
    meta.constraint = wide
    report = meta.solve(in_base(panda, moved(panda, 0.2))).report
    assert "'wide enough'" in str(report)
    assert report.in_the_way == {"'wide enough'": report.refused["constraint"]}
    solution = InverseKinematics(panda).solve(panda.tip.transform(), constraint=wide, attempts=3)
    assert solution.reason is Reason.CONSTRAINT


@pytest.mark.parametrize("solver", [None, 3, "dls", JacobianIKSolver], ids=str)
def test_mink_13_a_solver_that_is_none(panda, solver):
    """None in the place of a solver became an error far away -> it is named where it is given."""
    with pytest.raises(InvalidValueError, match="needs a solver"):
        IKMetaSolver(solver, panda.tip)


def test_moveit_task_constructor_pr_724_time_for_an_attempt_and_for_all(panda):
    """One slow search used up all the time of a plan -> what is left is passed on, and attempts remain."""

    class Thorough:
        chain = panda.tip.chain()

        def solve(self, base_T_end, q, timeout):
            time.sleep(min(timeout, 0.04))

    begun = time.perf_counter()
    report = IKMetaSolver(Thorough()).solve(pose([0.4, 0, 0.4]), timeout=0.1).report
    assert time.perf_counter() - begun < 0.5
    assert report.timed_out
    assert report.remaining >= 20


# Collisions.


def test_rl_98_a_goal_of_inverse_kinematics_is_free_of_collisions(panda):
    """A planner was given goals inside obstacles -> with a detector none is, and all that is free is found."""
    detector = CollisionDetector(panda)
    detector.add("table", Box(1.0, 1.6, 0.1), pose([0.6, 0, 0.05]))
    detector.add("wall", Box(0.1, 1.6, 1.0), pose([0.3, -0.55, 0.6], rpy=[0, 0, np.pi / 2]))
    rng = np.random.default_rng(5)
    careful, careless = IKMetaSolver(JacobianIKSolver(panda), collision_detector=detector), 0
    plain = IKMetaSolver(JacobianIKSolver(panda))
    solved = free = 0
    while free < 25:
        q = panda.random_positions(rng)
        if detector.in_collision(q):
            continue
        free += 1
        target, state = in_base(panda, q), panda.random_positions(rng)
        solutions = careful.solve(target, state, 300, True)
        solved += bool(solutions)
        assert not any(detector.check(found) for found in solutions)
        careless += sum(bool(detector.check(found)) for found in plain.solve(target, state, 300, True))
    assert solved == 25
    assert careless > 0  # else the scene would show nothing


def test_compas_fab_170_a_tool_that_is_carried_counts(panda):
    """What the robot held went through the table -> it is checked, and named."""
    detector = CollisionDetector(panda)
    tool = panda.tip.transform()
    detector.add("table", Box(0.3, 0.3, 0.1), pose([*tool.translation[:2], tool.translation[2] - 0.3]))
    meta = IKMetaSolver(JacobianIKSolver(panda), collision_detector=detector)
    target = in_base(panda, panda.positions)
    assert meta.solve(target, panda.positions)
    detector.attach("long tool", Box(0.03, 0.03, 0.5), panda.tip, pose([0, 0, 0.2]), touches=["panda_hand"])
    report = meta.solve(target, panda.positions).report
    assert report.found == 0
    assert any("long tool" in pair for pair in report.collisions)
