import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, NodeSet, ShapeError
from kinetree.solvers import (
    AmbiguityResolver,
    CCDSolver,
    InverseKinematics,
    InvKinSolver,
    IterativeIK,
    IterativeMultiIK,
    JacobianIKSolver,
    ModuleSolver,
    MultiJacobianIKSolver,
    Solutions,
)


class Fixed(IterativeIK):
    """The least that a user writes."""

    def __init__(self, chain, answer=()):
        self._chain, self.answer = chain, answer

    @property
    def chain(self):
        return self._chain

    def solve(self, base_T_end, state=None):
        return Solutions(self.answer)


def test_contracts_cannot_be_made_without_a_solve(arm):
    for contract in (InvKinSolver, IterativeIK):
        with pytest.raises(TypeError, match="abstract"):
            contract()
    with pytest.raises(TypeError, match="abstract"):
        IterativeMultiIK(2)


def test_what_a_user_gets_for_two_methods(arm):
    solver = Fixed(arm.tip.chain())
    assert solver.check_joint_limits is True
    assert solver.tcp is arm.tip
    assert (solver.max_error, solver.max_iterations) == (1e-6, 100)
    assert solver.request_for(arm.tip.transform(), arm.positions) is None
    assert repr(solver) == "<Fixed: 7 joints, 'base' to 'tool'>"
    assert not solver.solve(arm.tip.transform())


@pytest.mark.parametrize("wrong", [0.0, -1e-9, float("nan"), float("inf"), "much", None])
def test_max_error_is_positive_and_finite(arm, wrong):
    solver = Fixed(arm.tip.chain())
    with pytest.raises(InvalidValueError, match="max_error"):
        solver.max_error = wrong
    assert solver.max_error == 1e-6


@pytest.mark.parametrize("wrong", [-1, 2.5, True, None, "ten"])
def test_max_iterations_is_a_whole_number(arm, wrong):
    solver = Fixed(arm.tip.chain())
    with pytest.raises(InvalidValueError, match="max_iterations"):
        solver.max_iterations = wrong
    assert solver.max_iterations == 100


def test_make_default(arm):
    for device in (arm, arm.tip, arm.tip.chain()):
        solver = IterativeIK.make_default(device)
        assert isinstance(solver, JacobianIKSolver)
        assert solver.tcp is arm.tip
        assert solver.solve(arm.tip.transform())


def test_without_limit_check_is_a_copy(arm):
    solver = Fixed(arm.tip.chain())
    twin = solver.without_limit_check()
    assert (twin.check_joint_limits, solver.check_joint_limits) == (False, True)
    assert twin.without_limit_check() is twin


def test_representations_name_chain_and_frame_only(arm):
    chain = arm.tip.chain()
    solvers = [JacobianIKSolver(chain), CCDSolver(chain), ModuleSolver(InverseKinematics(arm))]
    for solver in [*solvers, AmbiguityResolver(solvers[0])]:
        assert repr(solver) == f"<{type(solver).__name__}: 7 joints, 'base' to 'tool'>"


# Several targets.


def test_errors_of_several_targets(humanoid):
    solver = MultiJacobianIKSolver(humanoid, ["left_arm_end", "right_arm_end"])
    assert len(solver) == 2
    assert solver.max_error == (1e-6, 1e-6)
    solver.max_error = 1e-3
    assert solver.max_error == (1e-3, 1e-3)
    solver.max_error = [1e-3, 1e-5]
    assert solver.max_error == (1e-3, 1e-5)
    for wrong in ([1e-3], [1e-3] * 3):
        with pytest.raises(ShapeError, match="2 targets"):
            solver.max_error = wrong
    for wrong in (-1.0, [1e-3, -1.0], [1e-3, 0.0], [1e-3, None], None):
        with pytest.raises(InvalidValueError, match="max_error"):
            solver.max_error = wrong
    assert solver.max_error == (1e-3, 1e-5)
    with pytest.raises(InvalidValueError, match="max_iterations"):
        solver.max_iterations = -1


def test_states_are_configurations_of_the_whole_skeleton_or_mappings(arm):
    chain = NodeSet("wrist", ["j4", "j5", "j6"], arm.link("l3"), arm.tip)
    target = arm.tip.transform(arm.link("l3"))
    for solver in (JacobianIKSolver(chain), CCDSolver(chain)):
        moved = solver.solve(target, {"j4": arm.positions[4] + 0.1})
        assert len(moved) == 1
        np.testing.assert_array_equal(moved[0][:4], arm.positions[:4])
        with pytest.raises(ShapeError, match="7"):
            solver.solve(target, [0.0, 0.0, 0.0])
