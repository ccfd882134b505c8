"""`IkFast` with hooks in Python: no library, no compiler."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import InvalidValueError, PrismaticJoint, RevoluteJoint, ShapeError, UnknownNameError
from kinetree.solvers import (
    Direction3D,
    ExtraDofUtilization,
    GradientMethodError,
    IkFast,
    IkFastMismatchError,
    IkType,
    InverseKinematics,
    Reason,
    TaskSpaceRegion,
    Transform6D,
    Translation3D,
    TranslationXYOrientation3D,
    Validity,
)
from kinetree.solvers.ikfast.raw_solutions import RawSolutions
from tests.solvers.ikfast.generated_code import lifted_arm, serial

LINK, TOOL = 0.5, 0.1


class LiftedArm(IkFast):
    """What lifted_arm.cpp does, in Python."""

    num_joints = 4
    free_parameters = (0,)
    kinematics_hash = "by hand"
    ikfast_version = "61"

    def compute_ik(self, eetrans, eerot, free):
        angle = math.atan2(eerot[3], eerot[0])
        x, y = eetrans[0] - TOOL * math.cos(angle), eetrans[1] - TOOL * math.sin(angle)
        cosine = (x * x + y * y) / (2 * LINK * LINK) - 1
        if abs(cosine) > 1 + 1e-9:
            return
        bend = math.acos(max(-1.0, min(1.0, cosine)))
        for elbow in (bend, -bend):
            shoulder = math.atan2(y, x) - elbow / 2
            yield [free[0], shoulder, elbow, angle - shoulder - elbow]

    def compute_fk(self, joints):
        lift, a, b, c = joints[0], joints[1], joints[1] + joints[2], joints[1] + joints[2] + joints[3]
        position = [
            LINK * math.cos(a) + LINK * math.cos(b) + TOOL * math.cos(c),
            LINK * math.sin(a) + LINK * math.sin(b) + TOOL * math.sin(c),
            lift,
        ]
        return position, [math.cos(c), -math.sin(c), 0, math.sin(c), math.cos(c), 0, 0, 0, 1]


@pytest.fixture
def arm():
    return lifted_arm()


@pytest.fixture
def ik(arm):
    module = InverseKinematics(arm)
    module.gradient_method = LiftedArm()
    return module


def pose_of(arm, q):
    return arm.state(q).transform(arm.tip)


# What it says about itself.


def test_members(ik, arm):
    method = ik.gradient_method
    assert method.is_configured
    assert method.num_joints == 4
    assert method.num_free_parameters == 1
    assert method.ik_type is IkType.TRANSFORM_6D
    assert (method.kinematics_hash, method.ikfast_version) == ("by hand", "61")
    assert method.solved_joints == {"shoulder": 1, "elbow": 2, "wrist": 3}
    assert method.free_joints == {"lift": 0}
    assert method.base.name == "base"
    assert method.tip is arm.tip


def test_without_a_module_it_is_not_configured():
    method = LiftedArm()
    assert not method.is_configured
    with pytest.raises(InvalidValueError, match="belongs to no module"):
        method.solve_all(pin.SE3.Identity())


def test_own_forward_kinematics_is_a_pose(ik, arm):
    q = np.array([0.4, 0.3, -1.0, 0.5])
    arm.positions = q
    expected = pose_of(arm, q)
    for given_as in (q, q[1:], {"wrist": 0.5}, None):
        pose = ik.gradient_method.compute_pose(given_as)
        assert np.allclose(pose.homogeneous, expected.homogeneous, atol=1e-12), given_as
    with pytest.raises(ShapeError, match="joint values"):
        ik.gradient_method.compute_pose([0.0, 0.0])


# Solving.


@given(
    q=st.tuples(st.floats(0.0, 2.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-6.0, 6.0)),
    place=st.tuples(*[st.floats(-1.0, 1.0)] * 6),
)
def test_the_generating_configuration_is_found(q, place):
    arm = lifted_arm()
    # The world is not the base: a method that takes world poses fails here.
    arm.root.joint.placement = pin.exp6(np.array(place))
    ik = InverseKinematics(arm)
    ik.gradient_method = method = LiftedArm()
    q = np.array(q)
    rows, validity = method.solve_all(method.base.transform().actInv(pose_of(arm, q)), seed=q)
    assert np.isfinite(rows).all()
    away = np.abs(rows - q).max(axis=1)
    # Folded or stretched the two solutions become one, which is found to about the square root of rounding.
    assert away.min() < (1e-9 if abs(math.sin(q[2])) > 1e-3 else 1e-5)
    assert validity[away.argmin()] == Validity.VALID
    for row in rows:
        assert np.linalg.norm(pin.log6(pose_of(arm, row).actInv(pose_of(arm, q)))) < 1e-9


def test_solves_as_method_of_a_module(ik, arm):
    q = np.array([0.4, 0.3, -1.0, 0.5])
    solution = ik.solve(pose_of(arm, q), seed=q + np.array([0.0, 0.1, 0.1, 0.1]))
    assert solution.success
    assert solution.q == pytest.approx(q, abs=1e-9)
    assert (arm.positions == 0.0).all(), "solving moves nothing"


def test_out_of_reach_gives_nothing_and_says_so(ik):
    assert ik.gradient_method.get_solutions(([3.0, 0.0, 0.0], [0, 0, 0, 1])) == []
    solution = ik.solve(([3.0, 0.0, 0.0], [0, 0, 0, 1]))
    assert not solution.success
    assert solution.reason is Reason.UNREACHABLE


def test_what_misses_is_tagged(arm):
    class Careless(LiftedArm):
        def compute_ik(self, eetrans, eerot, free):
            yield from super().compute_ik(eetrans, eerot, free)
            yield [free[0], 0.7, 0.7, 0.7]

    ik = InverseKinematics(arm)
    ik.gradient_method = Careless()
    found = ik.gradient_method.get_solutions(pose_of(arm, [0.4, 0.3, -1.0, 0.5]), seed=[0.4, 0, 0, 0])
    assert [each.validity for each in found] == [Validity.VALID, Validity.VALID, Validity.OUT_OF_REACH]


def test_limits_are_tagged_for_every_joint_and_all_values_are_there(arm):
    arm.dof("shoulder").limits = (0.5, 1.0)
    arm.dof("wrist").limits = (-7.0, -5.0)
    ik = InverseKinematics(arm)
    ik.gradient_method = LiftedArm()
    q = [0.4, 0.9, -1.0, -5.5]
    found = ik.gradient_method.get_solutions(pose_of(arm, q), seed=[0.4, 0, 0, 0])
    assert [each.validity for each in found] == [Validity.VALID, Validity.LIMIT_VIOLATED]
    assert found[0].q == pytest.approx(q)
    # Trap: a loop that ends at the first violated limit leaves the rest of the values as they were.
    assert np.allclose(pose_of(arm, found[1].q).homogeneous, pose_of(arm, q).homogeneous, atol=1e-9)


def test_rounded_solutions_are_brought_to_full_precision(arm):
    class Rounded(LiftedArm):
        def compute_ik(self, eetrans, eerot, free):
            return [np.round(row, 4) for row in super().compute_ik(eetrans, eerot, free)]

    ik = InverseKinematics(arm)
    ik.gradient_method = Rounded()
    q = np.array([0.4, 0.3, -1.0, 0.5])
    rows, validity = ik.gradient_method.solve_all(pose_of(arm, q), seed=q)
    assert (validity == Validity.VALID).all()
    assert rows[0] == pytest.approx(q, abs=1e-9)


def test_an_offset_is_taken_into_account(ik, arm):
    ik.offset = [0.05, 0.02, 0.0]
    q = np.array([0.4, 0.3, -1.0, 0.5])
    point = pose_of(arm, q)
    point.translation = point.act(ik.offset)
    rows, validity = ik.gradient_method.solve_all(point, seed=q)
    assert (validity == Validity.VALID).all()
    assert rows[0] == pytest.approx(q, abs=1e-9)
    assert ik.solve(point, seed=q).q == pytest.approx(q, abs=1e-9)


# Free joints.


def test_free_joints_take_the_seeds_value_or_the_given_one(ik, arm):
    target = pose_of(arm, [0.4, 0.3, -1.0, 0.5])
    assert ik.solve(target, seed={"lift": 0.4}).success
    method = ik.gradient_method
    assert (method.solve_all(target, seed=[0.9, 0, 0, 0])[0][:, 0] == 0.9).all()
    assert (method.solve_all(target, seed=[0.9, 0, 0, 0])[1] == Validity.OUT_OF_REACH).all()
    method.free = {"lift": 0.4}
    assert (method.solve_all(target, seed=[0.9, 0, 0, 0])[1] == Validity.VALID).all()
    assert ik.solve(target, seed=[0.9, 0, 0, 0]).q[0] == 0.4
    assert method.free == {"lift": 0.4}


def test_free_joints_that_are_none_are_refused(ik, arm):
    with pytest.raises(UnknownNameError, match=r"no free joint 'elbow'.*lift"):
        ik.gradient_method.free = {"elbow": 0.3}
    assert ik.gradient_method.free == {}
    with pytest.raises(InvalidValueError, match=r"free\['lift'\]"):
        ik.gradient_method.free = {"lift": math.nan}
    with pytest.raises(UnknownNameError, match="no free joint 'lft'"):
        ik.gradient_method = LiftedArm(free={"lft": 0.3})
    assert type(ik.gradient_method) is LiftedArm
    assert ik.gradient_method.ik is ik


def test_free_joints_count_as_extra_dofs(ik):
    method = ik.gradient_method
    assert method.extra_dofs.tolist() == [0]
    method.free = {"lift": 0.1}
    assert method.extra_dofs.tolist() == []


def test_extra_dof_utilization_moves_a_free_joint(ik, arm):
    method = ik.gradient_method
    method.extra_dof_utilization = ExtraDofUtilization.PRE_ANALYTICAL
    target = pose_of(arm, [0.4, 0.3, -1.0, 0.5])
    assert ik.solve(target, seed=[0.9, 0.1, -0.8, 0.3], attempts=3).success


def test_the_arm_need_not_come_first_in_the_skeleton():
    # Trap: the function's joint numbers are not the skeleton's.
    robot = models.load("dual_arm")
    chains = [link.chain().dofs for link in robot.links if not link.children]
    right = max((dofs for dofs in chains if len(dofs) == 7), key=lambda dofs: dofs[0].index)
    tip = right[-1].joint.child_link
    assert right[0].index > 0

    class Numeric(IkFast):
        num_joints = 7
        free_parameters = (2,)
        asked: tuple = ()

        def compute_ik(self, eetrans, eerot, free):
            type(self).asked = tuple(free)
            return []

    ik = InverseKinematics(tip)
    ik.gradient_method = Numeric()
    assert list(ik.gradient_method.free_joints) == [right[2].name]
    q = robot.positions + 0.01 * np.arange(robot.num_dofs)
    ik.gradient_method.solve_all(pin.SE3.Identity(), seed=q)
    assert Numeric.asked == (q[right[2].index],)


# Families.


def test_of_a_family_the_member_inside_limits_and_near_the_seed(arm):
    class Folded(LiftedArm):
        def compute_ik(self, eetrans, eerot, free):
            angle = math.atan2(eerot[3], eerot[0])
            offsets = np.array([[free[0], 0.0, math.pi, angle - math.pi]])
            factors = np.array([[0.0, 1.0, 0.0, -1.0]])
            return RawSolutions(offsets, factors, np.array([[-1, 0, -1, 0]], dtype=np.int8))

    ik = InverseKinematics(arm)
    ik.gradient_method = method = Folded()
    target = pose_of(arm, [0.4, 0.6, math.pi, 0.2])
    rows, validity = method.solve_all(target, seed=[0.4, 0.6, math.pi, 0.2])
    assert rows == pytest.approx(np.array([[0.4, 0.6, math.pi, 0.2]]))
    assert validity.tolist() == [Validity.VALID]
    arm.dof("wrist").limits = (1.0, 1.5)
    rows, validity = method.solve_all(target, seed=[0.4, 0.6, math.pi, 0.2])
    assert validity.tolist() == [Validity.VALID]
    assert 1.0 <= rows[0, 3] <= 1.5
    arm.dof("shoulder").limits = (2.0, 2.5)
    assert method.solve_all(target)[1].tolist() == [Validity.LIMIT_VIOLATED | Validity.OUT_OF_REACH]
    assert np.isfinite(method.solve_all(target)[0]).all()


# Whether it fits.


def test_hooks_that_contradict_themselves(ik):
    for free in ((4,), (0, 0), (-1,)):
        bad = LiftedArm()
        bad.free_parameters = free
        with pytest.raises(IkFastMismatchError, match="cannot be"):
            ik.gradient_method = bad
        assert bad.ik is None
        assert not bad.is_configured


def test_wrong_number_of_joints(ik):
    with pytest.raises(IkFastMismatchError, match=r"for 4 joints, 1 of them free, and was given 3 \(shoulder"):
        ik.gradient_method = LiftedArm(joints=["shoulder", "elbow", "wrist"])
    with pytest.raises(UnknownNameError, match="did you mean 'elbow'"):
        ik.gradient_method = LiftedArm(joints=["lift", "shoulder", "elbo", "wrist"])


def test_joints_in_another_order(ik, arm):
    with pytest.raises(IkFastMismatchError, match="another order"):
        ik.gradient_method = LiftedArm(joints=["lift", "elbow", "shoulder", "wrist"])
    ik.gradient_method = LiftedArm(joints=["lift", "shoulder", "elbow", "wrist"])


def test_a_wrong_tip_is_named_with_one_that_fits(arm):
    arm.add_frame("grip", "tool", ([0.02, 0, 0], [0, 0, 0, 1]))
    arm.add_frame("table", "base", ([0.3, 0, 0], [0, 0, 0, 1]))
    ik = InverseKinematics(arm.frame("grip"))
    with pytest.raises(IkFastMismatchError, match=r"0.02 m and \S+ rad away from 'grip'.*pass tip='tool'"):
        ik.gradient_method = LiftedArm()
    with pytest.raises(IkFastMismatchError, match="pass base='base', tip='tool'"):
        ik.gradient_method = LiftedArm(base="table")
    ik.gradient_method = method = LiftedArm(tip="tool")
    q = np.array([0.4, 0.3, -1.0, 0.5])
    rows, validity = method.solve_all(arm.state(q).transform(arm.frame("grip")), seed=q)
    assert validity.tolist() == [Validity.VALID] * 2
    assert rows[0] == pytest.approx(q, abs=1e-9)


def test_a_tip_that_the_skeleton_lacks_is_described(arm):
    ik = InverseKinematics(arm.frame("wrist_link"))
    arm.tip = None
    arm.remove_frame("tool")
    with pytest.raises(IkFastMismatchError, match=r"fixed to 'wrist_link' at xyz 0\.1 0 0, rpy 0 0 0"):
        ik.gradient_method = LiftedArm()


def test_a_base_that_the_skeleton_lacks_is_described(arm):
    class Raised(LiftedArm):
        def compute_fk(self, joints):
            position, rotation = super().compute_fk(joints)
            return [position[0], position[1], position[2] + 0.5], rotation

    # A screw about the tool's own axis would be a tip as well.
    arm.root.joint.placement = ([0, 0, 0], [0, 0, 0, 1])
    ik = InverseKinematics(arm)
    with pytest.raises(IkFastMismatchError, match=r"at xyz 0 0 0.5, rpy 0 0 0"):
        ik.gradient_method = Raised()


def test_a_robot_that_is_slightly_different_needs_permission(arm):
    class Longer(LiftedArm):
        def compute_fk(self, joints):
            position, rotation = super().compute_fk(joints)
            return [
                position[0] + 0.0007 * math.cos(joints[1]),
                position[1] + 0.0007 * math.sin(joints[1]),
                position[2],
            ], rotation

    ik = InverseKinematics(arm)
    with pytest.raises(IkFastMismatchError, match=r"agreement_tolerance=0.0008"):
        ik.gradient_method = Longer()
    ik.gradient_method = method = Longer(agreement_tolerance=0.0008)
    assert method.is_configured


def test_another_robot_is_refused(arm):
    other = serial(
        "other",
        [(RevoluteJoint, f"j{k}", "xyzx"[k], [0.1, 0, 0.2], None) for k in range(4)],
        ([0, 0, 0.1], [0, 0, 0, 1]),
    )
    with pytest.raises(IkFastMismatchError, match="no frames of the skeleton fit"):
        InverseKinematics(other).gradient_method = LiftedArm()


def test_a_changed_robot_is_compared_again(ik, arm):
    arm.link("elbow_link").joint.placement = ([0.6, 0, 0], [0, 0, 0, 1])
    assert not ik.gradient_method.is_configured
    with pytest.raises(IkFastMismatchError, match="puts its tip up to"):
        ik.gradient_method.solve_all(pin.SE3.Identity())


def test_without_forward_kinematics_solutions_are_checked_all_the_same(arm):
    class Blind(LiftedArm):
        compute_fk = IkFast.compute_fk

    ik = InverseKinematics(arm)
    ik.gradient_method = Blind()
    with pytest.raises(NotImplementedError, match="compute_fk"):
        ik.gradient_method.compute_pose()
    arm.link("elbow_link").joint.placement = ([0.6, 0, 0], [0, 0, 0, 1])
    _, validity = ik.gradient_method.solve_all(pose_of(arm, [0.0, 0.3, -1.0, 0.5]))
    assert (validity == Validity.OUT_OF_REACH).all()


def test_own_configure(arm):
    class Picky(LiftedArm):
        calls = 0

        def configure(self):
            super().configure()
            type(self).calls += 1

    ik = InverseKinematics(arm)
    ik.gradient_method = Picky()
    assert Picky.calls == 1
    ik.clone()
    assert Picky.calls == 1, "a clone for the same frame needs no second look"


# Faults in hooks.


@pytest.mark.parametrize("bad", [[[0.0, 1.0]], [[math.nan] * 4], ["abcd"], 7])
def test_answers_that_are_no_solutions(arm, bad):
    class Bad(LiftedArm):
        def compute_ik(self, eetrans, eerot, free):
            return bad

    ik = InverseKinematics(arm)
    ik.gradient_method = Bad()
    with pytest.raises(GradientMethodError, match="Bad"):
        ik.gradient_method.solve_all(pin.SE3.Identity())


def test_hooks_that_are_not_there(arm):
    class Empty(IkFast):
        num_joints = 4

    ik = InverseKinematics(arm)
    ik.gradient_method = Empty()
    with pytest.raises(GradientMethodError, match="does not define compute_ik"):
        ik.gradient_method.solve_all(pin.SE3.Identity())


def test_clones_are_independent(ik):
    ik.gradient_method.free = {"lift": 0.3}
    twin = ik.clone()
    twin.gradient_method.free = {"lift": 0.6}
    assert ik.gradient_method.free == {"lift": 0.3}
    assert twin.gradient_method.is_configured
    assert ik.gradient_method.clone().ik is None


# Other types of targets.

UNTURNED = [0, 0, 0, 1]


class PlanarHand(IkFast):
    """Shoulder, elbow and wrist of the lifted arm: a place and a heading."""

    num_joints = 3
    ik_type = IkType.TRANSLATION_XY_ORIENTATION_3D

    def compute_ik(self, eetrans, eerot, free):
        turned = [math.cos(eerot[0]), 0, 0, math.sin(eerot[0]), 0, 0, 0, 0, 1]
        for row in LiftedArm().compute_ik(eetrans, turned, [0.0]):
            yield row[1:]

    def compute_fk(self, joints):
        position, _ = LiftedArm().compute_fk([0.0, *joints])
        return [position[0], position[1], 0], [sum(joints), *[0.0] * 8]


class Gantry(IkFast):
    num_joints = 3
    ik_type = IkType.TRANSLATION_3D

    def compute_ik(self, eetrans, eerot, free):
        yield eetrans - [0, 0, -0.1]

    def compute_fk(self, joints):
        return np.add(joints, [0, 0, -0.1]), np.zeros(9)


class PanTilt(IkFast):
    """Pan about z, tilt about y, looking along x."""

    num_joints = 2
    ik_type = IkType.DIRECTION_3D

    def compute_ik(self, eetrans, eerot, free):
        x, y, z = eerot[:3]
        for pan, tilt in ((math.atan2(y, x), math.atan2(-z, math.hypot(x, y))),):
            yield [pan, tilt]
            yield [pan + math.pi, math.pi - tilt]

    def compute_fk(self, joints):
        pan, tilt = joints
        direction = [math.cos(pan) * math.cos(tilt), math.sin(pan) * math.cos(tilt), -math.sin(tilt)]
        return np.zeros(3), [*direction, *[0.0] * 6]


def gantry():
    joints = [(PrismaticJoint, f"slide_{axis}", axis, [0, 0, 0], (-1.0, 1.0)) for axis in "xyz"]
    return serial("gantry", joints, ([0, 0, -0.1], UNTURNED))


def pan_tilt():
    joints = [
        (RevoluteJoint, "pan", "z", [0, 0, 0.3], None),
        (RevoluteJoint, "tilt", "y", [0, 0, 0], (-1.5, 1.5)),
    ]
    return serial("pan_tilt", joints, ([0.02, 0, 0], UNTURNED))


def test_a_place_and_a_heading(arm):
    arm.positions = {"lift": 0.7}
    ik = InverseKinematics(arm, dofs=["shoulder", "elbow", "wrist"])
    ik.gradient_method = method = PlanarHand()
    assert method.base.name == "lift_link"
    q = np.array([0.7, 0.3, -1.0, 0.5])
    pose = pose_of(arm, q)
    target = TranslationXYOrientation3D.from_pose(pose)
    solution = ik.solve(target)
    assert solution.success
    assert np.allclose(pose_of(arm, solution.q).homogeneous, pose.homogeneous, atol=1e-9)
    rows, validity = method.solve_all(target, seed=q)
    assert validity.tolist() == [Validity.VALID] * 2
    assert rows[0] == pytest.approx(q[1:], abs=1e-9)
    # A pose stands for what the function can reach of it.
    assert method.solve_all(method.base.transform().actInv(pose), seed=q)[0][0] == pytest.approx(q[1:], abs=1e-9)


def test_values_are_those_of_the_targets_reference():
    arm = gantry()
    arm.root.joint.placement = pin.exp6(np.array([0.3, 0.1, 0.2, 0.4, -0.3, 1.0]))
    ik = InverseKinematics(arm)
    ik.gradient_method = method = Gantry()
    q = np.array([0.2, -0.3, 0.4])
    world = pose_of(arm, q).translation
    assert method.solve_all(Translation3D(world))[0] == pytest.approx(q[None])
    assert method.solve_all(Translation3D([0.2, -0.3, 0.3], reference=method.base))[0] == pytest.approx(q[None])
    assert ik.solve(Translation3D(world)).q == pytest.approx(q)
    ik.error_method = Translation3D([0.0, 0.0, 0.0])
    assert ik.solve(Translation3D(world)).q == pytest.approx(q)


def test_angles_need_the_axes_of_the_base(arm):
    arm.root.joint.placement = ([0, 0, 0.2], [0, 0, math.sin(0.3), math.cos(0.3)])
    ik = InverseKinematics(arm, dofs=["shoulder", "elbow", "wrist"])
    ik.gradient_method = method = PlanarHand()
    with pytest.raises(InvalidValueError, match="give it the base as its reference"):
        method.solve_all(TranslationXYOrientation3D([0.5, 0.2], 0.3))
    assert len(method.solve_all(TranslationXYOrientation3D([0.5, 0.2], 0.3, reference=method.base))[0]) == 2


def test_directions_and_the_tools_own():
    camera = pan_tilt()
    ik = InverseKinematics(camera)
    with pytest.raises(IkFastMismatchError, match="pass tool_direction='x'"):
        ik.gradient_method = PanTilt()
    ik.gradient_method = method = PanTilt(tool_direction="x")
    q = np.array([0.7, -0.4])
    target = Direction3D.from_pose(pose_of(camera, q), "x")
    rows, validity = method.solve_all(target)
    assert rows[0] == pytest.approx(q)
    assert validity.tolist() == [Validity.VALID, Validity.LIMIT_VIOLATED]
    assert ik.solve(target).q == pytest.approx(q)
    with pytest.raises(InvalidValueError, match="solves for the tool direction"):
        method.solve_all(Direction3D([1, 0, 0]))


def test_targets_of_another_type_are_refused(ik):
    with pytest.raises(InvalidValueError, match="solves for Transform6D, not for Translation3D"):
        ik.gradient_method.solve_all(Translation3D([0.5, 0.0, 0.1]))


def test_a_pose_as_a_target_object(ik, arm):
    q = np.array([0.4, 0.3, -1.0, 0.5])
    rows, validity = ik.gradient_method.solve_all(Transform6D(pose_of(arm, q)), seed=q)
    assert rows[0] == pytest.approx(q, abs=1e-9)
    assert validity[0] == Validity.VALID
    assert ik.solve(Transform6D(pose_of(arm, q)), seed=q).success


def test_a_position_with_any_rotation_is_searched_for(ik, arm):
    # A function for poses knows one rotation only, which need not be one that is reached.
    ik.error_method = TaskSpaceRegion.position_only()
    target = pose_of(arm, [0.4, 0.3, -1.0, 0.5]).translation
    solution = ik.solve(target, seed=[0.4, -2.0, 0.1, 2.0])
    assert solution.success
    assert solution.engine != "closed form"
    assert pose_of(arm, solution.q).translation == pytest.approx(target, abs=1e-6)


def test_other_types_know_no_pose_and_no_offset():
    ik = InverseKinematics(gantry())
    ik.gradient_method = method = Gantry()
    with pytest.raises(InvalidValueError, match="Translation3D, whose targets are no poses"):
        method.compute_pose()
    ik.offset = [0, 0, 0.1]
    with pytest.raises(InvalidValueError, match="tool point of the module is elsewhere"):
        method.solve_all(Translation3D([0, 0, 0]))


def test_unknown_type(arm):
    class Odd(LiftedArm):
        ik_type = IkType.UNKNOWN

    with pytest.raises(IkFastMismatchError, match="not known"):
        InverseKinematics(arm).gradient_method = Odd()
