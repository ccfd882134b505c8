"""One step towards several tasks by priority, and the loop of steps."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import (
    FreeJoint,
    InvalidValueError,
    NodeSet,
    SimpleFrame,
    StructureError,
    UnknownNameError,
    World,
    pose,
)
from kinetree.solvers import (
    CartesianSelection,
    CenterOfMassTask,
    ErrorMethod,
    HierarchicalDeltaIK,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JointLimitTask,
    PostureTask,
    SelectivelyDamped,
    SolverError,
)

NAMES = [f"panda_joint{number}" for number in range(1, 8)]


@pytest.fixture(scope="module")
def panda():
    robot = models.load("panda")
    robot.positions = {"panda_joint2": -0.785, "panda_joint4": -2.356, "panda_joint6": 1.571}
    robot.define_node_set("arm", NAMES, "panda_hand", "panda_link0")
    return robot


@pytest.fixture(scope="module")
def body():
    """Feet, then centre of mass, then hands, then posture, on a humanoid."""
    robot = models.load("humanoid")
    delta = HierarchicalDeltaIK(robot)
    for side in ("left", "right"):
        delta.add_frame(f"{side}_foot", priority=30)
    delta.add(CenterOfMassTask(over=[0.02, 0.01]), priority=20)
    for side in ("left", "right"):
        hand = robot.frame(f"{side}_hand").transform()
        hand.translation += np.array([0.2, 0.0, 0.3])
        delta.add_frame(f"{side}_hand", hand, "position", priority=10)
    return delta


def linearised(delta, q, count):
    """The step and the stacked Jacobian of the first ``count`` levels, from their error methods alone."""
    state = delta.skeleton.state(q)
    tasks = [task for level in delta.levels[:count] for task in level]
    methods = [task.error_method if isinstance(task, InverseKinematics) else task for task in tasks]
    return np.vstack([method.aimed_at().measure(state)[1] for method in methods])


def only(delta, count):
    """The same hierarchy without the levels after the first ``count``."""
    part = HierarchicalDeltaIK(delta.skeleton, time_step=delta.time_step)
    part.set_dofs(delta.dofs)
    part.problem = delta.problem
    part.gradient_method = delta.gradient_method
    for number, level in enumerate(delta.levels[:count]):
        for task in level:
            part.add(task, number)
    return part


# What a step is.


def test_a_step_meets_what_is_linear(planar):
    delta = HierarchicalDeltaIK(planar)
    delta.add(PostureTask([0.5, -0.3]), level=0)
    planar.positions = [0.1, 0.2]
    np.testing.assert_allclose(delta.step(), [0.4, -0.5], atol=1e-2)
    np.testing.assert_allclose(delta.step(step_size=0.25), 0.25 * delta.step(), atol=1e-15)
    np.testing.assert_allclose(delta.step([0.5, -0.3]), 0.0, atol=1e-15)
    np.testing.assert_array_equal(planar.positions, [0.1, 0.2])
    np.testing.assert_array_equal(delta.step({"j0": 0.3}), delta.step([0.3, 0.2]))
    np.testing.assert_array_equal(delta.step(planar.state([0.3, 0.2])), delta.step([0.3, 0.2]))
    assert not HierarchicalDeltaIK(planar).step().any()


def test_priorities_are_highest_first_and_levels_lowest_first(planar):
    near = planar.state([0.3, 0.8]).transform(planar.tip)
    far = planar.state([-0.5, 1.0]).transform(planar.tip)
    by_level, by_priority = HierarchicalDeltaIK(planar), HierarchicalDeltaIK(planar)
    by_level.add_frame(planar.tip, far, "position", level=1)
    by_level.add_frame(planar.tip, near, "position", level=0)
    by_priority.add_frame(planar.tip, far, "position", priority=-2)
    first = by_priority.add_frame(planar.tip, near, "position", priority=7.5)
    q = [0.1, 0.9]
    alone = HierarchicalDeltaIK(planar)
    alone.add_frame(planar.tip, near, "position")
    np.testing.assert_allclose(by_level.step(q), alone.step(q), atol=1e-12)
    np.testing.assert_array_equal(by_priority.step(q), by_level.step(q))
    # Another priority for a task that is there.
    by_priority.add(first, priority=-3)
    assert np.abs(by_priority.step(q) - by_level.step(q)).max() > 0.1
    by_priority.remove(first)
    assert [len(level) for level in by_priority.levels] == [1]


@pytest.mark.parametrize(
    ("selection", "rows"),
    [("x", [0]), ("y", [1]), ("z", [2]), ("position", [0, 1, 2]), ("orientation", [3, 4, 5]), ("x|z", [0, 2]),
     ("z|orientation", [2, 3, 4, 5]), (CartesianSelection.ALL, range(6))],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["object", "compiled"])
def test_selections_are_along_the_axes_of_the_world(panda, selection, rows, engine):
    rng = np.random.default_rng(3)
    q = panda.random_positions(rng)
    target = pin.SE3(pin.exp3(rng.normal(size=3) * 1e-5), 1e-5 * rng.normal(size=3)) * panda.state(q).transform(
        panda.tip
    )
    delta = HierarchicalDeltaIK(panda, "arm")
    delta.add_frame(panda.tip, target, selection)
    delta.problem.engine = engine
    assert delta.prepare().engine == engine
    moved = panda.state(q + delta.step(q)).transform(panda.tip)
    away = np.concatenate([moved.translation - target.translation, pin.log3(moved.rotation @ target.rotation.T)])
    rows = list(rows)
    assert np.abs(away[rows]).max() < 1e-8  # what the damping leaves
    others = [row for row in range(6) if row not in rows]
    assert not others or np.abs(away[others]).max() > 1e-7


def test_only_the_node_set_moves(panda):
    delta = HierarchicalDeltaIK(panda, "arm")
    delta.add_frame(panda.tip, pose((0.4, 0.1, 0.5)), "position")
    step = delta.step()
    assert step.shape == (8,)
    assert step[7] == 0.0
    assert np.abs(step[:6]).min() > 0.0
    assert step[6] == 0.0  # it turns about an axis through the tip
    wrist = HierarchicalDeltaIK(panda, NodeSet("wrist", NAMES[4:], World(), panda.tip))
    wrist.add_frame(panda.tip, pose((0.4, 0.1, 0.5)), "position")
    assert not wrist.step()[:4].any()
    assert [dof.name for dof in wrist.dofs] == NAMES[4:]


def test_joint_limits_are_avoided_in_the_null_space(panda):
    q = panda.as_configuration({"panda_joint1": 2.8, "panda_joint3": -2.8})
    tip = panda.state(q).transform(panda.tip).copy()
    delta = HierarchicalDeltaIK(panda, "arm")
    delta.add_frame(panda.tip, tip, priority=2)
    delta.add(JointLimitTask(), priority=1)
    step = delta.step(q)
    assert step[0] < -1e-3 or step[2] > 1e-3
    assert np.abs(panda.state(q).jacobian(panda.tip) @ step).max() < 1e-10
    assert delta.prepare().engine == "object"


# Null spaces.


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from(["", "stretched", "wrist"]), st.sampled_from([0.0, 1e-9, 1e-6, 1e-3]))
@pytest.mark.parametrize("method", [None, JacobianDLS(0.2), JacobianPseudoInverse(), SelectivelyDamped()])
def test_nothing_leaks_upwards_near_singular_poses(panda, method, seed, pose_name, away):
    rng = np.random.default_rng(seed)
    q = panda.random_positions(rng)
    if pose_name == "stretched":
        q[1], q[2], q[3] = 0.0, 0.0, -0.0698
    if pose_name == "wrist":
        q[4], q[5] = 0.0, 0.0
    q[:7] += away * rng.normal(size=7)
    q = panda.clamp(q)
    target = panda.state(panda.random_positions(rng)).transform(panda.tip)
    delta = HierarchicalDeltaIK(panda, "arm", time_step=None if seed % 2 else 0.05)
    if method is not None:
        delta.gradient_method = method.clone()
    for selection in ("position", "orientation"):
        delta.add_frame(panda.tip, target, selection, level=len(delta.levels)).gradient_method = delta.gradient_method
    delta.add_frame("panda_link4", target, "z", level=2).gradient_method = delta.gradient_method
    delta.add(PostureTask(panda.random_positions(rng)), 3)
    steps = [only(delta, count).step(q) for count in range(1, 5)]
    for count in range(1, 4):
        high = linearised(delta, q, count)
        assert np.abs(high @ (steps[count] - steps[count - 1])).max() <= 1e-8


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_nothing_leaks_upwards_on_a_humanoid(body, seed):
    rng = np.random.default_rng(seed)
    robot = body.skeleton
    q = robot.clamp(robot.integrate(robot.positions, 0.3 * rng.normal(size=robot.num_dofs)))
    if seed % 3 == 0:
        q[6:] = robot.clamp(np.zeros(robot.num_dofs))[6:]  # stretched limbs
    steps = [only(body, count).step(q) for count in (1, 2, 3)]
    np.testing.assert_allclose(body.step(q), steps[-1], atol=1e-12)
    for count in (1, 2):
        leak = linearised(body, q, count) @ (steps[count] - steps[count - 1])
        assert np.abs(leak).max() <= 1e-8


@pytest.mark.parametrize("method", [JacobianDLS(0.2), None])
def test_engines_agree(body, method):
    rng = np.random.default_rng(1)
    robot = body.skeleton
    body.gradient_method = method or body.gradient_method
    for module, _ in body.tasks:
        if method is not None and isinstance(module, InverseKinematics):
            module.gradient_method = method.clone()
    for time_step in (None, 0.02):
        body.time_step = time_step
        compiled = body.prepare(0.5)
        body.problem.engine = "object"
        object_path = body.prepare(0.5)
        body.problem.engine = "auto"
        assert (compiled.engine, object_path.engine) == ("compiled", "object")
        for _ in range(20):
            q = robot.clamp(robot.integrate(robot.positions, 0.2 * rng.normal(size=robot.num_dofs)))
            np.testing.assert_allclose(compiled.step(q), object_path.step(q), atol=1e-9)
            np.testing.assert_allclose(compiled.misses(q), object_path.misses(q), atol=1e-9)


@pytest.mark.parametrize("step_size", [1.0, 0.3])
def test_engines_agree_where_most_joints_meet_their_limits(body, step_size):
    rng = np.random.default_rng(11)
    robot = body.skeleton.clone()
    delta = HierarchicalDeltaIK(robot, time_step=0.005)
    for side in ("left", "right"):
        delta.add_frame(f"{side}_foot", level=0)
        delta.add_frame(f"{side}_hand", pose((0.4, 0.1, 1.2)), level=2)
    delta.add(CenterOfMassTask(over=[0.1, 0.05]), 1)
    for joint in ("left_knee_joint", "right_elbow_joint", "left_shoulder_pitch_joint"):
        robot.joint(joint).dofs[0].weight = 0.2
    robot.joint("right_knee_joint").dofs[0].weight = 0.0  # it has no part
    compiled = delta.prepare(step_size)
    delta.problem.engine = "object"
    object_path = delta.prepare(step_size)
    still = robot.joint("right_knee_joint").dofs[0].index
    reach = 0.005 * robot.velocity_limits
    met = 0
    for trial in range(40):
        q = robot.integrate(robot.positions, 0.3 * rng.normal(size=robot.num_dofs))
        q = q if trial % 4 == 0 else robot.clamp(q)  # a joint outside its limits may only come back
        step = compiled.step(q)
        np.testing.assert_allclose(step, object_path.step(q), atol=1e-9)
        assert step[still] == 0.0
        assert (np.abs(step) <= reach).all()
        met += (np.abs(np.abs(step) - reach) < 1e-12).sum()
    assert met > 400


# Limits.


def test_velocity_and_position_limits_are_kept(panda):
    rng = np.random.default_rng(2)
    speeds = panda.velocity_limits[:7]
    delta = HierarchicalDeltaIK(panda, "arm", time_step=0.01)
    module = delta.add_frame(panda.tip, level=0)
    delta.add(PostureTask(), 1)
    held = 0
    for _ in range(40):
        q = panda.random_positions(rng)
        at_limit = rng.random(8) < 0.3
        q[at_limit] = panda.upper_limits[at_limit]
        module.target = panda.state(panda.random_positions(rng)).transform(panda.tip)
        step = delta.step(q)
        assert (np.abs(step[:7]) <= speeds * 0.01 + 1e-15).all()
        assert ((q + step <= panda.upper_limits) & (q + step >= panda.lower_limits)).all()
        held += (np.abs(np.abs(step[:7]) - speeds * 0.01) < 1e-12).sum()
        slow = delta.step(q, time_step=0.001)
        assert (np.abs(slow[:7]) <= speeds * 0.001 + 1e-15).all()
    assert held > 40


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_joint_outside_its_limits_comes_back_and_goes_no_further(planar, side):
    delta = HierarchicalDeltaIK(planar)
    delta.add(PostureTask([0.0, 0.0]))
    assert side * delta.step([side * 2.5, 0.0])[0] < -0.5
    outwards = HierarchicalDeltaIK(planar)
    outwards.add(PostureTask([side * 9.0, side]))
    step = side * outwards.step([side * 2.5, 0.0])
    assert step[0] == 0.0
    assert step[1] > 0.5
    outwards.problem.respect_limits = False
    assert side * outwards.step([side * 2.5, 0.0])[0] > 0.5


def test_a_wish_at_its_limit_costs_the_task_nothing(panda):
    # The posture asks for more than the joints may do; the tip gets its full step all the same.
    target = panda.tip.transform()
    target.translation += np.array([0.002, 0.0, 0.0])
    delta = HierarchicalDeltaIK(panda, "arm", time_step=0.02)
    delta.add_frame(panda.tip, target, level=0)
    alone = delta.step()
    delta.add(PostureTask(panda.upper_limits, weight=100.0), 1)
    both = delta.step()
    jacobian = panda.state().jacobian(panda.tip)
    np.testing.assert_allclose(jacobian @ both, jacobian @ alone, atol=1e-10)
    np.testing.assert_allclose((jacobian @ both)[:3], [0.002, 0.0, 0.0], atol=1e-7)
    assert np.abs(both).max() > 2.0 * np.abs(alone).max()


def test_weights_of_joints_count(arm, rng):
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    delta = HierarchicalDeltaIK(arm)
    delta.add_frame(arm.tip, target, "position")
    q = arm.random_positions(rng)
    free = delta.step(q)
    arm.dofs[1].weight = 1e-4
    lazy = delta.step(q)
    assert abs(lazy[1]) < 0.01 * abs(free[1])
    delta.problem.engine = "compiled"
    np.testing.assert_allclose(delta.step(q), lazy, atol=1e-9)
    arm.dofs[2].max_step = 1e-3
    delta.problem.engine = "auto"
    assert abs(delta.step(q)[2]) <= 1e-3
    assert delta.prepare().engine == "object"


# The loop.


def test_steps_lead_there(body):
    robot = body.skeleton.clone()
    delta = HierarchicalDeltaIK(robot)
    feet = [delta.add_frame(f"{side}_foot", priority=3) for side in ("left", "right")]
    delta.add(CenterOfMassTask(over=robot.com[:2]), priority=2)
    goal = robot.frame("right_hand").transform().translation + np.array([0.15, 0.05, 0.2])
    hand = delta.add_frame("right_hand", pose(goal), "position", priority=1)
    q = robot.positions
    prepared = delta.prepare(0.5)
    for _ in range(60):
        q = robot.integrate(q, prepared.step(q))
    assert prepared.misses(q).max() < 1e-6
    state = robot.state(q)
    np.testing.assert_allclose(state.transform(hand.frame).translation, goal, atol=1e-6)
    for foot in feet:
        assert state.transform(foot.frame).isApprox(foot.frame.transform(), 3e-6)
    solution = delta.solve()
    assert solution
    assert solution.attempts == 1
    assert [task.level for task in solution.tasks] == [0, 0, 1, 2]


def test_targets_of_prepared_steps(panda):
    delta = HierarchicalDeltaIK(panda, "arm")
    module = delta.add_frame(panda.tip, None, "position")
    balance = CenterOfMassTask(over=[0.1, 0.0])
    posture = PostureTask()
    delta.add(balance, 1)
    for engine in ("compiled", "object"):
        delta.problem.engine = engine
        prepared = delta.prepare()
        q = panda.positions
        before = prepared.step(q)
        prepared.set_target(module, pose((0.4, 0.2, 0.5)))
        prepared.set_target(balance, [0.05, 0.02])
        after = prepared.step(q)
        assert np.abs(after - before).max() > 0.01
        moved = HierarchicalDeltaIK(panda, "arm")
        moved.add_frame(panda.tip, pose((0.4, 0.2, 0.5)), "position")
        moved.add(CenterOfMassTask(over=[0.05, 0.02]), 1)
        np.testing.assert_allclose(after, moved.step(q), atol=1e-12)
        np.testing.assert_allclose(delta.step(q), before, atol=1e-12)  # the hierarchy has its own
        with pytest.raises(UnknownNameError, match="no task 'posture'"):
            prepared.set_target(posture, None)
    # What `step` uses is never old: neither targets nor inactive tasks.
    module.target = pose((0.4, 0.2, 0.5))
    assert np.abs(delta.step(q) - before).max() > 0.01
    module.active = False
    assert repr(delta.prepare()) == "<PreparedDeltaIK of 'panda': 'centre of mass'; object>"


def test_edits_are_noticed(arm):
    delta = HierarchicalDeltaIK(arm)
    delta.add_frame(arm.tip, pose((0.4, 0.1, 0.5)), "position")
    delta.add(PostureTask(), 1)
    for compiled in (False, True):
        prepared = delta.prepare()
        assert (prepared.engine == "compiled") is compiled
        arm.replace_joint("base", FreeJoint(f"float{compiled}"))
        with pytest.raises(StructureError, match="was changed"):
            prepared.step(np.zeros(7 if not compiled else 13))
        assert delta.step().shape == (13,)
        for task, _ in delta.tasks:
            if isinstance(task, PostureTask):
                delta.remove(task)


# What is wrong.


def test_what_is_wrong_is_said(panda, planar):
    for wrong, error, says in (
        ("arrm", UnknownNameError, "no node set 'arrm'; did you mean 'arm'"),
        (planar.tip.chain(), InvalidValueError, "must be a node set of skeleton 'panda'"),
        (5, InvalidValueError, "must be a node set"),
    ):
        with pytest.raises(error, match=says):
            HierarchicalDeltaIK(panda, wrong)
    delta = HierarchicalDeltaIK(panda, "arm")
    for wrong in (0.0, -1.0, np.nan, "a"):
        with pytest.raises(InvalidValueError, match="time_step"):
            delta.time_step = wrong
        with pytest.raises(InvalidValueError, match="step_size"):
            delta.step(step_size=wrong)
    with pytest.raises(InvalidValueError, match="at most 1"):
        delta.step(step_size=1.5)
    with pytest.raises(UnknownNameError, match="did you mean 'panda_hand'"):
        delta.add_frame("panda_hnd")
    with pytest.raises(InvalidValueError, match="selection"):
        delta.add_frame("panda_hand", selection="w")
    for wrong in (np.nan, True, "high"):
        with pytest.raises(InvalidValueError, match="finite number"):
            delta.add(PostureTask(), priority=wrong)
    with pytest.raises(InvalidValueError, match="not both"):
        delta.add(PostureTask(), 1, priority=1)
    with pytest.raises(StructureError):
        delta.add_frame(SimpleFrame("free"))
    assert delta.tasks == ()
    delta.add(PostureTask(), priority=1)
    with pytest.raises(InvalidValueError, match="ordered by priority"):
        delta.add(PostureTask(), 1)
    by_level = HierarchicalDeltaIK(panda)
    by_level.add(PostureTask(), 1)
    with pytest.raises(InvalidValueError, match="ordered by level"):
        by_level.add(PostureTask(), priority=1)
    by_level.problem.engine = "compiled"
    with pytest.raises(SolverError, match="'posture' is not a part of a pose"):
        by_level.step()


def test_a_users_own_error_method(planar):
    class Height(ErrorMethod):
        rows = 1

        def evaluate(self, state):
            return state.transform(planar.tip).translation[1:2] - 0.7, state.jacobian(planar.tip)[1:2]

    delta = HierarchicalDeltaIK(planar)
    delta.add(Height())
    q = np.array([0.1, 0.4])
    for _ in range(10):
        q = q + delta.step(q)
    assert planar.state(q).transform(planar.tip).translation[1] == pytest.approx(0.7, abs=1e-9)
