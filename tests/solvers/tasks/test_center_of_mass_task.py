"""The centre of mass in frames, along axes and of bodies of choice, on fixed and floating bases."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    InvalidValueError,
    NodeSet,
    ShapeError,
    SimpleFrame,
    StructureError,
    UnknownNameError,
    World,
    pose,
)
from kinetree.solvers import CenterOfMassTask, Halley, HierarchicalIK, InverseKinematics, SolverError

TURNED = SimpleFrame("turned", None, pose((0.3, -0.2, 0.1), rpy=(0.4, -0.3, 1.1)))


def options(skeleton):
    """Goals in all kinds of frames, for a robot."""
    links = [link for link in skeleton.links if link.mass > 0.0]
    hanging = SimpleFrame("hanging", links[-1], pose((0.1, 0.2, 0.3), rpy=(0.1, 0.2, 0.3)))
    return [
        {"over": [0.1, 0.2], "axes": "xz"},
        {"over": [0.1, 0.2], "axes": "zy", "frame": TURNED},
        {"over": [0.4], "axes": "z"},
        {"point": [0.1, 0.2, 0.3], "frame": links[len(links) // 2], "weight": 3.0},
        {"over": [0.1, 0.2], "frame": hanging, "bodies": links[1::2]},
        {"point": [0.1, 0.2, 0.3], "bodies": [link.name for link in links[:4]]},
    ]


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("robot", ["panda", "humanoid", "gantry_wrist"])
def test_against_sums_and_differences_on_fixed_and_floating_bases(robot, number, rng, differences):
    skeleton = models.load(robot)
    for link in skeleton.links:
        if not link.mass:
            link.inertia = pin.Inertia(0.3, np.array([0.1, 0.0, 0.05]), np.eye(3))
    chosen = options(skeleton)[number]
    task = CenterOfMassTask(**chosen)
    state = skeleton.state(skeleton.random_positions(rng), range(2, skeleton.num_dofs))
    error, jacobian = task.measure(state)[:2]
    np.testing.assert_allclose(jacobian, differences(task, state), atol=1e-7)
    # The same by hand.
    links = [skeleton.link(each) if isinstance(each, str) else each for each in chosen.get("bodies", skeleton.links)]
    centre = sum(link.mass * state.transform(link).act(link.inertia.lever) for link in links)
    centre = centre / sum(link.mass for link in links)
    at = np.eye(4) if "frame" not in chosen else state.transform(chosen["frame"]).homogeneous
    inside = np.linalg.solve(at, [*centre, 1.0])[:3]
    away = inside[["xyz".index(each) for each in chosen.get("axes", "xyz" if "point" in chosen else "xy")]]
    away = away - chosen.get("over", chosen.get("point"))
    np.testing.assert_allclose(error, chosen.get("weight", 1.0) * away, atol=1e-12)
    assert task.residual(state) == (pytest.approx(np.linalg.norm(away)), 0.0)
    np.testing.assert_allclose(task.center(state), inside, atol=1e-12)


def test_a_body_that_counts_is_balanced_alone(humanoid):
    arms = [link.name for link in humanoid.links if "arm" in link.name]
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    ik.error_method = CenterOfMassTask(over=[0.1, 0.05], bodies=arms)
    ik.use_whole_body()
    solution = ik.solve()
    assert solution
    state = humanoid.state(solution.q)
    places = [state.transform(humanoid.link(name)).translation for name in arms]  # of 1 kg each
    np.testing.assert_allclose(np.mean(places, axis=0)[:2], [0.1, 0.05], atol=1e-6)
    assert solution.engine == "object"


def test_a_node_set_stands_for_the_links_that_it_moves(arm):
    chosen = NodeSet("wrist", ["j4", "j5"], World(), arm.tip)
    task = CenterOfMassTask(point=[0, 0, 0], bodies=chosen)
    assert [link.name for link in task.bodies] == ["l4", "l5"]
    state = arm.state()
    middle = sum(state.transform(arm.link(name)).translation for name in ("l4", "l5")) / 2
    np.testing.assert_allclose(task.center(state), middle, atol=1e-12)


def test_only_the_plain_task_is_compiled(humanoid):
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    ik.use_whole_body()
    ik.problem.engine = "compiled"
    state = humanoid.state()
    start = state.com()
    for plain in ({}, {"frame": World()}, {"axes": "xy"}):
        task = CenterOfMassTask(over=start[:2] + 0.02, **plain)
        assert task.is_plain
        assert ik.solve(task).engine == "compiled"
    for other in ({"axes": "yx"}, {"axes": "xz"}, {"frame": TURNED}, {"bodies": ["trunk"]}):
        task = CenterOfMassTask(over=[0.0, 0.0], **other)
        assert not task.is_plain
        with pytest.raises(SolverError, match="of some bodies, in a frame or along other axes"):
            ik.solve(task)
        hierarchy = HierarchicalIK(humanoid)
        hierarchy.add(task)
        hierarchy.problem.engine = "compiled"
        with pytest.raises(SolverError, match="plain centre of mass"):
            hierarchy.solve()
        hierarchy.problem.engine = "auto"
        assert hierarchy.solve(iterations=1, attempts=1).engine == "object"
    ik.gradient_method = Halley()
    with pytest.raises(SolverError, match="second order"):
        ik.solve(CenterOfMassTask(over=[0.0, 0.0]))


def test_it_follows_the_skeleton(humanoid):
    task = CenterOfMassTask(point=[0, 0, 0], bodies=["left_arm_link_5"])
    before = task.center(humanoid.state())
    humanoid.link("left_arm_link_5").inertia = pin.Inertia(2.0, np.array([0.1, 0.0, 0.0]), np.eye(3))
    after = task.aimed_at([0.5, 0.5, 0.5]).center(humanoid.state())
    np.testing.assert_allclose(np.linalg.norm(after - before), 0.1)
    other = humanoid.clone()
    other.link("left_arm_link_5").inertia = pin.Inertia(2.0, np.zeros(3), np.eye(3))
    np.testing.assert_allclose(task.center(other.state()), before, atol=1e-12)


def test_what_is_wrong_is_said(humanoid):
    for wrong, says in (
        ({"axes": "xx"}, "different letters"),
        ({"axes": "xw"}, "different letters"),
        ({"axes": ""}, "different letters"),
        ({"frame": "left_foot"}, "frame must be a Frame"),
        ({"bodies": []}, "at least one"),
        ({"bodies": [3]}, "links or names of links"),
        ({"bodies": 3}, "links, names of links or a NodeSet"),
    ):
        with pytest.raises(InvalidValueError, match=says):
            CenterOfMassTask(over=[0, 0], **wrong)
    with pytest.raises(ShapeError, match="over must have 1 entries"):
        CenterOfMassTask(over=[0, 0], axes="z")
    with pytest.raises(ShapeError, match="goal must have 1 entries"):
        CenterOfMassTask(over=[0], axes="z").goal = [1, 2]
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    with pytest.raises(UnknownNameError, match="no link 'trnk'; did you mean 'trunk'"):
        ik.solve(CenterOfMassTask(over=[0, 0], bodies=["trnk"]))
    humanoid.link("trunk").inertia = None
    with pytest.raises(StructureError, match="bodies 'trunk' of skeleton 'humanoid' have no mass"):
        ik.solve(CenterOfMassTask(over=[0, 0], bodies=["trunk"]))
