"""The centre of mass over a point while feet stay where they are."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    FreeJoint,
    GeometryError,
    InvalidPoseError,
    InvalidValueError,
    NodeSet,
    QConstraint,
    ShapeError,
    SimpleFrame,
    StructureError,
    SupportArea,
    UnknownNameError,
    World,
    pose,
)
from kinetree.solvers import CenterOfMassIK, CenterOfMassTask, HierarchicalIK, InverseKinematics, Reason

FEET = ("left_foot", "right_foot")


@pytest.fixture(scope="module")
def stance():
    robot = models.load("humanoid")
    robot.positions = {
        f"{side}_{joint}_joint": value
        for side in ("left", "right")
        for joint, value in (("hip_pitch", -0.3), ("knee", 0.6), ("ankle_pitch", -0.3), ("elbow", -1.0))
    }
    return robot


def moved(robot, q):
    """How far (m) and by what angle the feet are from where they are at the present positions, at most."""
    state = robot.state(q)
    errors = [robot.frame(foot).transform().actInv(state.transform(robot.frame(foot))) for foot in FEET]
    turns = [np.linalg.norm(pin.log3(error.rotation)) for error in errors]
    return max(np.linalg.norm(error.translation) for error in errors), max(turns)


def test_two_hundred_targets_in_the_support_area(stance, inside):
    ik = CenterOfMassIK(stance, stance.com[:2], holding=FEET, support="shapes")
    area, before = ik.support, stance.positions
    rng = np.random.default_rng(0)
    drawn = (rng.uniform(area.corners.min(axis=0), area.corners.max(axis=0)) for _ in range(1000))
    targets = [target for target in drawn if area.contains(target)][:200]
    solved = 0
    for target in targets:
        solution = ik.solve(target)
        if not solution:
            continue
        solved += 1
        away, turned = moved(stance, solution.q)
        assert away <= 1e-6
        assert turned <= 1e-6
        assert np.linalg.norm(stance.state(solution.q).com()[:2] - target) <= 1e-6
        assert inside(stance, solution.q)
    assert len(targets) == 200
    assert solved >= 198
    np.testing.assert_array_equal(stance.positions, before)


def test_targets_outside_the_support_area_are_unreachable(stance):
    ik = CenterOfMassIK(stance, stance.com[:2], holding=FEET, support="shapes")
    rng = np.random.default_rng(1)
    for _ in range(30):
        turn = rng.uniform(0, 2 * np.pi)
        target = ik.support.center + rng.uniform(0.25, 2.0) * np.array([np.cos(turn), np.sin(turn)])
        excess = ik.support.excess(target)
        assert excess > 0.0
        solution = ik.solve(target)
        assert not solution
        assert solution.reason is Reason.UNREACHABLE
        assert f"{excess:.3g} m outside the support area" in solution.detail
        # What comes back stands, with the centre of mass as near as the area lets it.
        assert solution.position_error == pytest.approx(excess, abs=1e-5)
        assert moved(stance, solution.q)[0] <= 1e-6
        assert ik.support.excess(stance.state(solution.q).com()[:2]) <= 2e-6


def test_what_the_body_cannot_do_is_reported_with_how_far_off(stance):
    ik = CenterOfMassIK(stance, [3.0, 0.0], holding=FEET)
    solution = ik.solve(attempts=3)
    assert solution.reason is Reason.UNREACHABLE
    away = np.linalg.norm(stance.state(solution.q).com()[:2] - [3.0, 0.0])
    assert f"stays {away:.3g} m away from x, y = 3 m, 0 m" in solution.detail
    assert "at their limits: '" in solution.detail
    assert solution.position_error == pytest.approx(away)
    assert moved(stance, solution.q)[0] <= 1e-6
    before = stance.positions
    assert not ik.solve_and_apply(attempts=1)
    np.testing.assert_array_equal(stance.positions, before)


def test_it_moves_the_robot_only_when_asked(stance):
    robot = stance.clone()
    ik = CenterOfMassIK(robot, robot.com[:2] + np.array([0.03, 0.02]), holding=FEET)
    solution = ik.solve_and_apply()
    assert solution
    np.testing.assert_array_equal(robot.positions, solution.q)
    # Held is what is there now: the feet of the new stance.
    robot.positions = {"floating_base_joint": [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]}
    again = ik.solve(robot.com[:2])
    assert again
    assert moved(robot, again.q)[0] <= 1e-6
    robot.positions = np.zeros(robot.num_dofs)
    far = CenterOfMassIK(robot, [3.0, 0.0], holding=FEET).solve_and_apply(attempts=1, apply_best=True)
    assert not far
    np.testing.assert_array_equal(robot.positions, far.q)


def test_a_fixed_base_with_a_node_set(arm, inside):
    arm.define_node_set("shoulder", ["j0", "j1", "j2", "j3"], "l3", "base")
    ik = CenterOfMassIK(arm, over=[0.02, 0.01], joints=arm.node_set("shoulder"))
    solution = ik.solve()
    assert solution
    np.testing.assert_allclose(arm.state(solution.q).com()[:2], [0.02, 0.01], atol=1e-6)
    np.testing.assert_array_equal(solution.q[4:], arm.positions[4:])
    assert inside(arm, solution.q)
    assert [dof.name for dof in ik.dofs] == ["j0", "j1", "j2", "j3"]
    assert len(CenterOfMassIK(arm, over=[0, 0]).dofs) == 7
    assert CenterOfMassIK(arm, over=[0.02, 0.01], joints=["j0", "j1"]).solve().q[2] == arm.positions[2]
    # Beyond the arm's reach, and in a vertical plane.
    assert CenterOfMassIK(arm, over=[2.0, 0.0]).solve(attempts=2).reason is Reason.UNREACHABLE
    high = CenterOfMassIK(arm, over=[0.1, 0.5], axes="xz").solve()
    assert high
    np.testing.assert_allclose(arm.state(high.q).com()[[0, 2]], [0.1, 0.5], atol=1e-6)


def test_frames_bodies_and_points(stance):
    foot = stance.frame("left_foot")
    ik = CenterOfMassIK(stance, [0.03, -0.05], frame=foot, holding=FEET, support="shapes")
    solution = ik.solve()
    assert solution
    state = stance.state(solution.q)
    np.testing.assert_allclose(state.transform(foot).actInv(state.com())[:2], [0.03, -0.05], atol=2e-6)
    beyond = ik.solve([0.03, 0.15])
    assert beyond.reason is Reason.UNREACHABLE
    assert "of 'left_foot' is 0.1 m outside" in beyond.detail
    point = CenterOfMassIK(stance, point=[*stance.com[:2], stance.com[2] - 0.1], holding=FEET, support="shapes").solve()
    assert point
    assert stance.state(point.q).com()[2] == pytest.approx(stance.com[2] - 0.1, abs=1e-6)
    upper = [link.name for link in stance.links if "shoulder" in link.name or "elbow" in link.name]
    task = CenterOfMassTask(over=[0.1, 0.0], bodies=upper)
    arms = CenterOfMassIK(stance, [0.1, 0.0], bodies=upper, holding=FEET).solve()
    assert arms
    assert task.residual(stance.state(arms.q))[0] <= 1e-6


def test_tolerance_of_the_centre_of_mass_alone(planar):
    # Its two masses of 1 kg are at its joints, the second of which goes round at 1 m: no further than 0.5 m.
    ik = CenterOfMassIK(planar, over=[0.503, 0.0], tolerance=5e-3)
    solution = ik.solve(attempts=2)
    assert solution
    assert solution.reason is Reason.CONVERGED
    assert not solution.detail
    assert np.linalg.norm(planar.state(solution.q).com()[:2] - [0.503, 0.0]) == pytest.approx(3e-3, abs=1e-5)
    strict = ik.solve(attempts=2, tolerance=1e-3)
    assert strict.reason is Reason.UNREACHABLE
    assert strict.position_error == pytest.approx(3e-3, abs=1e-5)
    assert not ik.solve(attempts=2, constraint=lambda q: False)


def test_constraints_refuse(stance):
    ik = CenterOfMassIK(stance, stance.com[:2] + 0.01, holding=FEET)
    solution = ik.solve(constraint=QConstraint(lambda q: False, "never"), attempts=2)
    assert solution.reason is Reason.CONSTRAINT
    assert "never" in solution.detail


def test_it_is_a_level_of_a_hierarchy_and_an_error_method(stance):
    hand = InverseKinematics(stance.frame("right_hand"))
    hand.use_whole_body()
    goal = stance.com[:2] + np.array([0.02, 0.01])
    ik = CenterOfMassIK(stance, goal, holding=FEET)
    body = HierarchicalIK(stance)
    body.add(hand, 2)
    ik.add_to(body)
    assert [[task.name for task in level] for level in body.levels] == [
        ["left_foot", "right_foot"], ["centre of mass"], ["right_hand"],
    ]  # fmt: skip
    solution = body.solve()
    assert solution
    assert moved(stance, solution.q)[0] <= 1e-6
    np.testing.assert_allclose(stance.state(solution.q).com()[:2], goal, atol=1e-6)
    alone = hand.solve(ik.task)
    assert alone
    np.testing.assert_allclose(stance.state(alone.q).com()[:2], goal, atol=1e-6)
    loose = HierarchicalIK(stance)
    CenterOfMassIK(stance, goal).add_to(loose, 0)
    assert [level for _, level in loose.tasks] == [0]
    with pytest.raises(InvalidValueError, match="no hierarchy of skeleton"):
        ik.add_to(HierarchicalIK(models.load("humanoid")))


def test_given_poses(stance):
    apart = stance.frame("left_foot").transform()
    apart.translation += np.array([0.05, 0.02, 0.0])
    ik = CenterOfMassIK(stance, stance.com[:2], holding={"left_foot": apart, stance.frame("right_foot"): None})
    solution = ik.solve()
    assert solution
    assert stance.state(solution.q).transform(stance.frame("left_foot")).isApprox(apart, 3e-6)
    points = CenterOfMassIK(stance, stance.com[:2], holding=FEET, support=[[0, 0], [0.1, 0], [0, 0.1]])
    assert isinstance(points.support, SupportArea)
    assert CenterOfMassIK(stance, [0, 0]).support is None
    with pytest.raises(InvalidValueError, match="give its points"):
        CenterOfMassIK(stance, [0, 0], holding={"left_foot": apart}, support="shapes")


def test_what_is_wrong_is_said_at_once(stance, arm):
    table = SimpleFrame("table", None, pose((0, 0, 0), rpy=(0.3, 0, 0)))
    hand = stance.frame("left_hand")
    for wrong, error, says in (
        ({}, InvalidValueError, "over="),
        ({"over": [0, 0, 0]}, ShapeError, "over must have 2 entries"),
        ({"over": [0, 0], "holding": ["left_fot"]}, UnknownNameError, "did you mean 'left_foot'"),
        ({"over": [0, 0], "holding": [arm.tip]}, UnknownNameError, "no frame"),
        ({"over": [0, 0], "holding": [3]}, InvalidValueError, "frames or their names"),
        ({"over": [0, 0], "holding": {"left_foot": np.eye(3)}}, InvalidPoseError, "pose of 'left_foot'"),
        ({"over": [0, 0], "joints": ["nobody"]}, UnknownNameError, "nobody"),
        ({"over": [0, 0], "joints": NodeSet("x", ["j1"], World(), arm.tip)}, InvalidValueError, "another skeleton"),
        ({"over": [0, 0], "bodies": ["left_foot"]}, StructureError, "'left_foot' of skeleton 'humanoid' have no mass"),
        ({"over": [0, 0], "tolerance": 0.0}, InvalidValueError, "tolerance"),
        ({"over": [0, 0], "support": "feet"}, InvalidValueError, "'shapes'"),
        ({"over": [0, 0], "support": "shapes"}, InvalidValueError, "at least one frame"),
        ({"over": [0, 0], "support": [[0, 0]], "axes": "xz"}, InvalidValueError, "along x and y"),
        ({"over": [0, 0], "support": [[0, 0]], "frame": table}, InvalidValueError, "'table' is not up"),
        ({"over": [0, 0], "support": [[0, 0]], "frame": hand}, InvalidValueError, "'left_hand' is not held"),
    ):
        with pytest.raises(error, match=says):
            CenterOfMassIK(stance, **wrong)
    with pytest.raises(InvalidValueError, match="needs a skeleton"):
        CenterOfMassIK("humanoid", [0, 0])
    with pytest.raises(GeometryError, match="'tool' has no collision shapes"):
        CenterOfMassIK(arm, [0, 0], holding=[arm.tip], support="shapes")
    with pytest.raises(ShapeError):
        CenterOfMassIK(stance, [0, 0]).solve([0, 0, 0])
    assert repr(CenterOfMassIK(stance, [0, 0.1], holding=FEET)) == (
        "<CenterOfMassIK of 'humanoid': x, y = 0 m, 0.1 m, holding 'left_foot', 'right_foot'>"
    )


def test_an_arm_on_a_floating_base_with_its_tip_held(arm):
    arm.replace_joint("base", FreeJoint("float"))
    before = arm.tip.transform()
    goal = arm.com[:2] + np.array([0.05, -0.05])
    solution = CenterOfMassIK(arm, goal, holding=[arm.tip]).solve()
    assert solution
    state = arm.state(solution.q)
    assert state.transform(arm.tip).isApprox(before, 3e-6)
    np.testing.assert_allclose(state.com()[:2], goal, atol=1e-6)
