import itertools

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    FixedJoint,
    NodeSet,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    SimpleFrame,
    Skeleton,
    SphericalJoint,
    StructureError,
    pose,
)
from kinetree.solvers import CCDSolver, IKMetaSolver, IterativeIK
from kinetree.solvers.dof_selection import DofSelection
from kinetree.solvers.inv_kin_solvers.anderson_acceleration import AndersonAcceleration
from kinetree.solvers.inv_kin_solvers.ccd_sweep import CcdSweep
from kinetree.solvers.inv_kin_solvers.joint_optimum import best_angle, best_screw_angle


def relative(skeleton, q, chain):
    state = skeleton.state(q)
    return state.transform(chain.base).actInv(state.transform(chain.tip))


def check(skeleton, chain, q, target, tolerance=1e-6):
    """A solution is one, by Pinocchio's logarithm, and inside the limits."""
    away = relative(skeleton, q, chain).actInv(target)
    assert np.linalg.norm(away.translation) <= tolerance
    assert np.linalg.norm(pin.log3(away.rotation)) <= tolerance
    assert ((q >= skeleton.lower_limits) & (q <= skeleton.upper_limits)).all()


@pytest.fixture
def mixed():
    """Seven joints of all three kinds on a base that is moved and turned; two of them turn without end."""
    skeleton = Skeleton("mixed")
    link = skeleton.add_link("base", FixedJoint("mount"), placement=pose((0.5, -0.2, 0.4), rpy=(0.4, -0.7, 1.2)))
    joints = [
        RevoluteJoint("turn", axis="z"),
        PrismaticJoint("lift", axis="z", limits=(0.0, 0.6)),
        RevoluteJoint("shoulder", axis="y", limits=(-2.0, 2.0)),
        ScrewJoint("screw", axis="x", lead=0.1, limits=(-9.0, 9.0)),
        RevoluteJoint("elbow", axis=(0.0, 0.6, 0.8), limits=(-2.5, 2.5)),
        RevoluteJoint("roll", axis="x"),
        RevoluteJoint("bend", axis="y", limits=(-2.0, 2.0)),
    ]
    for number, joint in enumerate(joints):
        place = pose((0.05, 0.02, 0.2), rpy=(0.1 * number, 0.2, 0.0))
        link = skeleton.add_link(f"link{number}", joint, link, place, child_placement=pose((0, 0.01, 0)))
    skeleton.tip = skeleton.add_link("tool", None, link, pose((0.1, 0, 0.05)))
    return skeleton


# One joint.


@pytest.mark.parametrize("limits", [(-np.inf, np.inf), (-1.0, 0.5), (2.0, 7.0), (-8.0, -7.5)])
def test_the_best_angle_is_the_best_of_many(rng, limits):
    for _ in range(20):
        cosine, sine = rng.normal(size=2)
        x = float(np.clip(rng.uniform(-3, 3), *limits))
        found = best_angle(cosine, sine, x, *limits)
        assert limits[0] <= found <= limits[1]
        tried = np.linspace(max(limits[0], -10), min(limits[1], 10), 4001)
        value = cosine * np.cos(tried - x) + sine * np.sin(tried - x)
        assert cosine * np.cos(found - x) + sine * np.sin(found - x) >= value.max() - 1e-12


def test_the_best_angle_is_the_nearest_of_the_equal_ones_and_stays_where_all_are_equal():
    assert best_angle(-1.0, 1e-9, 0.0, -7.0, 7.0) == pytest.approx(np.pi)
    assert best_angle(1.0, 0.1, 6.0, -7.0, 7.0) == pytest.approx(6.0 + np.arctan(0.1))
    assert best_angle(0.0, 0.0, 0.3, -1.0, 1.0) == 0.3


@pytest.mark.parametrize("limits", [(-np.inf, np.inf), (-1.0, 0.5), (-20.0, 20.0)])
def test_the_best_screw_angle_is_the_best_of_many(rng, limits):
    for lead in (0.02, -0.1, 1.0):
        for _ in range(20):
            cosine, sine, along = rng.normal(size=3)
            x = float(np.clip(rng.uniform(-3, 3), *limits))
            found = best_screw_angle(cosine, sine, along, lead, x, *limits)
            assert limits[0] <= found <= limits[1]

            def error(at, cosine=cosine, sine=sine, along=along, x=x, lead=lead):
                return (along + lead * (at - x)) ** 2 - 2 * (cosine * np.cos(at - x) + sine * np.sin(at - x))

            tried = np.linspace(max(limits[0], -300), min(limits[1], 300), 60001)
            assert error(found) <= error(tried).min() + 1e-9


# Sweeps.


def test_a_sweep_moves_every_joint_to_where_it_is_best(mixed, rng):
    """Each joint in turn, all others where they are, by trying many values of it."""
    chain = mixed.tip.chain()
    active = DofSelection.of(mixed, chain.dofs).active()
    sweep = CcdSweep(chain, mixed.tip, active, position_only=False)
    target = mixed.state(mixed.random_positions(rng)).transform(mixed.tip)
    q = mixed.random_positions(rng)
    state = mixed.state(q)
    x, miss = sweep.sweep(state, sweep.miss(state, target), target)
    by_trying = q.copy()

    def error(values):
        moved = mixed.state(values)
        return sweep.error(sweep.miss(moved, target), target)

    for k in reversed(range(7)):
        dof = mixed.dofs[k]
        tried = by_trying.copy()
        for value in np.linspace(max(dof.lower, -9), min(dof.upper, 9), 400):
            tried[k] = value
            best = by_trying.copy()
            best[k] = x[k]
            assert error(best) <= error(tried) + 1e-12
        by_trying[k] = x[k]
    # What the sweep says that it misses is what forward kinematics says.
    measured = sweep.miss(mixed.state(by_trying), target)
    np.testing.assert_allclose(miss.position, measured.position, atol=1e-12)
    np.testing.assert_allclose(miss.turn, measured.turn, atol=1e-12)


def test_no_sweep_makes_the_error_larger(mixed, rng):
    chain = mixed.tip.chain()
    active = DofSelection.of(mixed, chain.dofs).active()
    for position_only in (False, True):
        sweep = CcdSweep(chain, mixed.tip, active, position_only)
        target = mixed.state(mixed.random_positions(rng)).transform(mixed.tip)
        state = mixed.state(mixed.random_positions(rng))
        errors = []
        for _ in range(30):
            x, miss = sweep.sweep(state, sweep.miss(state, target), target)
            errors.append(sweep.error(miss, target))
            state.set_dofs(x)
        assert all(after <= before + 1e-14 for before, after in itertools.pairwise(errors))
        assert errors[-1] < 0.5 * errors[0]


def test_acceleration_solves_a_linear_iteration(rng):
    """On n linear equations it is exact after n + 1 steps; the plain iteration would take hundreds."""
    matrix = np.linalg.qr(rng.normal(size=(4, 4)))[0] @ np.diag([0.99, 0.9, 0.5, 0.1])
    fixed = rng.normal(size=4)
    x, accelerator = np.zeros(4), AndersonAcceleration(5)
    for _ in range(6):
        image = fixed + matrix @ (x - fixed)
        guess = accelerator.guess(x, image)
        x = image if guess is None else guess
    np.testing.assert_allclose(x, fixed, atol=1e-8)
    accelerator.forget()
    assert accelerator.guess(x, x) is not None
    assert AndersonAcceleration(5).guess(x, x) is None


# The solver.


def test_its_defaults(arm):
    solver = CCDSolver(arm)
    assert isinstance(solver, IterativeIK)
    assert (solver.max_error, solver.max_iterations, solver.check_joint_limits) == (1e-6, 300, True)
    assert solver.tcp is arm.tip
    assert solver.position_only is False


@pytest.mark.parametrize("name", ["arm", "six", "mixed"])
def test_near_starts(request, rng, name):
    skeleton = request.getfixturevalue(name)
    solver, solved = CCDSolver(skeleton), 0
    for _ in range(40):
        q = skeleton.random_positions(rng)
        state = skeleton.clamp(q + rng.uniform(-0.05, 0.05, len(q)))
        target = relative(skeleton, q, solver.chain)
        for found in solver.solve(target, state):
            check(skeleton, solver.chain, found, target)
            solved += 1
    assert solved >= 36


@pytest.mark.parametrize("name", ["panda", "ur5", "kr6_r900", "iiwa14", "gen3", "dual_arm"])
def test_random_starts_inside_the_meta_solver(name, rng):
    robot = models.load(name)
    meta = IKMetaSolver(CCDSolver(robot))
    meta.stop_at_first = True
    indices = meta.chain.dof_indices
    for _ in range(10):
        q = robot.random_positions(rng, indices)
        target = relative(robot, q, meta.chain)
        (found,) = meta.solve(target, robot.random_positions(rng, indices))
        check(robot, meta.chain, found, target)


def test_limits_that_are_in_the_way(arm, rng):
    """The joints that are free make up for the one that is not."""
    solver, solved = CCDSolver(arm), 0
    q = arm.clamp([0.3, 0.4, -0.2, -1.7, 0.2, 1.9, 0.5])
    arm.dof("j1").limits = q[1], q[1] + 0.5
    for _ in range(10):
        goal = arm.clamp(q + rng.uniform(-0.15, 0.15, 7))
        goal[1] = q[1]
        target = relative(arm, goal, solver.chain)
        for found in solver.solve(target, q):
            check(arm, solver.chain, found, target)
            solved += 1
    assert solved >= 8


def test_starts_outside_the_limits_are_moved_inside(arm):
    q = arm.clamp([0.3, 0.4, -0.2, -1.7, 0.2, 1.9, 0.5])
    solver = CCDSolver(arm)
    outside = q.copy()
    outside[3] = 0.2
    target = relative(arm, q, solver.chain)
    check(arm, solver.chain, solver.solve(target, outside)[0], target)
    there = relative(arm, outside, solver.chain)
    for found in solver.solve(there, outside):
        check(arm, solver.chain, found, there)


def test_angles_are_returned_near_the_state(six, rng):
    solver = CCDSolver(six)
    for _ in range(30):
        q = six.random_positions(rng)
        state = six.random_positions(rng)
        for found in solver.solve(relative(six, q, solver.chain), state):
            for k in range(6):
                for turned in (found[k] - 2 * np.pi, found[k] + 2 * np.pi):
                    inside = -2 * np.pi <= turned <= 2 * np.pi
                    assert not inside or abs(turned - state[k]) >= abs(found[k] - state[k]) - 1e-9


@pytest.mark.parametrize("axis", np.eye(3).tolist())
def test_half_a_turn_is_no_success(arm, axis):
    q = arm.clamp([0.3, 0.4, -0.2, -1.7, 0.2, 1.9, 0.5])
    solver = CCDSolver(arm, max_iterations=0)
    here = relative(arm, q, solver.chain)
    np.testing.assert_array_equal(solver.solve(here, q)[0], q)
    flipped = here * pin.SE3(pin.exp3(np.pi * np.array(axis)), np.zeros(3))
    assert not solver.solve(flipped, q)
    solver.max_iterations = 300
    for found in solver.solve(flipped, q):
        check(arm, solver.chain, found, flipped)


def test_convergence_on_the_last_sweep_counts(arm):
    q = arm.clamp([0.3, 0.4, -0.2, -1.7, 0.2, 1.9, 0.5])
    solver = CCDSolver(arm)
    target = relative(arm, arm.clamp(q + 0.05), solver.chain)
    solved = []
    for sweeps in range(40):
        solver.max_iterations = sweeps
        solved.append(len(solver.solve(target, q)))
    first = solved.index(1)
    assert 1 < first < 39
    assert solved == [0] * first + [1] * (40 - first)


def test_positions_only(planar):
    solver = CCDSolver(planar, position_only=True)
    found = solver.solve(pose((0.9, 0.8, 0), rpy=(0, 0, 2.0)), [0.1, 0.3])[0]
    np.testing.assert_allclose(relative(planar, found, solver.chain).translation, [0.9, 0.8, 0], atol=1e-6)


def test_other_tips_and_bases(arm, rng):
    tool = SimpleFrame("tip", arm.tip, pose((0.02, 0.05, 0.1), rpy=(0.2, 0.4, 0.0)))
    chain = tool.chain(arm.link("l1"))
    solver = CCDSolver(chain)
    assert solver.tcp is tool
    state = arm.random_positions(rng)
    q = state.copy()
    q[2:] += 0.03
    q = arm.clamp(q)
    target = relative(arm, q, chain)
    found = solver.solve(target, state)[0]
    check(arm, chain, found, target)
    np.testing.assert_array_equal(found[:2], state[:2])


def test_nothing_is_moved_and_out_of_reach_is_an_empty_list(arm, rng):
    before, state = arm.positions, arm.random_positions(rng)
    copy = state.copy()
    found = CCDSolver(arm).solve(pose((5, 0, 0)), state)
    assert not found
    assert found.report.refused["not solved"] == 1
    np.testing.assert_array_equal(state, copy)
    np.testing.assert_array_equal(arm.positions, before)


def test_chains_that_it_cannot_do_are_named():
    skeleton = Skeleton("ball")
    ball = skeleton.add_link("ball", SphericalJoint("socket"), skeleton.add_link("base"))
    skeleton.tip = ball
    with pytest.raises(StructureError, match="'socket' is spherical, not of one degree of freedom"):
        CCDSolver(skeleton)

    skeleton = Skeleton("coupled")
    first, second = RevoluteJoint("first"), RevoluteJoint("second")
    link = skeleton.add_link("a", first, skeleton.add_link("base"))
    skeleton.tip = skeleton.add_link("b", second, link, pose((1, 0, 0)))
    solver = CCDSolver(skeleton)
    second.depend_on(first, 2.0)
    with pytest.raises(StructureError, match="'first' has another joint of the chain depend on it"):
        CCDSolver(skeleton)
    with pytest.raises(StructureError):  # changed after it was made
        solver.solve(pose((1, 0, 0)))


def test_joints_that_do_not_move_the_tip_are_named():
    robot = models.load("dual_arm")
    both = NodeSet("both", [j for j in robot.joints if "arm_joint" in j.name], robot.link("torso_link"), robot.tip)
    with pytest.raises(StructureError, match="right_arm_joint_1' does not move 'left_tool0'"):
        CCDSolver(both)


def test_changed_limits_are_seen(arm, rng):
    solver = CCDSolver(arm)
    q = arm.clamp([0.3, 0.4, -0.2, -1.7, 0.2, 1.9, 0.5])
    target = relative(arm, arm.clamp(q + 0.1), solver.chain)
    assert solver.solve(target, q)
    arm.dof("j3").limits = -2.5, -1.9
    for found in solver.solve(target, q):
        check(arm, solver.chain, found, target)
    arm.joint("j6").placement = pose((0.1, 0, 0), rpy=(90, 0, 0), degrees=True)
    target = relative(arm, arm.clamp(q), solver.chain)
    for found in solver.solve(target, arm.clamp(q + 0.02)):
        check(arm, solver.chain, found, target)
