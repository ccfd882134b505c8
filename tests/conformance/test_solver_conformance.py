"""What every solver promises, whatever its method; `conftest.py` lists the solvers and the robots."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import InvalidPoseError, InvalidValueError, ShapeError, UnknownNameError
from kinetree.solvers import Reason

#: Largest change of a joint in a step of a random walk (rad or m), and in the answer to it.
STEP = 0.05
FOLLOWS_WITHIN = 0.15


def solved_part(setup, count, seed):
    rng = np.random.default_rng(seed)
    solved = 0
    for _ in range(count):
        target = setup.pose(setup.random(rng))
        answer = setup.solve(target, setup.random(rng))
        setup.check(answer, target)
        solved += bool(answer.found)
    return solved / count


def test_solves_random_reachable_targets(setup):
    assert solved_part(setup, setup.case.samples, seed=1) >= setup.case.solved


@pytest.mark.slow
def test_solves_many_random_reachable_targets(setup):
    assert solved_part(setup, 20 * setup.case.samples, seed=2) >= min(setup.case.solved, 0.995)


def test_reported_errors_are_those_of_pinocchio(setup):
    rng = np.random.default_rng(3)
    reachable = setup.pose(setup.random(rng))
    for target in (reachable, far_away(setup)):
        solution = setup.solve(target, setup.random(rng)).solution
        if solution is None:
            pytest.skip("gives a list of configurations, without a report on each")
        away, turned = setup.errors(solution.q, target)
        assert solution.position_error == pytest.approx(away, abs=1e-9)
        assert solution.orientation_error == pytest.approx(turned, abs=1e-7)
        assert solution.success == (max(away, turned) <= setup.case.tolerance)


def test_follows_a_random_walk_without_jumps(setup):
    rng = np.random.default_rng(4)
    q, steps, near = setup.random(rng), 10, 0
    for _ in range(steps):
        moved = q.copy()
        moved[setup.indices] += rng.uniform(-STEP, STEP, len(setup.indices))
        target = setup.pose(setup.robot.clamp(moved))
        answer = setup.solve(target, q)
        setup.check(answer, target)
        if answer.found and np.abs(answer.found[0] - q).max() <= FOLLOWS_WITHIN:
            near += 1
            q = answer.found[0]
    assert near / steps >= setup.case.followed


def test_at_the_target_gives_the_seed_itself(setup):
    rng = np.random.default_rng(5)
    for _ in range(5):
        seed = setup.random(rng)
        answer = setup.solve(setup.pose(seed), seed)
        np.testing.assert_array_equal(answer.found[0], seed)
        if answer.solution is not None:
            assert answer.solution.iterations == 0


def test_keeps_joints_outside_its_chain_where_the_seed_has_them(setup):
    rng = np.random.default_rng(6)
    others = np.setdiff1d(np.arange(setup.robot.num_dofs), setup.indices)
    found = 0
    for _ in range(6):  # solvers of a single attempt do not find every target from anywhere
        seed = setup.robot.random_positions(rng)
        target = setup.robot.state(seed).transform(setup.robot.tip)
        moved = seed.copy()
        moved[setup.indices] = setup.random(rng)[setup.indices]
        for q in setup.solve(target, moved).found:
            found += 1
            np.testing.assert_array_equal(q[others], seed[others])
    assert found


def test_keeps_narrow_limits(setup):
    rng = np.random.default_rng(7)
    centre = setup.random(rng)
    for index in setup.indices:
        dof = setup.robot.dofs[index]
        dof.limits = max(dof.lower, centre[index] - 0.4), min(dof.upper, centre[index] + 0.4)
    setup.solve = setup.new_solver()
    for _ in range(5):
        target = setup.pose(setup.random(rng))
        answer = setup.solve(target, setup.random(rng))
        setup.check(answer, target)
        if answer.solution is not None:
            assert setup.is_inside(answer.solution.q)


def far_away(setup):
    """A pose well out of reach, in a direction of its own for each robot; for a planar arm, in its plane."""
    chain = setup.robot.tip.chain()
    shoulder = setup.robot.state(setup.robot.positions).transform(chain.dofs[0].joint.child_link).translation
    present = setup.pose(setup.robot.positions)
    direction = present.translation - shoulder
    return pin.SE3(present.rotation, shoulder + 3 * chain.reach * direction / np.linalg.norm(direction))


def test_says_that_a_target_is_out_of_reach(setup):
    rng = np.random.default_rng(8)
    answer = setup.solve(far_away(setup), setup.random(rng))
    assert answer.found == ()
    if answer.solution is None:
        assert answer.refused["not solved"] > 0
        return
    solution = answer.solution
    assert not solution
    assert solution.reason is Reason.UNREACHABLE
    assert solution.detail
    assert setup.is_inside(solution.q)


def test_gives_the_nearest_pose_when_out_of_reach(setup):
    rng = np.random.default_rng(9)
    target = far_away(setup)
    solution = setup.solve(target, setup.random(rng)).solution
    if solution is None:
        pytest.skip("gives solutions only, not the nearest pose")
    missed = np.hypot(*setup.errors(solution.q, target))
    # Hierarchies end their attempts earlier, without going on from the nearest one.
    bound = 1.03 if setup.case.name == "hierarchy" else 1.01
    assert missed <= bound * nearest_by_chance(setup, target, rng)


def nearest_by_chance(setup, target, rng):
    """How near a target one gets (m and rad together) by trying: at random, then ever closer to the best so far."""

    def missed(q):
        return np.hypot(*setup.errors(q, target))

    best = min((setup.random(rng) for _ in range(500)), key=missed)
    least, width = missed(best), 0.5
    while width > 1e-3:
        for _ in range(50):
            tried = best.copy()
            tried[setup.indices] += rng.normal(0.0, width, len(setup.indices))
            tried = np.clip(tried, setup.robot.lower_limits, setup.robot.upper_limits)
            value = missed(tried)
            if value < least:
                best, least = tried, value
        width *= 0.7
    return least


def test_same_question_same_answer(setup):
    rng = np.random.default_rng(10)
    target, seed = setup.pose(setup.random(rng)), setup.random(rng)
    first, again, anew = setup.solve(target, seed), setup.solve(target, seed), setup.new_solver()(target, seed)
    for other in (again, anew):
        assert len(first.found) == len(other.found)
        for one, two in zip(first.found, other.found, strict=True):
            np.testing.assert_array_equal(one, two)
        if first.solution is not None:
            assert first.solution.iterations == other.solution.iterations
            assert first.solution.attempts == other.solution.attempts


def test_leaves_what_it_is_given_alone(setup):
    rng = np.random.default_rng(11)
    robot = setup.robot
    before = robot.positions, robot.version, robot.lower_limits, robot.upper_limits, robot.tip.transform()
    for target in (setup.pose(setup.random(rng)), far_away(setup)):
        seed = setup.random(rng)
        given, start = pin.SE3(target), seed.copy()
        seed.flags.writeable = False
        answer = setup.solve(target, seed)
        assert (target.homogeneous == given.homogeneous).all()
        np.testing.assert_array_equal(seed, start)
        for q in answer.found:
            assert not np.shares_memory(q, seed)
            assert not q.flags.writeable
    np.testing.assert_array_equal(robot.positions, before[0])
    assert robot.version == before[1]
    np.testing.assert_array_equal(robot.lower_limits, before[2])
    np.testing.assert_array_equal(robot.upper_limits, before[3])
    assert (robot.tip.transform().homogeneous == before[4].homogeneous).all()


def not_a_number():
    target = np.eye(4)
    target[0, 3] = np.nan
    return target


def not_a_rotation():
    return np.diag([1.0, 1.0, 1.2, 1.0])


@pytest.mark.parametrize(
    "target",
    [not_a_number(), not_a_rotation(), "home", np.zeros(5)],
    ids=["nan", "no rotation", "text", "five numbers"],
)
def test_refuses_what_is_no_pose(setup, target):
    refuses(setup, InvalidPoseError, target, setup.robot.positions)


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (lambda q: q[:-1], ShapeError),
        (lambda q: [q], ShapeError),
        (lambda q: q + np.inf, InvalidValueError),
        (lambda _: {"no such joint": 0.0}, UnknownNameError),
    ],
    ids=["too short", "matrix", "infinite", "unknown name"],
)
def test_refuses_what_is_no_seed(setup, spoil, error):
    refuses(setup, error, setup.pose(setup.robot.positions), spoil(setup.robot.positions))


def refuses(setup, error, target, seed):
    robot = setup.robot
    before, version = robot.positions, robot.version
    with pytest.raises(error):
        setup.solve(target, seed)
    np.testing.assert_array_equal(robot.positions, before)
    assert robot.version == version
    # The solver still works.
    assert setup.solve(setup.pose(before), before).found
