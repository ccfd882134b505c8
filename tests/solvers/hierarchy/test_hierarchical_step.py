"""Hierarchies on both engines: the same answers, and each says which it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import Skeleton, pose
from kinetree.solvers import (
    CenterOfMassTask,
    HierarchicalIK,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    PostureTask,
    SolverError,
    TaskSpaceRegion,
)


def humanoid() -> tuple[Skeleton, HierarchicalIK, InverseKinematics]:
    """Feet stay, the centre of mass is over a point, a hand goes somewhere."""
    robot = models.load("humanoid")
    body = HierarchicalIK(robot)
    for name in ("left_foot", "right_foot"):
        body.add(InverseKinematics(robot.frame(name)), 0)
    hand = InverseKinematics(robot.frame("left_hand"))
    hand.error_method = TaskSpaceRegion.position_only()
    body.add(CenterOfMassTask(over=[0.01, 0.0]), 1)
    body.add(hand, 2)
    return robot, body, hand


def on(hierarchy: HierarchicalIK, engine: str, **options: Any) -> Any:
    hierarchy.problem = hierarchy.problem.replaced(engine=engine)
    return hierarchy.solve(**options)


@pytest.mark.parametrize("method", [None, JacobianDLS(damping=0.02)], ids=["default", "damped"])
def test_engines_agree(method: Any, rng: np.random.Generator) -> None:
    robot, body, hand = humanoid()
    if method is not None:
        for task, _ in body.tasks:
            if isinstance(task, InverseKinematics):
                task.gradient_method = method
        body.gradient_method = method
    where = robot.state().transform(robot.frame("left_hand")).translation
    for _ in range(5):
        hand.target = pose(where + rng.uniform(-0.15, 0.15, 3))
        one, two = on(body, "compiled"), on(body, "object")
        assert (one.engine, two.engine) == ("compiled", "object")
        assert one.success == two.success
        assert one.success
        assert one.attempts == two.attempts == 1
        assert one.iterations == two.iterations
        np.testing.assert_allclose(one.q, two.q, atol=1e-6)


def test_engines_agree_where_a_level_is_out_of_reach() -> None:
    _, body, hand = humanoid()
    hand.target = pose((2.0, 0.3, 1.0))
    one, two = on(body, "compiled", attempts=1), on(body, "object", attempts=1)
    assert one.reason == two.reason
    assert [task.satisfied for task in one.tasks] == [task.satisfied for task in two.tasks] == [True, True, True, False]
    assert one.tasks[3].position_error == pytest.approx(two.tasks[3].position_error, abs=0.05)


@pytest.mark.parametrize("engine", ["auto", "compiled"])
@pytest.mark.parametrize("what", ["wish", "method", "weights", "empty level"])
def test_what_is_not_compiled_runs_on_the_object_path(what: str, engine: str) -> None:
    robot, body, hand = humanoid()
    if what == "wish":
        body.add(PostureTask(robot.positions), 3)
    elif what == "method":
        hand.gradient_method = JacobianPseudoInverse()
    elif what == "weights":
        hand.error_method = TaskSpaceRegion.position_only(weights=[1, 2, 3, 1, 1, 1])
    else:
        hand.hierarchy_level = 4
    if engine == "compiled":
        with pytest.raises(SolverError, match="compiled"):
            on(body, engine)
    else:
        assert on(body, engine, attempts=1, iterations=5).engine == "object"
