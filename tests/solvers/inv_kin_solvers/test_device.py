"""Frames by name, states for configurations, and what is no device."""

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, QConstraint, UnknownNameError
from kinetree.solvers import (
    AmbiguityResolver,
    CCDSolver,
    IKMetaSolver,
    InverseKinematics,
    IterativeIK,
    JacobianDLS,
    JacobianIKSolver,
    ModuleSolver,
    MultiJacobianIKSolver,
    as_inv_kin_solver,
)
from tests.solvers.recorded import Recorded, relative


class Detector:
    def in_collision(self, q):
        return False


def test_frames_may_be_named(arm, rng):
    assert JacobianIKSolver(arm, tip="l5").tcp is arm.link("l5")
    assert IKMetaSolver(JacobianIKSolver(arm), "l4").chain.tip is arm.link("l4")
    assert IKMetaSolver(InverseKinematics(arm), "l4").chain.base is arm.link("l4").chain().base
    assert IKMetaSolver(Recorded([[]], arm.tip.chain()), "l4").chain.tip is arm.link("l4")
    assert ModuleSolver(InverseKinematics(arm), "l1").chain.base is arm.link("l1")
    assert AmbiguityResolver(JacobianIKSolver(arm), "l4").chain.tip is arm.link("l4")
    assert MultiJacobianIKSolver(arm, ["l5", arm.tip], base="l1").base is arm.link("l1")
    closed = InverseKinematics(arm).analytical()
    assert as_inv_kin_solver(closed, arm.tip.name).tcp is arm.tip
    ik = InverseKinematics(arm)
    ik.use_chain("l2")
    assert len(ik.dofs) == len(arm.tip.chain(arm.link("l2")).dofs)


@pytest.mark.parametrize(
    "make",
    [
        lambda arm: JacobianIKSolver(arm, tip="l55"),
        lambda arm: IKMetaSolver(JacobianIKSolver(arm), "l55"),
        lambda arm: ModuleSolver(InverseKinematics(arm), "l55"),
        lambda arm: AmbiguityResolver(JacobianIKSolver(arm), "l55"),
        lambda arm: MultiJacobianIKSolver(arm, ["l5"], base="l55"),
        lambda arm: InverseKinematics(arm).use_chain("l55"),
    ],
)
def test_a_name_that_is_not_there_is_told_with_those_like_it(arm, make):
    with pytest.raises(UnknownNameError, match="no frame 'l55'; did you mean"):
        make(arm)


def test_a_name_without_a_robot(arm):
    for make in (JacobianIKSolver, CCDSolver, IterativeIK.make_default):
        with pytest.raises(InvalidValueError, match=r"robot\.frame\('l5'\)"):
            make("l5")
    for make in (IKMetaSolver, as_inv_kin_solver):
        with pytest.raises(InvalidValueError, match="JacobianDLS does not say of which robot"):
            make(JacobianDLS(), "l5")


def test_what_is_no_device_is_told_where_it_belongs(arm):
    solver = JacobianIKSolver(arm)
    with pytest.raises(InvalidValueError, match=r"you gave a Detector as the device; write collision_detector=\.\.\."):
        IKMetaSolver(solver, Detector())
    for constraint in (QConstraint(lambda q: True, "tame"), lambda q: True):
        with pytest.raises(InvalidValueError, match=r"constraint \(\w+\) as the device; write constraint=\.\.\."):
            IKMetaSolver(solver, constraint)
    for make in (IKMetaSolver, AmbiguityResolver):
        with pytest.raises(InvalidValueError, match="device must be a chain"):
            make(solver, 3)


def test_an_ambiguity_resolver_goes_around_a_meta_solver(six):
    with pytest.raises(InvalidValueError, match=r"put it around: AmbiguityResolver\(IKMetaSolver\(\.\.\.\)\)"):
        IKMetaSolver(AmbiguityResolver(JacobianIKSolver(six)))
    q = np.array([0.3, -1.2, 1.5, -0.8, 1.2, 0.1])
    meta = IKMetaSolver(JacobianIKSolver(six))
    target = relative(six, q, meta.chain)
    found, turned = meta.solve(target, q), AmbiguityResolver(meta).solve(target, q)
    assert len(turned) == 64 * len(found) > 0


def test_a_state_is_a_configuration(arm, rng):
    q = arm.random_positions(rng)
    state, chain = arm.state(q), arm.tip.chain()
    target = relative(arm, arm.clamp(q + 0.1), chain)
    for solver in (IKMetaSolver(JacobianIKSolver(arm)), JacobianIKSolver(arm), CCDSolver(arm)):
        np.testing.assert_array_equal(solver.solve(target, state), solver.solve(target, q))
    np.testing.assert_array_equal(
        IKMetaSolver(JacobianIKSolver(arm)).solve(target, state, 200, True),
        IKMetaSolver(JacobianIKSolver(arm)).solve(target, q, 200, True),
    )
    ik = InverseKinematics(arm)
    pose = state.transform(chain.base) * target
    np.testing.assert_array_equal(ik.solve(pose, seed=state).q, ik.solve(pose, seed=q).q)
    given = arm.as_configuration(state)
    given[:] = 0.0
    np.testing.assert_array_equal(state.q, q)
    arm.positions = state
    np.testing.assert_array_equal(arm.positions, q)


def test_a_state_of_another_skeleton_is_refused(arm, six):
    meta = IKMetaSolver(JacobianIKSolver(arm))
    with pytest.raises(InvalidValueError, match="'arm'; it is one of skeleton 'six'"):
        meta.solve(np.eye(4), six.state())
    with pytest.raises(InvalidValueError, match="another skeleton of that name"):
        meta.solve(np.eye(4), arm.clone().state())
    before = arm.positions
    with pytest.raises(InvalidValueError, match="positions must be a state"):
        arm.positions = six.state()
    np.testing.assert_array_equal(arm.positions, before)
