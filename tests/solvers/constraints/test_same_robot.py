"""Constraints, detectors and devices of another robot are refused; those of a clone are not."""

import numpy as np
import pytest

from kinetree.kinematics import CollisionDetector, RevoluteJoint, Shape, Skeleton, Sphere, StructureError, pose
from kinetree.solvers import (
    AmbiguityResolver,
    CCDSolver,
    HierarchicalIK,
    IKMetaSolver,
    InverseKinematics,
    JacobianIKSolver,
    as_inv_kin_solver,
)
from kinetree.solvers.constraints.same_robot import is_same_robot


@pytest.fixture
def six(six):
    """With something to collide."""
    return with_shapes(six)


def with_shapes(robot):
    for name in ("base", "l3", "tool"):
        robot.link(name).collisions.append(Shape(Sphere(0.01)))
    return robot


@pytest.fixture
def other():
    """Another robot with as many joints, of the same names."""
    robot = Skeleton("other")
    link = robot.add_link("base")
    for k in range(6):
        link = robot.add_link(f"l{k}", RevoluteJoint(f"j{k}", axis="y", limits=(-3, 3)), link, pose((0, 0, 0.2)))
    robot.tip = robot.add_link("tool", None, link, pose((0, 0, 0.1)))
    return with_shapes(robot)


def test_clones_are_the_same_robot_and_others_are_not(six, other):
    assert is_same_robot(six, six.clone())
    assert is_same_robot(six, six.clone("renamed"))
    calibrated = six.clone()
    calibrated.joint("j2").placement = pose((0, -0.12, 0.4201))
    assert is_same_robot(six, calibrated)
    with_tool = six.clone("with a tool")
    with_tool.add_link("gripper", None, with_tool.link("tool"), pose((0, 0, 0.1)))
    assert is_same_robot(six, with_tool)
    assert not is_same_robot(six, other)


FORMS = {
    "detector": lambda detector: detector,
    "constraint": lambda detector: detector.constraint,
    "part": lambda detector: (lambda q: True) & detector.constraint,
    "not": lambda detector: ~detector.constraint,
    "list": lambda detector: [detector],
}
CALLS = {
    "solve": lambda six, given: InverseKinematics(six).solve(six.tip.transform(), constraint=given),
    "solve_batch": lambda six, given: InverseKinematics(six).solve_batch([six.tip.transform()], constraint=given),
    "solve_path": lambda six, given: InverseKinematics(six).solve_path([six.tip.transform()], constraint=given),
    "prepared": lambda six, given: InverseKinematics(six).prepare().solve(six.tip.transform(), constraint=given),
    "hierarchy": lambda six, given: HierarchicalIK(six).solve(constraint=given),
    "meta": lambda six, given: IKMetaSolver(JacobianIKSolver(six), constraint=given),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("form", FORMS)
def test_a_constraint_of_another_robot_is_refused(six, other, form, call):
    with pytest.raises(StructureError, match=r"'other'.*'six'"):
        CALLS[call](six, FORMS[form](CollisionDetector(other)))
    CALLS[call](six, FORMS[form](CollisionDetector(six.clone())))


def test_the_detector_of_a_meta_solver_is_looked_at_too(six, other):
    meta = IKMetaSolver(JacobianIKSolver(six))
    with pytest.raises(StructureError, match=r"'other'.*'six'"):
        meta.collision_detector = CollisionDetector(other)
    assert meta.collision_detector is None

    class Own:
        skeleton = other

        def in_collision(self, q):
            return False

    with pytest.raises(StructureError, match=r"'other'.*'six'"):
        meta.collision_detector = Own()


@pytest.mark.parametrize(
    "make",
    [
        lambda six, device: IKMetaSolver(CCDSolver(six), device),
        lambda six, device: IKMetaSolver(InverseKinematics(six), device),
        lambda six, device: AmbiguityResolver(CCDSolver(six), device),
        lambda six, device: as_inv_kin_solver(CCDSolver(six), device),
        lambda six, device: as_inv_kin_solver(InverseKinematics(six), device),
    ],
)
def test_a_device_of_another_robot_is_refused(six, other, make):
    for device in (other, other.tip, other.tip.chain()):
        with pytest.raises(StructureError, match=r"'other'.*'six'"):
            make(six, device)
    assert len(make(six, six.tip.chain()).solve(six.tip.transform(), np.zeros(6))) >= 0
