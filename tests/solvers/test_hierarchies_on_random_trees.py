"""Hierarchies on random trees: limits, null spaces and both engines, also where Jacobians are nearly singular."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.kinematics import State
from kinetree.solvers import (
    HierarchicalDeltaIK,
    HierarchicalIK,
    InverseKinematics,
    JacobianDLS,
    LevenbergMarquardt,
    TaskSpaceRegion,
)
from tests.kinematics.random_trees import trees

KINDS = ("revolute", "prismatic", "screw", "universal", "free")
SELECTIONS = ("position", "orientation", "all", "x|z")
METHODS = (None, LevenbergMarquardt(damping=1.0), JacobianDLS(0.1))


@st.composite
def cases(draw):
    """A hierarchy of two or three frames of a tree, and a configuration, one in three nearly singular."""
    robot = draw(trees(kinds=KINDS, max_size=8, dependences=draw(st.booleans())))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    for dof in robot.dofs:
        dof.velocity_limit = float(rng.uniform(0.5, 3.0))
        dof.weight = float(draw(st.sampled_from([1.0, 1.0, 0.3])))
    q = robot.random_positions(rng)
    if draw(st.integers(0, 2)) == 0:
        q = robot.clamp(draw(st.sampled_from([0.0, 1e-9, 1e-5])) * q)
    goal = robot.random_positions(rng)
    delta = HierarchicalDeltaIK(robot, time_step=draw(st.sampled_from([None, 0.01, 0.1])))
    method = draw(st.sampled_from(METHODS))
    for level in range(draw(st.integers(2, 3))):
        frame = draw(st.sampled_from(robot.links))
        target = robot.state(goal).transform(frame).copy()
        module = delta.add_frame(frame, target, draw(st.sampled_from(SELECTIONS)), level=level)
        if method is not None:
            module.gradient_method = method.clone()
    return delta, q


def only(delta, count):
    """The first levels of a hierarchy."""
    part = HierarchicalDeltaIK(delta.skeleton, time_step=delta.time_step)
    part.problem = delta.problem
    for task, level in delta.tasks:
        if level < count:
            part.add(task, level)
    return part


def seen_by(delta, q):
    """The stacked Jacobian of a hierarchy, from its error methods alone."""
    state = delta.skeleton.state(q)
    assert isinstance(state, State)
    return np.vstack([task.error_method.aimed_at().measure(state)[1] for task, _ in delta.tasks])


def check_limits(delta, q, step):
    robot = delta.skeleton
    if delta.time_step is not None:
        assert (np.abs(step) <= delta.time_step * robot.velocity_limits + 1e-12).all()
    assert (np.abs(step) <= delta.problem.max_step + 1e-12).all()
    for dof in robot.dofs:
        if dof.joint.num_dofs == 1:
            k = dof.index
            assert min(dof.lower, q[k]) - 1e-12 <= q[k] + step[k] <= max(dof.upper, q[k]) + 1e-12


@settings(max_examples=60)
@given(cases())
def test_no_step_leaves_the_limits_or_leaks_upwards(case):
    delta, q = case
    for engine in ("object", "auto"):
        delta.problem.engine = engine
        steps = [only(delta, count).prepare().step(q) for count in range(1, len(delta.levels) + 1)]
        for step in steps:
            check_limits(delta, q, step)
        for count in range(1, len(steps)):
            leak = seen_by(only(delta, count), q) @ (steps[count] - steps[count - 1])
            assert np.abs(leak).max() <= 1e-8


@settings(max_examples=60)
@given(cases())
def test_the_compiled_step_is_that_of_the_object_path(case):
    delta, q = case
    compiled = delta.prepare()
    delta.problem.engine = "object"
    wanted = delta.prepare().step(q)
    step = compiled.step(q)
    jacobian = seen_by(delta, q)
    # Along what a task hardly sees the damping alone decides, so what the steps do is compared there.
    np.testing.assert_allclose(jacobian @ step, jacobian @ wanted, atol=1e-6)


@settings(max_examples=15)
@given(trees(kinds=("revolute", "prismatic"), max_size=7, dependences=False), st.integers(0, 10_000))
def test_what_is_solved_is_inside_the_limits_and_where_it_should_be(robot, seed):
    rng = np.random.default_rng(seed)
    goal = robot.state(robot.random_positions(rng))
    body, first = HierarchicalIK(robot), HierarchicalIK(robot)
    wanted = []
    for level, frame in enumerate(robot.links[int(k)] for k in rng.integers(0, len(robot.links), size=2)):
        target = goal.transform(frame).copy()
        # The second one may be out of reach: the first one is met all the same.
        target.translation += np.array([9.0 if level and seed % 2 else 0.0, 0.0, 0.0])
        module = InverseKinematics(frame)
        module.error_method = TaskSpaceRegion.position_only()
        module.target = target
        body.add(module, level)
        wanted.append((frame, target.translation))
        if not level:
            first.add(module, 0)
    alone, solution = first.solve(attempts=20), body.solve(attempts=20)
    for found in (alone, solution):
        assert ((found.q >= robot.lower_limits - 1e-12) & (found.q <= robot.upper_limits + 1e-12)).all()
    state = robot.state(solution.q)
    away = [np.linalg.norm(state.transform(frame).translation - place) for frame, place in wanted]
    assert not solution.success or max(away) < 1e-5
    assert not alone.success or away[0] < 1e-5
