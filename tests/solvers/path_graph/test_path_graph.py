"""Paths through the graph of branches."""

import itertools

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import InvalidValueError, QConstraint, ShapeError, pose
from kinetree.solvers import ConstraintError, InverseKinematics, Reason

TURN = 2.0 * np.pi


@pytest.fixture(scope="module")
def ur5():
    return models.load("ur5")


@pytest.fixture(scope="module")
def kr6():
    return models.load("kr6_r900")


@pytest.fixture(scope="module")
def panda():
    return models.load("panda")


def poses(robot, configurations):
    """By Pinocchio alone."""
    model, data = robot.model, robot.model.createData()
    frame = model.getFrameId(robot.tip.name)
    found = []
    for q in configurations:
        pin.framesForwardKinematics(model, data, robot.to_pinocchio(q))
        found.append(data.oMf[frame].homogeneous.copy())
    return np.array(found).reshape(-1, 4, 4)


#: Away from singular poses.
MIDDLE = {
    "ur5": [0.3, -1.2, 1.4, -0.7, 1.1, 0.2],
    "gen3": [0.2, 0.8, 0.3, 1.2, -0.2, 0.9, 0.4],
}


def way(robot, points, seed=1, size=0.4):
    """Configurations along a smooth way, through the middle of the limits where nothing else is said."""
    rng = np.random.default_rng(seed)
    low, high = np.maximum(robot.lower_limits, -3.0), np.minimum(robot.upper_limits, 3.0)
    s = np.linspace(0.0, TURN, points)[:, None]
    middle = MIDDLE.get(robot.name, 0.5 * (low + high))
    return middle + np.minimum(0.2 * (high - low), size) * np.sin(s + rng.uniform(0.0, TURN, len(low)))


def check(robot, path, targets, continuity=0.2):
    """What must hold for every row that is a success: it reaches, inside the limits, in steps."""
    good = np.flatnonzero(path.success)
    np.testing.assert_allclose(poses(robot, path.q[good]), targets[good], atol=2e-6)
    assert (path.q[good] >= robot.lower_limits - 1e-9).all()
    assert (path.q[good] <= robot.upper_limits + 1e-9).all()
    for before, after in itertools.pairwise(good):
        if after not in path.jumps:
            assert np.abs(path.q[after] - path.q[before]).max() <= continuity * (after - before) + 1e-9


def equivalents(robot, q):
    """All configurations that differ from q by whole turns, inside the limits."""
    options = []
    for value, low, high in zip(q, robot.lower_limits, robot.upper_limits, strict=True):
        options.append([value + TURN * k for k in range(-3, 4) if low - 1e-9 <= value + TURN * k <= high + 1e-9])
    return [np.array(each) for each in itertools.product(*options)]


def brute_force(robot, targets, continuity, accepts=lambda q: True, seed=None, metric="length"):
    """The least cost of all paths, one by one; inf when there is none."""
    closed = InverseKinematics(robot).analytical()
    layers = []
    for target in targets:
        q, flags = closed.solve_all(target)
        layers.append([each for row in q[flags == 0] for each in equivalents(robot, row) if accepts(each)])

    def cost(step):
        return {"length": np.linalg.norm(step), "squares": step @ step, "largest": np.abs(step).max()}[metric]

    best = np.inf
    starts = [(0.0 if seed is None else cost(q - seed), [q]) for q in layers[0]]
    stack = starts
    while stack:
        total, nodes = stack.pop()
        if len(nodes) == len(layers):
            best = min(best, total)
            continue
        for q in layers[len(nodes)]:
            step = q - nodes[-1]
            if np.abs(step).max() <= continuity:
                stack.append((total + cost(step), [*nodes, q]))
    return best


@pytest.mark.parametrize("name", ["ur5", "kr6_r900", "gantry_wrist", "scara", "panda", "xarm7", "gen3"])
def test_every_row_reaches_its_target(name):
    robot = models.load(name)
    truth = way(robot, 60)
    targets = poses(robot, truth)
    path = InverseKinematics(robot).solve_path(targets, strategy="graph")
    assert path, path.why
    assert path.jumps == ()
    assert path.strategy == "graph"
    assert path.position_error.max() <= 1e-6
    assert "closed form" in path.engine
    check(robot, path, targets)


@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize("metric", ["length", "squares", "largest"])
def test_no_path_is_cheaper_of_all_there_are(kr6, seed, metric):
    truth = way(kr6, 5, seed=4, size=0.15)
    targets = poses(kr6, truth)
    start = None if seed is None else np.random.default_rng(seed).uniform(kr6.lower_limits, kr6.upper_limits)
    path = InverseKinematics(kr6).solve_path(targets, start, strategy="graph", metric=metric, continuity=0.4)
    assert path
    expected = brute_force(kr6, targets, 0.4, seed=start, metric=metric)
    assert path.cost == pytest.approx(expected, rel=1e-9)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.3, 1.5))
def test_no_path_is_cheaper_with_a_constraint(kr6, number, continuity):
    rng = np.random.default_rng(number)
    targets = poses(kr6, way(kr6, 4, seed=number, size=0.3))
    direction, level = rng.normal(size=6), rng.normal()
    path = InverseKinematics(kr6).solve_path(
        targets, strategy="graph", continuity=continuity, constraint=lambda q: bool(direction @ q < level)
    )
    expected = brute_force(kr6, targets, continuity, accepts=lambda q: direction @ q < level)
    assert bool(path) == np.isfinite(expected)
    if path:
        assert path.cost == pytest.approx(expected, rel=1e-9)
        assert (path.q @ direction < level).all()


def test_the_seed_chooses_the_branch_and_the_turn(ur5):
    truth = way(ur5, 40)
    targets = poses(ur5, truth)
    ik = InverseKinematics(ur5)
    for start in (truth[0], truth[0] + [0.0, 0.0, 0.0, TURN, 0.0, -TURN]):
        start = np.where(np.abs(start) + 1.0 > TURN, truth[0], start)
        path = ik.solve_path(targets, start, strategy="graph")
        assert path
        np.testing.assert_allclose(path.q, truth + (start - truth[0]), atol=1e-6)
        assert path.cost == pytest.approx(np.linalg.norm(np.diff(truth, axis=0), axis=1).sum(), rel=1e-6)


def test_it_begins_where_a_joint_has_room(ur5):
    """Following, the last joint meets its limit half way; from a turn further back it gets through."""
    truth = np.tile([0.3, -1.2, 1.4, -0.7, 1.1, 0.0], (300, 1))
    truth[:, 5] = np.linspace(0.0, 9.0, 300)
    targets = poses(ur5, truth)
    ik = InverseKinematics(ur5)
    assert ik.solve_path(targets, truth[0]).jumps
    path = ik.solve_path(targets, truth[0], strategy="graph")
    assert path
    assert path.jumps == ()
    assert path.q[0, 5] < -3.0
    check(ur5, path, targets)


def test_a_joint_goes_from_limit_to_limit(ur5):
    truth = np.tile([0.3, -1.2, 1.4, -0.7, 1.1, 0.0], (100, 1))
    truth[:, 5] = np.linspace(-TURN, TURN, 100)
    path = InverseKinematics(ur5).solve_path(poses(ur5, truth), truth[0], strategy="graph")
    assert path, path.why
    np.testing.assert_allclose(path.q, truth, atol=1e-6)


def test_a_joint_without_limits_goes_round_and_round(ur5):
    robot = ur5.clone()
    robot.dofs[5].limits = None
    truth = np.tile([0.3, -1.2, 1.4, -0.7, 1.1, 0.0], (300, 1))
    truth[:, 5] = np.linspace(0.0, 30.0, 300)
    path = InverseKinematics(robot).solve_path(poses(robot, truth), truth[0], strategy="graph")
    assert path
    np.testing.assert_allclose(path.q, truth, atol=1e-6)


def test_sliding_joints():
    robot = models.load("gantry_wrist")
    truth = way(robot, 50)
    targets = poses(robot, truth)
    path = InverseKinematics(robot).solve_path(targets, truth[0], strategy="graph")
    assert path
    np.testing.assert_allclose(path.q, truth, atol=1e-6)


def test_the_graph_finds_a_way_where_following_runs_into_something(ur5):
    """The branch that the robot is on is refused half way; another one is free all along."""
    truth = way(ur5, 80)
    targets = poses(ur5, truth)
    ik = InverseKinematics(ur5)
    elbow_up = QConstraint(lambda q: bool(q[2] < 0.0), "elbow up")
    late = QConstraint(lambda q: not np.allclose(q, truth[50], atol=0.05), "keep away")
    followed = ik.solve_path(targets, truth[0], constraint=late)
    assert followed.jumps
    path = ik.solve_path(targets, truth[0], constraint=late, strategy="graph")
    assert path, path.why
    assert path.jumps == ()
    assert all(late(q) for q in path.q)
    check(ur5, path, targets)
    path = ik.solve_path(targets, constraint=elbow_up, strategy="graph")
    assert path
    assert (path.q[:, 2] < 0.0).all()


def test_the_constraint_is_asked_about_the_way_only(ur5):
    targets = poses(ur5, way(ur5, 100))
    asked = []

    def accepts(q):
        asked.append(q.tobytes())
        return True

    path = InverseKinematics(ur5).solve_path(targets, constraint=accepts, strategy="graph")
    assert path
    assert path.constraint_calls == len(asked) == len(set(asked)) == 100
    asked.clear()
    # The way up to what is refused is gone along again, and not asked about again.
    jumping = InverseKinematics(ur5).solve_path(
        targets,
        path.q[0],
        constraint=lambda q: (
            accepts(q) and (q[2] < 0.0) == (path.q[0, 2] < 0.0) and bool(np.abs(q - path.q[50]).max() > 0.02)
        ),
        strategy="graph",
        allow_jumps=True,
    )
    assert jumping.success[:45].all()
    assert len(asked) == len(set(asked))


def test_configurations_between_are_looked_at(ur5):
    truth = way(ur5, 12)
    targets = poses(ur5, truth)
    middle = 0.5 * (truth[5] + truth[6])

    def accepts(q):
        return bool(np.abs(q - middle).max() > 1e-3)

    ik = InverseKinematics(ur5)
    options = {"strategy": "graph", "continuity": 0.5, "constraint": accepts}
    blind = ik.solve_path(targets, truth[0], **options)
    np.testing.assert_allclose(blind.q, truth, atol=1e-6)
    path = ik.solve_path(targets, truth[0], check_between=1, **options)
    assert path
    assert np.abs(path.q[5] - truth[5]).max() > 0.5
    check(ur5, path, targets, 0.5)


def test_where_and_why_there_is_no_way(kr6):
    truth = way(kr6, 40)
    targets = poses(kr6, truth)
    ik = InverseKinematics(kr6)
    far = targets.copy()
    far[20:, :3, 3] *= 10.0
    path = ik.solve_path(far, truth[0], strategy="graph")
    assert not path
    assert path.breaks == (20,)
    assert path.reason[20] is Reason.UNREACHABLE
    assert "waypoint 20 (unreachable)" in path.why
    assert "fails at waypoint 20" in repr(path)
    np.testing.assert_allclose(path.q[:20], truth[:20], atol=1e-6)
    assert path.reason[21] is Reason.CANCELLED
    assert np.isnan(path.q[21]).all()
    # Refused everywhere.
    never = QConstraint(lambda q: bool(np.abs(poses(kr6, [q])[0] - targets[25]).max() > 1e-4), "not there")
    path = ik.solve_path(targets, truth[0], constraint=never, strategy="graph")
    assert path.breaks == (25,)
    assert path.reason[25] is Reason.CONSTRAINT
    assert "'not there'" in path.why
    assert "all" in path.detail[25]
    # A gap: the next waypoint is too far away for every branch.
    path = ik.solve_path(targets[[0, 1, 2, 20, 21]], truth[0], strategy="graph", continuity=0.1)
    assert path.breaks == (3,)
    assert path.reason[3] is Reason.JUMP
    assert "a jump is needed" in path.why
    assert "rad away in 'kr6_" in path.detail[3] or "rad away in 'joint" in path.detail[3]
    np.testing.assert_allclose(poses(kr6, path.q[3:4])[0], targets[20], atol=1e-6)


def test_limits_are_told(kr6):
    robot = kr6.clone()
    truth = way(robot, 40)
    targets = poses(robot, truth)
    robot.dofs[0].limits = (truth[:, 0].min() - 0.1, truth[20, 0])
    path = InverseKinematics(robot).solve_path(targets, truth[0], strategy="graph")
    if path:
        pytest.skip("another branch has room")
    assert path.reason[path.breaks[0]] in (Reason.LIMITS, Reason.JUMP)
    assert path.q[: path.breaks[0], 0].max() <= truth[20, 0]


def test_the_fewest_jumps_then_the_least_motion(kr6):
    truth = np.concatenate([way(kr6, 30), way(kr6, 30, seed=7)])
    targets = poses(kr6, truth)
    ik = InverseKinematics(kr6)
    path = ik.solve_path(targets, truth[0], strategy="graph", allow_jumps=True)
    assert path
    assert path.jumps == (30,)
    check(kr6, path, targets)
    steps = np.linalg.norm(np.diff(path.q, axis=0), axis=1).sum() + np.linalg.norm(path.q[0] - truth[0])
    assert path.cost == pytest.approx(steps, rel=1e-9)
    # A waypoint that nothing reaches is left out, and the others are reached; past it, two steps count as two.
    targets[10, :3, 3] *= 10.0
    largest = 1.01 * max(np.abs(np.diff(truth[:30], axis=0)).max(), np.abs(np.diff(truth[30:], axis=0)).max())
    path = ik.solve_path(targets, truth[0], strategy="graph", allow_jumps=True, continuity=largest)
    assert path.breaks == (10,)
    assert path.jumps == (30,)
    assert path.reason[10] is Reason.UNREACHABLE
    check(kr6, path, targets)


def test_a_jump_is_as_cheap_as_the_cheapest_of_all(kr6):
    truth = np.concatenate([way(kr6, 2, size=0.1), way(kr6, 2, seed=9, size=0.1)])
    targets = poses(kr6, truth)
    path = InverseKinematics(kr6).solve_path(targets, strategy="graph", allow_jumps=True, continuity=0.3)
    assert path
    first = {k: brute_force(kr6, targets[k : k + 1], 0.3) for k in range(4)}
    assert all(value == 0.0 for value in first.values())
    closed = InverseKinematics(kr6).analytical()
    layers = []
    for target in targets:
        q, flags = closed.solve_all(target)
        layers.append(np.array([each for row in q[flags == 0] for each in equivalents(kr6, row)]))
    best = (99, np.inf)
    for nodes in itertools.product(*layers[:2]):
        step = np.abs(nodes[1] - nodes[0]).max()
        jumps, cost = int(step > 0.3), np.linalg.norm(nodes[1] - nodes[0])
        if (jumps, cost) >= best:
            continue
        away = layers[2] - nodes[1]
        far = np.abs(away).max(axis=1) > 0.3
        on = layers[3][None] - layers[2][:, None]
        jump = jumps + far[:, None] + (np.abs(on).max(axis=2) > 0.3)
        total = cost + np.linalg.norm(away, axis=1)[:, None] + np.linalg.norm(on, axis=2)
        fewest = jump.min()
        best = min(best, (int(fewest), float(total[jump == fewest].min())))
    assert len(path.jumps) == best[0]
    assert path.cost == pytest.approx(best[1], rel=1e-9)


def test_a_bad_waypoint_is_left_out(ur5):
    truth = way(ur5, 40)
    targets = poses(ur5, truth)
    targets[7, 0, 3] = np.nan
    largest = np.abs(np.diff(truth, axis=0)).max()
    path = InverseKinematics(ur5).solve_path(targets, truth[0], strategy="graph", continuity=1.01 * largest)
    assert list(np.flatnonzero(~path.success)) == [7]
    assert path.reason[7] is Reason.INVALID_INPUT
    assert "waypoint 7 (invalid input)" in path.why
    good = path.success
    np.testing.assert_allclose(path.q[good], truth[good], atol=1e-6)


def test_short_paths_and_bad_options(ur5):
    ik = InverseKinematics(ur5)
    empty = ik.solve_path([], strategy="graph")
    assert len(empty) == 0
    assert empty.cost == 0.0
    start = np.array([0.3, -1.2, 1.4, -0.7, 1.1, 0.2])
    single = ik.solve_path(poses(ur5, [start]), start, strategy="graph")
    np.testing.assert_allclose(single.q, [start], atol=1e-9)
    assert single.cost == pytest.approx(0.0, abs=1e-9)
    bad = ik.solve_path(np.full((3, 4, 4), np.nan), strategy="graph")
    assert bad.reasons == {Reason.INVALID_INPUT: 3}
    for options in (
        {"strategy": "greedy"},
        {"strategy": "graph", "metric": "time"},
        {"strategy": "graph", "samples": 0},
        {"strategy": "graph", "check_between": -1},
        {"strategy": "graph", "time_step": 0.0},
        {"strategy": "graph", "time_step": [0.1, -0.1]},
        {"strategy": "graph", "continuity": np.nan},
        {"strategy": "graph", "constraint": 3},
        {"allow_jumps": True},
        {"metric": "length"},
    ):
        with pytest.raises(InvalidValueError):
            ik.solve_path(poses(ur5, [start] * 3), **options)
    with pytest.raises(ShapeError, match="time_step"):
        ik.solve_path(poses(ur5, [start] * 3), strategy="graph", time_step=[0.1])
    with pytest.raises(ConstraintError):
        ik.solve_path(poses(ur5, [start]), strategy="graph", constraint=lambda q: np.nan)


def test_a_waypoint_given_twice_costs_nothing(ur5):
    truth = way(ur5, 30)
    targets = poses(ur5, truth)
    ik = InverseKinematics(ur5)
    once = ik.solve_path(targets, truth[0], strategy="graph")
    twice = ik.solve_path(np.repeat(targets, 2, axis=0), truth[0], strategy="graph")
    assert twice.cost == pytest.approx(once.cost, rel=1e-9)
    np.testing.assert_allclose(twice.q[::2], once.q, atol=1e-9)
    np.testing.assert_allclose(twice.q[1::2], once.q, atol=1e-9)


def test_a_finer_path_takes_the_same_branch(ur5):
    coarse, fine = way(ur5, 31), way(ur5, 301)
    ik = InverseKinematics(ur5)
    first = ik.solve_path(poses(ur5, coarse), strategy="graph")
    second = ik.solve_path(poses(ur5, fine), strategy="graph")
    np.testing.assert_allclose(second.q[::10], first.q, atol=1e-6)
    assert second.cost == pytest.approx(first.cost, rel=0.02)


def test_velocity_limits_with_a_time_step(kr6):
    truth = way(kr6, 40)
    targets = poses(kr6, truth)
    ik = InverseKinematics(kr6)
    fastest = (np.abs(np.diff(truth, axis=0)) / [dof.velocity_limit for dof in kr6.dofs]).max()
    assert ik.solve_path(targets, truth[0], strategy="graph", time_step=1.01 * fastest)
    path = ik.solve_path(targets, truth[0], strategy="graph", time_step=0.5 * fastest)
    assert not path
    assert path.reason[path.breaks[0]] is Reason.JUMP


def test_heavy_joints_are_spared(ur5):
    robot = ur5.clone()
    target = poses(robot, way(robot, 1))
    start = np.array([1.0, -0.5, 0.5, 0.5, 0.5, -1.0])
    light = InverseKinematics(robot).solve_path(target, start, strategy="graph")
    for column in range(6):
        heavy = robot.clone()
        heavy.dofs[column].weight = 1e-6
        path = InverseKinematics(heavy).solve_path(target, start, strategy="graph")
        assert abs(path.q[0, column] - start[column]) <= abs(light.q[0, column] - start[column]) + 1e-9


def test_nothing_is_moved_and_answers_repeat(panda):
    before = panda.positions.copy()
    targets = poses(panda, way(panda, 30))
    ik = InverseKinematics(panda)
    first, second = (ik.solve_path(targets, strategy="graph") for _ in range(2))
    np.testing.assert_array_equal(first.q, second.q)
    np.testing.assert_array_equal(panda.positions, before)


def test_a_robot_on_a_base_and_with_a_tool(ur5):
    robot = ur5.clone()
    robot.links[0].joint.placement = pose([0.5, 0.2, 0.4], rpy=[0.3, -0.2, 1.0])
    truth = way(robot, 20)
    ik = InverseKinematics(robot)
    ik.offset = [0.0, 0.05, 0.1]
    targets = poses(robot, truth)
    assert np.abs(targets - poses(ur5, truth)).max() > 0.1
    targets[:, :3, 3] += targets[:, :3, :3] @ ik.offset
    path = ik.solve_path(targets, truth[0], strategy="graph")
    assert path
    np.testing.assert_allclose(path.q, truth, atol=1e-6)
