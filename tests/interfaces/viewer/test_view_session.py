"""The viewer without a picture: solving, branches, limits, collisions."""

import threading

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.interfaces.viewer import LinkMark, ViewSession
from kinetree.kinematics import (
    CollisionDetector,
    FreeJoint,
    InvalidPoseError,
    InvalidValueError,
    ShapeError,
    Skeleton,
    Sphere,
    StructureError,
    UnknownNameError,
)
from kinetree.solvers import Reason

START = [0.3, -1.6, 1.7, -1.6, -1.5, 0.2]


@pytest.fixture
def robot():
    return models.load("ur5e")


@pytest.fixture
def session(robot):
    return ViewSession(robot, q=START)


def moved(session, *offset):
    """The session's target, a little off."""
    target = session.target
    target.translation += offset
    return target


def at_target(session, state_q):
    return session.robot.state(state_q).transform(session.frame)


def test_a_target_is_reached_and_the_robot_is_never_moved(session, robot):
    positions = robot.positions.copy()
    target = moved(session, 0.05, -0.05, 0.1)
    solution = session.set_target(target)
    assert solution
    picture = session.picture()
    assert picture.frame_pose.isApprox(target, 1e-6)
    assert picture.target.isApprox(target, 1e-12)
    assert picture.solution is solution
    # Poses are those of Pinocchio.
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.to_pinocchio(picture.q))
    for name, pose in picture.poses.items():
        assert pose.isApprox(data.oMf[robot.model.getFrameId(name)], 1e-12)
    np.testing.assert_array_equal(robot.positions, positions)


def test_small_steps_are_followed_without_jumps(session):
    for _ in range(30):
        before = session.q
        assert session.set_target(moved(session, 0.004, 0.006, -0.003))
        assert np.abs(session.q - before).max() < 0.1


def test_what_is_out_of_reach_is_followed_as_near_as_it_gets(session):
    target = moved(session, 0.0, 0.0, 0.0)
    target.translation *= 4.0
    before = at_target(session, session.q)
    solution = session.set_target(target)
    assert not solution
    assert solution.reason is Reason.UNREACHABLE
    picture = session.picture()
    aim = target.translation / np.linalg.norm(target.translation)
    assert aim @ picture.frame_pose.translation > aim @ before.translation + 0.1
    assert picture.target.isApprox(target)


def test_joints_set_by_hand_take_the_target_along(session):
    session.set_target(moved(session, 0.0, 0.0, 0.05))
    session.set_joint(0, 0.8)
    assert session.solution is None
    assert session.q[0] == 0.8
    assert session.target.isApprox(at_target(session, session.q))
    session.set_q({"elbow_joint": 1.2})
    assert session.q[2] == 1.2
    with pytest.raises(ShapeError, match="6"):
        session.set_joint(6, 0.0)


def test_methods(session):
    assert "closed-form" in session.methods
    assert len(session.methods) == 7
    for name in ("dls", "halley"):
        session.set_q(START)
        session.choose_method(name)
        assert session.set_target(moved(session, 0.02, 0.02, 0.02)), name
        assert session.picture().method == name
    with pytest.raises(UnknownNameError, match="dls"):
        session.choose_method("dlss")


def test_the_closed_form_only_where_there_is_one():
    session = ViewSession(models.load("humanoid"), frame="left_shoulder_yaw_link")
    assert "closed-form" not in session.methods
    assert not session.has_closed_form
    with pytest.raises(StructureError, match="closed form"):
        session.choose_method("closed-form")


def test_all_branches_are_listed_and_shown(session):
    session.list_branches(True)
    picture = session.picture()
    assert len(picture.branches) == 8  # of an arm with three parallel axes
    assert picture.branch is not None
    np.testing.assert_allclose(picture.branches[picture.branch].q, START, atol=1e-6)
    valid = [branch for branch in picture.branches if not branch.note]
    assert picture.branches[: len(valid)] == tuple(valid)
    for index, branch in enumerate(picture.branches):
        session.show_branch(index)
        after = session.picture()
        assert after.branch == index
        assert after.target.isApprox(picture.target)
        assert after.frame_pose.isApprox(picture.target, 1e-6)
        # A branch with a collision says so.
        assert bool(after.contacts) == ("and" in branch.note)
    with pytest.raises(InvalidValueError, match="8"):
        session.show_branch(8)
    session.list_branches(False)
    assert session.picture().branches == ()


def test_limits_are_marked(session, robot):
    q = np.array(START)
    q[2] = robot.dofs[2].upper
    session.set_q(q)
    picture = session.picture()
    assert [note.dof.name for note in picture.limits] == ["elbow_joint"]
    assert picture.marks["forearm_link"] in (LinkMark.AT_LIMIT, LinkMark.IN_COLLISION)


def test_collisions_are_marked_and_avoided(robot):
    detector = CollisionDetector(robot)
    free = ViewSession(robot, detector=detector, q=START)
    target = moved(free, 0.0, 0.0, -0.1)
    detector.add("ball", Sphere(0.05), target)
    assert free.set_target(target)
    assert free.picture().marks["ball"] is LinkMark.IN_COLLISION
    careful = ViewSession(robot, detector=detector, q=START)
    careful.avoids_collisions = True
    solution = careful.set_target(target)
    assert solution.reason is Reason.COLLISION
    np.testing.assert_array_equal(careful.q, START)  # it stays
    assert not careful.picture().contacts


def test_a_way_to_what_is_out_of_reach_that_collides_is_not_gone(robot):
    detector = CollisionDetector(robot)
    free = ViewSession(robot, detector=detector, q=START)
    target = moved(free, 0.0, 0.0, 0.0)
    target.translation *= 4.0
    free.set_target(target)
    assert np.abs(free.q - START).max() > 0.1
    detector.add("ball", Sphere(0.03), free.picture().frame_pose)
    careful = ViewSession(robot, detector=detector, q=START)
    careful.avoids_collisions = True
    assert not careful.set_target(target)
    np.testing.assert_array_equal(careful.q, START)


def test_branches_of_an_arm_that_stands_elsewhere(robot):
    robot.root.joint.placement = ([0.4, -0.3, 0.2], [0.0, 0.0, np.sin(0.4), np.cos(0.4)])
    session = ViewSession(robot, q=START)
    session.list_branches(True)
    picture = session.picture()
    assert len(picture.branches) == 8
    for branch in picture.branches:
        assert at_target(session, branch.q).isApprox(picture.target, 1e-6)


def test_another_frame(session):
    session.choose_frame("forearm_link")
    assert session.target.isApprox(at_target(session, session.q))
    assert session.picture().moved == (0, 1, 2)
    with pytest.raises(UnknownNameError, match="forearm_link"):
        session.choose_frame("forearm")
    with pytest.raises(UnknownNameError):
        session.choose_frame("base_link")  # nothing moves it
    assert session.frame.name == "forearm_link"


def test_what_is_refused(robot):
    with pytest.raises(InvalidValueError, match="Skeleton"):
        ViewSession("ur5e")
    with pytest.raises(InvalidValueError, match="another robot"):
        ViewSession(robot, detector=CollisionDetector(models.load("ur5")))
    with pytest.raises(InvalidPoseError):
        ViewSession(robot).set_target(np.full((4, 4), np.nan))
    stone = Skeleton("stone")
    stone.add_link("stone")
    with pytest.raises(StructureError, match="stone"):
        ViewSession(stone)


def test_a_robot_without_shapes_has_no_collisions():
    from kinetree.kinematics import RevoluteJoint

    arm = Skeleton("arm")
    arm.add_link("base")
    arm.add_link("fore", RevoluteJoint("elbow"), parent="base")
    session = ViewSession(arm)
    assert session.detector is None
    assert session.picture().contacts == ()


def test_several_threads(session):
    failures = []

    def work(seed):
        rng = np.random.default_rng(seed)
        try:
            for _ in range(40):
                session.set_target(moved(session, *rng.normal(scale=0.01, size=3)))
                picture = session.picture()
                assert picture.frame_pose.isApprox(at_target(session, picture.q), 1e-9)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


# What is refused changes nothing.


@pytest.mark.parametrize("name", ["ur5e", "floating", "dual_arm"])
@pytest.mark.parametrize("value", [1e160, -1e300, 2e9])
def test_values_too_large_to_be_shown_are_refused_by_every_robot(name, value):
    robot = floating() if name == "floating" else models.load(name)
    session = ViewSession(robot)
    session.list_branches(True)
    before, target = session.q, session.target
    for index in range(robot.num_dofs):
        with pytest.raises(InvalidValueError, match="up to 1e"):
            session.set_joint(index, value)
    np.testing.assert_array_equal(session.q, before)
    assert session.target == target
    assert session.picture().target == target
    session.set_joint(0, 1.0)
    assert session.q[0] == 1.0


def test_what_fails_half_way_changes_nothing(session, monkeypatch):
    session.list_branches(True)
    session.set_target(moved(session, 0.05, 0.0, 0.0))
    before = session.picture()

    def fail(*_):
        raise StructureError("no branches today")

    monkeypatch.setattr("kinetree.interfaces.viewer.view_session.branches_of", fail)
    for change in (
        lambda: session.set_q(np.zeros(6)),
        lambda: session.set_joint(0, 0.1),
        lambda: session.set_target(moved(session, 0.0, 0.0, 0.1)),
        lambda: session.choose_frame("forearm_link"),
    ):
        with pytest.raises(StructureError, match="today"):
            change()
    monkeypatch.undo()
    after = session.picture()
    np.testing.assert_array_equal(after.q, before.q)
    assert (after.target, after.frame, after.solution) == (before.target, before.frame, before.solution)
    assert len(after.branches) == len(before.branches)


def floating():
    robot = Skeleton("floating")
    robot.add_link("base")
    robot.add_link("body", FreeJoint("float"), "base")
    return robot
