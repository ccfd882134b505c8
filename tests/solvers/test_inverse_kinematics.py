"""The module and its parts."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import (
    InvalidValueError,
    ShapeError,
    SimpleFrame,
    StructureError,
    UnknownNameError,
    World,
    pose,
)
from kinetree.solvers import InverseKinematics, JacobianDLS, LevenbergMarquardt, TaskSpaceRegion
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def test_a_fresh_module(arm):
    ik = InverseKinematics(arm.tip)
    assert ik.frame is arm.tip
    assert ik.name == "tool"
    assert isinstance(ik.error_method, TaskSpaceRegion)
    assert isinstance(ik.gradient_method, LevenbergMarquardt)
    assert isinstance(ik.target, SimpleFrame)
    assert ik.target.parent is World()
    assert ik.target.transform().isApprox(arm.tip.transform())
    assert ik.problem.tolerance == (1e-6, 1e-6)
    assert ik.problem.attempts == 1000
    assert ik.problem.pace_for(ik.gradient_method).iterations == 25
    assert (ik.active, ik.hierarchy_level, ik.objective, ik.null_space_objective) == (True, 0, None, None)
    ik.target = pose((1, 2, 3))
    ik.target = None
    assert ik.target.transform().isApprox(arm.tip.transform())


def test_frame_ik_is_made_once(arm):
    assert arm.tip.ik is arm.tip.ik
    assert arm.tip.ik.frame is arm.tip


def test_darts_defaults(arm):
    ik = InverseKinematics(arm)
    ik.use_dart_defaults()
    assert isinstance(ik.gradient_method, JacobianDLS)
    assert ik.gradient_method.damping == 0.05
    assert ik.gradient_method.component_clamp == 0.2
    assert ik.problem.iterations == 500
    assert ik.problem.attempts == 1
    q = 0.5 * (arm.lower_limits + arm.upper_limits)
    arm.positions = q + 0.2
    ik.target = arm.state(q).transform(arm.tip)
    assert ik.solve_and_apply()


def test_the_offset_is_the_point_that_reaches_the_target(arm, rng):
    ik = InverseKinematics(arm)
    assert not ik.has_offset
    ik.offset = (0.1, 0.0, 0.2)
    assert ik.has_offset
    ik.error_method = TaskSpaceRegion.position_only()
    point = arm.state(arm.random_positions(rng)).transform(arm.tip).act(np.array([0.1, 0.0, 0.2]))
    solution = ik.solve(point)
    assert solution
    at = arm.state(solution.q).transform(arm.tip).act(np.array([0.1, 0.0, 0.2]))
    np.testing.assert_allclose(at, point, atol=1e-6)
    ik.offset = (0, 0, 0)
    assert not ik.has_offset
    assert ik.offset is None
    with pytest.raises(ShapeError):
        ik.offset = (1, 2)


def test_choosing_degrees_of_freedom(humanoid):
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    chain = len(ik.dofs)
    assert chain == 6
    ik.use_whole_body()
    assert len(ik.dofs) == humanoid.num_dofs
    ik.use_chain(humanoid.root)
    assert len(ik.dofs) == 6
    ik.set_dofs(["left_arm_0", humanoid.dof("left_arm_2"), humanoid.joint("left_arm_3"), 0])
    assert [dof.name for dof in ik.dofs] == ["left_arm_0", "left_arm_2", "left_arm_3", "root.x"]
    ik.set_dofs(["root"])
    assert len(ik.dofs) == 6
    with pytest.raises(UnknownNameError, match="did you mean"):
        ik.set_dofs(["left_arm_O"])
    with pytest.raises(UnknownNameError, match="29"):
        ik.set_dofs([30])
    assert len(ik.dofs) == 6


def test_columns_follow_the_order_that_was_asked_for(arm, rng):
    target = reachable(arm, rng)
    names = [dof.name for dof in arm.dofs]
    straight, shuffled = InverseKinematics(arm), InverseKinematics(arm, dofs=names[::-1])
    assert [dof.name for dof in shuffled.dofs] == names[::-1]
    near = arm.positions
    np.testing.assert_allclose(straight.solve(target, seed=near).q, shuffled.solve(target, seed=near).q, atol=1e-5)


def test_a_module_survives_edits_of_its_skeleton(arm, rng):
    ik = InverseKinematics(arm)
    assert ik.solve(reachable(arm, rng))
    arm.joint("j6").placement = pose((0.1, 0, 0), rpy=(90, 0, 0), degrees=True)
    arm.dof("j0").limits = (-1.0, 1.0)
    for _ in range(5):
        solution = ik.solve(reachable(arm, rng))
        assert solution
        assert abs(solution.q[0]) <= 1.0


def test_a_degree_of_freedom_that_is_gone(arm):
    ik = InverseKinematics(arm.link("l3"), dofs=["j0", "j6"])
    arm.tip = None
    arm.remove_link("l6")
    with pytest.raises(StructureError, match="j6"):
        ik.solve()


def test_clone(arm, six):
    ik = InverseKinematics(arm)
    ik.offset = (0.1, 0, 0)
    ik.set_dofs(["j0", "j1"])
    ik.error_method = TaskSpaceRegion.position_only()
    ik.gradient_method = JacobianDLS(damping=0.3)
    ik.problem.seeds = [arm.positions]
    ik.hierarchy_level, ik.active = 2, False
    for frame in (None, arm.link("l4"), six.tip):
        twin = ik.clone(frame)
        assert twin.frame is (frame or arm.tip)
        assert [dof.name for dof in twin.dofs] == ["j0", "j1"]
        assert twin.dofs[0].joint.skeleton is twin.skeleton
        assert twin.target is ik.target
        assert twin.error_method is not ik.error_method
        assert twin.error_method.rows == 3
        assert twin.error_method.module is twin
        assert twin.gradient_method is not ik.gradient_method
        assert twin.gradient_method.damping == 0.3
        assert twin.problem.seeds is not ik.problem.seeds
        assert (twin.hierarchy_level, twin.active) == (2, False)
        np.testing.assert_array_equal(twin.offset, [0.1, 0, 0])


def test_chains_and_skeletons_are_accepted(arm):
    chain = arm.tip.chain(arm.link("l2"))
    assert InverseKinematics(chain).dofs == chain.dofs
    assert InverseKinematics(arm).frame is arm.tip
    with pytest.raises(StructureError, match="no skeleton"):
        InverseKinematics(SimpleFrame("free"))
    with pytest.raises(InvalidValueError):
        InverseKinematics("tool")


def test_without_a_target_it_says_so():
    robot = models.load("planar3")
    ik = InverseKinematics(robot)
    assert not ik.has_target
    solution = ik.solve()
    assert solution
    assert "no target was given" in str(solution)
    assert not ik.clone().has_target
    ik.target.set_translation(ik.target.transform().translation - [0.1, 0.0, 0.0])  # DART's way
    assert ik.has_target
    assert "no target" not in ik.solve().detail
    other = InverseKinematics(robot)
    other.target = robot.tip.transform()
    assert "no target" not in other.solve().detail
